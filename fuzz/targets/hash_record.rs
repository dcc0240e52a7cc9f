//! Hash records in all formats: a record that is read and written is read again as the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| fumikura_properties::hash_record(input));
