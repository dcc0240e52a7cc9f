//! JPEG: pictures are reduced while they are decoded. `fumikura-jpeg-reduce` handles photos that become much
//! smaller. Everything else is decoded by mozjpeg, a descendant of libjpeg-turbo, which reads a progressive
//! file only as far as the thumbnail can show.

#[cfg(test)]
mod coefficients;
mod decompress;
mod markers;
mod message;
mod precision;
#[cfg(test)]
mod reduce_tests;

use std::fs::File;
use std::io::Read;

use fumikura_image::{
    Channels, Codec, DecodeError, Limits, Picture, PictureKind, Pixels, Plane, Planes, Raster,
    TargetSize,
};
use fumikura_jpeg_reduce::{Divisor, Plane as ReducedPlane};
use image::metadata::Orientation;

use decompress::{Decompress, Header, Layout};

/// Decodes JPEG.
#[derive(Debug, Clone, Copy, Default)]
pub struct Jpeg;

/// The number of pixels along each side that remain for the last filter, per pixel of the thumbnail. libvips
/// leaves as many. With fewer the difference is visible, since the decoder reduces with a plain box.
const FILTER_INPUT_SCALE: f64 = 2.0;

impl Codec for Jpeg {
    fn decodes(&self, kind: PictureKind) -> bool {
        kind == PictureKind::Jpeg
    }

    fn decode(
        &self,
        file: File,
        length: u64,
        target: TargetSize,
        limits: Limits,
    ) -> Result<Picture, DecodeError> {
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        file.take(length).read_to_end(&mut bytes)?;
        decode(&bytes, target, limits, None)
    }
}

/// Decodes the picture. `turned` overrides its own orientation.
pub(crate) fn decode(
    bytes: &[u8],
    target: TargetSize,
    limits: Limits,
    turned: Option<Orientation>,
) -> Result<Picture, DecodeError> {
    let mut decompress = Decompress::new(bytes)?;
    let header = decompress.read_header()?;
    limits.allow(header.width, header.height)?;
    let orientation = turned.unwrap_or_else(|| markers::orientation(&header.markers));
    let profile = markers::profile(&header.markers);
    let reduced = divisor(target.reduction(header.width, header.height, orientation));
    let own = if header.is_gray_or_ycc {
        decode_reduced(bytes, reduced)
    } else {
        None
    };
    let raster = match own {
        Some(planes) => Raster::Planar(planes),
        None => decode_with_libjpeg(decompress, &header, reduced)?,
    };
    Ok(Picture {
        raster,
        reduced,
        width: header.width,
        height: header.height,
        orientation,
        profile,
    })
}

/// Decodes a picture within another one, with its own orientation.
pub(crate) fn decode_whole(bytes: &[u8], limits: Limits) -> Result<Picture, DecodeError> {
    let mut decompress = Decompress::new(bytes)?;
    let header = decompress.read_header()?;
    limits.allow(header.width, header.height)?;
    Ok(Picture {
        raster: decode_with_libjpeg(decompress, &header, 1)?,
        reduced: 1,
        width: header.width,
        height: header.height,
        orientation: markers::orientation(&header.markers),
        profile: markers::profile(&header.markers),
    })
}

/// The meaning of the samples of a stream that is a part of another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SampleMeaning {
    /// Luma and chroma if there are three; otherwise the displayed colours.
    Ycc,
    /// The displayed colours.
    Plain,
}

/// Decodes a stream that is a part of another file, which states the meaning of its samples. `plan` is called
/// with the width and height of the stream, and returns the divisor of each side: 1, 2, 4 or 8.
pub(crate) fn decode_part(
    bytes: &[u8],
    meaning: SampleMeaning,
    plan: impl FnOnce(u32, u32) -> Result<u32, DecodeError>,
) -> Result<Pixels, DecodeError> {
    let mut decompress = Decompress::new(bytes)?;
    let header = decompress.read_header()?;
    let reduced = plan(header.width, header.height)?;
    decompress.take_as(meaning);
    let pixels = decompress.decode(header.layout, reduced)?;
    let channels = match header.layout {
        Layout::Gray => Channels::Gray,
        Layout::Rgb => Channels::Rgb,
        Layout::Cmyk => Channels::Cmyk,
    };
    Pixels::new(pixels.width, pixels.height, channels, pixels.bytes)
        .ok_or_else(|| DecodeError::Damaged("it has no pixels".into()))
}

/// Returns the divisor of each side for a picture that is reduced by `wanted` in all.
pub(crate) fn divisor(wanted: f64) -> u32 {
    reduction(wanted / FILTER_INPUT_SCALE)
}

/// Decodes a usual picture, each side divided by `divisor`, without libjpeg. Returns `None` for other divisors
/// than 4 and 8, and for everything unusual.
fn decode_reduced(bytes: &[u8], divisor: u32) -> Option<Planes> {
    let divisor = match divisor {
        4 => Divisor::Four,
        8 => Divisor::Eight,
        _ => return None,
    };
    let plane = |plane: ReducedPlane| {
        let sides = (plane.width, plane.height);
        Plane::new(sides, (plane.across, plane.down), plane.samples)
    };
    let planes = fumikura_jpeg_reduce::reduce(bytes, divisor)?.into_iter();
    let planes: Vec<Plane> = planes.map(plane).collect::<Option<_>>()?;
    Some(match <[Plane; 3]>::try_from(planes) {
        Ok(planes) => Planes::Ycc(planes),
        Err(planes) => Planes::Gray(planes.into_iter().next()?),
    })
}

fn decode_with_libjpeg(
    decompress: Decompress<'_>,
    header: &Header,
    reduced: u32,
) -> Result<Raster, DecodeError> {
    let mut pixels = decompress.decode(header.layout, reduced)?;
    let channels = match header.layout {
        Layout::Gray => Channels::Gray,
        Layout::Rgb => Channels::Rgb,
        Layout::Cmyk => {
            // Adobe's programs write light instead of ink, and indicate it by their marker.
            if markers::is_adobe(&header.markers) {
                for ink in &mut pixels.bytes {
                    *ink = 255 - *ink;
                }
            }
            Channels::Cmyk
        }
    };
    Raster::new(pixels.width, pixels.height, channels, pixels.bytes)
        .ok_or_else(|| DecodeError::Damaged("it has no pixels".into()))
}

/// Returns the divisor by which the decoder may reduce each side. The powers of two up to 8 have fast code.
fn reduction(at_most: f64) -> u32 {
    [8, 4, 2]
        .into_iter()
        .find(|&by| f64::from(by) <= at_most)
        .unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoder_reduction_never_exceeds_the_request() {
        assert_eq!(reduction(0.1), 1);
        assert_eq!(reduction(1.9), 1);
        assert_eq!(reduction(2.0), 2);
        assert_eq!(reduction(7.8), 4);
        assert_eq!(reduction(8.0), 8);
        assert_eq!(reduction(300.0), 8);
    }
}
