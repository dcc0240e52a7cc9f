//! Detection of the kind of a picture by its first bytes. The name of the file is never used.

mod markup;
mod raw;

use std::io::{Read, Seek};

use image::ImageFormat;

use crate::DecodeError;
use crate::formats::{FORMATS, FormatFacts};
pub(crate) use markup::{is_packed_svg, is_svg};
pub(crate) use raw::is_raw;

/// The number of bytes read from the start of a file. A raw file's first directory and a drawing's first
/// element are within, behind anything that may precede them.
pub const SNIFFED: usize = 4096;

/// A kind of picture that is recognised. Not every kind can be decoded here; a browser shows most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PictureKind {
    /// JPEG.
    Jpeg,
    /// PNG, animated ones included.
    Png,
    /// GIF.
    Gif,
    /// WebP.
    Webp,
    /// AVIF.
    Avif,
    /// HEIC and HEIF.
    Heif,
    /// JPEG XL, bare or in a container.
    Jxl,
    /// TIFF and `BigTIFF`.
    Tiff,
    /// Windows bitmap.
    Bmp,
    /// Windows icon: a picture in several sizes.
    Ico,
    /// SVG, not compressed.
    Svg,
    /// SVG, compressed with gzip.
    Svgz,
    /// A camera's sensor data of any maker, with a preview.
    Raw,
}

impl PictureKind {
    /// Returns the kind of the file that begins with `head`, or `None` if it is not a known picture.
    #[must_use]
    pub fn of(head: &[u8]) -> Option<Self> {
        let format = FORMATS.iter().find(|format| (format.is_content)(head))?;
        Some(format.kind)
    }

    /// Returns the facts about pictures of this kind.
    #[must_use]
    pub fn facts(self) -> &'static FormatFacts {
        &FORMATS[self as usize]
    }

    /// Returns the media type.
    #[must_use]
    pub fn mime(self) -> &'static str {
        self.facts().mime
    }
}

pub(crate) fn is_jpeg(head: &[u8]) -> bool {
    head.starts_with(b"\xff\xd8\xff")
}

pub(crate) fn is_png(head: &[u8]) -> bool {
    head.starts_with(b"\x89PNG\r\n\x1a\n")
}

pub(crate) fn is_gif(head: &[u8]) -> bool {
    head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a")
}

pub(crate) fn is_webp(head: &[u8]) -> bool {
    head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP")
}

pub(crate) fn is_jxl(head: &[u8]) -> bool {
    head.starts_with(b"\xff\x0a") || head.starts_with(b"\0\0\0\x0cJXL \r\n\x87\n")
}

/// True for a TIFF or `BigTIFF` that is no raw file of a camera.
pub(crate) fn is_tiff(head: &[u8]) -> bool {
    matches!(
        head,
        [b'I', b'I', b'*' | b'+', 0, ..] | [b'M', b'M', 0, b'*' | b'+', ..]
    ) && !is_raw(head)
}

/// True for a bitmap. “BM” alone begins many texts, so the reserved four bytes must be zero and the header's
/// size one of those that exist.
pub(crate) fn is_bitmap(head: &[u8]) -> bool {
    head.starts_with(b"BM")
        && head.get(6..10) == Some(&[0; 4])
        && matches!(head.get(14..18), Some([12 | 16..=64 | 108 | 124, 0, 0, 0]))
}

/// True for an icon. Its first four bytes begin many other files too, so the first entry must be that of a
/// picture in the file behind the entries.
pub(crate) fn is_icon(head: &[u8]) -> bool {
    let Some((&[0, 0, 1, 0, few, 0, entry @ ..], _)) = head.split_first_chunk::<22>() else {
        return false;
    };
    let number =
        |at: usize| u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]);
    let behind_entries = 6 + 16 * u32::from(few);
    let (planes, bits) = (entry[4], entry[6]);
    few > 0
        && entry[3] == 0
        && planes <= 1
        && matches!(bits, 0 | 1 | 4 | 8 | 16 | 24 | 32)
        && [entry[5], entry[7]] == [0; 2]
        && number(8) > 0
        && number(12) >= behind_entries
}

/// True for an AVIF, also one whose major brand is another.
pub(crate) fn is_avif(head: &[u8]) -> bool {
    brands(head).any(|brand| brand == b"avif" || brand == b"avis")
}

pub(crate) fn is_heif(head: &[u8]) -> bool {
    let is_known = |brand: &[u8]| {
        matches!(
            brand,
            b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"mif1" | b"msf1"
        )
    };
    brands(head).any(is_known) && !is_avif(head) && !is_raw(head)
}

/// Returns the brands with which an ISO base media file complies, which its first box lists; none for other files.
fn brands(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let box_size = head
        .first_chunk()
        .map_or(0, |size| u32::from_be_bytes(*size));
    let end = usize::try_from(box_size).map_or(head.len(), |end| end.min(head.len()));
    let is_container = head.get(4..8) == Some(b"ftyp");
    // The major brand, a version number (which equals no brand), the other brands.
    let listed = head.get(8..end).filter(|_| is_container);
    listed.unwrap_or_default().chunks_exact(4)
}

