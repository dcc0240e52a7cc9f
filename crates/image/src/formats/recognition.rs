//! Recognition of formats, by contents and by names.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek};

use image::ImageFormat;

use super::facts::{FORMATS, FormatFacts, PictureKind};
use crate::DecodeError;
use crate::header::{BUDGET, Head};
use crate::sniff::SNIFFED;
use crate::window::Window;

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

    /// Returns the `image` crate's name of the format, if the crate decodes it here.
    pub(crate) fn decoder_format(self) -> Result<ImageFormat, DecodeError> {
        let unsupported = || DecodeError::UnsupportedKind(self.mime().into());
        self.facts().image.ok_or_else(unsupported)
    }
}

impl Head {
    /// Reads the header from the start of `file`, which is `length` bytes long. `None` if it can't be
    /// read cheaply. A drawing has none: its size depends on its whole text.
    #[must_use]
    pub fn read(file: File, length: u64) -> Option<Self> {
        let mut file = Window::new(file, length, BUDGET);
        let read = kind_of(&mut file).ok()?.facts().header?;
        read(file, length)
    }
}

/// Returns true if a file is a picture or a video by the extension of its name. Its content decides when it is opened.
#[must_use]
pub fn is_picture_name(name: &[u8]) -> bool {
    format_of_name(name).is_some()
}

/// Returns true if a file is a video by the extension of its name.
#[must_use]
pub fn is_video_name(name: &[u8]) -> bool {
    format_of_name(name).is_some_and(FormatFacts::is_video)
}

fn format_of_name(name: &[u8]) -> Option<&'static FormatFacts> {
    let dot = name.iter().rposition(|&byte| byte == b'.')?;
    let extension = &name[dot + 1..];
    let is_it = |one: &&str| extension.eq_ignore_ascii_case(one.as_bytes());
    FORMATS
        .iter()
        .find(|format| format.extensions.iter().any(is_it))
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

/// Returns true if a picture of `length` bytes ends within its pixels. Returns false for formats that show nothing if
/// their end is missing, or that do not state where the end is, and if the header itself is cut. A complete file is
/// usually recognized by its last bytes or its directory, so that little of it is read; a file that is cut may be read
/// up to 64 MiB.
///
/// # Errors
/// An error of reading.
pub fn is_truncated(
    kind: PictureKind,
    mut file: impl Read + Seek,
    length: u64,
) -> io::Result<bool> {
    let Some(check) = kind.facts().is_truncated else {
        return Ok(false);
    };
    match check(&mut file, length) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        result => result,
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
    fn pictures_are_recognized_by_their_first_bytes() {
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
    fn videos_are_recognized_by_their_first_bytes() {
        check(
            b"\0\0\0\x18ftypmp42\0\0\0\0isommp42",
            Some(PictureKind::Mp4),
        );
        check(
            b"\0\0\0\x14ftypqt  \0\0\0\0qt  ",
            Some(PictureKind::Quicktime),
        );
        check(
            b"\0\0\0\x08wide\0\0\x10\0mdat",
            Some(PictureKind::Quicktime),
        );
        check(b"RIFF\0\0\0\0AVI LIST", Some(PictureKind::Avi));
        check(
            b"\x1A\x45\xDF\xA3\x87\x42\x82\x84webm",
            Some(PictureKind::Webm),
        );
        assert!(is_video_name(b"a.MOV") && !is_video_name(b"a.jpg"));
    }

    #[test]
    fn other_files_are_not_recognized() {
        check(b"", None);
        check(b"BMW is a maker of cars", None);
        check(b"RIFF\0\0\0\0WAVEfmt ", None);
        check(b"\0\0\0\x18ftypM4A \0\0\0\0isommp42", None);
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
        fn any_bytes_match_at_most_one_format(head: Vec<u8>) {
            let formats = FORMATS.iter().filter(|format| (format.is_content)(&head));
            prop_assert!(formats.count() <= 1);
        }
    }
}
