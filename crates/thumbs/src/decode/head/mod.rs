//! What a picture's header tells, read without decoding and with little reading.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};

use image::metadata::Orientation;
use image::{ImageDecoder, ImageFormat, ImageReader};

use super::source::{format_of, guarded, kind_of};
use super::window::Window;
use super::{DecodeError, Limits};

/// What a picture's header tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Pixels, as the picture is shown: after the orientation has been applied.
    pub width: u32,
    /// Pixels, as the picture is shown.
    pub height: u32,
    /// EXIF orientation, 1…8; 1 where the file tells none, or one that does not exist.
    pub orientation: u8,
}

/// How much of a JPEG is read: first a little, then more, for a header behind a large preview.
const JPEG_PREFIXES: [u64; 2] = [64 << 10, 1 << 20];
/// How much of another file is read at most.
const BUDGET: u64 = 1 << 20;
/// How much is read at once: an animated WebP is skimmed from frame to frame, and a larger step
/// would read pixels that nobody asked for.
const STEP: usize = 1 << 10;

impl Head {
    /// Reads it from the start of `file`, which is `length` bytes long; `None` where it can't be read
    /// cheaply.
    #[must_use]
    pub fn read(file: File, length: u64) -> Option<Self> {
        let mut file = Window::new(file, length, BUDGET);
        let format = format_of(kind_of(&mut file).ok()?).ok()?;
        if format == ImageFormat::Jpeg {
            jpeg(file.into_inner(), length)
        } else {
            read(BufReader::with_capacity(STEP, file), format).ok()
        }
    }
}

/// The JPEG decoder takes a whole file into memory at once: so it is given only the first part.
fn jpeg(mut file: File, length: u64) -> Option<Head> {
    JPEG_PREFIXES.into_iter().find_map(|prefix| {
        let mut bytes = Vec::new();
        file.rewind().ok()?;
        let part = prefix.min(length);
        (&mut file).take(part).read_to_end(&mut bytes).ok()?;
        read(Cursor::new(bytes), ImageFormat::Jpeg).ok()
    })
}

fn read(reader: impl std::io::BufRead + Seek, format: ImageFormat) -> Result<Head, DecodeError> {
    guarded(|| {
        let mut reader = ImageReader::with_format(reader, format);
        reader.limits(Limits::default().for_decoder());
        let mut decoder = reader.into_decoder()?;
        let (width, height) = decoder.dimensions();
        let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
        let (width, height) = if turns_sideways(orientation) {
            (height, width)
        } else {
            (width, height)
        };
        Ok(Head {
            width,
            height,
            orientation: orientation.to_exif(),
        })
    })
}

/// Whether applying the orientation swaps width and height.
pub(super) fn turns_sideways(orientation: Orientation) -> bool {
    match orientation {
        Orientation::Rotate90
        | Orientation::Rotate270
        | Orientation::Rotate90FlipH
        | Orientation::Rotate270FlipH => true,
        Orientation::NoTransforms
        | Orientation::Rotate180
        | Orientation::FlipHorizontal
        | Orientation::FlipVertical => false,
    }
}
