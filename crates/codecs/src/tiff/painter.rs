//! Decompresses the parts of a picture and assembles them.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use fumikura_image::{
    DecodeError, Limits,
    tiff::{Tiff, tag},
};
use image::codecs::webp::WebPDecoder;
use image::{DynamicImage, ImageDecoder};

use super::canvas::Canvas;
use super::chroma::Blocks;
use super::error::{damaged, unsupported};
use super::jpeg;
use super::layout::{Compression, Layout, Photometric};
use super::parts::{Part, Parts};
use super::rows::{Row, Rows};
use super::unpack::unpacking_reader;

/// The longest row of a part, in bytes, with all its samples.
const MAX_ROW_BYTES: u64 = 64 << 20;
/// The longest tables that JPEG streams share, in bytes.
pub(super) const MAX_TABLE_BYTES: u64 = 1 << 20;
/// The number of times that the whole file may be read, as parts may overlap, and the bytes that may be read
/// of a short file.
const READINGS: u64 = 8;
const SHORT_FILE: u64 = 64 << 20;

/// A picture while it is assembled.
pub(super) struct Painter<'a, R> {
    tiff: &'a mut Tiff<R>,
    layout: &'a Layout,
    limits: Limits,
    canvas: Canvas,
    tables: Option<Vec<u8>>,
    /// The number of bytes that may still be read.
    budget: u64,
    /// The number of rows that were drawn.
    rows: u64,
}

impl<'a, R: Read + Seek> Painter<'a, R> {
    /// Creates a painter for a picture whose sides are divided by `divisor`.
    pub(super) fn new(
        tiff: &'a mut Tiff<R>,
        layout: &'a Layout,
        divisor: u32,
        limits: Limits,
    ) -> Result<Self, DecodeError> {
        if Rows::length(layout, layout.part.0) > MAX_ROW_BYTES {
            return Err(unsupported("rows longer than are read"));
        }
        let palette = if layout.photometric == Photometric::Palette {
            Some(palette(tiff, layout)?)
        } else {
            None
        };
        Ok(Self {
            canvas: Canvas::new(layout, palette, divisor, limits)?,
            tables: tiff.bytes(tag::JPEG_TABLES, MAX_TABLE_BYTES)?,
            budget: tiff.length().saturating_mul(READINGS).max(SHORT_FILE),
            tiff,
            layout,
            limits,
            rows: 0,
        })
    }

    /// Returns the samples of the picture with 8 bits each.
    pub(super) fn finish(self) -> Vec<u8> {
        self.canvas.into_bytes(self.layout)
    }

    /// Paints all parts that can be read.
    ///
    /// # Errors
    /// The error of the first part if no part can be read, and errors of the file.
    pub(super) fn paint_all(&mut self, parts: &Parts) -> Result<(), DecodeError> {
        let mut fault = None;
        for part in parts.each(self.layout, self.tiff.length()) {
            if (part.offset, part.length) == (0, 0) {
                self.canvas.clear(&part);
                self.rows += 1;
                continue;
            }
            match self.paint(&part) {
                Err(error) if !error.is_lasting() => return Err(error),
                Err(error) => fault = fault.or(Some(error)),
                Ok(()) => {}
            }
        }
        match self.rows {
            0 => Err(fault.unwrap_or_else(|| damaged("it has no strips and no tiles"))),
            _ => Ok(()),
        }
    }

    fn paint(&mut self, part: &Part) -> Result<(), DecodeError> {
        match self.layout.compression.is_picture() {
            true => {
                let bytes = self.bytes(part)?;
                self.paint_picture(part, &bytes)
            }
            false => self.paint_stream(part).map_err(damage_error),
        }
    }

    fn paint_stream(&mut self, part: &Part) -> io::Result<()> {
        let layout = self.layout;
        // Some writers state another length if nothing is compressed.
        let length = if layout.compression == Compression::None {
            u64::MAX
        } else {
            part.length
        };
        let stored = (
            part.width.div_ceil(part.scale.0),
            part.height.div_ceil(part.scale.1),
        );
        self.tiff.file().seek(SeekFrom::Start(part.offset))?;
        let source = LimitedReader {
            file: self.tiff.file(),
            left: &mut self.budget,
        };
        let mut input = unpacking_reader(source.take(length), layout, stored)?;
        let bottom = layout.height.saturating_sub(part.top).min(part.height);
        if layout.is_subsampled() && !layout.is_planar {
            let mut blocks = Blocks::new(part.width, layout.subsampling);
            for top in (0..bottom).step_by(layout.subsampling.1 as usize) {
                for (y, row) in (top..bottom).zip(blocks.next(&mut input)?) {
                    self.canvas.paint(part, y, Row::Bytes(&row), 3);
                    self.rows += 1;
                }
            }
            return Ok(());
        }
        let mut rows = Rows::new(layout, stored.0);
        for top in (0..bottom).step_by(part.scale.1 as usize) {
            let row = rows.next(&mut input)?;
            let last = bottom.min(top + part.scale.1);
            self.rows += 1;
            match (row, part.scale.0) {
                (Row::Bytes(row), across @ 2..) => {
                    let row = repeat_samples(row, across);
                    (top..last).for_each(|y| self.canvas.paint(part, y, Row::Bytes(&row), 1));
                }
                (row, _) => {
                    (top..last).for_each(|y| self.canvas.paint(part, y, row, part.per_pixel));
                }
            }
        }
        Ok(())
    }

