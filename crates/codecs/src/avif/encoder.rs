//! AVIF by rav1e.

use fumikura_image::DecodeError;
use image::DynamicImage;
use ravif::{BitDepth, Encoder, Img, RGB8, RGBA8};

/// The speeds of the encoder, 1 to 10: above 8, a twelfth more bytes for a third of the time.
const SPEED: u8 = 9;
const FASTEST: u8 = 10;
/// The number of pixels above which a picture would need too much of the time of a worker.
const MANY_PIXELS: u64 = 30_000_000;

pub(crate) fn encode(
    image: &DynamicImage,
    quality: u8,
    exif: Option<&[u8]>,
) -> Result<Vec<u8>, DecodeError> {
    let (width, height) = (image.width(), image.height());
    let pixels = u64::from(width) * u64::from(height);
    let mut encoder = Encoder::new()
        .with_quality(f32::from(quality))
        .with_alpha_quality(f32::from(quality))
        .with_speed(if pixels > MANY_PIXELS { FASTEST } else { SPEED })
        .with_bit_depth(BitDepth::Eight);
    if let Some(exif) = exif {
        encoder = encoder.with_exif(exif);
    }
    let size = (width as usize, height as usize);
    let encoded = match image.color().has_alpha() {
        true => {
            let pixels = image.to_rgba8();
            let pixels = pixels.pixels().map(|pixel| RGBA8::from(pixel.0));
            let pixels: Vec<RGBA8> = pixels.collect();
            encoder.encode_rgba(Img::new(&pixels, size.0, size.1))
        }
        false => {
            let pixels = image.to_rgb8();
            let pixels: Vec<RGB8> = pixels.pixels().map(|pixel| RGB8::from(pixel.0)).collect();
            encoder.encode_rgb(Img::new(&pixels, size.0, size.1))
        }
    };
    let encoded = encoded.map_err(|error| DecodeError::TooLarge(error.to_string()))?;
    Ok(encoded.avif_file)
}
