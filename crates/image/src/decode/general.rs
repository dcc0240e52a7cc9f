//! Decoding with the `image` crate, within the limits.

use std::io::{BufRead, BufReader, Cursor, Read, Seek, SeekFrom};

use image::metadata::Orientation;
use image::{ImageDecoder, ImageFormat, ImageReader};

use super::pixels::Samples;
use super::{Picture, Pixels, Raster, bitmap, gif, icon, png};
use crate::header::icon_entry;
use crate::orientation::orientation_of;
use crate::{DecodeError, Limits};

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
        && let Some(bytes) = bitmap::with_windows_header(&mut file)?
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
