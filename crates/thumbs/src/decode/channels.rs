//! Pictures with 8 bits a channel: grey or colour, with or without transparency.

use image::{DynamicImage, GrayAlphaImage, GrayImage, RgbImage, RgbaImage};

/// The same picture with 8 bits a channel and as many channels.
pub(super) fn with_8_bits(image: DynamicImage) -> DynamicImage {
    match channels(&image) {
        1 => image.into_luma8().into(),
        2 => image.into_luma_alpha8().into(),
        3 => image.into_rgb8().into(),
        _ => image.into_rgba8().into(),
    }
}

/// 1 grey, 2 grey with transparency, 3 colour, 4 colour with transparency.
pub(super) fn channels(image: &DynamicImage) -> u8 {
    image.color().channel_count()
}

/// The picture whose channels are `bytes`, as many to a pixel as `channels` says.
pub(super) fn from_bytes(channels: u8, width: u32, height: u32, bytes: Vec<u8>) -> DynamicImage {
    let image = match channels {
        1 => GrayImage::from_raw(width, height, bytes).map(Into::into),
        2 => GrayAlphaImage::from_raw(width, height, bytes).map(Into::into),
        3 => RgbImage::from_raw(width, height, bytes).map(Into::into),
        _ => RgbaImage::from_raw(width, height, bytes).map(Into::into),
    };
    image.expect("BUG: there are width × height × channels bytes")
}
