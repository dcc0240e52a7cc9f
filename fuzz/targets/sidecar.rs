//! XMP sidecars: what is read of them, and what a change makes of them.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| fumikura_properties::sidecar(input));
