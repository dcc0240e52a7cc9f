//! Colours: from the profile of the picture to sRGB, which is what thumbnails are in.

use image::DynamicImage;
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

use super::channels::{channels, from_bytes};

/// Converts a picture with 8 bits a channel to sRGB. Done after scaling, when few pixels are left.
///
/// A profile that is broken, or that is for other channels than the decoder delivered (CMYK), is
/// left out of account: slightly wrong colours are better than no picture, and the same is what
/// browsers do.
pub(super) fn to_srgb(image: DynamicImage, profile: Option<&[u8]>) -> DynamicImage {
    let Some(profile) = profile.and_then(|bytes| ColorProfile::new_from_slice(bytes).ok()) else {
        return image;
    };
    converted(&image, &profile).unwrap_or(image)
}

fn converted(image: &DynamicImage, profile: &ColorProfile) -> Option<DynamicImage> {
    // Grey comes out with colour channels, which also suits a grey profile with a tint.
    let (source, space, target, target_channels) = match channels(image) {
        1 => (Layout::Gray, DataColorSpace::Gray, Layout::Rgb, 3),
        2 => (Layout::GrayAlpha, DataColorSpace::Gray, Layout::Rgba, 4),
        3 => (Layout::Rgb, DataColorSpace::Rgb, Layout::Rgb, 3),
        _ => (Layout::Rgba, DataColorSpace::Rgb, Layout::Rgba, 4),
    };
    if profile.color_space != space {
        return None;
    }
    let srgb = ColorProfile::new_srgb();
    let transform = profile
        .create_transform_8bit(source, &srgb, target, TransformOptions::default())
        .ok()?;
    let pixels = image.as_bytes().len() / usize::from(channels(image));
    let mut bytes = vec![0; pixels * usize::from(target_channels)];
    transform.transform(image.as_bytes(), &mut bytes).ok()?;
    let (width, height) = (image.width(), image.height());
    Some(from_bytes(target_channels, width, height, bytes))
}
