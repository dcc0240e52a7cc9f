//! The memory that a picture needs, estimated from its header.

use fumikura_image::{Head, Size};

/// The memory that a decoder needs besides pixels, in bytes: its stacks, and an arena of the allocator for
/// each of its threads.
const BASE: u64 = 256 << 20;
/// The memory for a pixel while it is decoded and scaled, in bytes: the decoder's own copies, two whole
/// pictures with up to 8 bytes a pixel, and the result. The most demanding decoder (JPEG XL) takes 27.
const BYTES_PER_PIXEL: u64 = 32;
/// The memory for a pixel between the two passes of scaling, in bytes.
const BYTES_BETWEEN: u64 = 4;

/// Returns the memory with which a thumbnail can be made, in bytes. A generous estimate: no picture
/// legitimately needs more.
pub(super) fn estimate(head: Head, file_bytes: u64, size: Size) -> u64 {
    let pixels = u64::from(head.width) * u64::from(head.height);
    let (width, height) = (u64::from(size.width()), u64::from(size.height()));
    // The side that is scaled first depends on the stored orientation of the picture.
    let between = width.max(height) * u64::from(head.width.max(head.height));
    [
        file_bytes,
        pixels.saturating_mul(BYTES_PER_PIXEL),
        width * height * BYTES_PER_PIXEL,
        between.saturating_mul(BYTES_BETWEEN),
    ]
    .into_iter()
    .fold(BASE, u64::saturating_add)
}

/// Returns the memory with which a rendition can be made, in bytes: at most as large as the picture, it is held a few
/// times, decoded and encoded.
pub(super) fn estimate_rendition(head: Head, file_bytes: u64) -> u64 {
    let pixels = u64::from(head.width) * u64::from(head.height);
    let pictures = pixels.saturating_mul(2 * BYTES_PER_PIXEL);
    BASE.saturating_add(file_bytes).saturating_add(pictures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(width: u32, height: u32, size: &str, mebibytes: u64) {
        let head = Head {
            width,
            height,
            orientation: 1,
        };
        let need = estimate(head, 5 << 20, size.parse().unwrap());
        assert_eq!(need >> 20, mebibytes);
    }

    #[test]
    fn memory_need_grows_with_picture_and_thumbnail() {
        check(0, 0, "1x1", 261);
        check(4000, 3000, "256x256", 633);
        check(8000, 6000, "256x256", 1735);
        check(1, 65_535, "4096x4096", 1798);
        check(u32::MAX, u32::MAX, "4096x4096", u64::MAX >> 20);
    }
}
