//! The name of the colour profile that comes with a picture.

use std::fs::File;
use std::io::{BufReader, Cursor, Read};

use image::{ImageDecoder, ImageFormat, ImageReader};

use crate::formats::{Profile, kind_of};
use crate::guard::guarded;
use crate::header::{BUDGET, STEP, png, webp};
use crate::tiff::{Tiff, tag};
use crate::window::Window;
use crate::{DecodeError, Limits};

/// The maximum length of a profile that is read, in bytes. Profiles of printing presses have two or three
/// million.
const MAX_PROFILE_BYTES: usize = 4 << 20;
/// The maximum length of a name, in bytes.
const MAX_NAME_LENGTH: usize = 1_000;

/// Returns the name of the profile. `None` if there is no profile that can be read cheaply.
pub(crate) fn profile(file: File, length: u64) -> Option<String> {
    let profile = guarded(|| read(file, length)).ok().flatten()?;
    let name = name(&profile)?;
    let name = name.trim_matches(|character: char| character == '\0' || character.is_whitespace());
    let is_name = !name.is_empty() && name.len() <= MAX_NAME_LENGTH;
    is_name.then(|| name.to_owned())
}

fn read(file: File, length: u64) -> Result<Option<Vec<u8>>, DecodeError> {
    let mut file = Window::new(file, length, BUDGET);
    let kind = kind_of(&mut file)?;
    let mut file = BufReader::with_capacity(STEP, file);
    Ok(match kind.facts().profile {
        Profile::PngChunk => png::packed_profile(&mut file).and_then(|packed| decompress(&packed)),
        Profile::WebpChunk => webp::profile(&mut file),
        Profile::JpegSegments => {
            // The decoder reads a whole file into memory at once, so it gets only the first part.
            let mut start = Vec::new();
            let part = BUDGET.saturating_sub(STEP as u64).min(length);
            file.into_inner()
                .into_inner()
                .take(part)
                .read_to_end(&mut start)?;
            profile_from_decoder(Cursor::new(start), ImageFormat::Jpeg)?
        }
        Profile::TiffTag => {
            Tiff::read(file, length)?.bytes(tag::ICC_PROFILE, MAX_PROFILE_BYTES as u64)?
        }
        Profile::Decoder => profile_from_decoder(file, kind.decoder_format()?)?,
        Profile::Nowhere => None,
    })
}

/// Returns the profile from a decoder. These formats do not compress it.
fn profile_from_decoder(
    file: impl std::io::BufRead + std::io::Seek,
    format: ImageFormat,
) -> Result<Option<Vec<u8>>, DecodeError> {
    let mut reader = ImageReader::with_format(file, format);
    reader.limits(Limits::default().for_decoder());
    Ok(reader.into_decoder()?.icc_profile()?)
}

/// Unpacks a profile. `None` if it is damaged, or too long.
fn decompress(packed: &[u8]) -> Option<Vec<u8>> {
    fdeflate::decompress_to_vec_bounded(packed, MAX_PROFILE_BYTES).ok()
}