    /// Reads all bytes of a part, as they are stored.
    fn bytes(&mut self, part: &Part) -> io::Result<Vec<u8>> {
        self.tiff.file().seek(SeekFrom::Start(part.offset))?;
        let source = LimitedReader {
            file: self.tiff.file(),
            left: &mut self.budget,
        };
        let mut bytes = Vec::new();
        source.take(part.length).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Paints a part that is a picture of another kind.
    pub(super) fn paint_picture(&mut self, part: &Part, bytes: &[u8]) -> Result<(), DecodeError> {
        let (width, bytes) = if self.layout.compression == Compression::Webp {
            webp(bytes, part, self.limits)?
        } else {
            self.jpeg(bytes, part)?
        };
        let row = width as usize * part.per_pixel;
        for (top, row) in (0..)
            .step_by(part.scale.1 as usize)
            .zip(bytes.chunks_exact(row))
        {
            let bottom = self.layout.height.saturating_sub(part.top).min(part.height);
            let widened = repeat_samples(row, part.scale.0);
            for y in top..bottom.min(top + part.scale.1) {
                self.canvas
                    .paint(part, y, Row::Bytes(&widened), part.per_pixel);
            }
            self.rows += 1;
        }
        Ok(())
    }

    fn jpeg(&self, bytes: &[u8], part: &Part) -> Result<(u32, Vec<u8>), DecodeError> {
        let stream = jpeg::with_tables(self.tables.as_deref(), bytes);
        let pixels = jpeg::decode(&stream, self.layout, |width, height| {
            suits(part, width, height, self.limits).map(|()| 1)
        })?;
        match pixels.channels().count() == part.per_pixel {
            true => Ok((pixels.width(), pixels.into_bytes())),
            false => Err(damaged("a part has different samples than the picture")),
        }
    }
}

/// Refuses a picture that is far larger than its part.
fn suits(part: &Part, width: u32, height: u32, limits: Limits) -> Result<(), DecodeError> {
    const SMALL: u64 = 1 << 16;
    limits.allow(width, height)?;
    let pixels = |width: u32, height: u32| u64::from(width) * u64::from(height);
    let max = pixels(part.width, part.height).saturating_mul(4).max(SMALL);
    match pixels(width, height) <= max {
        true => Ok(()),
        false => Err(damaged("a part is too large for its location")),
    }
}

fn webp(bytes: &[u8], part: &Part, limits: Limits) -> Result<(u32, Vec<u8>), DecodeError> {
    let decoder = WebPDecoder::new(Cursor::new(bytes))?;
    let (width, height) = decoder.dimensions();
    suits(part, width, height, limits)?;
    let image = DynamicImage::from_decoder(decoder)?;
    let bytes = match part.per_pixel {
        3 => image.into_rgb8().into_raw(),
        4 => image.into_rgba8().into_raw(),
        _ => return Err(damaged("a part has different samples than the picture")),
    };
    Ok((width, bytes))
}

/// Repeats each sample for the pixels that share it, without interpolation.
fn repeat_samples(row: &[u8], across: u32) -> Vec<u8> {
    let each = |&sample| std::iter::repeat_n(sample, across as usize);
    row.iter().flat_map(each).collect()
}

/// Converts errors of decompression to damage, except those of the file itself.
fn damage_error(error: io::Error) -> DecodeError {
    match error.raw_os_error() {
        Some(_) => error.into(),
        None => DecodeError::Damaged(error.to_string()),
    }
}

/// Reads the colours of a palette, with 8 bits a channel.
fn palette<R: Read + Seek>(
    tiff: &mut Tiff<R>,
    layout: &Layout,
) -> Result<Vec<[u8; 3]>, DecodeError> {
    let count = 1_usize << layout.bits;
    let map = tiff.numbers(tag::COLOUR_MAP, 3 * count)?;
    // Some writers store 8 bits in place of 16.
    let shift = if map.iter().any(|&value| value > 255) {
        8
    } else {
        0
    };
    let each = map.len() / 3;
    if each == 0 {
        return Err(damaged("its palette is missing"));
    }
    let value = |at: usize| u8::try_from(map[at] >> shift).unwrap_or(u8::MAX);
    Ok((0..each)
        .map(|at| [value(at), value(at + each), value(at + 2 * each)])
        .collect())
}

/// A file with a limit on the bytes that are read in all.
struct LimitedReader<'a, R> {
    file: &'a mut R,
    left: &'a mut u64,
}

impl<R: Read> Read for LimitedReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if *self.left == 0 && !buffer.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "its parts overlap",
            ));
        }
        let length = usize::try_from(*self.left)
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        let read = self.file.read(&mut buffer[..length])?;
        *self.left -= read as u64;
        Ok(read)
    }
}
