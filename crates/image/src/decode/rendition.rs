//! Renditions: pictures for other programs, in a chosen format and size. They are upright, in sRGB with 8 bits a channel.

mod avif;
mod metadata;
mod srgb;
mod tiff;
mod webp;
mod xmp;

use std::fmt::Debug;

use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ImageEncoder};
use jiff::civil::DateTime;
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use serde::{Deserialize, Serialize};

use super::encode::opaque;
use super::region::Region;
use super::scale::{self, Plan};
use super::{Picture, upright};
use crate::DecodeError;
use crate::crop::Crop;
use crate::formats::PictureKind;
use crate::turn::Turn;

pub(super) use metadata::Metadata;
pub use xmp::embed_xmp;

/// A rendition to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendition {
    /// The turn of the upright picture.
    pub turn: Turn,
    /// The part of the upright picture, before its turn; `None` for all of it.
    pub crop: Option<Crop>,
    /// The maximum of the longer side, in pixels. `None` keeps the size. A picture is never enlarged.
    pub edge: Option<u32>,
    pub format: RenditionFormat,
    /// The quality of a lossy format, 1 to 100.
    pub quality: u8,
    /// True to sharpen the picture after it was reduced.
    pub sharpens: bool,
    pub metadata: KeptMetadata,
    /// The date on which the picture was taken, in place of the one in its file.
    pub taken: Option<DateTime>,
}

/// The file format of a rendition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RenditionFormat {
    /// JPEG. Transparency is placed over white.
    Jpeg,
    /// PNG. Keeps transparency.
    Png,
    /// Lossy WebP. Keeps transparency.
    Webp,
    /// WebP without loss. Keeps transparency.
    WebpLossless,
    /// AVIF with loss. Keeps transparency.
    Avif,
    /// TIFF with lossless compression. Keeps transparency.
    Tiff,
}

impl RenditionFormat {
    /// Returns the extension of a file, without a dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp | Self::WebpLossless => "webp",
            Self::Avif => "avif",
            Self::Tiff => "tif",
        }
    }

    #[must_use]
    pub fn kind(self) -> PictureKind {
        match self {
            Self::Jpeg => PictureKind::Jpeg,
            Self::Png => PictureKind::Png,
            Self::Webp | Self::WebpLossless => PictureKind::Webp,
            Self::Avif => PictureKind::Avif,
            Self::Tiff => PictureKind::Tiff,
        }
    }
}

/// The EXIF metadata that a rendition keeps. Notes in the format of a maker, and previews, are never kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum KeptMetadata {
    /// The camera, the time, the place, the author and the like.
    All,
    /// The same, but for the place.
    WithoutPlace,
    None,
}

/// The strength of sharpening: the radius in pixels, and the least difference that is enhanced.
const SHARPENING: (f32, i32) = (0.6, 2);

/// Encoders of formats that the `image` crate has none for. Qualities are from 1 to 100.
pub trait Encoders: Debug + Send + Sync + 'static {
    /// Returns the file of a picture as lossy WebP, without metadata.
    ///
    /// # Errors
    /// [`DecodeError::TooLarge`] if the format can't contain the picture.
    fn webp(&self, image: &DynamicImage, quality: u8) -> Result<Vec<u8>, DecodeError>;

    /// Returns the file of a picture in sRGB as AVIF.
    ///
    /// # Errors
    /// [`DecodeError::TooLarge`] if the format can't contain the picture.
    fn avif(
        &self,
        image: &DynamicImage,
        quality: u8,
        exif: Option<&[u8]>,
    ) -> Result<Vec<u8>, DecodeError>;
}

