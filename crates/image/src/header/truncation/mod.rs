//! Detection of files that end before their pictures do. The part that exists is shown, and marked as incomplete.

mod bmp;
mod gif;
mod ico;
mod jpeg;
mod png;
mod tiff;
mod webp;

use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// The number of bytes that are read of a file that must be read from its start. The rest is not checked.
const MAX_BYTES_READ: u64 = 64 << 20;
/// The number of bytes of a directory that are read at once.
const STEP: usize = 1 << 10;

/// A file, or bytes in memory.
pub(crate) trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

pub(crate) fn jpeg(file: &mut dyn ReadSeek, length: u64) -> io::Result<bool> {
    jpeg::is_truncated(file, length)
}

pub(crate) fn png(file: &mut dyn ReadSeek, length: u64) -> io::Result<bool> {
    png::is_truncated(&mut BufReader::with_capacity(STEP, file), length)
}

pub(crate) fn gif(file: &mut dyn ReadSeek, length: u64) -> io::Result<bool> {
    gif::is_truncated(&mut BufReader::new(file), length)
}

pub(crate) fn tiff(file: &mut dyn ReadSeek, length: u64) -> io::Result<bool> {
    tiff::is_truncated(BufReader::with_capacity(STEP, file), length)
}

pub(crate) fn bmp(file: &mut dyn ReadSeek, length: u64) -> io::Result<bool> {
    bmp::is_truncated(&mut BufReader::with_capacity(STEP, file), length)
}

pub(crate) fn ico(file: &mut dyn ReadSeek, length: u64) -> io::Result<bool> {
    ico::is_truncated(&mut BufReader::with_capacity(STEP, file), length)
}

pub(crate) fn webp(file: &mut dyn ReadSeek, length: u64) -> io::Result<bool> {
    webp::is_truncated(file, length)
}

/// Returns true if the last bytes of a file of `length` bytes are `end`.
fn ends_with(file: &mut (impl Read + Seek), length: u64, end: &[u8]) -> io::Result<bool> {
    let Some(start) = length.checked_sub(end.len() as u64) else {
        return Ok(false);
    };
    file.seek(SeekFrom::Start(start))?;
    let mut last = Vec::new();
    file.take(end.len() as u64).read_to_end(&mut last)?;
    Ok(last == end)
}
