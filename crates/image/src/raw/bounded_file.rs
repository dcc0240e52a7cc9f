//! A file that is read in small pieces.

use std::io::{self, Read, Seek, SeekFrom};

use crate::DecodeError;

/// A file of a given length, and the number of pieces that may still be read.
pub(super) struct BoundedFile<R> {
    file: R,
    length: u64,
    left: u32,
}

/// The number of pieces: more than the most scattered file needs.
const MAX_PIECES: u32 = 4096;
/// The longest piece, which is the longest list of a TIFF.
const MAX_PIECE_BYTES: usize = 16 << 10;

impl<R: Read + Seek> BoundedFile<R> {
    pub(super) fn new(file: R, length: u64) -> Self {
        Self {
            file,
            length,
            left: MAX_PIECES,
        }
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Reads `count` bytes from `offset` on, or as many as there are.
    pub(super) fn up_to(&mut self, offset: u64, count: usize) -> Result<Vec<u8>, DecodeError> {
        let too_scattered = || DecodeError::Damaged("it is scattered over the file".into());
        self.left = self.left.checked_sub(1).ok_or_else(too_scattered)?;
        let count = count.min(MAX_PIECE_BYTES) as u64;
        let count = count.min(self.length.saturating_sub(offset));
        let mut bytes = Vec::new();
        if count > 0 {
            self.file.seek(SeekFrom::Start(offset))?;
            (&mut self.file).take(count).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }

    /// Reads exactly `count` bytes from `offset` on.
    pub(super) fn exactly(&mut self, offset: u64, count: usize) -> Result<Vec<u8>, DecodeError> {
        let bytes = self.up_to(offset, count)?;
        match bytes.len() == count {
            true => Ok(bytes),
            false => Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
        }
    }
}