/// Makes a rendition of a decoded picture.
pub(super) fn render(
    picture: Picture,
    rendition: Rendition,
    metadata: Option<&Metadata>,
    encoders: Option<&dyn Encoders>,
) -> Result<Vec<u8>, DecodeError> {
    let sides = (picture.width, picture.height);
    let region = Region::of(rendition.crop, sides, picture.orientation);
    let plan = Plan::within(region, rendition.edge);
    let scaled = scale::scale(&picture.raster, plan.reduced(picture.reduced))?;
    drop(picture.raster);
    let turn = Turn::from(picture.orientation).then(rendition.turn);
    let mut image = upright(scaled, turn.orientation(), picture.profile.as_deref());
    if rendition.sharpens {
        let (radius, least) = SHARPENING;
        image = image.unsharpen(radius, least);
    }
    image = match rendition.format {
        RenditionFormat::Jpeg => opaque(image),
        // Few programs read grey pictures with opacity.
        RenditionFormat::Tiff if image.color() == image::ColorType::La8 => {
            image.into_rgba8().into()
        }
        RenditionFormat::Tiff
        | RenditionFormat::Png
        | RenditionFormat::Webp
        | RenditionFormat::WebpLossless
        | RenditionFormat::Avif => image,
    };
    // A profile has the channels of its picture; grey without one is shown in sRGB.
    let profile = image.color().has_color().then(srgb::profile);
    let profile = profile.as_deref();
    let mut bytes = Vec::new();
    match rendition.format {
        RenditionFormat::Jpeg => return jpeg(&image, rendition.quality, metadata, profile),
        RenditionFormat::Tiff => return tiff::encode(image, metadata, profile),
        RenditionFormat::Png => {
            let mut encoder = PngEncoder::new(&mut bytes);
            if let Some(metadata) = metadata {
                let set = encoder.set_exif_metadata(metadata.to_bytes()?);
                set.map_err(unencodable)?;
            }
            if let Some(profile) = profile {
                let set = encoder.set_icc_profile(profile.to_vec());
                set.map_err(unencodable)?;
            }
            image.write_with_encoder(encoder)?;
        }
        RenditionFormat::Webp => {
            let encoders = encoders.ok_or(DecodeError::UnsupportedKind("lossy WebP".into()))?;
            let file = encoders.webp(&image, rendition.quality)?;
            return webp::annotated(&file, (image.width(), image.height()), metadata, profile);
        }
        RenditionFormat::Avif => {
            let encoders = encoders.ok_or(DecodeError::UnsupportedKind("AVIF".into()))?;
            let exif = metadata.map(Metadata::to_bytes).transpose()?;
            return encoders.avif(&image, rendition.quality, exif.as_deref());
        }
        RenditionFormat::WebpLossless => {
            image.write_with_encoder(WebPEncoder::new_lossless(&mut bytes))?;
            return webp::annotated(&bytes, (image.width(), image.height()), metadata, profile);
        }
    }
    Ok(bytes)
}

fn unencodable(error: impl std::fmt::Display) -> DecodeError {
    DecodeError::Damaged(format!("it can't be encoded: {error}"))
}

