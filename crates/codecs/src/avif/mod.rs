//! AVIF: pictures encoded with AV1 in a container, possibly composed of tiles.

mod animation;
mod av1;
mod canvas;
mod encoder;
mod tiles;
mod yuv;

use std::fs::File;
use std::io::{Cursor, Read};

use fumikura_image::{
    Channels, Codec, DecodeError, Limits, Picture, PictureKind, Raster, TargetSize,
    cicp::{Cicp, Hdr},
    isobmff::{Colours, Container, Crop},
};

use crate::colour::divide_by_opacity;
use crate::reduce::even_divisor;
use av1::ColourCodes;
pub(crate) use encoder::encode;

use canvas::{Canvas, Sample};
use tiles::Tiles;
use yuv::Matrix;

/// Decodes AVIF.
#[derive(Debug, Clone, Copy, Default)]
pub struct Avif;

/// The longest description of the contents of a file: a profile or two, and locations of tiles.
const MAX_DESCRIPTION_BYTES: u64 = 16 << 20;

impl Codec for Avif {
    fn decodes(&self, kind: PictureKind) -> bool {
        kind == PictureKind::Avif
    }

    fn decode(
        &self,
        file: File,
        length: u64,
        target: TargetSize,
        limits: Limits,
    ) -> Result<Picture, DecodeError> {
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes)?;
        decode(&bytes, target, limits)
    }

    fn frames(
        &self,
        file: File,
        length: u64,
        from: u32,
        limits: Limits,
    ) -> Result<Vec<u8>, DecodeError> {
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes)?;
        animation::frames(&bytes, from, limits)
    }
}

fn decode(bytes: &[u8], target: TargetSize, limits: Limits) -> Result<Picture, DecodeError> {
    let container = Container::read(Cursor::new(bytes), MAX_DESCRIPTION_BYTES)?;
    let item = container.primary();
    let display_transform = item.display_transform()?;
    let tiles = Tiles::of(item, bytes, limits)?;
    let colours = tiles.colours(item)?;
    let opacity = match item.opacity() {
        None => None,
        Some(opacity) => {
            let tiles = Tiles::of(opacity, bytes, limits)?;
            Some((tiles, item.is_multiplied_with(opacity)))
        }
    };
    let numbers = numbers(colours, &tiles)?;
    let cicp = Cicp {
        primaries: numbers.primaries,
        transfer: numbers.transfer,
    };
    let hdr = Hdr::of(cicp).filter(|_| colours.profile.is_none());
    let opacity_tiles = opacity.as_ref().map(|(tiles, _)| tiles);
    // Tiles and crops may not align with the squares, and HDR light and opacity would have to be included in
    // the means.
    let is_plain = hdr.is_none()
        && opacity.is_none()
        && tiles.places().nth(1).is_none()
        && (display_transform.crop.width, display_transform.crop.height)
            == (tiles.width, tiles.height);
    let reduction = target.reduction(tiles.width, tiles.height, display_transform.orientation);
    let reduced = match is_plain {
        true => even_divisor(reduction),
        false => 1,
    };
    let canvas = match hdr {
        None if reduced > 1 => painted_reduced(&tiles, numbers, reduced)?,
        None => painted::<u8>(&tiles, opacity_tiles, numbers)?,
        Some(hdr) => {
            let canvas = painted::<u16>(&tiles, opacity_tiles, numbers)?;
            let samples = hdr.to_srgb(&canvas.samples, canvas.channels.count());
            Canvas {
                width: canvas.width,
                height: canvas.height,
                channels: canvas.channels,
                samples,
            }
        }
    };
    let (width, height) = (display_transform.crop.width, display_transform.crop.height);
    let mut raster = match reduced {
        1 => cropped(canvas, display_transform.crop),
        _ => canvas,
    };
    if opacity.is_some_and(|(_, is_multiplied)| is_multiplied) {
        divide_by_opacity(&mut raster.samples, raster.channels.count());
    }
    let raster = Raster::new(raster.width, raster.height, raster.channels, raster.samples)
        .ok_or_else(|| DecodeError::Damaged("it has no pixels".into()))?;
    Ok(Picture {
        raster,
        reduced,
        width,
        height,
        // Exif beside it is ignored (ISO/IEC 23008-12, A.2.1).
        orientation: display_transform.orientation,
        profile: match (hdr, colours.profile) {
            (Some(_), _) => None,
            (None, Some(profile)) => Some(profile.to_vec()),
            (None, None) => cicp.profile(),
        },
    })
}

