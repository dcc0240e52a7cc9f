//! Detection of TIFFs that end before their pictures do.

use std::io::{self, Read, Seek};

use crate::DecodeError;
use crate::tiff::{Tiff, tag};

/// The maximum number of strips or tiles that are checked. A picture with more is not judged.
const MAX_PARTS: usize = 1 << 16;
/// The fields that state the offsets and the lengths of the picture's parts.
const PLACES: [(u16, u16); 3] = [
    (tag::STRIP_OFFSETS, tag::STRIP_LENGTHS),
    (tag::TILE_OFFSETS, tag::TILE_LENGTHS),
    (tag::JPEG_OFFSET, tag::JPEG_LENGTH),
];

/// Returns true if a strip or tile of the first picture reaches beyond the end of the file. Returns false if the
/// directory can't be read: nothing is shown then.
pub(super) fn is_truncated(file: impl Read + Seek, length: u64) -> io::Result<bool> {
    match exceeds_file(file, length) {
        Ok(is_truncated) => Ok(is_truncated),
        Err(DecodeError::Io(error)) => Err(io::Error::new(error.kind(), error)),
        Err(_) => Ok(false),
    }
}

fn exceeds_file(file: impl Read + Seek, length: u64) -> Result<bool, DecodeError> {
    let mut tiff = Tiff::read(file, length)?;
    for (offsets, lengths) in PLACES {
        let offsets = tiff.numbers(offsets, MAX_PARTS)?;
        let lengths = tiff.numbers(lengths, MAX_PARTS)?;
        // Programs that write sparse files omit a part with a length of 0.
        let mut places = offsets.into_iter().zip(lengths);
        if places.any(|(offset, bytes)| bytes > 0 && offset.saturating_add(bytes) > length) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Builds a directory with these fields, each of four-byte numbers.
    fn tiff(fields: &[(u16, &[u32])]) -> Vec<u8> {
        let mut bytes = b"II*\0\x08\0\0\0".to_vec();
        bytes.extend(u16::try_from(fields.len()).unwrap().to_le_bytes());
        let mut behind = 8 + 2 + 12 * fields.len() + 4;
        let mut values = Vec::new();
        for (tag, numbers) in fields {
            bytes.extend(tag.to_le_bytes());
            bytes.extend([4, 0]);
            bytes.extend(u32::try_from(numbers.len()).unwrap().to_le_bytes());
            let place = u32::try_from(behind).unwrap();
            bytes.extend(
                if let [number] = numbers {
                    *number
                } else {
                    place
                }
                .to_le_bytes(),
            );
            if numbers.len() > 1 {
                values.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
                behind += 4 * numbers.len();
            }
        }
        bytes.extend([0; 4]);
        bytes.extend(values);
        bytes
    }

    #[track_caller]
    fn check(fields: &[(u16, &[u32])], length: usize, expected: bool) {
        let mut bytes = tiff(fields);
        assert!(bytes.len() <= length, "the pixels overlap");
        bytes.resize(length, 0);
        let found = is_truncated(Cursor::new(bytes), length as u64);
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn strips_and_tiles_beyond_the_end_are_missing() {
        for (offsets, lengths) in PLACES {
            for (places, end) in [(&[200][..], 210), (&[300, 200], 310)] {
                let bytes = vec![10; places.len()];
                let fields = [(offsets, places), (lengths, &bytes)];
                check(&fields, end, false);
                check(&fields, end - 1, true);
            }
        }
    }

    #[test]
    fn holes_and_unknown_lengths_are_not_missing() {
        check(
            &[(tag::TILE_OFFSETS, &[0]), (tag::TILE_LENGTHS, &[0])],
            100,
            false,
        );
        check(&[(tag::STRIP_OFFSETS, &[500])], 100, false);
    }

    #[test]
    fn file_without_a_directory_is_not_judged() {
        for bytes in [&b"II*\0"[..], b"II*\0\xff\0\0\0", b"no TIFF"] {
            let found = is_truncated(Cursor::new(bytes), bytes.len() as u64);
            assert!(!found.unwrap_or(false));
        }
    }
}
