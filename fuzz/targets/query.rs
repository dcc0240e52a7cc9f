//! The queries of pictures and thumbnails.
#![cfg_attr(fuzzing, no_main)]

fumikura_fuzz::text!(fumikura_properties::query);
