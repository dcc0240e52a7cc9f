//! The look of a picture in some 33 bytes: a placeholder until its thumbnail arrives (ThumbHash), and a hash by
//! which pictures that look alike are found (dHash).

use std::io::Cursor;

use image::{DynamicImage, RgbaImage};

use super::{Raster, general};
use crate::formats::kind_of;
use crate::guard::guarded;
use crate::{DecodeError, Limits};

/// The longer side of the hashed picture, in pixels: a placeholder holds no more than seven waves along it.
const SIDE: u32 = 32;
/// The valid lengths of a placeholder, in bytes, by its format: a header, then the waves that fit beside it.
const PLACEHOLDERS: std::ops::RangeInclusive<usize> = 5..=25;
/// The length of a difference hash, in bytes.
const DIFFERENCES: usize = 8;
/// The columns and rows of which a difference hash compares the brightness.
const COLUMNS: usize = 9;
const ROWS: usize = 8;

/// The hash of what a picture looks like: a [ThumbHash](https://github.com/evanw/thumbhash), followed by a difference
/// hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureHash(Box<[u8]>);

impl PictureHash {
    /// Computes the hash of a picture that is upright and in sRGB.
    pub(super) fn of(picture: &DynamicImage) -> Self {
        let (width, height) = fitting(picture.width(), picture.height());
        // Averages in one pass: a large picture may have sixteen megapixels.
        let small = picture.thumbnail_exact(width, height).into_rgba8();
        let side = |pixels: u32| pixels as usize;
        let placeholder = thumbhash::rgba_to_thumb_hash(side(width), side(height), &small);
        let differences = differences(&small).to_be_bytes();
        Self([&placeholder[..], &differences[..]].concat().into())
    }

    /// Computes the hash of the bytes of a thumbnail.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are no whole thumbnail.
    pub fn of_thumbnail(bytes: &[u8], limits: Limits) -> Result<Self, DecodeError> {
        guarded(|| {
            let format = kind_of(&mut Cursor::new(bytes))?.decoder_format()?;
            let picture = general::decode(Cursor::new(bytes), format, limits)?;
            let Raster::Interleaved(pixels) = picture.raster else {
                return Err(DecodeError::Damaged("it is no thumbnail".into()));
            };
            Ok(Self::of(&pixels.into_image()))
        })
    }

    /// Reads a hash that was received or stored. `None` if the length is invalid.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let placeholder = bytes.len().checked_sub(DIFFERENCES)?;
        PLACEHOLDERS
            .contains(&placeholder)
            .then(|| Self(bytes.into()))
    }

    /// Returns the bytes to send or store.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the placeholder: the bytes of a ThumbHash.
    #[must_use]
    pub fn placeholder(&self) -> &[u8] {
        &self.0[..self.0.len() - DIFFERENCES]
    }

    /// Returns the difference hash (dHash): a bit for each of 8 × 8 parts, set if the next one of its row is brighter.
    #[must_use]
    pub fn differences(&self) -> u64 {
        let bytes = self.0.last_chunk().expect("BUG: the length was checked");
        u64::from_be_bytes(*bytes)
    }

    /// True if there is hardly any difference in brightness, so that the difference hash is noise.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        // The header of a ThumbHash: from bit 18, five bits for the largest amplitude.
        (self.0[2] >> 2) & 31 == 0
    }
}

fn fitting(width: u32, height: u32) -> (u32, u32) {
    let longest = width.max(height).max(SIDE);
    let side = |pixels: u32| (pixels * SIDE / longest).clamp(1, SIDE);
    (side(width), side(height))
}

fn differences(picture: &RgbaImage) -> u64 {
    let columns = parts(picture.width(), COLUMNS);
    let rows = parts(picture.height(), ROWS);
    let mut hash = 0;
    for row in &rows {
        let mean = |column: &Part| {
            let weighted = row.iter().flat_map(|&(y, of_row)| {
                let of = move |&(x, of_column): &(u32, f32)| {
                    of_row * of_column * brightness(picture.get_pixel(x, y).0)
                };
                column.iter().map(of)
            });
            weighted.sum::<f32>()
        };
        let means: Vec<f32> = columns.iter().map(mean).collect();
        for pair in means.windows(2) {
            hash = (hash << 1) | u64::from(pair[0] < pair[1]);
        }
    }
    hash
}