/// Returns the meaning of the samples. The container's statement takes precedence over that of the picture itself.
fn numbers(colours: Colours<'_>, tiles: &Tiles<'_>) -> Result<ColourCodes, DecodeError> {
    match colours.numbers {
        Some(numbers) => Ok(codes_of(numbers)),
        None => tiles.numbers(),
    }
}

fn codes_of((primaries, transfer, matrix, is_full): (u16, u16, u16, bool)) -> ColourCodes {
    // Numbers that need more than a byte are reserved, as is 255.
    let byte = |number: u16| u8::try_from(number).unwrap_or(u8::MAX);
    ColourCodes {
        primaries: byte(primaries),
        transfer: byte(transfer),
        matrix: byte(matrix),
        is_full,
    }
}

/// Paints the only tile, with its sides divided.
fn painted_reduced(
    tiles: &Tiles<'_>,
    numbers: ColourCodes,
    by: u32,
) -> Result<Canvas<u8>, DecodeError> {
    let (width, height) = (tiles.width.div_ceil(by), tiles.height.div_ceil(by));
    let mut canvas = Canvas::new(width, height, Channels::Rgb);
    let frame = tiles.frame(0)?;
    let matrix = matrix_of(numbers, frame.depth())?;
    yuv::paint_reduced(&frame, &matrix, &mut canvas, by as usize)?;
    Ok(canvas)
}

fn matrix_of(numbers: ColourCodes, depth: u32) -> Result<Matrix, DecodeError> {
    Matrix::of(numbers, depth).ok_or_else(|| unsupported(&format!("matrix {}", numbers.matrix)))
}

fn painted<T: Sample>(
    tiles: &Tiles<'_>,
    opacity: Option<&Tiles<'_>>,
    numbers: ColourCodes,
) -> Result<Canvas<T>, DecodeError> {
    let channels = match opacity {
        None => Channels::Rgb,
        Some(_) => Channels::Rgba,
    };
    let mut canvas = Canvas::new(tiles.width, tiles.height, channels);
    for (number, at) in tiles.places() {
        let frame = tiles.frame(number)?;
        let matrix = matrix_of(numbers, frame.depth())?;
        yuv::paint(&frame, &matrix, &mut canvas, at)?;
    }
    let Some(opacity) = opacity else {
        return Ok(canvas);
    };
    if (opacity.width, opacity.height) != (tiles.width, tiles.height) {
        let message = "its opacity is of another size than its colours";
        return Err(DecodeError::Damaged(message.into()));
    }
    for (number, at) in opacity.places() {
        yuv::paint_opacity(&opacity.frame(number)?, &mut canvas, at);
    }
    Ok(canvas)
}

/// Returns the visible part.
fn cropped(canvas: Canvas<u8>, crop: Crop) -> Canvas<u8> {
    if (crop.width, crop.height) == (canvas.width, canvas.height) {
        return canvas;
    }
    let count = canvas.channels.count();
    let row = canvas.width as usize * count;
    let (from, length) = (crop.left as usize * count, crop.width as usize * count);
    let samples = canvas
        .samples
        .chunks_exact(row.max(1))
        .skip(crop.top as usize)
        .take(crop.height as usize)
        .flat_map(|row| &row[from..from + length])
        .copied()
        .collect();
    Canvas {
        width: crop.width,
        height: crop.height,
        channels: canvas.channels,
        samples,
    }
}

fn unsupported(what: &str) -> DecodeError {
    DecodeError::UnsupportedKind(format!("image/avif ({what})").into())
}
