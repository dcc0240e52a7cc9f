//! Decoders that the decoding program adds to those of the `image` crate.

use std::fmt::Debug;
use std::fs::File;

use image::metadata::Orientation;

use super::Raster;
use super::region::Region;
use super::scale::Plan;
use crate::crop::Crop;
use crate::formats::PictureKind;
use crate::turn::Turn;
use crate::variant::{Mode, Size, Variant};
use crate::{DecodeError, Limits};

/// A decoder for some kinds of picture.
///
/// Codecs in C are in a crate of their own, which is linked into the decoding program only: the
/// libraries of the desktop window export the same C names.
pub trait Codec: Debug + Send + Sync + 'static {
    /// Returns true if it decodes pictures of this kind.
    fn decodes(&self, kind: PictureKind) -> bool;

    /// Decodes the first frame of the picture in `file`, which is at its start and `length` bytes
    /// long. The result may be smaller than the stored picture, but not smaller than `target` asks
    /// for.
    ///
    /// # Errors
    /// [`DecodeError`]; a header that asks for more than the limits is refused before anything is
    /// decoded. A panic also counts as a fault of the decoder.
    fn decode(
        &self,
        file: File,
        length: u64,
        target: TargetSize,
        limits: Limits,
    ) -> Result<Picture, DecodeError>;

    /// Returns an animated WebP with some frames of an animated picture, from an index on; see [`Decode::frames`].
    ///
    /// [`Decode::frames`]: super::Decode::frames
    ///
    /// # Errors
    /// [`DecodeError`], also if there is no such frame.
    fn frames(
        &self,
        _file: File,
        _length: u64,
        _from: u32,
        _limits: Limits,
    ) -> Result<Vec<u8>, DecodeError> {
        Err(DecodeError::UnsupportedKind("single frames".into()))
    }
}

/// The size of the picture that is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetSize {
    target: Target,
    /// The part of the upright picture that is needed.
    crop: Option<Crop>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    /// For a thumbnail of this size, which is turned.
    Thumbnail(Size, Mode, Turn),
    /// For a picture with this longer side at most.
    Edge(Option<u32>),
}

impl TargetSize {
    pub(super) fn of(variant: Variant) -> Self {
        Self {
            target: Target::Thumbnail(variant.size, variant.mode, variant.turn),
            crop: variant.crop,
        }
    }

    pub(super) fn within(edge: Option<u32>, crop: Option<Crop>) -> Self {
        Self {
            target: Target::Edge(edge),
            crop,
        }
    }

    /// Returns the number of pixels of a picture of `width` × `height` stored pixels that become one
    /// pixel of the result, along the side that is reduced less. At most 1 if the picture is
    /// enlarged.
    #[must_use]
    pub fn reduction(&self, width: u32, height: u32, orientation: Orientation) -> f64 {
        let region = Region::of(self.crop, (width, height), orientation);
        match self.target {
            Target::Thumbnail(size, mode, turn) => {
                let orientation = Turn::from(orientation).then(turn).orientation();
                Plan::stored(region, orientation, size, mode).reduction()
            }
            Target::Edge(edge) => Plan::within(region, edge).reduction(),
        }
    }
}

/// A decoded picture as the file stores it, with the facts that are needed to show it correctly.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The pixels. They are fewer than the file has if the decoder reduced them.
    pub raster: Raster,
    /// The factor by which the decoder reduced each side: `raster` is this many times smaller than
    /// the picture in the file, where an incomplete last pixel counts as one. 1 if it was not
    /// reduced.
    pub reduced: u32,
    /// The stored width, in pixels.
    pub width: u32,
    /// The stored height, in pixels.
    pub height: u32,
    /// The orientation that is to be applied to the pixels.
    pub orientation: Orientation,
    /// An ICC profile, not parsed yet.
    pub profile: Option<Vec<u8>>,
}
