//! The header of a JPEG XL (ISO/IEC 18181-1, annex D): its size and its orientation.

use std::io::{Read, Seek, SeekFrom};

use image::metadata::Orientation;

use super::Head;
use crate::isobmff::{self, next_box};

/// The signature of a picture without a container.
const BARE: [u8; 2] = [0xFF, 0x0A];
/// The maximum length of the part of the header that is read, in bytes.
const HEADER: u64 = 16;
/// The maximum number of boxes before the picture.
const MAX_BOXES: usize = 32;

/// Reads the header. `None` if it can't be read.
pub(super) fn head(mut file: impl Read + Seek) -> Option<Head> {
    let header = header(&mut file)?;
    let mut bits = Bits {
        bytes: header.strip_prefix(&BARE)?,
        at: 0,
    };
    let is_small = bits.flag()?;
    let height = side(&mut bits, is_small)?;
    let width = match bits.take(3)? {
        0 => side(&mut bits, is_small)?,
        ratio => by_ratio(height, ratio)?,
    };
    let is_all_by_default = bits.flag()?;
    let is_more_said = !is_all_by_default && bits.flag()?;
    let orientation = match is_more_said {
        true => u8::try_from(1 + bits.take(3)?).ok()?,
        false => 1,
    };
    Head::of(width, height, Orientation::from_exif(orientation)?)
}

/// Returns the first bytes of the codestream.
fn header(file: &mut (impl Read + Seek)) -> Option<Vec<u8>> {
    let mut start = [0; 2];
    file.read_exact(&mut start).ok()?;
    file.rewind().ok()?;
    if start == BARE {
        return first_bytes(file);
    }
    for _ in 0..MAX_BOXES {
        let (kind, rest) = next_box(file).ok()?;
        match &kind {
            b"jxlc" => return first_bytes(file),
            // A partial codestream, which is preceded by its index.
            b"jxlp" => {
                file.read_exact(&mut [0; 4]).ok()?;
                return first_bytes(file);
            }
            _ => {
                let rest = i64::try_from(rest).ok()?;
                file.seek(SeekFrom::Current(rest)).ok()?;
            }
        }
    }
    None
}

/// Returns the XMP packet, which is in a box of its own, and at most `max` bytes long. A compressed one is not read.
pub(crate) fn xmp(file: &mut (impl Read + Seek), max: u64) -> Option<Vec<u8>> {
    for _ in 0..MAX_BOXES {
        let (kind, rest) = next_box(file).ok()?;
        if kind == *b"xml " {
            return isobmff::content(file, rest, max).ok()?;
        }
        file.seek(SeekFrom::Current(i64::try_from(rest).ok()?))
            .ok()?;
    }
    None
}

fn first_bytes(file: &mut impl Read) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(HEADER).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn side(bits: &mut Bits<'_>, is_small: bool) -> Option<u32> {
    if is_small {
        return Some((1 + bits.take(5)?) * 8);
    }
    let length = [9, 13, 18, 30][bits.take(2)? as usize];
    Some(1 + bits.take(length)?)
}

fn by_ratio(height: u32, ratio: u32) -> Option<u32> {
    let (across, down) = match ratio {
        1 => (1, 1),
        2 => (12, 10),
        3 => (4, 3),
        4 => (3, 2),
        5 => (16, 9),
        6 => (5, 4),
        _ => (2, 1),
    };
    u32::try_from(u64::from(height) * across / down).ok()
}

/// A reader of bits, the lowest bit of a byte first.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: usize) -> Option<u32> {
        let mut number = 0;
        for place in 0..count {
            let byte = self.bytes.get(self.at / 8)?;
            number |= u32::from(byte >> (self.at % 8) & 1) << place;
            self.at += 1;
        }
        Some(number)
    }

    fn flag(&mut self) -> Option<bool> {
        Some(self.take(1)? == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// Packs consecutive bits into bytes.
    fn packed(bits: &str) -> Vec<u8> {
        let bits: Vec<u8> = bits.bytes().filter(|bit| *bit != b' ').collect();
        bits.chunks(8)
            .map(|byte| {
                let places = byte.iter().zip(0..);
                places.fold(0, |sum, (bit, place)| sum | (bit - b'0') << place)
            })
            .collect()
    }

    #[track_caller]
    fn check(bits: &str, expected: Option<(u32, u32, u8)>) {
        let bare = [&BARE[..], &packed(bits)].concat();
        let part = [&b"\0\0\0\0jxlp\0\0\0\0"[..], &bare].concat();
        let boxed = [
            &b"\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14ftypjxl \0\0\0\0jxl "[..],
            &part,
        ]
        .concat();
        for bytes in [bare, boxed] {
            let found = head(Cursor::new(bytes));
            let found = found.map(|head| (head.width, head.height, head.orientation));
            assert_eq!(found, expected, "{bits}");
        }
    }

    #[test]
    fn every_size_encoding_is_read() {
        check("1 10010 001 1", Some((120, 80, 1)));
        check("1 01110 000 10010 1", Some((80, 120, 1)));
        check("0 00 111001000 100 1", Some((40, 40, 1)));
        check(
            "0 10 1111100111000 000 10 0000000000001 1",
            Some((4097, 928, 1)),
        );
    }

    #[test]
    fn rotated_size_is_the_displayed_one() {
        check("1 10010 001 0 1 101", Some((80, 120, 6)));
        check("1 10010 001 0 1 010", Some((120, 80, 3)));
        check("1 10010 001 0 0", Some((120, 80, 1)));
    }

    #[test]
    fn truncated_header_is_none() {
        check("1 1001", None);
        check("", None);
    }
}