/// The pixels of a part of a row or column, each with its share.
type Part = Vec<(u32, f32)>;

/// Divides a row or column into equal parts.
fn parts(pixels: u32, count: usize) -> Vec<Part> {
    let length = pixels as f32 / count as f32;
    let part = |at: usize| {
        let (start, end) = (at as f32 * length, (at + 1) as f32 * length);
        let (first, last) = (start as u32, (end.ceil() as u32).min(pixels));
        let share = |pixel: u32| {
            let within = end.min((pixel + 1) as f32) - start.max(pixel as f32);
            (pixel, within.max(0.0) / length)
        };
        (first..last).map(share).collect()
    };
    (0..count).map(part).collect()
}

/// Returns the brightness of a pixel on white.
fn brightness([red, green, blue, alpha]: [u8; 4]) -> f32 {
    let [red, green, blue, alpha] = [red, green, blue, alpha].map(f32::from);
    let opaque = 0.299 * red + 0.587 * green + 0.114 * blue;
    255.0 + (opaque - 255.0) * alpha / 255.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};

    fn hash(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> PictureHash {
        let picture = RgbaImage::from_fn(width, height, |x, y| Rgba(pixel(x, y)));
        PictureHash::of(&picture.into())
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
        let bytes = wide.placeholder();
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
                assert_eq!(
                    PictureHash::from_bytes(found.as_bytes()),
                    Some(found.clone())
                );
                assert!(thumbhash::thumb_hash_to_rgba(found.placeholder()).is_ok());
            }
        }
        for bytes in [&b""[..], b"abcd", &[7; 12], &[7; 34]] {
            assert_eq!(PictureHash::from_bytes(bytes), None);
        }
    }

    #[test]
    fn difference_hash_compares_neighbours() {
        let grey = |value: u32| [value as u8, value as u8, value as u8, 255];
        let rising = hash(90, 60, |x, _| grey(2 * x));
        assert_eq!(rising.differences(), u64::MAX);
        assert_eq!(hash(90, 60, |x, _| grey(200 - 2 * x)).differences(), 0);
        // The upper half rises, and the lower one falls.
        let both = |x, y| grey(if y < 30 { 2 * x } else { 200 - 2 * x });
        assert_eq!(hash(90, 60, both).differences(), u64::MAX << 32);
        // The same in another size, and with opacity on white.
        let larger = hash(360, 240, |x, y| both(x / 4, y / 4));
        assert_eq!(larger.differences(), u64::MAX << 32);
        let clearer = hash(90, 60, |x, _| [0, 0, 0, (255 - 2 * x) as u8]);
        assert_eq!(clearer.differences(), u64::MAX);
        // A row of single pixels is enlarged.
        assert_eq!(hash(9, 1, |x, _| grey(20 * x)).differences(), u64::MAX);
    }

    #[test]
    fn plain_pictures_are_recognized() {
        let noise = |x: u32, y: u32| (x * 7 + y * 13) % 3;
        let grey = |value: u32| [value as u8, value as u8, value as u8, 255];
        assert!(hash(60, 40, |x, y| grey(240 + noise(x, y))).is_plain());
        assert!(!hash(60, 40, |x, _| grey(100 + x)).is_plain());
    }

    #[test]
    fn thumbnail_has_the_hash_of_its_pixels() {
        let picture = RgbaImage::from_fn(60, 40, |x, y| Rgba([x as u8 * 4, y as u8 * 6, 90, 255]));
        let mut bytes = Vec::new();
        let picture = DynamicImage::from(picture);
        let png = image::ImageFormat::Png;
        picture.write_to(&mut Cursor::new(&mut bytes), png).unwrap();
        let found = PictureHash::of_thumbnail(&bytes, Limits::default()).unwrap();
        assert_eq!(found, PictureHash::of(&picture));
        let damaged = PictureHash::of_thumbnail(b"no picture", Limits::default());
        assert!(damaged.is_err());
    }
}
