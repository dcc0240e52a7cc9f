//! A picture in memory: decoded from a file within the limits, its kind decided by its content.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader};

use super::window::Window;
use super::{DecodeError, Limits};
use crate::sniff::{HEAD, PictureKind};

/// A decoded picture as the file stores it, with what is needed to show it rightly.
pub(super) struct Decoded {
    pub(super) image: DynamicImage,
    pub(super) orientation: Orientation,
    /// An ICC profile, not looked into yet.
    pub(super) profile: Option<Vec<u8>>,
}

/// Decodes the first frame of the file, which is `length` bytes long.
pub(super) fn decode(file: File, length: u64, limits: Limits) -> Result<Decoded, DecodeError> {
    if length > limits.file_bytes {
        return Err(DecodeError::FileTooLarge {
            bytes: length,
            limit: limits.file_bytes,
        });
    }
    let mut file = Window::new(file, length, u64::MAX);
    let format = format_of(&mut file)?;
    guarded(|| {
        let mut reader = ImageReader::with_format(BufReader::new(file), format);
        reader.limits(limits.for_decoder());
        let mut decoder = reader.into_decoder()?;
        limits.apply(&mut decoder)?;
        // Metadata that can't be read counts as none: the picture is worth more than its notes.
        let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
        let profile = decoder.icc_profile().unwrap_or(None);
        Ok(Decoded {
            image: DynamicImage::from_decoder(decoder)?,
            orientation,
            profile,
        })
    })
}

/// Turns a decoder's panic into an error: some do panic on bad input.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, DecodeError>) -> Result<T, DecodeError> {
    // Everything that the closure holds is dropped with it, so no broken state is seen again.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(DecodeError::Panicked))
}

/// The format by the first bytes, if it can be decoded here. The reader is back at its start.
pub(super) fn format_of(file: &mut (impl Read + Seek)) -> Result<ImageFormat, DecodeError> {
    let mut head = Vec::with_capacity(HEAD);
    file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    file.rewind()?;
    match PictureKind::of(&head).ok_or(DecodeError::NotAPicture)? {
        PictureKind::Jpeg => Ok(ImageFormat::Jpeg),
        PictureKind::Png => Ok(ImageFormat::Png),
        PictureKind::Gif => Ok(ImageFormat::Gif),
        PictureKind::Webp => Ok(ImageFormat::WebP),
        kind @ (PictureKind::Bmp
        | PictureKind::Tiff
        | PictureKind::Avif
        | PictureKind::Heif
        | PictureKind::Jxl) => Err(DecodeError::UnsupportedKind(kind.mime())),
    }
}
