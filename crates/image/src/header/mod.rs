//! Reads the facts of a picture's header, without decoding and with little reading.

mod bmp;
mod chunks;
mod ico;
pub(crate) mod jxl;
pub(crate) mod png;
pub(crate) mod truncation;
pub(crate) mod webp;

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};

use image::metadata::Orientation;
use image::{ImageDecoder, ImageFormat, ImageReader};

pub(crate) use ico::icon_entry;
pub(crate) use png::{PngNotes, png_notes};

use crate::guard::guarded;
use crate::isobmff::Container;
use crate::orientation::{orientation_of, turns_sideways};
use crate::raw::preview;
use crate::tiff::Tiff;
use crate::window::Window;
use crate::{DecodeError, Limits};

/// The facts of a picture's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The width in pixels, as the picture is shown: after the orientation has been applied.
    pub width: u32,
    /// The height in pixels, as the picture is shown.
    pub height: u32,
    /// The EXIF orientation, 1…8; 1 if the file states none, or an invalid one.
    pub orientation: u8,
}

impl Head {
    /// Creates a head for a picture that is stored with this many pixels. `None` if there are none.
    pub(crate) fn of(width: u32, height: u32, orientation: Orientation) -> Option<Self> {
        let (width, height) = if turns_sideways(orientation) {
            (height, width)
        } else {
            (width, height)
        };
        (width > 0 && height > 0).then_some(Self {
            width,
            height,
            orientation: orientation.to_exif(),
        })
    }
}

/// The lengths of the parts of a JPEG that are read, in bytes: a short one first, then a longer one
/// for a header behind a large preview.
const JPEG_PREFIXES: [u64; 2] = [64 << 10, 1 << 20];
/// The number of bytes that are read of another file at most.
pub(crate) const BUDGET: u64 = 1 << 20;
/// The number of bytes that are read at once. An animated WebP is skimmed from frame to frame, and a
/// larger step would read pixels that are not needed.
pub(crate) const STEP: usize = 1 << 10;

/// Returns a reader that reads little at once.
pub(crate) fn buffered(file: Window<File>) -> BufReader<Window<File>> {
    BufReader::with_capacity(STEP, file)
}

pub(crate) fn jpeg_head(file: Window<File>, length: u64) -> Option<Head> {
    jpeg(file.into_inner(), 0, length)
}

pub(crate) fn png_head(file: Window<File>, _length: u64) -> Option<Head> {
    png::head(&mut buffered(file))
}

/// Reads the header with the `image` crate's decoder, for formats that it decodes without reading further.
pub(crate) fn decoder_head(file: Window<File>, format: ImageFormat) -> Option<Head> {
    read(buffered(file), format).ok()
}

pub(crate) fn webp_head(file: Window<File>, _length: u64) -> Option<Head> {
    webp::head(&mut buffered(file))
}

pub(crate) fn jxl_head(file: Window<File>, _length: u64) -> Option<Head> {
    jxl::head(buffered(file))
}

pub(crate) fn bmp_head(file: Window<File>, _length: u64) -> Option<Head> {
    bmp::head(&mut buffered(file))
}

pub(crate) fn ico_head(file: Window<File>, _length: u64) -> Option<Head> {
    ico::head(&mut buffered(file))
}

/// The JPEG decoder reads a whole file into memory at once, so it gets only the first part.
fn jpeg(mut file: File, offset: u64, length: u64) -> Option<Head> {
    JPEG_PREFIXES.into_iter().find_map(|prefix| {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(offset)).ok()?;
        let part = prefix.min(length);
        (&mut file).take(part).read_to_end(&mut bytes).ok()?;
        read(Cursor::new(bytes), ImageFormat::Jpeg).ok()
    })
}

/// Reads the facts of the container. The encoded content is not parsed.
pub(crate) fn container_head(file: Window<File>, _length: u64) -> Option<Head> {
    let transform = Container::read(buffered(file), BUDGET)
        .ok()?
        .primary()
        .display_transform()
        .ok()?;
    Head::of(
        transform.crop.width,
        transform.crop.height,
        transform.orientation,
    )
}

pub(crate) fn tiff_head(file: Window<File>, length: u64) -> Option<Head> {
    let mut tiff = Tiff::read(buffered(file), length).ok()?;
    let (width, height) = tiff.size().ok()?;
    Head::of(width, height, tiff.orientation().ok()?)
}

/// Reads the header of the preview in a raw file. If the raw file does not state its orientation, the
/// preview does.
pub(crate) fn raw_head(file: Window<File>, length: u64) -> Option<Head> {
    let mut file = file.into_inner();
    let window = Window::new(&mut file, length, BUDGET);
    let found = preview(BufReader::with_capacity(STEP, window), length).ok()?;
    match found.orientation {
        Some(orientation) => Head::of(found.width, found.height, orientation),
        None => jpeg(file, found.offset, found.length),
    }
}

fn read(reader: impl std::io::BufRead + Seek, format: ImageFormat) -> Result<Head, DecodeError> {
    guarded(|| {
        let mut reader = ImageReader::with_format(reader, format);
        reader.limits(Limits::default().for_decoder());
        let mut decoder = reader.into_decoder()?;
        let (width, height) = decoder.dimensions();
        let orientation = orientation_of(&mut decoder);
        Head::of(width, height, orientation)
            .ok_or_else(|| DecodeError::Damaged("it claims to have no pixels".into()))
    })
}
