//! Encodes a thumbnail in its file format.

use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, RgbImage, RgbaImage};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

use crate::DecodeError;
use crate::variant::Format;

/// The JPEG quality, 1…100. At thumbnail sizes no difference is visible above it.
const JPEG_QUALITY: u8 = 85;

/// Returns the bytes of the file. WebP is lossless, as the `image` crate encodes it.
pub(super) fn encode(image: DynamicImage, format: Format) -> Result<Vec<u8>, DecodeError> {
    let mut bytes = Vec::new();
    match format {
        Format::Jpg => jpeg(&opaque(image), &mut bytes)?,
        Format::Png => image.write_with_encoder(PngEncoder::new(&mut bytes))?,
        Format::Webp => image.write_with_encoder(WebPEncoder::new_lossless(&mut bytes))?,
    }
    Ok(bytes)
}

fn jpeg(image: &DynamicImage, bytes: &mut Vec<u8>) -> Result<(), DecodeError> {
    let side = |pixels: u32| {
        u16::try_from(pixels).expect("BUG: a side of a thumbnail has at most 4096 pixels")
    };
    let (width, height) = (side(image.width()), side(image.height()));
    let colours = match image.color().channel_count() {
        1 => ColorType::Luma,
        _ => ColorType::Rgb,
    };
    let mut encoder = Encoder::new(bytes, JPEG_QUALITY);
    // Chroma has half as many samples along each side, as in the thumbnails that cameras make. The
    // file is a quarter smaller, and the difference is invisible at this size.
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    encoder
        .encode(image.as_bytes(), width, height, colours)
        .map_err(|error| DecodeError::Damaged(error.to_string()))
}

/// Flattens transparency onto white.
pub(super) fn opaque(image: DynamicImage) -> DynamicImage {
    if image.color().has_alpha() {
        over_white(&image.into_rgba8()).into()
    } else {
        image
    }
}

fn over_white(image: &RgbaImage) -> RgbImage {
    let mut flat = RgbImage::new(image.width(), image.height());
    for (target, source) in flat.pixels_mut().zip(image.pixels()) {
        let [r, g, b, alpha] = source.0;
        target.0 = [r, g, b].map(|channel| blend_with_white(channel, alpha));
    }
    flat
}

fn blend_with_white(channel: u8, alpha: u8) -> u8 {
    let (channel, alpha) = (u16::from(channel), u16::from(alpha));
    let sum = channel * alpha + 255 * (255 - alpha);
    u8::try_from((sum + 127) / 255).expect("BUG: a mean of two bytes is a byte")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transparency_is_blended_with_white() {
        assert_eq!(blend_with_white(0, 0), 255);
        assert_eq!(blend_with_white(0, 255), 0);
        assert_eq!(blend_with_white(255, 128), 255);
        assert_eq!(blend_with_white(0, 128), 127);
        assert_eq!(blend_with_white(77, 255), 77);
    }
}
