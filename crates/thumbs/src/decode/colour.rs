//! Colours: from the profile of the picture to sRGB, which is what thumbnails are in.

use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

use super::{Channels, Raster};

/// Converts a picture to sRGB. Done after scaling, when few pixels are left.
///
/// A profile that is broken, or that is for other channels than the decoder delivered, is left out
/// of account: slightly wrong colours are better than no picture, and the same is what browsers do.
pub(super) fn to_srgb(raster: Raster, profile: Option<&[u8]>) -> Raster {
    let Some(profile) = profile.and_then(|bytes| ColorProfile::new_from_slice(bytes).ok()) else {
        return raster;
    };
    converted(&raster, &profile).unwrap_or(raster)
}

fn converted(raster: &Raster, profile: &ColorProfile) -> Option<Raster> {
    // Grey comes out with colour channels, which also suits a grey profile with a tint.
    let (source, space, target, channels) = match raster.channels() {
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
    let pixels = raster.bytes().len() / raster.channels().count();
    let mut bytes = vec![0; pixels * channels.count()];
    transform.transform(raster.bytes(), &mut bytes).ok()?;
    Raster::new(raster.width(), raster.height(), channels, bytes)
}
