//! Decoding with the `image` crate, within the limits.

use std::io::{BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};

use image::metadata::Orientation;
use image::{ImageDecoder, ImageFormat, ImageReader};

use super::head::icon_entry;
use super::pixels::Samples;
use super::{DecodeError, Limits, Picture, Pixels, Raster, bitmap, gif, icon, png};
use crate::sniff::{HEAD, PictureKind};
use crate::tiff::orientation_in;

/// Decodes the first frame of the file.
pub(super) fn decode(
    file: impl Read + Seek,
    format: ImageFormat,
    limits: Limits,
) -> Result<Picture, DecodeError> {
    let mut file = BufReader::new(file);
    if format == ImageFormat::Ico {
        return icon(file, limits);
    }
    if format == ImageFormat::Png {
        return png::decode(file, 0, limits);
    }
    if format == ImageFormat::Gif {
        return gif::decode(file, limits);
    }
    if format == ImageFormat::Bmp
        && let Some(bytes) = bitmap::rewritten(&mut file)?
    {
        return decode_from(Cursor::new(bytes), format, limits);
    }
    decode_from(file, format, limits)
}

fn decode_from(
    file: impl BufRead + Seek,
    format: ImageFormat,
    limits: Limits,
) -> Result<Picture, DecodeError> {
    let mut reader = ImageReader::with_format(file, format);
    reader.limits(limits.for_header());
    let mut decoder = reader.into_decoder()?;
    limits.apply(&mut decoder)?;
    let orientation = orientation_of(&mut decoder);
    let profile = decoder.icc_profile().unwrap_or(None);
    let pixels = Samples::read(decoder, false)?.into_pixels()?;
    Ok(picture(pixels, orientation, profile))
}

pub(super) fn picture(
    pixels: Pixels,
    orientation: Orientation,
    profile: Option<Vec<u8>>,
) -> Picture {
    Picture {
        reduced: 1,
        width: pixels.width(),
        height: pixels.height(),
        raster: Raster::Interleaved(pixels),
        orientation,
        profile,
    }
}

/// Decodes the largest picture of an icon: a PNG of any kind, or a bitmap.
fn icon(mut file: impl BufRead + Seek, limits: Limits) -> Result<Picture, DecodeError> {
    let damaged = || DecodeError::Damaged("its directory names no picture".into());
    let (offset, is_png) = icon_entry(&mut file).ok_or_else(damaged)?;
    if is_png {
        file.seek(SeekFrom::Start(offset))?;
        return png::decode(file, offset, limits);
    }
    let pixels = icon::decode(&mut file, offset, limits)?;
    Ok(picture(pixels, Orientation::NoTransforms, None))
}

/// Returns the orientation of the picture. Unreadable metadata counts as none: the picture is worth more than its
/// metadata.
pub(super) fn orientation_of(decoder: &mut impl ImageDecoder) -> Orientation {
    let notes = decoder.exif_metadata().unwrap_or(None);
    let stated = match notes {
        Some(notes) => orientation_in(&notes),
        None => decoder.orientation().ok(),
    };
    stated.unwrap_or(Orientation::NoTransforms)
}

/// Turns a decoder's panic into an error: some decoders panic on bad input.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, DecodeError>) -> Result<T, DecodeError> {
    // Everything that the closure holds is dropped with it, so no broken state is seen again.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(DecodeError::Panicked))
}

/// Detects the kind from the first bytes. The reader is back at its start.
pub(crate) fn kind_of(file: &mut (impl Read + Seek)) -> Result<PictureKind, DecodeError> {
    let mut head = Vec::with_capacity(HEAD);
    file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    file.rewind()?;
    PictureKind::of(&head).ok_or(DecodeError::NotAPicture)
}

/// Returns the `image` crate's name for a kind that the crate decodes here.
pub(super) fn format_of(kind: PictureKind) -> Result<ImageFormat, DecodeError> {
    match kind {
        PictureKind::Jpeg => Ok(ImageFormat::Jpeg),
        PictureKind::Png => Ok(ImageFormat::Png),
        PictureKind::Gif => Ok(ImageFormat::Gif),
        PictureKind::Webp => Ok(ImageFormat::WebP),
        PictureKind::Bmp => Ok(ImageFormat::Bmp),
        PictureKind::Tiff => Ok(ImageFormat::Tiff),
        PictureKind::Ico => Ok(ImageFormat::Ico),
        PictureKind::Avif
        | PictureKind::Heif
        | PictureKind::Jxl
        | PictureKind::Svg
        | PictureKind::Svgz
        | PictureKind::Raw => Err(DecodeError::UnsupportedKind(kind.mime().into())),
    }
}
