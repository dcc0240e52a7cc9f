//! Lists of other programs.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| fumikura_properties::hash_list(input));
