//! The headers of pictures, as listings read them.

use fumikura_image::Head;

/// Checks one input.
pub fn head(data: &[u8]) {
    if let Some(head) = Head::read(crate::file_of(data), data.len() as u64) {
        assert!((1..=8).contains(&head.orientation), "{head:?}");
    }
}
