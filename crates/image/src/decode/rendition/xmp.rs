//! XMP in the file of a rendition (ISO 16684-3): ratings, tags and captions for programs that read no sidecars.

use flate2::Crc;

use super::{RenditionFormat, avif, unencodable, webp};
use crate::DecodeError;

const JPEG_NAME: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const PNG_NAME: &[u8] = b"XML:com.adobe.xmp\0\0\0\0\0";
/// The maximum length of a segment of a JPEG, with its two bytes of length.
const MAX_SEGMENT: usize = 0xffff;
/// The place after the signature of a PNG and its header.
const PNG_HEADER_END: usize = 8 + 25;
const TIFF_TAG: u16 = 700;
const TIFF_BYTE: u16 = 1;
const TIFF_ENTRY: usize = 12;

/// Adds an XMP packet to the file of a rendition, which has none.
///
/// # Errors
/// [`DecodeError::TooLarge`] if the format can't contain the packet.
pub fn embed_xmp(
    mut file: Vec<u8>,
    format: RenditionFormat,
    packet: &[u8],
) -> Result<Vec<u8>, DecodeError> {
    match format {
        RenditionFormat::Jpeg => in_jpeg(&mut file, packet)?,
        RenditionFormat::Png => in_png(&mut file, packet)?,
        RenditionFormat::Webp | RenditionFormat::WebpLossless => webp::add_xmp(&mut file, packet)?,
        RenditionFormat::Avif => avif::add_xmp(&mut file, packet)?,
        RenditionFormat::Tiff => in_tiff(&mut file, packet)?,
    }
    Ok(file)
}

/// Inserts a segment after those of JFIF and EXIF, which readers expect first.
fn in_jpeg(file: &mut Vec<u8>, packet: &[u8]) -> Result<(), DecodeError> {
    let length = 2 + JPEG_NAME.len() + packet.len();
    let length = u16::try_from(length).map_err(|_| {
        DecodeError::TooLarge(format!(
            "the caption and the tags need more than {MAX_SEGMENT} bytes in a JPEG"
        ))
    })?;
    let mut at = 2;
    while let Some(&[0xff, 0xe0 | 0xe1, high, low]) = file.get(at..at + 4) {
        at += 2 + usize::from(u16::from_be_bytes([high, low]));
    }
    let segment = [&[0xff, 0xe1], &length.to_be_bytes()[..], JPEG_NAME, packet].concat();
    insert(file, at, segment)
}

fn in_png(file: &mut Vec<u8>, packet: &[u8]) -> Result<(), DecodeError> {
    let length = u32::try_from(PNG_NAME.len() + packet.len()).map_err(unencodable)?;
    let mut chunk = length.to_be_bytes().to_vec();
    chunk.extend([b"iTXt", PNG_NAME, packet].concat());
    let mut check = Crc::new();
    check.update(&chunk[4..]);
    chunk.extend(check.sum().to_be_bytes());
    insert(file, PNG_HEADER_END, chunk)
}

fn insert(file: &mut Vec<u8>, at: usize, bytes: Vec<u8>) -> Result<(), DecodeError> {
    if at > file.len() {
        return Err(unencodable("its header is cut"));
    }
    file.splice(at..at, bytes);
    Ok(())
}

/// Appends the packet, and a copy of the directory that refers to it.
fn in_tiff(file: &mut Vec<u8>, packet: &[u8]) -> Result<(), DecodeError> {
    let is_little_endian = file.starts_with(b"II");
    let short = |number: u16| match is_little_endian {
        true => number.to_le_bytes(),
        false => number.to_be_bytes(),
    };
    let long = |number: usize| {
        let number = u32::try_from(number).map_err(unencodable)?;
        Ok::<_, DecodeError>(match is_little_endian {
            true => number.to_le_bytes(),
            false => number.to_be_bytes(),
        })
    };
    let cut = || unencodable("its directory is cut");
    let number_at = |at: usize, length: usize| {
        let bytes = file.get(at..at + length).ok_or_else(cut)?;
        let add = |number: usize, byte: &u8| number << 8 | usize::from(*byte);
        Ok::<_, DecodeError>(match is_little_endian {
            true => bytes.iter().rev().fold(0, add),
            false => bytes.iter().fold(0, add),
        })
    };
    let directory = number_at(4, 4)?;
    let count = number_at(directory, 2)?;
    let entries = directory + 2..directory + 2 + TIFF_ENTRY * count;
    let next = file
        .get(entries.end..entries.end + 4)
        .ok_or_else(cut)?
        .to_vec();
    let mut before = count;
    for index in 0..count {
        if number_at(entries.start + TIFF_ENTRY * index, 2)? > usize::from(TIFF_TAG) {
            before = index;
            break;
        }
    }
    // Everything begins at an even place.
    let at = file.len().next_multiple_of(2);
    let new_directory = (at + packet.len()).next_multiple_of(2);
    let (lower, higher) = file[entries].split_at(TIFF_ENTRY * before);
    let count = u16::try_from(count + 1).map_err(unencodable)?;
    let directory = [
        &short(count)[..],
        lower,
        &short(TIFF_TAG),
        &short(TIFF_BYTE),
        &long(packet.len())?,
        &long(at)?,
        higher,
        &next,
    ]
    .concat();
    let place = long(new_directory)?;
    file.resize(at, 0);
    file.extend_from_slice(packet);
    file.resize(new_directory, 0);
    file.extend(directory);
    file[4..8].copy_from_slice(&place);
    Ok(())
}