/// Returns true if a file is a picture by the extension of its name. Its content decides when it is opened.
#[must_use]
pub fn is_picture_name(name: &[u8]) -> bool {
    let Some(dot) = name.iter().rposition(|&byte| byte == b'.') else {
        return false;
    };
    let extension = &name[dot + 1..];
    FORMATS
        .iter()
        .flat_map(|format| format.extensions)
        .any(|one| extension.eq_ignore_ascii_case(one.as_bytes()))
}

/// Detects the kind from the first bytes. The reader is back at its start.
///
/// # Errors
/// [`DecodeError::NotAPicture`], or an error of reading.
pub fn kind_of(file: &mut (impl Read + Seek)) -> Result<PictureKind, DecodeError> {
    let mut head = Vec::with_capacity(SNIFFED);
    file.by_ref().take(SNIFFED as u64).read_to_end(&mut head)?;
    file.rewind()?;
    PictureKind::of(&head).ok_or(DecodeError::NotAPicture)
}

/// Returns the `image` crate's name for a kind that the crate decodes here.
pub(crate) fn format_of(kind: PictureKind) -> Result<ImageFormat, DecodeError> {
    match kind {
        PictureKind::Jpeg => Ok(ImageFormat::Jpeg),
        PictureKind::Png => Ok(ImageFormat::Png),
        PictureKind::Gif => Ok(ImageFormat::Gif),
        PictureKind::Webp => Ok(ImageFormat::WebP),
        PictureKind::Bmp => Ok(ImageFormat::Bmp),
        PictureKind::Tiff => Ok(ImageFormat::Tiff),
        PictureKind::Ico => Ok(ImageFormat::Ico),
        PictureKind::Avif
        | PictureKind::Heif
        | PictureKind::Jxl
        | PictureKind::Svg
        | PictureKind::Svgz
        | PictureKind::Raw => Err(DecodeError::UnsupportedKind(kind.mime().into())),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(head: &[u8], expected: Option<PictureKind>) {
        let formats = FORMATS.iter().filter(|format| (format.is_content)(head));
        let kinds: Vec<_> = formats.map(|format| format.kind).collect();
        assert_eq!(kinds, Vec::from_iter(expected));
    }

    #[test]
    fn formats_are_in_the_order_of_kinds() {
        for (index, format) in FORMATS.iter().enumerate() {
            assert_eq!(format.kind as usize, index);
            assert_eq!(format.kind.mime(), format.mime);
        }
        let mimes: HashSet<_> = FORMATS.iter().map(|format| format.mime).collect();
        assert_eq!(mimes.len(), FORMATS.len());
    }

    #[test]
    fn pictures_are_known_by_their_first_bytes() {
        check(b"\xff\xd8\xff\xe0rest", Some(PictureKind::Jpeg));
        check(b"\x89PNG\r\n\x1a\n", Some(PictureKind::Png));
        check(b"GIF89a", Some(PictureKind::Gif));
        check(b"RIFF\x06\x15\0\0WEBPVP8X", Some(PictureKind::Webp));
        check(b"II*\0", Some(PictureKind::Tiff));
        check(b"MM\0*", Some(PictureKind::Tiff));
        check(b"II+\0\x08\0\0\0", Some(PictureKind::Tiff));
        check(b"MM\0+\0\x08\0\0", Some(PictureKind::Tiff));
        check(b"\xff\x0a", Some(PictureKind::Jxl));
        check(
            b"\0\0\0\x1cftypavif\0\0\0\0mif1avifmiaf",
            Some(PictureKind::Avif),
        );
        check(
            b"\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf",
            Some(PictureKind::Avif),
        );
        check(b"\0\0\0\x14ftypheic\0\0\0\0mif1", Some(PictureKind::Heif));
        check(b"<?xml version='1.0'?><svg/>", Some(PictureKind::Svg));
        check(b"II*\0\x10\0\0\0CR\x02\0", Some(PictureKind::Raw));
        check(
            b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0\x68\x04\0\0\x16\0\0\0",
            Some(PictureKind::Ico),
        );
        for header in [12, 16, 40, 64, 124] {
            let head = [&b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0"[..], &[header, 0, 0, 0]];
            check(&head.concat(), Some(PictureKind::Bmp));
        }
    }

    #[test]
    fn what_is_no_picture_is_not_taken_for_one() {
        check(b"", None);
        check(b"BMW is a maker of cars", None);
        check(b"RIFF\0\0\0\0WAVEfmt ", None);
        check(b"\0\0\0\x18ftypmp42\0\0\0\0isommp42", None);
        // These begin like an icon: no entries; an empty entry; one that is within the entries.
        check(&[&b"\0\0\x01\0"[..], &[0; 30]].concat(), None);
        check(&[&b"\0\0\x01\0\x01"[..], &[0; 30]].concat(), None);
        check(
            b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0\x68\x04\0\0\x15\0\0\0",
            None,
        );
        check(b"<!doctype html>", None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_judged(head: Vec<u8>) {
            let formats = FORMATS.iter().filter(|format| (format.is_content)(&head));
            prop_assert!(formats.count() <= 1);
        }
    }
}
