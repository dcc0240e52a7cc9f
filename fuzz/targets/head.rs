//! What listings read of a picture.
#![no_main]

use fumikura_image::Head;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(head) = Head::read(fumikura_fuzz::file_of(data), data.len() as u64) {
        assert!((1..=8).contains(&head.orientation), "{head:?}");
    }
});
