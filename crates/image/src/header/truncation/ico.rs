//! Detection of icons that end before the picture that is shown.

use std::io::{self, BufRead, Seek};

use super::super::ico::largest;

/// Returns true if the largest picture reaches beyond the end of the file.
pub(super) fn is_truncated(file: &mut (impl BufRead + Seek), length: u64) -> io::Result<bool> {
    file.rewind()?;
    Ok(largest(file).is_some_and(|entry| entry.end() > length))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: bool) {
        let found = is_truncated(&mut Cursor::new(bytes), bytes.len() as u64);
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn icon_that_ends_within_its_picture_is_truncated() {
        let directory = b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0\x28\0\0\0\x16\0\0\0";
        check(&[&directory[..], &[0; 40]].concat(), false);
        check(&[&directory[..], &[0; 39]].concat(), true);
        check(&directory[..20], false);
    }
}
