//! Decoders that the program which decodes brings along, besides those of the `image` crate.

use std::fmt::Debug;
use std::fs::File;

use image::metadata::Orientation;

use super::scale::Plan;
use super::{DecodeError, Limits, Raster};
use crate::sniff::PictureKind;
use crate::variant::{Mode, Size, Variant};

/// Decodes some kinds of picture, and makes the JPEG files of the thumbnails.
///
/// Codecs in C live in a crate of their own, which only the program that decodes is built from:
/// the desktop window's own libraries bring the same C names along.
pub trait Codec: Debug + Send + Sync + 'static {
    /// Whether it decodes pictures of this kind.
    fn decodes(&self, kind: PictureKind) -> bool;

    /// The first frame of the picture in `file`, which stands at its start and is `length` bytes
    /// long. It may come smaller than the file stores it, if no less than `wanted` asks for.
    ///
    /// # Errors
    /// [`DecodeError`]; a header that asks for more than the limits is refused before anything is
    /// decoded. A panic counts as a fault of the decoder, too.
    fn decode(
        &self,
        file: File,
        length: u64,
        wanted: Wanted,
        limits: Limits,
    ) -> Result<Picture, DecodeError>;
}

/// How much of a picture the thumbnail needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    size: Size,
    mode: Mode,
}

impl Wanted {
    pub(super) fn of(variant: Variant) -> Self {
        Self {
            size: variant.size,
            mode: variant.mode,
        }
    }

    /// How many pixels of a picture of `width` × `height` stored pixels become one of the thumbnail,
    /// along the side that is reduced less. At most 1 where the picture is enlarged.
    #[must_use]
    pub fn reduction(&self, width: u32, height: u32, orientation: Orientation) -> f64 {
        Plan::stored(width, height, orientation, self.size, self.mode).reduction()
    }
}

/// A decoded picture as the file stores it, with what is needed to show it rightly.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The pixels; fewer than the file has, if the decoder reduced them.
    pub raster: Raster,
    /// By how much the decoder reduced each side: `raster` is so many times smaller than the picture
    /// in the file, where an incomplete last pixel counts as one. 1 if it did not.
    pub reduced: u32,
    /// The stored width, in pixels.
    pub width: u32,
    /// The stored height, in pixels.
    pub height: u32,
    /// How the pixels are to be turned.
    pub orientation: Orientation,
    /// An ICC profile, not looked into yet.
    pub profile: Option<Vec<u8>>,
}