/// Returns the description in a profile (ICC.1:2022, 9.2.41; before version 4 ICC.1:2001-04, 6.5.17).
fn name(profile: &[u8]) -> Option<String> {
    const DIRECTORY: usize = 128;
    let count = number(profile, DIRECTORY)?;
    let mut tags = profile.get(DIRECTORY + 4..)?.chunks_exact(12).take(count);
    let tag = tags.find(|tag| tag.starts_with(b"desc"))?;
    let (at, length) = (number(tag, 4)?, number(tag, 8)?);
    let text = profile.get(at..at.checked_add(length)?)?;
    match text.get(..4)? {
        b"desc" => {
            let length = number(text, 8)?;
            let ascii = text.get(12..12_usize.checked_add(length)?)?;
            let end = ascii.iter().position(|&byte| byte == 0);
            Some(String::from_utf8_lossy(&ascii[..end.unwrap_or(length)]).into_owned())
        }
        b"mluc" => {
            let (count, size) = (number(text, 8)?, number(text, 12)?);
            let records = text.get(16..)?.chunks_exact(size.max(12)).take(count);
            let mut records = records.peekable();
            let first = *records.peek()?;
            let english = records.find(|record| record.starts_with(b"en"));
            let record = english.unwrap_or(first);
            let (length, at) = (number(record, 4)?, number(record, 8)?);
            let units = text.get(at..at.checked_add(length)?)?.chunks_exact(2);
            let units: Vec<_> = units
                .map(|unit| u16::from_be_bytes([unit[0], unit[1]]))
                .collect();
            Some(String::from_utf16_lossy(&units))
        }
        _ => None,
    }
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let number = bytes.get(at..)?.first_chunk()?;
    usize::try_from(u32::from_be_bytes(*number)).ok()
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};

    use super::*;
    use crate::header::png::tests::png_with;

    /// Builds a profile of this length whose description is at its start.
    fn profile_of(description: &[u8], length: usize) -> Vec<u8> {
        let mut bytes = vec![0; 128];
        bytes.extend(1_u32.to_be_bytes());
        bytes.extend(b"desc");
        bytes.extend(144_u32.to_be_bytes());
        bytes.extend(u32::try_from(description.len()).unwrap().to_be_bytes());
        bytes.extend(description);
        bytes.resize(length.max(bytes.len()), 0);
        bytes
    }

    fn plain(name: &str) -> Vec<u8> {
        let length = u32::try_from(name.len() + 1).unwrap();
        [
            b"desc\0\0\0\0",
            &length.to_be_bytes()[..],
            name.as_bytes(),
            b"\0",
        ]
        .concat()
    }

    fn profile_name(bytes: &[u8]) -> Option<String> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        profile(file, bytes.len() as u64)
    }

    fn in_png(profile: &[u8]) -> Vec<u8> {
        let packed = fdeflate::compress_to_vec(profile);
        png_with(&[(b"iCCP", &[b"name\0\0", &packed[..]].concat())])
    }

    #[test]
    fn long_profile_in_a_png_is_not_unpacked() {
        let of = |length| profile_name(&in_png(&profile_of(&plain("Wide"), length)));
        assert_eq!(of(0).as_deref(), Some("Wide"));
        assert_eq!(of(MAX_PROFILE_BYTES).as_deref(), Some("Wide"));
        assert_eq!(of(MAX_PROFILE_BYTES + 1), None);
        assert_eq!(of(64 << 20), None);
    }

    #[test]
    fn english_name_comes_before_others() {
        let utf16 =
            |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
        let (other, english) = (utf16("広い"), utf16("Wide"));
        let mut text = b"mluc\0\0\0\0\0\0\0\x02\0\0\0\x0c".to_vec();
        let mut at = 16 + 24;
        for (language, name) in [(b"jaJP", &other), (b"enUS", &english)] {
            text.extend(language);
            text.extend(u32::try_from(name.len()).unwrap().to_be_bytes());
            text.extend(u32::try_from(at).unwrap().to_be_bytes());
            at += name.len();
        }
        text.extend(other);
        text.extend(english);
        assert_eq!(name(&profile_of(&text, 0)).as_deref(), Some("Wide"));
        for end in 0..text.len() {
            // A truncated description must not panic.
            let _name = name(&profile_of(&text[..end], 0));
        }
        assert_eq!(name(&profile_of(b"text", 0)), None);
        assert_eq!(name(b"no profile"), None);
    }

    #[test]
    fn profile_of_a_long_photo_is_named() {
        let profile = profile_of(&plain("Wide"), 0);
        let length = u16::try_from(2 + 14 + profile.len()).unwrap();
        let segment = [
            &[0xFF, 0xE2][..],
            &length.to_be_bytes(),
            b"ICC_PROFILE\0\x01\x01",
            &profile,
        ]
        .concat();
        let mut photo = Cursor::new(Vec::new());
        image::DynamicImage::new_rgb8(8, 8)
            .write_to(&mut photo, ImageFormat::Jpeg)
            .unwrap();
        let mut photo = photo.into_inner();
        photo.splice(2..2, segment);
        photo.resize(3 << 20, 0);
        assert_eq!(profile_name(&photo).as_deref(), Some("Wide"));
    }
}
