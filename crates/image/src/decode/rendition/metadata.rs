//! The EXIF metadata that a rendition keeps.

use std::fs::File;
use std::io::{Cursor, Seek};

use exif::experimental::Writer;
use exif::{Context, Exif, Field, In, Tag, Value};

use super::{KeptMetadata, Rendition};
use crate::DecodeError;
use crate::exif_metadata::read_exif;

/// The longest values together, in bytes: the metadata of a JPEG has at most 64 KiB.
const MAX_BYTES: usize = 60_000;

/// A date in EXIF.
const DATE: &str = "%Y:%m:%d %H:%M:%S";

/// The fields of a rendition.
#[derive(Debug)]
pub(in crate::decode) struct Metadata {
    fields: Vec<Field>,
    is_little_endian: bool,
}

impl Metadata {
    /// Reads the metadata of a file for a rendition of it; `None` if there are none. The file is at its start then.
    pub(in crate::decode) fn read(
        mut file: &File,
        length: u64,
        rendition: Rendition,
    ) -> Result<Option<Self>, DecodeError> {
        let kept = rendition.metadata;
        if kept == KeptMetadata::None {
            return Ok(None);
        }
        let exif = read_exif(file.try_clone()?, length);
        // All handles share one position in the file.
        file.rewind()?;
        let mut left = MAX_BYTES;
        let mut fields: Vec<Field> = Vec::new();
        for field in exif.iter().flat_map(Exif::fields) {
            let is_repeated = fields.iter().any(|other| other.tag == field.tag);
            if field.ifd_num != In::PRIMARY || is_repeated || !is_kept(field.tag, kept) {
                continue;
            }
            if let Some(rest) = length_of(&field.value).and_then(|length| left.checked_sub(length))
            {
                left = rest;
                fields.push(field.clone());
            }
        }
        if fields.is_empty() && rendition.taken.is_none() {
            return Ok(None);
        }
        // The pixels are upright and in sRGB.
        for (tag, value) in [(Tag::Orientation, 1), (Tag::ColorSpace, 1)] {
            fields.push(primary(tag, Value::Short(vec![value])));
        }
        if let Some(taken) = rendition.taken {
            fields.retain(|field| !is_of_date(field.tag));
            let text = taken.strftime(DATE).to_string().into_bytes();
            fields.push(primary(Tag::DateTimeOriginal, Value::Ascii(vec![text])));
        }
        Ok(Some(Self {
            fields,
            is_little_endian: exif.is_none_or(|exif| exif.little_endian()),
        }))
    }

    /// Returns the fields, of which those for the makers of files are in this byte order.
    pub(super) fn fields(&self) -> (&[Field], bool) {
        (&self.fields, self.is_little_endian)
    }

    /// Returns the metadata as in a JPEG.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, DecodeError> {
        let mut writer = Writer::new();
        for field in &self.fields {
            writer.push_field(field);
        }
        written(&mut writer, self.is_little_endian)
    }
}

fn primary(tag: Tag, value: Value) -> Field {
    Field {
        tag,
        ifd_num: In::PRIMARY,
        value,
    }
}

/// True for the fields of the date on which a picture was taken: a changed date has no known time zone.
fn is_of_date(tag: Tag) -> bool {
    [
        Tag::DateTimeOriginal,
        Tag::OffsetTimeOriginal,
        Tag::SubSecTimeOriginal,
    ]
    .contains(&tag)
}

/// Returns the bytes of the directories of a writer.
pub(super) fn written(
    writer: &mut Writer<'_>,
    is_little_endian: bool,
) -> Result<Vec<u8>, DecodeError> {
    let mut bytes = Cursor::new(Vec::new());
    let written = writer.write(&mut bytes, is_little_endian);
    written.map_err(super::unencodable)?;
    Ok(bytes.into_inner())
}

/// Returns true if a field says something about the picture, and not about the layout of its file.
fn is_kept(tag: Tag, kept: KeptMetadata) -> bool {
    const OF_PICTURE: [Tag; 7] = [
        Tag::ImageDescription,
        Tag::Make,
        Tag::Model,
        Tag::Software,
        Tag::DateTime,
        Tag::Artist,
        Tag::Copyright,
    ];
    const OF_FILE: [Tag; 5] = [
        Tag::MakerNote,
        Tag::PixelXDimension,
        Tag::PixelYDimension,
        Tag::ColorSpace,
        Tag::RelatedSoundFile,
    ];
    match tag.context() {
        Context::Tiff => OF_PICTURE.contains(&tag),
        Context::Exif => !OF_FILE.contains(&tag),
        Context::Gps => kept == KeptMetadata::All,
        Context::Interop | _ => false,
    }
}

/// Returns the length of a value in bytes; `None` if it can't be written.
fn length_of(value: &Value) -> Option<usize> {
    Some(match value {
        Value::Byte(bytes) | Value::Undefined(bytes, _) => bytes.len(),
        Value::SByte(bytes) => bytes.len(),
        Value::Ascii(texts) => texts.iter().map(|text| text.len() + 1).sum(),
        Value::Short(numbers) => 2 * numbers.len(),
        Value::SShort(numbers) => 2 * numbers.len(),
        Value::Long(numbers) => 4 * numbers.len(),
        Value::SLong(numbers) => 4 * numbers.len(),
        Value::Float(numbers) => 4 * numbers.len(),
        Value::Rational(numbers) => 8 * numbers.len(),
        Value::SRational(numbers) => 8 * numbers.len(),
        Value::Double(numbers) => 8 * numbers.len(),
        Value::Unknown(..) => return None,
    })
}
