//! Detection of PNGs that end before their pictures do.

use std::io::{self, BufRead, Seek};

use super::super::chunks::array;
use super::super::png::SIGNATURE;
use super::ends_with;

/// The maximum number of chunks that are checked. A picture with more is not judged.
const MAX_CHUNKS: usize = 1 << 16;
/// The length of the checksum behind each chunk, in bytes.
const CHECKSUM: u64 = 4;

/// The chunk that ends a picture, with its checksum.
const END: &[u8] = b"\0\0\0\0IEND\xae\x42\x60\x82";

/// Returns true if the file has pixels, and no chunk that ends it.
pub(super) fn is_truncated(file: &mut (impl BufRead + Seek), length: u64) -> io::Result<bool> {
    if ends_with(file, length, END)? {
        return Ok(false);
    }
    file.rewind()?;
    if array(file)? != SIGNATURE {
        return Ok(false);
    }
    let mut at = SIGNATURE.len() as u64;
    let mut has_pixels = false;
    for _ in 0..MAX_CHUNKS {
        if at + 8 > length {
            return Ok(has_pixels);
        }
        let content = u32::from_be_bytes(array(file)?);
        match &array(file)? {
            b"IEND" => return Ok(false),
            b"IDAT" => has_pixels = true,
            _ => {}
        }
        let rest = u64::from(content) + CHECKSUM;
        at += 8 + rest;
        file.seek_relative(i64::try_from(rest).unwrap_or(i64::MAX))?;
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::super::png::tests::png_with;
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: bool) {
        let found = is_truncated(&mut Cursor::new(bytes), bytes.len() as u64);
        assert_eq!(found.unwrap_or(false), expected);
    }

    #[test]
    fn picture_without_its_end_is_truncated() {
        let pixels = png_with(&[(b"IDAT", &[7; 100])]);
        check(&pixels, true);
        check(&pixels[..pixels.len() - 50], true);
        let whole = [&pixels[..], END].concat();
        check(&whole, false);
        check(&[&whole[..], b"appended"].concat(), false);
    }

    #[test]
    fn file_without_pixels_is_not_judged() {
        check(&png_with(&[(b"tEXt", b"a text")])[..40], false);
        check(b"GIF89a", false);
    }
}
