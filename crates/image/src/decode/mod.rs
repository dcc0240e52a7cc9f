//! Converts a picture file to the bytes of a thumbnail.
//!
//! The engine knows only [`Decode`], which hides where the work is done. The thumbnail server delegates it to
//! child processes. These use [`InProcess`], which decodes in the calling thread: with the given [`Codec`]s
//! first, then with the `image` crate's decoders (JPEG, PNG, GIF, WebP, BMP, TIFF and ICO; the first frame of
//! an animation).
//!
//! As in browsers, the readable part of a damaged file is shown. A picture that ends too early keeps its upper
//! part, and is grey or transparent below. A picture of which nothing can be read is an error.

mod bitmap;
mod codec;
mod colour;
mod encode;
mod general;
mod gif;
mod icon;
mod picture_hash;
mod pixels;
mod planes;
mod png;
mod raster;
mod region;
mod rendition;
mod scale;

use std::fs::File;
use std::io::Cursor;
use std::sync::Arc;

use image::DynamicImage;
use image::metadata::Orientation;

pub use codec::{Codec, Picture, TargetSize};
pub use picture_hash::PictureHash;
pub use planes::{Plane, Planes};
pub use raster::{Channels, Pixels, Raster};
pub use rendition::{Encoders, KeptMetadata, Rendition, RenditionFormat, embed_xmp};

use crate::formats::{PictureKind, kind_of};
use crate::guard::guarded;
use crate::turn::Turn;
use crate::variant::{Mode, Variant};
use crate::window::Window;
use crate::{DecodeError, Limits};
use region::Region;
use rendition::Metadata;
use scale::Plan;

/// A generated thumbnail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedThumbnail {
    /// The bytes of its file.
    pub bytes: Vec<u8>,
    /// The hash of the picture, with a placeholder until another of its thumbnails arrives. Only a thumbnail of
    /// `Mode::Shrink` has one.
    pub hash: Option<PictureHash>,
}

/// A generator of thumbnails.
pub trait Decode: Send + Sync + 'static {
    /// Returns the thumbnail `variant` of the picture in `file`, which is at its start and `length` bytes long. The
    /// thumbnail is upright, in sRGB and without metadata.
    ///
    /// # Errors
    /// [`DecodeError`]; a hostile picture may cost an error, and nothing else.
    fn thumbnail(
        &self,
        file: File,
        length: u64,
        variant: Variant,
    ) -> Result<EncodedThumbnail, DecodeError>;

    /// Returns the rendition of the picture in `file`, which is at its start and `length` bytes long.
    ///
    /// # Errors
    /// [`DecodeError`] if the picture can't be decoded, or the format can't contain it.
    fn render(&self, file: File, length: u64, rendition: Rendition)
    -> Result<Vec<u8>, DecodeError>;

    /// Returns an animated WebP with some frames of the animated picture in `file`, from the one with index `from` on.
    /// They are whole and in sRGB. Its chunk `FRMS` has `from` and the durations of all frames in milliseconds, as numbers
    /// of 32 bits, the lowest byte first.
    ///
    /// # Errors
    /// [`DecodeError`], also for kinds of which engines show single frames.
    fn frames(&self, _file: File, _length: u64, _from: u32) -> Result<Vec<u8>, DecodeError> {
        Err(DecodeError::UnsupportedKind("single frames".into()))
    }

    /// Notifies that no more requests follow. Running work may finish if it does so soon.
    fn shut_down(&self) {}
}

/// A [`Decode`] that works in the calling thread.
#[derive(Debug, Clone, Default)]
pub struct InProcess {
    /// The limits for one picture.
    pub limits: Limits,
    /// Decoders that precede those of the `image` crate. The first one that decodes a kind is used.
    pub codecs: Vec<Arc<dyn Codec>>,
    /// The encoders of further formats.
    pub encoders: Option<Arc<dyn Encoders>>,
}

impl InProcess {
    /// Creates a decoder with these limits and only the `image` crate's decoders.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            codecs: Vec::new(),
            encoders: None,
        }
    }

    /// Returns the file at its start, and its kind.
    fn open(&self, file: File, length: u64) -> Result<(Window<File>, PictureKind), DecodeError> {
        let mut file = Window::new(file, length, u64::MAX);
        let kind = kind_of(&mut file)?;
        // A video is read in parts.
        if length > self.limits.file_bytes && !kind.facts().is_video() {
            return Err(DecodeError::FileTooLarge {
                bytes: length,
                limit: self.limits.file_bytes,
            });
        }
        Ok((file, kind))
    }

    fn codec_of(&self, kind: PictureKind) -> Option<&Arc<dyn Codec>> {
        self.codecs.iter().find(|codec| codec.decodes(kind))
    }

    fn picture(&self, file: File, length: u64, target: TargetSize) -> Result<Picture, DecodeError> {
        let (file, kind) = self.open(file, length)?;
        match self.codec_of(kind) {
            Some(codec) => codec.decode(file.into_inner(), length, target, self.limits),
            None => general::decode(file, kind.decoder_format()?, self.limits),
        }
    }
}

/// Decodes a picture that is embedded in another one, with the `image` crate's decoders.
///
/// # Errors
/// [`DecodeError`].
pub fn decode_from_memory(
    bytes: &[u8],
    kind: PictureKind,
    limits: Limits,
) -> Result<Picture, DecodeError> {
    general::decode(Cursor::new(bytes), kind.decoder_format()?, limits)
}

/// Returns the pixels upright and in sRGB.
#[must_use]
pub fn upright(pixels: Pixels, orientation: Orientation, profile: Option<&[u8]>) -> DynamicImage {
    let mut image = colour::to_srgb(pixels, profile).into_image();
    image.apply_orientation(orientation);
    image
}

impl Decode for InProcess {
    fn thumbnail(
        &self,
        file: File,
        length: u64,
        variant: Variant,
    ) -> Result<EncodedThumbnail, DecodeError> {
        guarded(|| {
            let picture = self.picture(file, length, TargetSize::of(variant))?;
            let sides = (picture.width, picture.height);
            let region = Region::of(variant.crop, sides, picture.orientation);
            let turn = Turn::from(picture.orientation).then(variant.turn);
            let plan = Plan::stored(region, turn.orientation(), variant.size, variant.mode);
            let scaled = scale::scale(&picture.raster, plan.reduced(picture.reduced))?;
            drop(picture.raster);
            let image = upright(scaled, turn.orientation(), picture.profile.as_deref());
            Ok(EncodedThumbnail {
                hash: (variant.mode == Mode::Shrink
                    && variant.turn.is_none()
                    && variant.crop.is_none())
                .then(|| PictureHash::of(&image)),
                bytes: encode::encode(image, variant.format)?,
            })
        })
    }

    fn render(
        &self,
        file: File,
        length: u64,
        rendition: Rendition,
    ) -> Result<Vec<u8>, DecodeError> {
        guarded(|| {
            let metadata = Metadata::read(&file, length, rendition)?;
            let target = TargetSize::within(rendition.edge, rendition.crop);
            let picture = self.picture(file, length, target)?;
            let encoders = self.encoders.as_deref();
            rendition::render(picture, rendition, metadata.as_ref(), encoders)
        })
    }

    fn frames(&self, file: File, length: u64, from: u32) -> Result<Vec<u8>, DecodeError> {
        guarded(|| {
            let (file, kind) = self.open(file, length)?;
            match self.codec_of(kind) {
                Some(codec) => codec.frames(file.into_inner(), length, from, self.limits),
                None => Err(DecodeError::UnsupportedKind("single frames".into())),
            }
        })
    }
}
