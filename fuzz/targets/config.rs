//! The configuration file.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &str| fumikura_properties::config(input));
