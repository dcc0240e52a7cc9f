//! The preview that a camera stores in its raw file: the location of the largest JPEG in it, and its
//! orientation. The sensor data is not read.
//!
//! Makers write a TIFF of their own kind, boxes (Canon's CR3), or a header of their own (Fujifilm). All of it
//! is read in small pieces of limited number.

mod bounded_file;
mod canon;
mod jpeg;
mod tiff;

use std::io::{Read, Seek};

use image::metadata::Orientation;

use crate::DecodeError;
use bounded_file::BoundedFile;

/// The picture in a raw file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preview {
    /// The offset of the JPEG, in bytes.
    pub offset: u64,
    /// Its length, in bytes.
    pub length: u64,
    /// Its stored width, in pixels.
    pub width: u32,
    /// Its stored height, in pixels.
    pub height: u32,
    /// The orientation stated by the raw file. `None` leaves it to the JPEG.
    pub orientation: Option<Orientation>,
}

/// The contents of a raw file, not yet verified.
#[derive(Debug, Default)]
struct PreviewCandidates {
    /// Offsets and lengths.
    places: Vec<(u64, u64)>,
    orientation: Option<Orientation>,
}

/// The number of places that are read, whatever a file contains.
const MAX_PLACES: usize = 32;

/// Returns the largest picture in the raw file of `length` bytes.
///
/// # Errors
/// [`DecodeError`], also if there is none.
pub fn preview(file: impl Read + Seek, length: u64) -> Result<Preview, DecodeError> {
    let mut file = BoundedFile::new(file, length);
    let head = file.up_to(0, 16)?;
    let candidates = if head.starts_with(b"FUJIFILMCCD-RAW ") {
        fujifilm(&mut file)?
    } else if head.get(4..8) == Some(b"ftyp") {
        canon::read(&mut file)?
    } else {
        tiff::read(&mut file, 0)?
    };
    let mut largest: Option<Preview> = None;
    for (offset, length) in candidates.places.into_iter().take(MAX_PLACES) {
        // A place beyond the end, or one that is not a picture, is ignored.
        let Ok(Some((width, height))) = jpeg::size(&mut file, offset, length) else {
            continue;
        };
        let pixels = |width: u32, height: u32| u64::from(width) * u64::from(height);
        let max = largest.map_or(0, |largest| pixels(largest.width, largest.height));
        if pixels(width, height) > max {
            largest = Some(Preview {
                offset,
                length,
                width,
                height,
                orientation: candidates.orientation,
            });
        }
    }
    largest.ok_or_else(|| DecodeError::UnsupportedKind("image/x-dcraw without a JPEG".into()))
}

/// Reads Fujifilm's header, which names one JPEG. The JPEG states its own orientation.
fn fujifilm<R: Read + Seek>(file: &mut BoundedFile<R>) -> Result<PreviewCandidates, DecodeError> {
    const PLACE: u64 = 84;
    let place = file.exactly(PLACE, 8)?;
    let [a, b, c, d, e, f, g, h] = place[..] else {
        return Ok(PreviewCandidates::default());
    };
    let (offset, length) = (
        u32::from_be_bytes([a, b, c, d]),
        u32::from_be_bytes([e, f, g, h]),
    );
    Ok(PreviewCandidates {
        places: vec![(offset.into(), length.into())],
        orientation: None,
    })
}

#[cfg(test)]
mod tests;
