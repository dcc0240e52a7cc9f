//! Queries of an index with several segments and deletions: each finds the pages that a scan finds.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &str| fumikura_properties::search(input));
