//! What kind of picture a file is, by its first bytes; its name is never asked.

/// How many bytes from the start of a file are looked at.
pub(crate) const HEAD: usize = 64;

/// A kind of picture that is recognised. Not each of them can be decoded here; a browser shows most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// TIFF, and raw formats that begin like one.
    Tiff,
    /// AVIF.
    Avif,
    /// HEIC and HEIF.
    Heif,
    /// JPEG XL, bare or in a container.
    Jxl,
}

impl PictureKind {
    /// The kind of the file that begins with `head`; `None` if it is no picture that is known.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0xFF, 0xD8, 0xFF, ..] => Some(Self::Jpeg),
            [b'B', b'M', ..] if is_bitmap(head) => Some(Self::Bmp),
            [0xFF, 0x0A, ..] => Some(Self::Jxl),
            _ if head.starts_with(b"\x89PNG\r\n\x1a\n") => Some(Self::Png),
            _ if head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a") => Some(Self::Gif),
            _ if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") => Some(Self::Webp),
            _ if head.starts_with(b"II*\0") || head.starts_with(b"MM\0*") => Some(Self::Tiff),
            _ if head.starts_with(b"\0\0\0\x0cJXL \r\n\x87\n") => Some(Self::Jxl),
            _ => of_brands(head),
        }
    }

    /// The media type.
    #[must_use]
    pub fn mime(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
            Self::Bmp => "image/bmp",
            Self::Tiff => "image/tiff",
            Self::Avif => "image/avif",
            Self::Heif => "image/heif",
            Self::Jxl => "image/jxl",
        }
    }
}

/// “BM” alone begins many a text: the reserved four bytes must be zero and the header's size one
/// of those that exist.
fn is_bitmap(head: &[u8]) -> bool {
    head.get(6..10) == Some(&[0; 4])
        && matches!(head.get(14), Some(12 | 40 | 52 | 56 | 64 | 108 | 124))
}

/// The ISO base media formats: the first box lists the brands that the file complies with.
fn of_brands(head: &[u8]) -> Option<PictureKind> {
    if head.get(4..8) != Some(b"ftyp") {
        return None;
    }
    let size = u32::from_be_bytes(head.get(..4)?.try_into().ok()?);
    let end = usize::try_from(size).ok()?.min(head.len());
    // The major brand, a version number (which is no brand, and equals none), the other brands.
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
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(head: &[u8], expected: Option<PictureKind>) {
        assert_eq!(PictureKind::of(head), expected);
    }

    #[test]
    fn pictures_are_known_by_their_first_bytes() {
        check(b"\xff\xd8\xff\xe0rest", Some(PictureKind::Jpeg));
        check(b"\x89PNG\r\n\x1a\n", Some(PictureKind::Png));
        check(b"GIF89a", Some(PictureKind::Gif));
        check(b"RIFF\x06\x15\0\0WEBPVP8X", Some(PictureKind::Webp));
        check(b"II*\0", Some(PictureKind::Tiff));
        check(b"MM\0*", Some(PictureKind::Tiff));
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
        check(
            b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0",
            Some(PictureKind::Bmp),
        );
    }

    #[test]
    fn what_is_no_picture_is_not_taken_for_one() {
        check(b"", None);
        check(b"BMW is a maker of cars", None);
        check(b"RIFF\0\0\0\0WAVEfmt ", None);
        check(b"\0\0\0\x18ftypmp42\0\0\0\0isommp42", None);
        check(b"<svg xmlns='http://www.w3.org/2000/svg'/>", None);
        check(b"<!doctype html>", None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_judged(head: Vec<u8>) {
            let _ = PictureKind::of(&head);
        }
    }
}
