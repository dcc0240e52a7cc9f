//! Pictures, made into thumbnails: those of one format under `cargo xtask fuzz`, which names it in the environment.
#![cfg_attr(fuzzing, no_main)]

fumikura_fuzz::thumbnails!();
