//! The header of a Windows bitmap.

use std::io::BufRead;

use image::metadata::Orientation;

use super::Head;
use super::chunks::array;

/// Reads the header. `None` if it can't be read.
pub(super) fn head(file: &mut impl BufRead) -> Option<Head> {
    let _file: [u8; 14] = array(file).ok()?;
    let (width, height) = match u32::from_le_bytes(array(file).ok()?) {
        12 => {
            let [a, b, c, d] = array(file).ok()?;
            let side = |low, high| u32::from(u16::from_le_bytes([low, high]));
            (side(a, b), side(c, d))
        }
        _ => {
            let side = |bytes| i32::from_le_bytes(bytes).unsigned_abs();
            (side(array(file).ok()?), side(array(file).ok()?))
        }
    };
    Head::of(width, height, Orientation::NoTransforms)
}
