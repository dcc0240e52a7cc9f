//! The queries of pictures and thumbnails.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|query: &str| fumikura_server::fuzzing::read_query(query));
