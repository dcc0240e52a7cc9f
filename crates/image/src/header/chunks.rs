//! Reading of length-prefixed parts of a file.

use std::io::{self, BufRead, ErrorKind, Read};

/// The number of bytes that are read of one part.
const MAX_BYTES_READ: u64 = 1 << 20;

/// Reads the beginning of the part of `length` bytes at the current position of `file`: all of it, or as much as is
/// read of any part.
///
/// # Errors
/// [`ErrorKind::UnexpectedEof`] if the file ends before that. A length that the file only claims takes no memory.
pub(super) fn read_start(file: &mut impl BufRead, length: u32) -> io::Result<Vec<u8>> {
    let length = MAX_BYTES_READ.min(u64::from(length));
    let mut bytes = Vec::new();
    let read = file.take(length).read_to_end(&mut bytes)?;
    if (read as u64) < length {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

/// Reads the next `N` bytes.
pub(super) fn array<const N: usize>(file: &mut impl BufRead) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}
