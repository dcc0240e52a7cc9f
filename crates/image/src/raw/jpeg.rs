//! Detection of JPEGs in a raw file that can be shown. Sensor data is often stored in a JPEG that can't.

use std::io::{Read, Seek};

use super::bounded_file::BoundedFile;
use crate::DecodeError;

/// The number of segments that may precede the one with the size.
const MAX_SEGMENTS: usize = 128;

/// Returns the width and height of the JPEG at an offset, or `None` if there is none, or a lossless one.
pub(super) fn size<R: Read + Seek>(
    file: &mut BoundedFile<R>,
    offset: u64,
    length: u64,
) -> Result<Option<(u32, u32)>, DecodeError> {
    let end = offset.saturating_add(length);
    if end > file.length() || file.exactly(offset, 2)? != [0xFF, 0xD8] {
        return Ok(None);
    }
    let mut at = offset + 2;
    for _ in 0..MAX_SEGMENTS {
        if at >= end {
            break;
        }
        let segment = file.up_to(at, 9)?;
        match segment[..] {
            // Baseline, extended and progressive frames of 8 bits.
            [0xFF, 0xC0..=0xC2, _, _, 8, high, low, wide, narrow] => {
                let height = u16::from_be_bytes([high, low]).into();
                let width = u16::from_be_bytes([wide, narrow]).into();
                return Ok(Some((width, height)));
            }
            // Frames of other kinds, and segments that must not precede the frame.
            [
                0xFF,
                0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF | 0xD9 | 0xDA,
                ..,
            ] => {
                break;
            }
            // Padding.
            [0xFF, 0xFF, ..] => at += 1,
            [0xFF, _, high, low, ..] => at += 2 + u64::from(u16::from_be_bytes([high, low])),
            _ => break,
        }
    }
    Ok(None)
}
