//! Detection of JPEGs that end before their pictures do.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

use super::ends_with;

/// The maximum number of segments before the pixels.
const MAX_SEGMENTS: usize = 4_096;
/// The number of bytes that are read at a time, from the end backwards. The marker is usually in the last two bytes.
const STEP: u64 = 64 << 10;
/// The number of bytes that are read at most. A longer file without the marker in this part is not judged.
const MAX_BYTES_READ: u64 = 64 << 20;

/// Markers of ITU-T T.81, table B.1.
const START: [u8; 2] = [0xFF, 0xD8];
const END: [u8; 2] = [0xFF, 0xD9];
const SCAN: u8 = 0xDA;

/// Returns true for a JPEG of `length` bytes that has no end-of-image marker behind the header of its first scan. The
/// marker can't occur in the coded pixels (T.81, B.1.1.5), so a file that is cut within them has none; data appended
/// to a complete picture can't hide its marker. Returns false for everything else, and if the header itself is cut.
///
/// A file that ends with the marker is not read further: it is complete, or its header is cut. Appended data, such as
/// the film of a motion picture, usually contains markers that no JPEG has, so it is not read completely.
pub(super) fn is_truncated(mut file: impl Read + Seek, length: u64) -> io::Result<bool> {
    if ends_with(&mut file, length, &END)? {
        return Ok(false);
    }
    let pixels = match pixels(&mut file) {
        Ok(Some(pixels)) => pixels,
        Ok(None) => return Ok(false),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(false),
        Err(error) => return Err(error),
    };
    let first = pixels.max(length.saturating_sub(MAX_BYTES_READ));
    let mut end = length;
    let mut part = Vec::new();
    while end > first {
        let start = first.max(end.saturating_sub(STEP));
        file.seek(SeekFrom::Start(start))?;
        part.clear();
        // An extra byte: the marker may span two parts.
        (&mut file)
            .take(end - start + u64::from(end < length))
            .read_to_end(&mut part)?;
        if part
            .windows(END.len())
            .any(|pair| pair == END || is_foreign(pair))
        {
            return Ok(false);
        }
        end = start;
    }
    Ok(first == pixels)
}

/// Returns true for a marker that is reserved, and so in no JPEG (T.81, table B.1). Coded pixels escape such bytes.
fn is_foreign(pair: &[u8]) -> bool {
    matches!(pair, [0xFF, 0x02..=0xBF])
}

/// Returns the position behind the header of the first scan; `None` if the segments before it are not those of a
/// JPEG.
fn pixels(file: &mut (impl Read + Seek)) -> io::Result<Option<u64>> {
    file.rewind()?;
    if bytes::<2>(file)? != START {
        return Ok(None);
    }
    for _ in 0..MAX_SEGMENTS {
        let [0xFF, mut marker] = bytes(file)? else {
            return Ok(None);
        };
        // Any number of fill bytes may precede a marker.
        while marker == 0xFF {
            [marker] = bytes(file)?;
        }
        let length = u16::from_be_bytes(bytes(file)?);
        let Some(rest) = length.checked_sub(2) else {
            return Ok(None);
        };
        let behind = file.seek(SeekFrom::Current(i64::from(rest)))?;
        if marker == SCAN {
            return Ok(Some(behind));
        }
    }
    Ok(None)
}

fn bytes<const COUNT: usize>(file: &mut impl Read) -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Builds a header that contains a small picture with an end marker of its own.
    fn header() -> Vec<u8> {
        let preview = [0xFF, 0xD8, 0xFF, 0xD9];
        let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xE1, 0, 6];
        bytes.extend(preview);
        bytes.extend([0xFF, 0xFF, 0xC4, 0, 3, 0, 0xFF, 0xDA, 0, 3, 1]);
        bytes
    }

    fn with(parts: &[&[u8]]) -> Vec<u8> {
        [&header(), parts.concat().as_slice()].concat()
    }

    #[track_caller]
    fn check(bytes: Vec<u8>, expected: bool) {
        let length = bytes.len() as u64;
        assert_eq!(is_truncated(Cursor::new(bytes), length).unwrap(), expected);
    }

    #[test]
    fn picture_without_its_end_is_truncated() {
        check(with(&[&[0x12, 0xFF, 0, 0x34]]), true);
        check(with(&[]), true);
        // A download that was allocated at its full length.
        check(with(&[&[0x12; 100], &[0; 300_000]]), true);
    }

    #[test]
    fn complete_picture_is_not_truncated() {
        check(with(&[&[0x12], &END]), false);
        check(with(&[&[0x12], &END, &[0; 300_000]]), false);
    }

    #[test]
    fn invalid_markers_reveal_appended_data() {
        let film = [&[0xFF, 0x34][..], &[0x12; 100]].concat();
        check(with(&[&[0x12], &film]), false);
        check(
            with(&[&[0x12, 0xFF, 0, 0xFF, 0xD3, 0xFF, 0xFF, 0xC4]]),
            true,
        );
    }

    #[test]
    fn marker_across_two_parts_is_found() {
        let step = usize::try_from(STEP).unwrap();
        for behind in step - 2..=step {
            check(with(&[&[0x12], &END, &vec![0; behind]]), false);
        }
    }

    #[test]
    fn file_without_pixels_is_not_judged() {
        let header = header();
        for length in 0..header.len() - 5 {
            check(header[..length].to_vec(), false);
        }
        check(b"\x89PNG\r\n\x1a\n".to_vec(), false);
    }
}
