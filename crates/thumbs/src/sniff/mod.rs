//! Detection of the kind of a picture by its first bytes. The name of the file is never used.

mod markup;
mod raw;

/// The number of bytes read from the start of a file. A raw file's first directory and a drawing's first
/// element are within, behind anything that may precede them.
pub(crate) const HEAD: usize = 4096;

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
    /// Windows bitmap.
    Bmp,
    /// TIFF and `BigTIFF`.
    Tiff,
    /// Windows icon: a picture in several sizes.
    Ico,
    /// AVIF.
    Avif,
    /// HEIC and HEIF.
    Heif,
    /// JPEG XL, bare or in a container.
    Jxl,
    /// SVG, not compressed.
    Svg,
    /// SVG, compressed with gzip.
    Svgz,
    /// A camera's sensor data of any maker, with a preview.
    Raw,
}

impl PictureKind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Self; 13] = [
        Self::Jpeg,
        Self::Png,
        Self::Gif,
        Self::Webp,
        Self::Avif,
        Self::Heif,
        Self::Jxl,
        Self::Tiff,
        Self::Bmp,
        Self::Ico,
        Self::Svg,
        Self::Svgz,
        Self::Raw,
    ];

    /// Returns the kind of the file that begins with `head`, or `None` if it is not a known picture.
    #[must_use]
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0xFF, 0xD8, 0xFF, ..] => Some(Self::Jpeg),
            [b'B', b'M', ..] if is_bitmap(head) => Some(Self::Bmp),
            [0xFF, 0x0A, ..] => Some(Self::Jxl),
            _ if head.starts_with(b"\x89PNG\r\n\x1a\n") => Some(Self::Png),
            _ if head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a") => Some(Self::Gif),
            _ if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") => Some(Self::Webp),
            _ if raw::is_raw(head) => Some(Self::Raw),
            [b'I', b'I', b'*' | b'+', 0, ..] | [b'M', b'M', 0, b'*' | b'+', ..] => Some(Self::Tiff),
            _ if is_icon(head) => Some(Self::Ico),
            _ if head.starts_with(b"\0\0\0\x0cJXL \r\n\x87\n") => Some(Self::Jxl),
            [0x1F, 0x8B, ..] => markup::is_packed_svg(head).then_some(Self::Svgz),
            _ => of_brands(head).or_else(|| markup::is_svg(head).then_some(Self::Svg)),
        }
    }

    /// Returns the media type.
    #[must_use]
    pub fn mime(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
            Self::Bmp => "image/bmp",
            Self::Tiff => "image/tiff",
            Self::Ico => "image/vnd.microsoft.icon",
            Self::Avif => "image/avif",
            Self::Heif => "image/heif",
            Self::Jxl => "image/jxl",
            Self::Svg => "image/svg+xml",
            // The name that desktops use for it.
            Self::Svgz => "image/svg+xml-compressed",
            // Each maker's format has its own name. This is the one that desktops use for all of them.
            Self::Raw => "image/x-dcraw",
        }
    }

    /// Returns the extensions of names by which a listing recognises pictures, in lower case.
    #[must_use]
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Jpeg => &["jpg", "jpeg", "jpe", "jfif"],
            Self::Png => &["png", "apng"],
            Self::Gif => &["gif"],
            Self::Webp => &["webp"],
            Self::Avif => &["avif"],
            Self::Heif => &["heic", "heif", "hif"],
            Self::Jxl => &["jxl"],
            Self::Tiff => &["tif", "tiff"],
            Self::Bmp => &["bmp"],
            Self::Ico => &["ico"],
            Self::Svg => &["svg"],
            Self::Svgz => &["svgz"],
            Self::Raw => &[
                "dng", "nef", "arw", "pef", "orf", "rw2", "cr2", "cr3", "raf",
            ],
        }
    }

    /// Returns true if every browser shows pictures of this kind.
    #[must_use]
    pub fn is_shown_by_browsers(self) -> bool {
        match self {
            Self::Jpeg | Self::Png | Self::Gif | Self::Webp | Self::Bmp | Self::Ico | Self::Svg => {
                true
            }
            // Some builds of WebKitGTK do not support AVIF. A compressed drawing is shown only if a header
            // names its compression.
            Self::Avif | Self::Heif | Self::Jxl | Self::Svgz | Self::Tiff | Self::Raw => false,
        }
    }
}

/// True for a bitmap. “BM” alone begins many texts, so the reserved four bytes must be zero and the header's
/// size one of those that exist.
fn is_bitmap(head: &[u8]) -> bool {
    head.get(6..10) == Some(&[0; 4])
        && matches!(head.get(14..18), Some([12 | 16..=64 | 108 | 124, 0, 0, 0]))
}

/// True for an icon. Its first four bytes begin many other files too, so the first entry must be that of a
/// picture in the file behind the entries.
fn is_icon(head: &[u8]) -> bool {
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

/// Returns the kind of an ISO base media file. Its first box lists the brands with which the file complies.
fn of_brands(head: &[u8]) -> Option<PictureKind> {
    if head.get(4..8) != Some(b"ftyp") {
        return None;
    }
    let size = u32::from_be_bytes(head.get(..4)?.try_into().ok()?);
    let end = usize::try_from(size).ok()?.min(head.len());
    // The major brand, a version number (which equals no brand), the other brands.
    let brands = || head.get(8..end).unwrap_or_default().chunks_exact(4);
    if brands().any(|brand| brand == b"avif" || brand == b"avis") {
        Some(PictureKind::Avif)
    } else if brands().any(|brand| {
        matches!(
            brand,
            b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"mif1" | b"msf1"
        )
    }) {
        Some(PictureKind::Heif)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(head: &[u8], expected: Option<PictureKind>) {
        assert_eq!(PictureKind::of(head), expected);
    }

    /// The match fails to compile for a new kind, which leads its author here.
    #[test]
    fn all_kinds_are_listed_once() {
        let is_known = |kind| match kind {
            PictureKind::Jpeg
            | PictureKind::Png
            | PictureKind::Gif
            | PictureKind::Webp
            | PictureKind::Bmp
            | PictureKind::Tiff
            | PictureKind::Ico
            | PictureKind::Avif
            | PictureKind::Heif
            | PictureKind::Jxl
            | PictureKind::Svg
            | PictureKind::Svgz
            | PictureKind::Raw => PictureKind::ALL.contains(&kind),
        };
        assert!(PictureKind::ALL.into_iter().all(is_known));
        let mimes: HashSet<_> = PictureKind::ALL.iter().map(|kind| kind.mime()).collect();
        assert_eq!(mimes.len(), PictureKind::ALL.len());
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
            let _ = PictureKind::of(&head);
        }
    }
}
