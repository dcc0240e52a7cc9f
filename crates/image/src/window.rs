//! A file with a limit for the bytes read from it, independent of the decoder's requests and of the
//! file's growth.

use std::io::{self, Read, Seek, SeekFrom};

/// A reader that ends at `end`, and fails once `budget` bytes have been read in all.
pub(super) struct Window<R> {
    inner: R,
    position: u64,
    end: u64,
    budget: u64,
}

impl<R: Read + Seek> Window<R> {
    /// Creates a window. `inner` is at its start and counts as `end` bytes long.
    pub(super) fn new(inner: R, end: u64, budget: u64) -> Self {
        Self {
            inner,
            position: 0,
            end,
            budget,
        }
    }

    /// Returns the reader at its current position.
    pub(super) fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> Read for Window<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_sub(self.position);
        if left == 0 || buffer.is_empty() {
            return Ok(0);
        }
        if self.budget == 0 {
            return Err(io::Error::other("more than the allowed part was read"));
        }
        let length = left.min(self.budget).min(buffer.len() as u64);
        let length = usize::try_from(length).expect("BUG: at most the buffer's length");
        let read = self.inner.read(&mut buffer[..length])?;
        self.position += read as u64;
        self.budget -= read as u64;
        Ok(read)
    }
}

impl<R: Seek> Seek for Window<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(by) => self.end.checked_add_signed(by),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
        };
        let target = target.ok_or(io::ErrorKind::InvalidInput)?;
        self.position = self.inner.seek(SeekFrom::Start(target))?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn reading_ends_where_the_window_ends() {
        let mut window = Window::new(Cursor::new(b"0123456789"), 4, 100);
        let mut text = String::new();
        window.read_to_string(&mut text).unwrap();
        assert_eq!(text, "0123");
        assert_eq!(window.seek(SeekFrom::End(-1)).unwrap(), 3);
        text.clear();
        window.read_to_string(&mut text).unwrap();
        assert_eq!(text, "3");
        assert_eq!(window.seek(SeekFrom::Start(8)).unwrap(), 8);
        assert_eq!(window.read(&mut [0; 4]).unwrap(), 0);
        assert!(window.seek(SeekFrom::Current(-9)).is_err());
    }

    #[test]
    fn reading_more_than_the_budget_fails() {
        let mut window = Window::new(Cursor::new(b"0123456789"), 10, 6);
        let mut all = Vec::new();
        assert!(window.read_to_end(&mut all).is_err());
        assert_eq!(all, b"012345");
    }
}
