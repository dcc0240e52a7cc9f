//! JPEG, reduced without libjpeg: any file is refused, or has planes of the sizes that its header states.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| fumikura_properties::jpeg_reduce(input));
