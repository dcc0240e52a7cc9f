//! The container of WebP: a picture with its profile and its metadata.

use super::metadata::Metadata;
use super::unencodable;
use crate::DecodeError;

const HAS_PROFILE: u8 = 0x20;
const HAS_OPACITY: u8 = 0x10;
const HAS_EXIF: u8 = 0x08;
const HAS_XMP: u8 = 0x04;
/// The bit of opacity in the header of a lossless picture, and its byte.
const LOSSLESS_OPACITY: (usize, u8) = (4, 0x10);
/// The length of the name and the length of a chunk, and that of the names of the file.
const HEAD: usize = 8;
const FILE_HEAD: usize = 12;

/// Adds the profile and the metadata to the file of a picture of this size.
pub(super) fn annotated(
    file: &[u8],
    (width, height): (u32, u32),
    metadata: Option<&Metadata>,
    profile: Option<&[u8]>,
) -> Result<Vec<u8>, DecodeError> {
    let mut flags = 0;
    let mut picture = Vec::new();
    let mut rest = file.get(FILE_HEAD..).unwrap_or_default();
    while let Some((head, after)) = rest.split_first_chunk::<HEAD>() {
        let [a, b, c, d, length @ ..] = *head;
        let length = u32::from_le_bytes(length) as usize;
        let contents = after.get(..length);
        let contents = contents.ok_or_else(|| unencodable("a chunk is cut"))?;
        let name = [a, b, c, d];
        let (at, bit) = LOSSLESS_OPACITY;
        let is_lossless_with_opacity =
            name == *b"VP8L" && contents.get(at).is_some_and(|byte| byte & bit != 0);
        if name == *b"ALPH" || is_lossless_with_opacity {
            flags |= HAS_OPACITY;
        }
        if matches!(&name, b"ALPH" | b"VP8 " | b"VP8L") {
            push(&mut picture, name, contents)?;
        }
        rest = after.get(length.next_multiple_of(2)..).unwrap_or_default();
    }
    let exif = metadata.map(Metadata::to_bytes).transpose()?;
    if exif.is_some() {
        flags |= HAS_EXIF;
    }
    if profile.is_some() {
        flags |= HAS_PROFILE;
    }
    let mut canvas = vec![flags, 0, 0, 0];
    for side in [width, height] {
        canvas.extend_from_slice(&(side - 1).to_le_bytes()[..3]);
    }
    let mut body = b"WEBP".to_vec();
    push(&mut body, *b"VP8X", &canvas)?;
    if let Some(profile) = profile {
        push(&mut body, *b"ICCP", profile)?;
    }
    body.append(&mut picture);
    if let Some(exif) = exif {
        push(&mut body, *b"EXIF", &exif)?;
    }
    let mut file = Vec::with_capacity(HEAD + body.len());
    push(&mut file, *b"RIFF", &body)?;
    Ok(file)
}

/// Adds XMP to the file of an [`annotated`] picture.
pub(super) fn add_xmp(file: &mut Vec<u8>, packet: &[u8]) -> Result<(), DecodeError> {
    let flags = file.get_mut(FILE_HEAD + HEAD);
    *flags.ok_or_else(|| unencodable("its header is cut"))? |= HAS_XMP;
    push(file, *b"XMP ", packet)?;
    let length = u32::try_from(file.len() - HEAD).map_err(unencodable)?;
    file[4..HEAD].copy_from_slice(&length.to_le_bytes());
    Ok(())
}

/// Appends a chunk, which begins at an even place.
fn push(file: &mut Vec<u8>, name: [u8; 4], contents: &[u8]) -> Result<(), DecodeError> {
    let length = u32::try_from(contents.len()).map_err(unencodable)?;
    file.extend_from_slice(&name);
    file.extend_from_slice(&length.to_le_bytes());
    file.extend_from_slice(contents);
    if contents.len() % 2 == 1 {
        file.push(0);
    }
    Ok(())
}
