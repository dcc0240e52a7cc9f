//! A placeholder for a picture until its thumbnail arrives: its colours and shape in some 25 bytes
//! (ThumbHash).

use image::DynamicImage;

/// The longer side of the hashed picture, in pixels: a hash holds no more than seven waves along it.
const SIDE: u32 = 32;
/// The valid lengths of a hash, in bytes, by its format: a header, then the waves that fit beside it.
const LENGTHS: std::ops::RangeInclusive<usize> = 5..=25;

/// A picture's colours and shape in the format of [ThumbHash](https://github.com/evanw/thumbhash).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThumbHash(Box<[u8]>);

impl ThumbHash {
    /// Computes the hash of a picture that is upright and in sRGB.
    pub(super) fn of(picture: &DynamicImage) -> Self {
        let (width, height) = fitting(picture.width(), picture.height());
        // Averages in one pass: a large picture may have sixteen megapixels.
        let small = picture.thumbnail_exact(width, height).into_rgba8();
        let side = |pixels: u32| pixels as usize;
        Self(thumbhash::rgba_to_thumb_hash(side(width), side(height), &small).into())
    }

    /// Reads a hash that was received or stored. `None` if the length is invalid.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        LENGTHS.contains(&bytes.len()).then(|| Self(bytes.into()))
    }

    /// Returns the bytes to send or store.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

fn fitting(width: u32, height: u32) -> (u32, u32) {
    let longest = width.max(height).max(SIDE);
    let side = |pixels: u32| (pixels * SIDE / longest).clamp(1, SIDE);
    (side(width), side(height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};

    fn hash(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> ThumbHash {
        let picture = RgbaImage::from_fn(width, height, |x, y| Rgba(pixel(x, y)));
        ThumbHash::of(&picture.into())
    }

    #[test]
    fn hash_keeps_colours_and_aspect_ratio() {
        let wide = hash(600, 300, |x, _| {
            if x < 300 {
                [200, 30, 30, 255]
            } else {
                [20, 40, 180, 255]
            }
        });
        let bytes = wide.as_bytes();
        let ratio = thumbhash::thumb_hash_to_approximate_aspect_ratio(bytes).unwrap();
        assert!((1.5..=2.5).contains(&ratio), "{ratio}");
        let (width, height, pixels) = thumbhash::thumb_hash_to_rgba(bytes).unwrap();
        let at = |x: usize| {
            let first = (height / 2 * width + x) * 4;
            [pixels[first], pixels[first + 2]]
        };
        let ([left_red, left_blue], [right_red, right_blue]) = (at(2), at(width - 3));
        assert!(
            left_red > left_blue + 60 && right_blue > right_red + 60,
            "{pixels:?}"
        );
    }

    #[test]
    fn hash_of_every_size_round_trips() {
        for (width, height) in [(1, 1), (1, 4096), (4096, 1), (31, 33), (500, 333)] {
            for alpha in [0, 128, 255] {
                let found = hash(width, height, |x, y| [x as u8, y as u8, 90, alpha]);
                assert_eq!(ThumbHash::from_bytes(found.as_bytes()), Some(found.clone()));
                assert!(thumbhash::thumb_hash_to_rgba(found.as_bytes()).is_ok());
            }
        }
        for bytes in [&b""[..], b"abcd", &[7; 26]] {
            assert_eq!(ThumbHash::from_bytes(bytes), None);
        }
    }
}
