//! The metadata that a camera writes into a picture (EXIF), and the date of the picture.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read, Seek, SeekFrom};

use exif::{Exif, In, Reader, Tag};
use jiff::civil::DateTime;

use crate::DecodeError;
use crate::camera::{CameraName, LensName};
use crate::formats::{ExifPlace, PictureKind, kind_of};
use crate::guard::guarded;
use crate::header::{BUDGET, STEP};
use crate::raw::preview;
use crate::text_metadata::ExifTexts;
use crate::window::Window;

/// The maximum length of the metadata, and of the part that is read of a file that may have them anywhere, in
/// bytes. Parsed hostile metadata may take fifty times as much memory.
const MAX_METADATA_BYTES: usize = 256 << 10;
/// The number of bytes that are read of a JPEG, whose metadata is in a segment of its own at the start.
const JPEG_STEP: usize = 64 << 10;

/// The metadata that a listing needs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExifMetadata {
    /// The camera's own date and time, without a zone; `None` if it states no valid one.
    pub taken: Option<DateTime>,
    /// True if the metadata contains a small picture.
    pub embeds: bool,
    pub camera: Option<CameraName>,
    pub texts: ExifTexts,
    pub lens: Option<LensName>,
}

impl ExifMetadata {
    /// Reads the metadata of a file of `length` bytes.
    #[must_use]
    pub fn read(file: File, length: u64) -> Self {
        read_exif(file, length).map_or_else(Self::default, |exif| Self {
            taken: date_in(&exif),
            embeds: embedded_thumbnail(&exif).is_some(),
            camera: camera_in(&exif),
            texts: ExifTexts::of(&exif),
            lens: text_in(&exif, Tag::LensModel).and_then(|name| LensName::of_name(&name)),
        })
    }
}

/// Returns the small picture in the metadata: a JPEG, as stored. It is stored like the picture itself, so the same
/// orientation applies.
pub fn embedded_jpeg(file: File, length: u64) -> Option<Vec<u8>> {
    let exif = read_exif(file, length)?;
    embedded_thumbnail(&exif).map(<[u8]>::to_vec)
}

fn embedded_thumbnail(exif: &Exif) -> Option<&[u8]> {
    let number = |tag| {
        let field = exif.get_field(tag, In::THUMBNAIL)?;
        let number = field.value.get_uint(0)?;
        usize::try_from(number).ok()
    };
    let first = number(Tag::JPEGInterchangeFormat)?;
    let length = number(Tag::JPEGInterchangeFormatLength)?;
    let found = exif.buf().get(first..first.checked_add(length)?)?;
    (PictureKind::of(found) == Some(PictureKind::Jpeg)).then_some(found)
}

/// Returns all metadata that can be read.
pub(crate) fn read_exif(file: File, length: u64) -> Option<Exif> {
    guarded(|| read(file, length)).ok().flatten()
}

fn read(mut file: File, length: u64) -> Result<Option<Exif>, DecodeError> {
    let kind = kind_of(&mut file)?;
    let step = if kind == PictureKind::Jpeg {
        JPEG_STEP
    } else {
        STEP
    };
    let window = |file| BufReader::with_capacity(step, Window::new(file, length, BUDGET));
    Ok(match kind.facts().exif {
        ExifPlace::Container => from_container(&mut window(file)),
        ExifPlace::Directory => {
            let mut start = Vec::new();
            file.by_ref()
                .take(MAX_METADATA_BYTES as u64)
                .read_to_end(&mut start)?;
            match as_tiff(&mut start) {
                true => partial(reader().read_raw(start)),
                false => from_preview(file, length)?,
            }
        }
        ExifPlace::Nowhere => None,
    })
}

/// Replaces the number that some makers write where TIFF has 42. Their directories are the same as those of TIFF.
fn as_tiff(start: &mut [u8]) -> bool {
    match start {
        [b'I', b'I', a, b, ..] => {
            [*a, *b] = [42, 0];
            true
        }
        [b'M', b'M', a, b, ..] => {
            [*a, *b] = [0, 42];
            true
        }
        _ => false,
    }
}

/// Reads the camera's metadata from the preview in a raw file.
fn from_preview(mut file: File, length: u64) -> Result<Option<Exif>, DecodeError> {
    file.rewind()?;
    let window = Window::new(&mut file, length, BUDGET);
    let found = preview(BufReader::with_capacity(STEP, window), length)?;
    file.seek(SeekFrom::Start(found.offset))?;
    let mut start = Vec::new();
    file.take(found.length.min(MAX_METADATA_BYTES as u64))
        .read_to_end(&mut start)?;
    Ok(from_container(&mut Cursor::new(start)))
}

fn from_container(container: &mut (impl BufRead + Seek)) -> Option<Exif> {
    partial(reader().read_from_container(container))
}

fn reader() -> Reader {
    let mut reader = Reader::new();
    reader.continue_on_error(true);
    reader
}

