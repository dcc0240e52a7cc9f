//! The header of a PNG (W3C, Portable Network Graphics). Its chunks are skipped, not unpacked: a few of them are
//! compressed, and may hold a thousand times their own length.

use std::io::{self, BufRead, Seek};

use image::metadata::Orientation;

use super::Head;
use super::chunks::{array, beginning};
use crate::tiff::orientation_in;

pub(super) const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// The checksum behind each chunk, in bytes.
const CHECKSUM: i64 = 4;

/// `None` if it can't be read. `file` stands at the signature.
pub(super) fn head(file: &mut (impl BufRead + Seek)) -> Option<Head> {
    let (width, height) = size(file)?;
    let notes = chunk(file, *b"eXIf").ok()?;
    let orientation = notes.and_then(|notes| orientation_in(&notes));
    Head::of(
        width,
        height,
        orientation.unwrap_or(Orientation::NoTransforms),
    )
}

/// The compressed colour profile that comes with it.
pub(super) fn packed_profile(file: &mut (impl BufRead + Seek)) -> Option<Vec<u8>> {
    size(file)?;
    let mut chunk = chunk(file, *b"iCCP").ok()??;
    // A name, a zero byte, and zero for the only method there is.
    let name = chunk.iter().position(|&byte| byte == 0)?;
    let packed = chunk.split_off(name + 1);
    packed.strip_prefix(&[0]).map(<[u8]>::to_vec)
}

/// The picture's size in pixels, by the first chunk.
fn size(file: &mut impl BufRead) -> Option<(u32, u32)> {
    if array(file).ok()? != SIGNATURE || array(file).ok()? != *b"\0\0\0\x0dIHDR" {
        return None;
    }
    let width = u32::from_be_bytes(array(file).ok()?);
    let height = u32::from_be_bytes(array(file).ok()?);
    // Depth, colour type, compression, filter, interlacing; and the checksum.
    let _rest: [u8; 9] = array(file).ok()?;
    Some((width, height))
}

/// The first chunk of a kind before the pixels.
fn chunk(file: &mut (impl BufRead + Seek), wanted: [u8; 4]) -> io::Result<Option<Vec<u8>>> {
    loop {
        let length = u32::from_be_bytes(array(file)?);
        match array(file)? {
            kind if kind == wanted => return beginning(file, length).map(Some),
            [b'I', b'D', b'A', b'T'] | [b'I', b'E', b'N', b'D'] => return Ok(None),
            _ => file.seek_relative(i64::from(length) + CHECKSUM)?,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Cursor;

    use super::*;

    /// A PNG of 3 × 2 pixels that ends where its pixels would begin, with these chunks before them.
    pub(in crate::decode::head) fn png_with(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut bytes = SIGNATURE.to_vec();
        let header: &[u8] = &[0, 0, 0, 3, 0, 0, 0, 2, 8, 2, 0, 0, 0];
        let all = [(b"IHDR", header)]
            .into_iter()
            .chain(chunks.iter().copied());
        for (kind, content) in all.chain([(b"IDAT", &[][..])]) {
            bytes.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
            bytes.extend(kind);
            bytes.extend(content);
            // No checksum is looked at.
            bytes.extend([0; 4]);
        }
        bytes
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: Option<(u32, u32, u8)>) {
        let found = head(&mut Cursor::new(bytes));
        let found = found.map(|head| (head.width, head.height, head.orientation));
        assert_eq!(found, expected);
    }

    #[test]
    fn size_and_orientation_come_before_pixels() {
        let turned = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        check(&png_with(&[]), Some((3, 2, 1)));
        check(
            &png_with(&[(b"zTXt", &[0; 5000]), (b"eXIf", turned)]),
            Some((2, 3, 6)),
        );
        check(&png_with(&[(b"eXIf", b"nonsense")]), Some((3, 2, 1)));
    }

    #[test]
    fn header_that_ends_early_is_none() {
        let whole = png_with(&[(b"tEXt", b"a text")]);
        for end in 0..whole.len() - 4 {
            check(&whole[..end], None);
        }
    }
}
