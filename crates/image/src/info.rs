//! All information about one picture.

use std::fs::File;
use std::io::{self, Seek};

use exif::{Context, Exif, Field, In, Rational, Tag, Value};
use jiff::civil::DateTime;
use serde::Serialize;

use crate::PictureKind;
use crate::exif_metadata::{date_in, read_exif, text_in};
use crate::formats::is_truncated;
use crate::header::Head;
use crate::profile::profile;

/// Information about a picture, from its file and from the notes of its camera (EXIF).
#[derive(Debug, Clone, PartialEq)]
pub struct PictureInfo {
    /// The kind, by the content.
    pub kind: PictureKind,
    /// True for a JPEG, PNG, GIF, WebP, TIFF, BMP or ICO whose end is missing. Other formats are not checked.
    pub is_incomplete: bool,
    /// The dimensions in pixels, or `None` if they can't be read cheaply.
    pub head: Option<Head>,
    /// The time at which it was taken, by the camera's own clock.
    pub taken: Option<DateTime>,
    pub camera: Camera,
    pub exposure: Exposure,
    /// The location.
    pub place: Option<GpsPosition>,
    /// The name of the embedded colour profile.
    pub profile: Option<String>,
    /// All readable notes, in the order of the file.
    pub notes: Vec<ExifField>,
}

/// The camera that took the picture.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct Camera {
    /// The maker of the camera.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub make: Option<String>,
    /// The model of the camera.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The lens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lens: Option<String>,
}

/// The exposure of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct Exposure {
    /// The exposure time in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The f-number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aperture: Option<f64>,
    /// The sensitivity by ISO 12232.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iso: Option<u32>,
    /// The focal length in millimetres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focal_length: Option<f64>,
    /// The equivalent focal length for 35 mm film, in millimetres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focal_length_35mm: Option<u32>,
    /// The exposure bias in EV.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bias: Option<f64>,
    /// True if the flash fired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flash: Option<bool>,
}

/// The place at which the picture was taken, in WGS 84.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = PlaceTaken))]
pub struct GpsPosition {
    /// The latitude in degrees; south is negative.
    pub latitude: f64,
    /// The longitude in degrees; west is negative.
    pub longitude: f64,
    /// The altitude in metres above sea level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub altitude: Option<f64>,
}

/// An EXIF field of the picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = PictureNote))]
pub struct ExifField {
    /// The EXIF name of the field.
    pub name: String,
    /// The value as text, with its unit.
    pub value: String,
}

/// The longest note that is shown. Makers' own notes and embedded pictures are longer, and not readable.
const MAX_NOTE_LENGTH: usize = 1_000;
/// The number of notes shown: a file may contain any number.
const MAX_NOTES: usize = 500;
/// The memory that all values may take, in bytes. The last one may be larger.
const MAX_NOTES_MEMORY: usize = 4 << 20;

impl PictureInfo {
    /// Reads the information from a file of `length` bytes, which contains a picture of this kind.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn read(file: &File, length: u64, kind: PictureKind) -> io::Result<Self> {
        let again = |mut file: &File| -> io::Result<File> {
            file.rewind()?;
            file.try_clone()
        };
        let exif = read_exif(again(file)?, length);
        let profile = profile(again(file)?, length);
        let head = Head::read(again(file)?, length);
        let exif = exif.as_ref();
        let is_incomplete = is_truncated(kind, file, length)?;
        Ok(Self {
            kind,
            is_incomplete,
            head,
            taken: exif.and_then(date_in),
            camera: exif.map(Camera::of).unwrap_or_default(),
            exposure: exif.map(Exposure::of).unwrap_or_default(),
            place: exif.and_then(GpsPosition::of),
            profile,
            notes: exif.map(readable).unwrap_or_default(),
        })
    }
}

impl Camera {
    fn of(exif: &Exif) -> Self {
        Self {
            make: text_in(exif, Tag::Make),
            model: text_in(exif, Tag::Model),
            lens: text_in(exif, Tag::LensModel),
        }
    }
}

impl Exposure {
    fn of(exif: &Exif) -> Self {
        let positive = |tag| number(exif, tag).filter(|&number| number > 0.0);
        let whole = |tag| value(exif, tag)?.get_uint(0).filter(|&number| number > 0);
        Self {
            time: positive(Tag::ExposureTime),
            aperture: positive(Tag::FNumber),
            iso: whole(Tag::PhotographicSensitivity),
            focal_length: positive(Tag::FocalLength),
            focal_length_35mm: whole(Tag::FocalLengthIn35mmFilm),
            bias: number(exif, Tag::ExposureBiasValue),
            flash: value(exif, Tag::Flash).and_then(|flash| Some(flash.get_uint(0)? & 1 == 1)),
        }
    }
}

