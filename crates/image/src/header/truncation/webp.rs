//! Detection of WebPs that end before their pictures do.

use std::io::{self, Read, Seek};

/// The number of bytes that the stated length does not include.
const HEAD: u64 = 8;

/// Returns true if the file is shorter than it states. The padding byte that makes its length even may be
/// missing.
pub(super) fn is_truncated(mut file: impl Read + Seek, length: u64) -> io::Result<bool> {
    file.rewind()?;
    let mut head = [0; HEAD as usize];
    file.read_exact(&mut head)?;
    let [b'R', b'I', b'F', b'F', stated @ ..] = head else {
        return Ok(false);
    };
    Ok(length + 1 < HEAD + u64::from(u32::from_le_bytes(stated)))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn file_shorter_than_it_states_is_truncated() {
        for (length, expected) in [(30, false), (29, false), (28, true), (12, true)] {
            let mut bytes = b"RIFF\x16\0\0\0WEBP".to_vec();
            bytes.resize(length, 0);
            let found = is_truncated(Cursor::new(bytes), length as u64);
            assert_eq!(found.unwrap(), expected, "{length}");
        }
    }
}
