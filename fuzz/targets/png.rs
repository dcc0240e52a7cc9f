//! PNG, made into thumbnails.
#![cfg_attr(fuzzing, no_main)]

fumikura_fuzz::thumbnails!(Png);
