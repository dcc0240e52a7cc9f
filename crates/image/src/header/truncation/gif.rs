//! Detection of GIFs that end before their frames do.

use std::io::{self, BufRead, ErrorKind, Seek};

use super::super::chunks::array;
use super::{MAX_BYTES_READ, ends_with};

/// The introducers of an extension and of a frame (GIF89a, appendix A).
const EXTENSION: u8 = 0x21;
const FRAME: u8 = 0x2C;

/// The end of the last frame and the end of the file.
const END: [u8; 2] = [0, 0x3B];

/// Returns true if a frame has no end. Many files lack the byte that ends the file, and are complete
/// nevertheless.
pub(super) fn is_truncated(file: &mut (impl BufRead + Seek), length: u64) -> io::Result<bool> {
    if ends_with(file, length, &END)? {
        return Ok(false);
    }
    file.rewind()?;
    let [b'G', b'I', b'F', _, _, _, _, _, _, _, flags, _, _] = array(file)? else {
        return Ok(false);
    };
    skip(file, palette(flags))?;
    while file.stream_position()? < length.min(MAX_BYTES_READ) {
        match array(file)? {
            [EXTENSION] => {
                let [_label] = array(file)?;
                skip_blocks(file)?;
            }
            [FRAME] => match skip_frame(file) {
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(true),
                result => result?,
            },
            _ => return Ok(false),
        }
    }
    Ok(false)
}

fn skip_frame(file: &mut (impl BufRead + Seek)) -> io::Result<()> {
    let [_, _, _, _, _, _, _, _, flags] = array(file)?;
    skip(file, palette(flags))?;
    let [_code_size] = array(file)?;
    skip_blocks(file)
}

/// Returns the length of the palette that the flags announce, in bytes.
fn palette(flags: u8) -> u64 {
    match flags & 0x80 {
        0 => 0,
        _ => 3 << ((flags & 7) + 1),
    }
}

fn skip_blocks(file: &mut impl BufRead) -> io::Result<()> {
    loop {
        match array(file)? {
            [0] => return Ok(()),
            [length] => skip(file, length.into())?,
        }
    }
}

/// Skips bytes that must exist.
fn skip(file: &mut impl BufRead, mut count: u64) -> io::Result<()> {
    while count > 0 {
        let available = file.fill_buf()?.len();
        if available == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let step = usize::try_from(count).unwrap_or(usize::MAX).min(available);
        file.consume(step);
        count -= step as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn gif() -> Vec<u8> {
        let mut bytes = b"GIF89a\x01\0\x01\0\x80\0\0\xff\0\0\0\0\xff".to_vec();
        bytes.extend(b"!\xfe\x02hi\0");
        bytes.extend(b",\0\0\0\0\x01\0\x01\0\0");
        bytes.extend([2, 2, 0b0100_0100, 1, 0, b';']);
        bytes
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: bool) {
        let found = is_truncated(&mut Cursor::new(bytes), bytes.len() as u64);
        assert_eq!(found.unwrap_or(false), expected);
    }

    #[test]
    fn frame_without_its_end_is_truncated() {
        let whole = gif();
        check(&whole, false);
        check(&whole[..whole.len() - 1], false);
        for missing in 2..16 {
            check(&whole[..whole.len() - missing], true);
        }
        check(&[&whole[..], b"appended"].concat(), false);
    }

    #[test]
    fn file_without_a_frame_is_not_judged() {
        for length in 0..25 {
            check(&gif()[..length], false);
        }
    }
}
