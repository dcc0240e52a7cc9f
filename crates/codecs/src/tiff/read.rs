//! Reading of parts of the file.

use std::io::{Read, Seek, SeekFrom};

use fumikura_image::DecodeError;
use fumikura_image::tiff::Tiff as Container;

/// Reads this many bytes of the file, or as many as there are.
pub(super) fn bytes_at<R: Read + Seek>(
    tiff: &mut Container<R>,
    offset: u64,
    length: u64,
) -> Result<Vec<u8>, DecodeError> {
    let mut bytes = Vec::new();
    let length = length.min(tiff.length().saturating_sub(offset));
    tiff.file().seek(SeekFrom::Start(offset))?;
    tiff.file().take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}
