//! The headers of pictures, as listings read them.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| fumikura_properties::head(input));
