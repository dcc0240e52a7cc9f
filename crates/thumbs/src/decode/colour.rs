//! Colours: from the profile of the picture to sRGB, which is what thumbnails are in.

use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

use super::{Channels, Pixels};

/// Converts a picture to sRGB. Done after scaling, when few pixels are left.
///
/// A profile that is broken, or that is for other channels than the decoder delivered, is left out
/// of account: slightly wrong colours are better than no picture, and the same is what browsers do.
pub(super) fn to_srgb(pixels: Pixels, profile: Option<&[u8]>) -> Pixels {
    let Some(profile) = profile.and_then(|bytes| ColorProfile::new_from_slice(bytes).ok()) else {
        return pixels;
    };
    converted(&pixels, &profile).unwrap_or(pixels)
}

fn converted(pixels: &Pixels, profile: &ColorProfile) -> Option<Pixels> {
    // Grey comes out with colour channels, which also suits a grey profile with a tint.
    let (source, space, target, channels) = match pixels.channels() {
        Channels::Gray => (
            Layout::Gray,
            DataColorSpace::Gray,
            Layout::Rgb,
            Channels::Rgb,
        ),
        Channels::GrayAlpha => (
            Layout::GrayAlpha,
            DataColorSpace::Gray,
            Layout::Rgba,
            Channels::Rgba,
        ),
        Channels::Rgb => (Layout::Rgb, DataColorSpace::Rgb, Layout::Rgb, Channels::Rgb),
        Channels::Rgba => (
            Layout::Rgba,
            DataColorSpace::Rgb,
            Layout::Rgba,
            Channels::Rgba,
        ),
        // The library takes any four channels as this layout; the profile says that they are inks.
        Channels::Cmyk => (
            Layout::Rgba,
            DataColorSpace::Cmyk,
            Layout::Rgb,
            Channels::Rgb,
        ),
    };
    if profile.color_space != space {
        return None;
    }
    let srgb = ColorProfile::new_srgb();
    let transform = profile
        .create_transform_8bit(source, &srgb, target, TransformOptions::default())
        .ok()?;
    let count = pixels.bytes().len() / pixels.channels().count();
    let mut bytes = vec![0; count * channels.count()];
    transform.transform(pixels.bytes(), &mut bytes).ok()?;
    Pixels::new(pixels.width(), pixels.height(), channels, bytes)
}