impl GpsPosition {
    fn of(exif: &Exif) -> Option<Self> {
        let degrees = |tag, side, negative: &str, max: f64| {
            let Value::Rational(parts) = value(exif, tag)? else {
                return None;
            };
            let scale = [1.0, 60.0, 3_600.0];
            let parts = parts.iter().zip(scale);
            let sum: f64 = parts.map(|(part, by)| part.to_f64() / by).sum();
            let sign = if text_in(exif, side)? == negative {
                -1.0
            } else {
                1.0
            };
            (sum.is_finite() && sum <= max).then_some(sign * sum)
        };
        let below = value(exif, Tag::GPSAltitudeRef).and_then(|side| side.get_uint(0)) == Some(1);
        let altitude = number(exif, Tag::GPSAltitude);
        Some(Self {
            latitude: degrees(Tag::GPSLatitude, Tag::GPSLatitudeRef, "S", 90.0)?,
            longitude: degrees(Tag::GPSLongitude, Tag::GPSLongitudeRef, "W", 180.0)?,
            altitude: altitude.map(|metres| if below { -metres } else { metres }),
        })
    }
}

fn value(exif: &Exif, tag: Tag) -> Option<&Value> {
    Some(&exif.get_field(tag, In::PRIMARY)?.value)
}

fn number(exif: &Exif, tag: Tag) -> Option<f64> {
    let value = value(exif, tag)?;
    let number = if let Value::Rational(numbers) = value {
        numbers.first().map(Rational::to_f64)
    } else if let Value::SRational(numbers) = value {
        numbers.first().map(exif::SRational::to_f64)
    } else {
        value.get_uint(0).map(f64::from)
    };
    number.filter(|number| number.is_finite())
}

fn readable(exif: &Exif) -> Vec<ExifField> {
    let mut room = MAX_NOTES_MEMORY;
    // A value is decoded when its field is read, and many fields may share the same bytes.
    let bounded = exif.fields().take_while(|field| {
        let fits = room > 0;
        room = room.saturating_sub(weight(&field.value));
        fits
    });
    let of_picture = bounded.filter(|field| field.ifd_num == In::PRIMARY);
    let notes = of_picture
        .filter(|field| is_known(field))
        .map(|field| ExifField {
            name: field.tag.to_string(),
            value: field.display_value().with_unit(exif).to_string(),
        });
    let short = notes.filter(|note| note.value.len() <= MAX_NOTE_LENGTH);
    short.take(MAX_NOTES).collect()
}

/// Returns roughly how many bytes a value takes in memory.
fn weight(value: &Value) -> usize {
    const HEAD: usize = 64;
    let bytes = match value {
        Value::Ascii(lines) => lines.iter().map(|line| HEAD + line.len()).sum(),
        Value::Byte(bytes) | Value::Undefined(bytes, _) => bytes.len(),
        Value::SByte(bytes) => bytes.len(),
        Value::Short(numbers) => 2 * numbers.len(),
        Value::SShort(numbers) => 2 * numbers.len(),
        Value::Long(numbers) => 4 * numbers.len(),
        Value::SLong(numbers) => 4 * numbers.len(),
        Value::Float(numbers) => 4 * numbers.len(),
        Value::Double(numbers) => 8 * numbers.len(),
        Value::Rational(numbers) => 8 * numbers.len(),
        Value::SRational(numbers) => 8 * numbers.len(),
        Value::Unknown(..) => 0,
    };
    HEAD + bytes
}

/// True if a field has a name and is a note, not structure of the file.
fn is_known(field: &Field) -> bool {
    let Tag(context, _) = field.tag;
    field.tag.description().is_some() && field.tag != Tag::MakerNote && context != Context::Interop
}

#[cfg(test)]
mod tests {
    use super::*;
    use exif::Reader;

    const LE: [u8; 8] = [b'I', b'I', 42, 0, 8, 0, 0, 0];

