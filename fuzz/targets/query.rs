//! The queries of pictures and thumbnails.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &str| fumikura_properties::query(input));
