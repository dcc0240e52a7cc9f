//! The header of a WebP (RFC 9649).

use std::io::{self, BufRead, ErrorKind, Seek};

use image::metadata::Orientation;

use super::Head;
use super::chunks::{array, read_start};
use crate::tiff::orientation_in;

/// Reads the header. `None` if it can't be read.
pub(super) fn head(file: &mut (impl BufRead + Seek)) -> Option<Head> {
    let mut parts = Parts::begin(file)?;
    let (width, height, is_extended) = parts.size()?;
    let notes = match is_extended {
        true => parts.find(*b"EXIF").ok()?,
        false => None,
    };
    let orientation = notes.and_then(|notes| orientation_in(&notes));
    Head::of(
        width,
        height,
        orientation.unwrap_or(Orientation::NoTransforms),
    )
}

/// Returns the colour profile.
pub(crate) fn profile(file: &mut (impl BufRead + Seek)) -> Option<Vec<u8>> {
    let mut parts = Parts::begin(file)?;
    let (.., is_extended) = parts.size()?;
    match is_extended {
        true => parts.find(*b"ICCP").ok()?,
        false => None,
    }
}

/// Returns the XMP packet.
pub(crate) fn xmp(file: &mut (impl BufRead + Seek)) -> Option<Vec<u8>> {
    let mut parts = Parts::begin(file)?;
    let (.., is_extended) = parts.size()?;
    match is_extended {
        true => parts.find(*b"XMP ").ok()?,
        false => None,
    }
}

/// The consecutive parts of the file.
struct Parts<'a, R> {
    file: &'a mut R,
    /// The number of bytes that are left.
    left: u64,
}

impl<'a, R: BufRead + Seek> Parts<'a, R> {
    fn begin(file: &'a mut R) -> Option<Self> {
        let [b'R', b'I', b'F', b'F', a, b, c, d, b'W', b'E', b'B', b'P'] = array(file).ok()? else {
            return None;
        };
        let length = u64::from(u32::from_le_bytes([a, b, c, d]));
        let left = length.checked_sub(4)?;
        Some(Self { file, left })
    }

    /// Returns the picture's size in pixels, from the first part, and true if other parts may hold
    /// more facts.
    fn size(&mut self) -> Option<(u32, u32, bool)> {
        let (kind, length) = self.next().ok()??;
        match &kind {
            b"VP8 " => {
                let [_, _, _, 0x9d, 0x01, 0x2a, across, more, down, rest] =
                    array(self.file).ok()?
                else {
                    return None;
                };
                let side = |low, high| u32::from(u16::from_le_bytes([low, high]) & 0x3FFF);
                Some((side(across, more), side(down, rest), false))
            }
            b"VP8L" => {
                let [0x2f, a, b, c, d] = array(self.file).ok()? else {
                    return None;
                };
                let bits = u32::from_le_bytes([a, b, c, d]);
                Some((1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF), false))
            }
            b"VP8X" => {
                let [_, _, _, _, a, b, c, d, e, f] = array(self.file).ok()?;
                self.skip(length.checked_sub(10)?).ok()?;
                let side = |bytes: [u8; 3]| {
                    let [low, middle, high] = bytes;
                    1 + u32::from_le_bytes([low, middle, high, 0])
                };
                Some((side([a, b, c]), side([d, e, f]), true))
            }
            _ => None,
        }
    }

    /// Returns the first part of a kind from here on. `None` also if the part is shorter than it
    /// claims.
    fn find(&mut self, wanted: [u8; 4]) -> io::Result<Option<Vec<u8>>> {
        while let Some((kind, length)) = self.next()? {
            if kind == wanted {
                return end_as_none(read_start(self.file, length));
            }
            self.skip(length)?;
        }
        Ok(None)
    }

    /// Reads the head of the next part: its kind and its length.
    fn next(&mut self) -> io::Result<Option<([u8; 4], u32)>> {
        if self.left == 0 {
            return Ok(None);
        }
        let Some(kind) = end_as_none(array(self.file))? else {
            return Ok(None);
        };
        let Some(length) = end_as_none(array(self.file))? else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(length);
        let whole = 8 + u64::from(length) + u64::from(length % 2);
        self.left = self.left.saturating_sub(whole);
        Ok(Some((kind, length)))
    }

    /// Skips the rest of a part, which is padded to an even length in the file.
    fn skip(&mut self, length: u32) -> io::Result<()> {
        self.file
            .seek_relative(i64::from(length) + i64::from(length % 2))
    }
}

fn end_as_none<T>(read: io::Result<T>) -> io::Result<Option<T>> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn webp(parts: &[(&[u8; 4], u32, &[u8])]) -> Vec<u8> {
        let mut all = b"WEBP".to_vec();
        for (kind, length, content) in parts {
            all.extend_from_slice(*kind);
            all.extend(length.to_le_bytes());
            all.extend_from_slice(content);
            all.extend(vec![0; content.len() % 2]);
        }
        let length = u32::try_from(all.len()).unwrap();
        [b"RIFF", &length.to_le_bytes()[..], &all].concat()
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: Option<(u32, u32, u8)>) {
        let found = head(&mut Cursor::new(bytes));
        let found = found.map(|head| (head.width, head.height, head.orientation));
        assert_eq!(found, expected);
    }

    const EXTENDED: (&[u8; 4], u32, &[u8]) = (b"VP8X", 10, &[8, 0, 0, 0, 2, 0, 0, 1, 0, 0]);
    const TURNED: &[u8] = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";

    #[test]
    fn each_kind_states_its_size() {
        let lossy: &[u8] = &[0x10, 0, 0, 0x9d, 0x01, 0x2a, 3, 0xC0, 2, 0];
        check(&webp(&[(b"VP8 ", 10, lossy)]), Some((3, 2, 1)));
        let lossless: &[u8] = &[0x2f, 2, 0x40, 0, 0];
        check(&webp(&[(b"VP8L", 5, lossless)]), Some((3, 2, 1)));
        let length = u32::try_from(TURNED.len()).unwrap();
        let odd = (b"ICCP", 3, &[1, 2, 3][..]);
        check(
            &webp(&[EXTENDED, odd, (b"EXIF", length, TURNED)]),
            Some((2, 3, 6)),
        );
        check(&webp(&[(b"ALPH", 0, &[])]), None);
        check(b"RIFF\0\0\0\0WEBP", None);
    }

    #[test]
    fn claimed_length_takes_no_memory() {
        let claims = u32::MAX - 40;
        check(
            &webp(&[EXTENDED, (b"EXIF", claims, TURNED)]),
            Some((3, 2, 1)),
        );
        let bytes = webp(&[EXTENDED, (b"ICCP", claims, b"profile")]);
        assert_eq!(profile(&mut Cursor::new(bytes)), None);
        let bytes = webp(&[EXTENDED, (b"ICCP", 7, b"profile")]);
        assert_eq!(
            profile(&mut Cursor::new(bytes)).as_deref(),
            Some(&b"profile"[..])
        );
    }
}
