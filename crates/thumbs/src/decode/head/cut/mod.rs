//! Detection of files that end before their pictures do. The part that is there is shown, and marked as incomplete.

mod gif;
mod jpeg;
mod png;

use std::io::{self, BufReader, ErrorKind, Read, Seek};

use crate::sniff::PictureKind;

/// The number of bytes that are read of a file that has to be read from its start. The rest is not checked.
const MOST_READ: u64 = 64 << 20;

/// Returns true for a JPEG, PNG or GIF of `length` bytes that ends within its pixels. False for everything else, and where
/// the header itself is cut.
pub(crate) fn is_cut_off(
    kind: PictureKind,
    file: impl Read + Seek,
    length: u64,
) -> io::Result<bool> {
    let result = match kind {
        PictureKind::Jpeg => jpeg::is_cut_off(file, length),
        PictureKind::Png => png::is_cut_off(&mut BufReader::with_capacity(1 << 10, file), length),
        PictureKind::Gif => gif::is_cut_off(&mut BufReader::new(file), length),
        PictureKind::Webp
        | PictureKind::Bmp
        | PictureKind::Tiff
        | PictureKind::Ico
        | PictureKind::Avif
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
