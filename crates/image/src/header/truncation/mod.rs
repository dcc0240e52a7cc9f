//! Detection of files that end before their pictures do. The part that exists is shown, and marked as incomplete.

mod bmp;
mod gif;
mod ico;
mod jpeg;
mod png;
mod tiff;
mod webp;

use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};

use crate::kind::PictureKind;

/// The number of bytes that are read of a file that must be read from its start. The rest is not checked.
const MOST_READ: u64 = 64 << 20;
/// The number of bytes of a directory that are read at once.
const STEP: usize = 1 << 10;

/// Returns true for a JPEG, PNG, GIF, WebP, TIFF, BMP or ICO of `length` bytes that ends within its pixels. Returns
/// false for everything else, and if the header itself is cut. A complete file is usually recognized by its last
/// bytes or its directory, so that little of it is read; a file that is cut may be read up to 64 MiB.
///
/// # Errors
/// An error of reading.
pub fn is_truncated(kind: PictureKind, file: impl Read + Seek, length: u64) -> io::Result<bool> {
    let result = match kind {
        PictureKind::Jpeg => jpeg::is_truncated(file, length),
        PictureKind::Png => png::is_truncated(&mut BufReader::with_capacity(STEP, file), length),
        PictureKind::Gif => gif::is_truncated(&mut BufReader::new(file), length),
        PictureKind::Tiff => tiff::is_truncated(BufReader::with_capacity(STEP, file), length),
        PictureKind::Bmp => bmp::is_truncated(&mut BufReader::with_capacity(STEP, file), length),
        PictureKind::Ico => ico::is_truncated(&mut BufReader::with_capacity(STEP, file), length),
        PictureKind::Webp => webp::is_truncated(file, length),
        // The other kinds show nothing if their end is missing, or their formats do not state where the end is.
        PictureKind::Avif
        | PictureKind::Heif
        | PictureKind::Jxl
        | PictureKind::Svg
        | PictureKind::Svgz
        | PictureKind::Raw => Ok(false),
    };
    match result {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        result => result,
    }
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
