//! Renditions as TIFF: compressed strips (TIFF 6.0; Adobe's Deflate with horizontal differences), with the metadata in
//! the same file.

use std::io::Write;

use exif::experimental::Writer;
use exif::{Context, Field, In, Tag, Value};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::DynamicImage;

use super::metadata::{Metadata, written};
use super::unencodable;
use crate::DecodeError;

/// The number of bytes of a strip, before compression.
const STRIP_BYTES: usize = 1 << 20;

const DEFLATE: u16 = 8;
const HORIZONTAL: u16 = 2;
const CONTIGUOUS: u16 = 1;
const UNASSOCIATED_ALPHA: u16 = 2;

/// Encodes a picture with 8 bits a channel.
pub(super) fn encode(
    image: DynamicImage,
    metadata: Option<&Metadata>,
    profile: Option<&[u8]>,
) -> Result<Vec<u8>, DecodeError> {
    let channels = image.color().channel_count();
    let row = image.width() as usize * usize::from(channels);
    let rows = (STRIP_BYTES / row).clamp(1, image.height() as usize);
    let has_opacity = image.color().has_alpha();
    let has_colours = image.color().has_color();
    let number = |number: usize| Value::Long(vec![u32::try_from(number).unwrap_or(u32::MAX)]);
    let short = |number| Value::Short(vec![number]);
    let mut fields = vec![
        (Tag::ImageWidth, Value::Long(vec![image.width()])),
        (Tag::ImageLength, Value::Long(vec![image.height()])),
        (
            Tag::BitsPerSample,
            Value::Short(vec![8; usize::from(channels)]),
        ),
        (Tag::Compression, short(DEFLATE)),
        // 1: zero is black.
        (
            Tag::PhotometricInterpretation,
            short(if has_colours { 2 } else { 1 }),
        ),
        (Tag::SamplesPerPixel, short(u16::from(channels))),
        (Tag::RowsPerStrip, number(rows)),
        (Tag::PlanarConfiguration, short(CONTIGUOUS)),
        (Tag(Context::Tiff, 317), short(HORIZONTAL)),
    ];
    if has_opacity {
        fields.push((Tag(Context::Tiff, 338), short(UNASSOCIATED_ALPHA)));
    }
    if let Some(profile) = profile {
        fields.push((
            Tag(Context::Tiff, 34_675),
            Value::Undefined(profile.to_vec(), 0),
        ));
    }
    let fields: Vec<Field> = fields
        .into_iter()
        .map(|(tag, value)| Field {
            tag,
            ifd_num: In::PRIMARY,
            value,
        })
        .collect();
    let strips = strips(image, (row, rows), usize::from(channels)).map_err(unencodable)?;
    let strips: Vec<&[u8]> = strips.iter().map(|strip| &strip[..]).collect();
    let (kept, is_little_endian) = metadata.map_or((&[][..], true), Metadata::fields);
    let mut writer = Writer::new();
    for field in fields.iter().chain(kept) {
        writer.push_field(field);
    }
    writer.set_strips(&strips, In::PRIMARY);
    written(&mut writer, is_little_endian)
}

/// Returns the compressed strips of `rows` rows.
fn strips(
    image: DynamicImage,
    (row, rows): (usize, usize),
    channels: usize,
) -> std::io::Result<Vec<Vec<u8>>> {
    let mut bytes = image.into_bytes();
    let mut strips = Vec::new();
    for strip in bytes.chunks_mut(row * rows) {
        for row in strip.chunks_exact_mut(row) {
            for at in (channels..row.len()).rev() {
                row[at] = row[at].wrapping_sub(row[at - channels]);
            }
        }
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(strip)?;
        strips.push(encoder.finish()?);
    }
    Ok(strips)
}