    /// Builds an EXIF directory behind the one of TIFF: type, count and bytes of each field.
    fn exif_of(directory: u16, fields: &[(u16, u16, u32, Vec<u8>)]) -> Exif {
        let mut bytes = LE.to_vec();
        bytes.extend(1_u16.to_le_bytes());
        bytes.extend(directory.to_le_bytes());
        bytes.extend([4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(u16::try_from(fields.len()).unwrap().to_le_bytes());
        let behind = 26 + 2 + 12 * fields.len() + 4;
        let mut long: Vec<u8> = Vec::new();
        for (tag, kind, count, value) in fields {
            bytes.extend(tag.to_le_bytes());
            bytes.extend(kind.to_le_bytes());
            bytes.extend(count.to_le_bytes());
            if value.is_empty() {
                // The bytes of the first field.
                let place = u32::try_from(behind).unwrap();
                bytes.extend(place.to_le_bytes());
            } else if value.len() <= 4 {
                let mut short = [0; 4];
                short[..value.len()].copy_from_slice(value);
                bytes.extend(short);
            } else {
                let place = u32::try_from(behind + long.len()).unwrap();
                bytes.extend(place.to_le_bytes());
                long.extend(value);
            }
        }
        bytes.extend([0; 4]);
        bytes.extend(long);
        Reader::new().read_raw(bytes).unwrap()
    }

    fn rationals(numbers: &[(u32, u32)]) -> Vec<u8> {
        let both = numbers.iter().flat_map(|(a, b)| [a, b]);
        both.flat_map(|number| number.to_le_bytes()).collect()
    }

    #[test]
    fn exposure_values_are_numbers() {
        let exif = exif_of(
            0x8769,
            &[
                (0x829a, 5, 1, rationals(&[(1, 250)])),
                (0x829d, 5, 1, rationals(&[(28, 10)])),
                (0x8827, 3, 1, vec![100, 0]),
                (0x9204, 10, 1, rationals(&[(u32::MAX, 3)])),
                (0x9209, 3, 1, vec![0x19, 0]),
                (0x920a, 5, 1, rationals(&[(0, 0)])),
                (0xa405, 3, 1, vec![0, 0]),
                (0xa434, 2, 6, b"50 mm\0".to_vec()),
            ],
        );
        let expected = Exposure {
            time: Some(0.004),
            aperture: Some(2.8),
            iso: Some(100),
            focal_length: None,
            focal_length_35mm: None,
            bias: Some(-1.0 / 3.0),
            flash: Some(true),
        };
        assert_eq!(Exposure::of(&exif), expected);
        assert_eq!(Camera::of(&exif).lens.as_deref(), Some("50 mm"));
        let notes = readable(&exif);
        assert!(notes.contains(&ExifField {
            name: "ExposureTime".into(),
            value: "1/250 s".into()
        }));
    }

    #[test]
    fn location_is_in_degrees_if_valid() {
        let place = |south: &str, minutes: (u32, u32)| {
            let side = |letter: &str| [letter.as_bytes(), b"\0"].concat();
            let degrees = |whole| rationals(&[(whole, 1), minutes, (0, 1)]);
            GpsPosition::of(&exif_of(
                0x8825,
                &[
                    (1, 2, 2, side(south)),
                    (2, 5, 3, degrees(35)),
                    (3, 2, 2, side("E")),
                    (4, 5, 3, degrees(139)),
                    (5, 1, 1, vec![1]),
                    (6, 5, 1, rationals(&[(5, 2)])),
                ],
            ))
        };
        let expected = |latitude| GpsPosition {
            latitude,
            longitude: 139.5,
            altitude: Some(-2.5),
        };
        assert_eq!(place("N", (30, 1)), Some(expected(35.5)));
        assert_eq!(place("S", (30, 1)), Some(expected(-35.5)));
        assert_eq!(place("N", (1, 0)), None);
        assert_eq!(place("N", (60_000, 1)), None);
    }

    #[test]
    fn fields_exhausting_memory_are_not_decoded() {
        // Fields of many names share their bytes; each becomes its own line.
        let shared = vec![0; 200_000];
        let mut fields = vec![(0x9286, 2, 200_000, shared)];
        fields.extend((0..2_000).map(|number| (0x829a + number, 2, 200_000, Vec::new())));
        let exif = exif_of(0x8769, &fields);
        // All of them would take twenty thousand million bytes.
        assert!(readable(&exif).is_empty());
        let first = exif.fields().nth(1).unwrap();
        assert!(weight(&first.value) > MAX_NOTES_MEMORY);
    }

    #[test]
    fn unreadable_fields_are_left_out() {
        let exif = exif_of(
            0x8769,
            &[
                (0x927c, 7, 5, vec![1, 2, 3, 4, 5]),
                (0xfde8, 3, 1, vec![1, 0]),
                (0x9286, 7, 2_000, vec![b'x'; 2_000]),
                (0x8822, 3, 1, vec![2, 0]),
            ],
        );
        let names: Vec<_> = readable(&exif).into_iter().map(|note| note.name).collect();
        assert_eq!(names, ["ExposureProgram"]);
        assert_eq!(Exposure::of(&exif), Exposure::default());
        assert_eq!(GpsPosition::of(&exif), None);
    }
}