fn jpeg(
    image: &DynamicImage,
    quality: u8,
    metadata: Option<&Metadata>,
    profile: Option<&[u8]>,
) -> Result<Vec<u8>, DecodeError> {
    let side = |pixels: u32| {
        u16::try_from(pixels).map_err(|_| {
            DecodeError::TooLarge("a JPEG has at most 65,535 pixels on a side".to_owned())
        })
    };
    let (width, height) = (side(image.width())?, side(image.height())?);
    let colours = match image.color().channel_count() {
        1 => ColorType::Luma,
        _ => ColorType::Rgb,
    };
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, quality);
    // Full colour resolution is worth its bytes only for those who ask for high quality.
    encoder.set_sampling_factor(match quality {
        90.. => SamplingFactor::F_1_1,
        _ => SamplingFactor::F_2_2,
    });
    if let Some(metadata) = metadata {
        let added = encoder.add_exif_metadata(&metadata.to_bytes()?);
        added.map_err(unencodable)?;
    }
    if let Some(profile) = profile {
        encoder.add_icc_profile(profile).map_err(unencodable)?;
    }
    let encoded = encoder.encode(image.as_bytes(), width, height, colours);
    encoded.map_err(unencodable)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{Cursor, Seek, Write};

    use exif::experimental::Writer;
    use exif::{Context, Exif, Field, In, Rational, Tag, Value};

    use super::*;
    use crate::decode::{Decode, InProcess};
    use crate::exif_metadata::{date_in, read_exif};

    fn field(tag: Tag, value: Value) -> Field {
        Field {
            tag,
            ifd_num: In::PRIMARY,
            value,
        }
    }

    /// Returns a JPEG of 4 × 2 pixels that is stored sideways, with the notes of a camera.
    fn photo() -> File {
        let text = |text: &str| Value::Ascii(vec![text.as_bytes().to_vec()]);
        let fields = [
            field(Tag::Orientation, Value::Short(vec![6])),
            field(Tag::Model, text("X-T30")),
            field(Tag::PixelXDimension, Value::Long(vec![4])),
            field(Tag::ISOSpeed, Value::Long(vec![400])),
            field(Tag::DateTimeOriginal, text("2020:01:02 03:04:05")),
            field(Tag::OffsetTimeOriginal, text("+09:00")),
            field(Tag::MakerNote, Value::Undefined(b"secret".to_vec(), 0)),
            field(
                Tag::GPSLatitude,
                Value::Rational(vec![Rational { num: 35, denom: 1 }; 3]),
            ),
        ];
        let mut writer = Writer::new();
        fields.iter().for_each(|field| writer.push_field(field));
        let mut notes = Cursor::new(Vec::new());
        writer.write(&mut notes, true).unwrap();
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, 90);
        encoder.add_exif_metadata(notes.get_ref()).unwrap();
        encoder.encode(&[99; 24], 4, 2, ColorType::Rgb).unwrap();
        file_of(&bytes)
    }

    fn file_of(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        file
    }

    fn made(format: RenditionFormat, metadata: KeptMetadata) -> Option<Exif> {
        let photo = photo();
        let length = photo.metadata().unwrap().len();
        let rendition = Rendition {
            turn: Turn::NONE,
            crop: None,
            edge: None,
            format,
            quality: 100,
            sharpens: true,
            metadata,
            taken: Some("2026-11-30T09:08:07".parse().unwrap()),
        };
        let bytes = InProcess::default().render(photo, length, rendition);
        let bytes = bytes.unwrap();
        let picture = image::load_from_memory(&bytes).unwrap();
        assert_eq!((picture.width(), picture.height()), (2, 4));
        let length = bytes.len() as u64;
        read_exif(file_of(&bytes), length)
    }

    #[track_caller]
    fn check(format: RenditionFormat, metadata: KeptMetadata, expected: &[Tag]) {
        let exif = made(format, metadata);
        let tags: Vec<Tag> = exif
            .iter()
            .flat_map(Exif::fields)
            .map(|field| field.tag)
            .collect();
        let is_of_layout = |tag: Tag| {
            let own = [Tag::Model, Tag::Orientation];
            format == RenditionFormat::Tiff && tag.context() == Context::Tiff && !own.contains(&tag)
        };
        let kept: Vec<Tag> = tags.into_iter().filter(|tag| !is_of_layout(*tag)).collect();
        assert_eq!(kept.len(), expected.len(), "{kept:?}");
        assert!(expected.iter().all(|tag| kept.contains(tag)), "{kept:?}");
        let taken = exif.as_ref().and_then(date_in);
        let changed = "2026-11-30T09:08:07".parse().unwrap();
        assert_eq!(taken, (!expected.is_empty()).then_some(changed));
        let orientation = exif.and_then(|exif| {
            let field = exif.get_field(Tag::Orientation, In::PRIMARY)?;
            field.value.get_uint(0)
        });
        assert_eq!(orientation, (!expected.is_empty()).then_some(1));
    }

    #[test]
    fn lossless_formats_keep_each_pixel() {
        let pixels: Vec<u8> = (0..700 * 600 * 4)
            .map(|at: u32| (at.wrapping_mul(at) / 977) as u8)
            .collect();
        let rgba = image::RgbaImage::from_raw(700, 600, pixels).unwrap();
        let rgba = DynamicImage::from(rgba);
        let images = [
            rgba.to_luma8().into(),
            rgba.to_luma_alpha8().into(),
            rgba.to_rgb8().into(),
            rgba,
        ];
        for image in images {
            let mut png = Cursor::new(Vec::new());
            image.write_to(&mut png, image::ImageFormat::Png).unwrap();
            for format in [
                RenditionFormat::Png,
                RenditionFormat::WebpLossless,
                RenditionFormat::Tiff,
            ] {
                let rendition = Rendition {
                    turn: Turn::NONE,
                    crop: None,
                    edge: None,
                    format,
                    quality: 1,
                    sharpens: false,
                    metadata: KeptMetadata::None,
                    taken: None,
                };
                let png = png.get_ref();
                let made = InProcess::default().render(file_of(png), png.len() as u64, rendition);
                let made = embed_xmp(made.unwrap(), format, b"<odd/>").unwrap();
                let made = image::load_from_memory(&made).unwrap();
                assert_eq!(made.to_rgba8(), image.to_rgba8(), "{format:?}");
            }
        }
    }

    #[test]
    fn metadata_are_kept_as_requested() {
        let all = [
            Tag::Orientation,
            Tag::ColorSpace,
            Tag::Model,
            Tag::ISOSpeed,
            Tag::DateTimeOriginal,
            Tag::GPSLatitude,
        ];
        for format in [
            RenditionFormat::Jpeg,
            RenditionFormat::Png,
            RenditionFormat::WebpLossless,
            RenditionFormat::Tiff,
        ] {
            check(format, KeptMetadata::All, &all);
            check(format, KeptMetadata::WithoutPlace, &all[..5]);
            check(format, KeptMetadata::None, &[]);
        }
    }
}