/// Keeps the fields that can be read, even if others can't.
fn partial(read: Result<Exif, exif::Error>) -> Option<Exif> {
    let read = read.or_else(|error| error.distill_partial_result(|_errors| {}));
    read.ok()
        .filter(|exif| exif.buf().len() <= MAX_METADATA_BYTES)
}

fn camera_in(exif: &Exif) -> Option<CameraName> {
    let (make, model) = (text_in(exif, Tag::Make), text_in(exif, Tag::Model));
    CameraName::new(make.as_deref(), model.as_deref())
}

/// Returns a text. Cameras pad short texts with zeros or blanks.
pub(crate) fn text_in(exif: &Exif, tag: Tag) -> Option<String> {
    let exif::Value::Ascii(lines) = &exif.get_field(tag, In::PRIMARY)?.value else {
        return None;
    };
    let text = String::from_utf8_lossy(lines.first()?);
    let text = text.trim_matches(|character: char| character == '\0' || character.is_whitespace());
    (!text.is_empty()).then(|| text.to_owned())
}

/// Returns the date on which the picture was taken, else the date on which it was digitized.
pub(crate) fn date_in(exif: &Exif) -> Option<DateTime> {
    let dates = [
        (Tag::DateTimeOriginal, Tag::SubSecTimeOriginal),
        (Tag::DateTimeDigitized, Tag::SubSecTimeDigitized),
    ];
    let ascii = |tag| {
        let field = exif.get_field(tag, In::PRIMARY)?;
        let exif::Value::Ascii(lines) = &field.value else {
            return None;
        };
        lines.first()
    };
    dates.into_iter().find_map(|(date, fraction)| {
        let mut found = exif::DateTime::from_ascii(&with_colons(ascii(date)?)).ok()?;
        if let Some(fraction) = ascii(fraction) {
            // If the fraction is invalid, the second is still right.
            let _nonsense = found.parse_subsec(fraction);
        }
        civil(&found)
    })
}

/// Converts a date to the form of EXIF. Phones and scanners write other forms: with dashes, or as in ISO 8601, with a
/// `T`, a fraction and a zone.
fn with_colons(date: &[u8]) -> Vec<u8> {
    const LENGTH: usize = 19;
    let mut date = date.to_vec();
    let is_iso = date.get(10) == Some(&b'T');
    for (at, separator) in [(4, b':'), (7, b':'), (10, b' ')] {
        if let Some(byte) = date.get_mut(at)
            && matches!(*byte, b'-' | b'/' | b'.' | b'T')
        {
            *byte = separator;
        }
    }
    let ends = date.get(LENGTH).is_some_and(|&byte| !byte.is_ascii_digit());
    if is_iso || ends {
        date.truncate(LENGTH);
    }
    date
}

