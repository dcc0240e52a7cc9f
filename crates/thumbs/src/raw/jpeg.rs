//! Whether a piece of a raw file is a JPEG that can be shown: sensors' values are often kept in one
//! that can't.

use std::io::{Read, Seek};

use super::pieces::Pieces;
use crate::decode::DecodeError;

/// How many segments may stand before the one with the size.
const MOST_SEGMENTS: usize = 128;

/// Width and height of the JPEG at a place; `None` if there is none, or one without loss.
pub(super) fn size<R: Read + Seek>(
    pieces: &mut Pieces<R>,
    offset: u64,
    length: u64,
) -> Result<Option<(u32, u32)>, DecodeError> {
    let end = offset.saturating_add(length);
    if end > pieces.length() || pieces.exactly(offset, 2)? != [0xFF, 0xD8] {
        return Ok(None);
    }
    let mut at = offset + 2;
    for _ in 0..MOST_SEGMENTS {
        if at >= end {
            break;
        }
        let segment = pieces.up_to(at, 9)?;
        match segment[..] {
            // Baseline, extended, progressive; 8 bits.
            [0xFF, 0xC0..=0xC2, _, _, 8, high, low, wide, narrow] => {
                let height = u16::from_be_bytes([high, low]).into();
                let width = u16::from_be_bytes([wide, narrow]).into();
                return Ok(Some((width, height)));
            }
            // Frames of other kinds, and what has no frame before it.
            [
                0xFF,
                0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF | 0xD9 | 0xDA,
                ..,
            ] => {
                break;
            }
            // Filling.
            [0xFF, 0xFF, ..] => at += 1,
            [0xFF, _, high, low, ..] => at += 2 + u64::from(u16::from_be_bytes([high, low])),
            _ => break,
        }
    }
    Ok(None)
}
