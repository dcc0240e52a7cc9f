//! TIFF and `BigTIFF`: the first picture of the file, in all colours and depths that scanners, cameras and
//! programs write.
//!
//! A picture is stored in strips or tiles, each compressed by itself. They are decompressed row by row, so
//! that no more than the picture with 8 bits a sample is in memory; for strips that become a small thumbnail,
//! only a fraction of it. A damaged or missing part is grey; the others are shown.

mod canvas;
mod ccitt;
mod chroma;
mod colours;
mod error;
mod jpeg;
mod layout;
mod lzw;
mod old_jpeg;
mod painter;
mod parts;
mod read;
mod rows;
mod unpack;

use std::fs::File;
use std::io::{BufReader, Read, Seek};

use fumikura_image::{
    Codec, DecodeError, Limits, Picture, PictureKind, Raster, TargetSize,
    tiff::{Tiff as Container, tag},
};

use colours::Colours;
use error::damaged;
use layout::{Compression, Layout, Photometric};
use painter::{MAX_TABLE_BYTES, Painter};
use parts::{Part, Parts};
use read::bytes_at;

use crate::{jpeg as jpeg_codec, reduce};

/// Decodes TIFF.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tiff;

/// The longest colour profile that is read, in bytes. Those of printing presses have two or three million.
const MAX_PROFILE_BYTES: u64 = 16 << 20;

impl Codec for Tiff {
    fn decodes(&self, kind: PictureKind) -> bool {
        kind == PictureKind::Tiff
    }

    fn decode(
        &self,
        file: File,
        length: u64,
        target: TargetSize,
        limits: Limits,
    ) -> Result<Picture, DecodeError> {
        let mut tiff = Container::read(BufReader::new(file), length)?;
        let layout = Layout::read(&mut tiff, limits)?;
        let orientation = tiff.orientation()?;
        let profile = tiff.bytes(tag::ICC_PROFILE, MAX_PROFILE_BYTES)?;
        let colours = Colours::read(&mut tiff, &layout)?;
        let parts = Parts::read(&mut tiff, &layout)?;
        let reduction = target.reduction(layout.width, layout.height, orientation);
        let (mut samples, reduced) = samples(&mut tiff, &layout, &parts, reduction, limits)?;
        colours.apply(&layout, &mut samples.bytes);
        let raster = Raster::new(
            samples.width,
            samples.height,
            layout.channels(),
            samples.bytes,
        );
        Ok(Picture {
            raster: raster.ok_or_else(|| damaged("it has no pixels"))?,
            reduced,
            width: layout.width,
            height: layout.height,
            orientation,
            profile,
        })
    }
}

/// The shown samples of a picture, before their colours are known.
struct Samples {
    width: u32,
    height: u32,
    bytes: Vec<u8>,
}

/// Returns the samples, and the divisor of each side. The thumbnail is smaller by `reduction`.
fn samples<R: Read + Seek>(
    tiff: &mut Container<R>,
    layout: &Layout,
    parts: &Parts,
    reduction: f64,
    limits: Limits,
) -> Result<(Samples, u32), DecodeError> {
    let Some(stream) = single_stream(tiff, layout, parts)? else {
        let divisor = match layout.can_be_reduced() {
            true => reduce::divisor(reduction),
            false => 1,
        };
        let mut painter = Painter::new(tiff, layout, divisor, limits)?;
        painter.paint_all(parts)?;
        return Ok((reduced_by(divisor, layout, painter.finish()), divisor));
    };
    let mut reduced = 1;
    let pixels = jpeg::decode(&stream, layout, |width, height| {
        limits.allow(width, height)?;
        if (width, height) == (layout.width, layout.height) {
            reduced = jpeg_codec::divisor(reduction);
        }
        Ok(reduced)
    })?;
    if pixels.channels() != layout.channels() {
        return Err(damaged("its samples do not match its header"));
    }
    let (width, height) = (pixels.width(), pixels.height());
    if reduced > 1 || (width, height) == (layout.width, layout.height) {
        let bytes = pixels.into_bytes();
        let samples = Samples {
            width,
            height,
            bytes,
        };
        return Ok((samples, reduced));
    }
    let mut painter = Painter::new(tiff, layout, 1, limits)?;
    painter.paint_picture(&Part::whole(layout), &stream)?;
    Ok((reduced_by(1, layout, painter.finish()), 1))
}

fn reduced_by(divisor: u32, layout: &Layout, bytes: Vec<u8>) -> Samples {
    Samples {
        width: layout.width.div_ceil(divisor),
        height: layout.height.div_ceil(divisor),
        bytes,
    }
}

/// Returns the JPEG stream that contains the whole picture, if there is one that contains only colours.
fn single_stream<R: Read + Seek>(
    tiff: &mut Container<R>,
    layout: &Layout,
    parts: &Parts,
) -> Result<Option<Vec<u8>>, DecodeError> {
    let is_plain = layout.samples == layout.photometric.colours()
        && layout.photometric != Photometric::Palette;
    if is_plain && layout.compression == Compression::OldJpeg {
        return old_jpeg::stream(tiff, layout, parts);
    }
    if !is_plain || layout.compression != Compression::Jpeg || !parts.is_single(layout) {
        return Ok(None);
    }
    let Some(part) = parts.each(layout, tiff.length()).next() else {
        return Ok(None);
    };
    let tables = tiff.bytes(tag::JPEG_TABLES, MAX_TABLE_BYTES)?;
    let bytes = bytes_at(tiff, part.offset, part.length)?;
    Ok(Some(jpeg::with_tables(tables.as_deref(), &bytes)))
}