fn civil(date: &exif::DateTime) -> Option<DateTime> {
    let small = |number: u8| i8::try_from(number).ok();
    // A camera whose clock was never set states the year 0.
    let year = i16::try_from(date.year).ok().filter(|&year| year > 0)?;
    DateTime::new(
        year,
        small(date.month)?,
        small(date.day)?,
        small(date.hour)?,
        small(date.minute)?,
        small(date.second)?,
        i32::try_from(date.nanosecond.unwrap_or(0)).ok()?,
    )
    .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// Builds a TIFF of one directory with the metadata, as in a raw file and in a JPEG.
    fn notes(magic: [u8; 4], fields: &[(u16, &str)]) -> Vec<u8> {
        let le16 = |number: usize| u16::try_from(number).unwrap().to_le_bytes();
        let le32 = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
        let mut bytes = magic.to_vec();
        bytes.extend(le32(8));
        // An entry that points to the EXIF directory.
        bytes.extend(le16(1));
        bytes.extend([0x69, 0x87, 4, 0, 1, 0, 0, 0]);
        bytes.extend(le32(26));
        bytes.extend(le32(0));
        bytes.extend(le16(fields.len()));
        let mut texts = Vec::new();
        let behind = 26 + 2 + 12 * fields.len() + 4;
        for (tag, text) in fields {
            bytes.extend(tag.to_le_bytes());
            bytes.extend([2, 0]);
            bytes.extend(le32(text.len() + 1));
            if text.len() < 4 {
                let mut short = [0; 4];
                short[..text.len()].copy_from_slice(text.as_bytes());
                bytes.extend(short);
            } else {
                bytes.extend(le32(behind + texts.len()));
                texts.extend_from_slice(text.as_bytes());
                texts.push(0);
            }
        }
        bytes.extend(le32(0));
        bytes.extend(texts);
        bytes
    }

    fn jpeg(notes: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xE1];
        let length = u16::try_from(notes.len() + 8).unwrap();
        bytes.extend(length.to_be_bytes());
        bytes.extend(b"Exif\0\0");
        bytes.extend(notes);
        bytes.extend([0xFF, 0xDA, 0, 2]);
        bytes
    }

    /// Builds a TIFF of two directories. The first is empty; the second states the place of the small picture.
    fn with_small_picture(picture: &[u8], first: u32, length: usize) -> Vec<u8> {
        let mut bytes = b"II*\0".to_vec();
        let mut put = |numbers: &[u32]| {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        };
        put(&[8]);
        // No entries, and then the next directory at 14, with two entries.
        bytes.extend([0, 0, 14, 0, 0, 0, 2, 0]);
        for (tag, number) in [
            (0x0201_u16, first),
            (0x0202, u32::try_from(length).unwrap()),
        ] {
            bytes.extend(tag.to_le_bytes());
            bytes.extend([4, 0, 1, 0, 0, 0]);
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([0; 4]);
        assert_eq!(bytes.len(), SMALL as usize);
        bytes.extend(picture);
        bytes
    }

    /// The offset of the small picture.
    const SMALL: u32 = 44;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        file
    }

    #[test]
    fn only_a_valid_embedded_jpeg_is_found() {
        let small = b"\xff\xd8\xff\xe0 a small picture";
        let found = |picture: &[u8], first, length| {
            let bytes = jpeg(&with_small_picture(picture, first, length));
            let all = bytes.len() as u64;
            let found = embedded_jpeg(file(&bytes), all);
            assert_eq!(
                ExifMetadata::read(file(&bytes), all).embeds,
                found.is_some()
            );
            found
        };
        assert_eq!(
            found(small, SMALL, small.len()).as_deref(),
            Some(&small[..])
        );
        // The length is too short or too long, the offset is beyond the end, the kind is wrong, or the picture is
        // empty.
        assert_eq!(found(small, SMALL, 9).as_deref(), Some(&small[..9]));
        assert_eq!(found(small, SMALL, small.len() + 1), None);
        assert_eq!(
            found(small, u32::MAX, usize::try_from(u32::MAX).unwrap()),
            None
        );
        assert_eq!(found(b"<!doctype html>", SMALL, 15), None);
        assert_eq!(found(small, SMALL, 0), None);
        let none = jpeg(&notes(TIFF, &[]));
        assert_eq!(embedded_jpeg(file(&none), none.len() as u64), None);
    }

    fn taken_of(bytes: &[u8]) -> Option<String> {
        let noted = ExifMetadata::read(file(bytes), bytes.len() as u64);
        noted.taken.map(|date| date.to_string())
    }

    const TIFF: [u8; 4] = *b"II*\0";
    const ORIGINAL: u16 = 0x9003;
    const DIGITIZED: u16 = 0x9004;
    const FRACTION: u16 = 0x9291;

    #[test]
    fn capture_time_comes_from_exif() {
        let found = |fields: &[(u16, &str)]| taken_of(&jpeg(&notes(TIFF, fields)));
        let date = "2024:05:06 07:08:09";
        let expected = || Some("2024-05-06T07:08:09".to_owned());
        assert_eq!(found(&[(ORIGINAL, date)]), expected());
        assert_eq!(found(&[(DIGITIZED, date)]), expected());
        for date in [
            "2024-05-06 07:08:09",
            "2024/05/06 07:08:09",
            "2024-05-06T07:08:09",
            "2024-05-06T07:08:09.5+09:00",
            "2024-05-06T07:08:09Z",
            "2024:05:06 07:08:09+02:00",
        ] {
            assert_eq!(found(&[(ORIGINAL, date)]), expected(), "{date}");
        }
        let both = [(ORIGINAL, date), (DIGITIZED, "2025:01:01 00:00:00")];
        assert_eq!(found(&both), expected());
        assert_eq!(
            found(&[(ORIGINAL, date), (FRACTION, "25")]).as_deref(),
            Some("2024-05-06T07:08:09.25")
        );
        assert_eq!(found(&[(ORIGINAL, date), (FRACTION, "x")]), expected());
    }

    #[test]
    fn invalid_date_is_ignored() {
        for date in [
            "0000:00:00 00:00:00",
            "2024:02:30 00:00:00",
            "    :  :     :  :  ",
            "2024:05:06",
            "soon, very soon, ok",
        ] {
            assert_eq!(
                taken_of(&jpeg(&notes(TIFF, &[(ORIGINAL, date)]))),
                None,
                "{date}"
            );
        }
        assert_eq!(taken_of(&jpeg(&notes(TIFF, &[]))), None);
        assert_eq!(taken_of(b"no picture"), None);
        assert_eq!(taken_of(b""), None);
    }

    #[test]
    fn raw_files_with_other_magic_have_dates() {
        for magic in [TIFF, *b"IIRO", *b"IIU\0"] {
            let bytes = notes(magic, &[(ORIGINAL, "2024:05:06 07:08:09")]);
            let mut start = bytes.clone();
            assert!(as_tiff(&mut start));
            let exif = partial(reader().read_raw(start)).unwrap();
            assert!(date_in(&exif).is_some(), "{magic:?}");
        }
    }
}
