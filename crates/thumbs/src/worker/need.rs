//! How much memory a picture needs, by its header.

use crate::decode::Head;
use crate::variant::Size;

/// What a decoder needs besides pixels: its stacks, and an arena of the allocator for each of its threads.
const BASE: u64 = 256 << 20;
/// What a pixel takes while it is decoded and scaled: the decoder's own copies, two whole pictures
/// with up to 8 bytes a pixel, and what is made of them. The hungriest decoder (JPEG XL) takes 27.
const BYTES_PER_PIXEL: u64 = 32;
/// What a pixel takes between the two passes of scaling.
const BYTES_BETWEEN: u64 = 4;

/// The bytes of memory with which a thumbnail can be made. Counted generously: what is less than
/// that was never a picture's need.
pub(super) fn of(head: Head, file_bytes: u64, size: Size) -> u64 {
    let pixels = u64::from(head.width) * u64::from(head.height);
    let (width, height) = (u64::from(size.width()), u64::from(size.height()));
    // Which side is scaled first depends on how the file stores the picture.
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
        let need = of(head, 5 << 20, size.parse().unwrap());
        assert_eq!(need >> 20, mebibytes);
    }

    #[test]
    fn the_need_grows_with_the_picture_and_with_the_thumbnail() {
        check(0, 0, "1x1", 261);
        check(4000, 3000, "256x256", 633);
        check(8000, 6000, "256x256", 1735);
        check(1, 65_535, "4096x4096", 1798);
        check(u32::MAX, u32::MAX, "4096x4096", u64::MAX >> 20);
    }
}
