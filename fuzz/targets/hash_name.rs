//! The names of hash records: a name that shows a path is the name of that path, and a path's name shows it.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| fumikura_properties::hash_name(input));
