//! What listings read of a picture.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| fumikura_properties::head(input));
