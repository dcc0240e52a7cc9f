//! Converts colours from the picture's profile to sRGB, the colour space of thumbnails.

use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

use super::{Channels, Pixels};

/// Converts a picture to sRGB. Called after scaling, when few pixels are left.
///
/// A profile that is broken, or that is for other channels than the decoder delivered, is ignored: slightly wrong
/// colours are better than no picture, and browsers do the same.
pub(super) fn to_srgb(pixels: Pixels, profile: Option<&[u8]>) -> Pixels {
    let Some(profile) = profile.and_then(|bytes| ColorProfile::new_from_slice(bytes).ok()) else {
        return pixels;
    };
    let pixels = match profile.color_space == DataColorSpace::Gray {
        true => without_colours(pixels),
        false => pixels,
    };
    converted(&pixels, &profile).unwrap_or(pixels)
}

/// Reduces grey pixels that a decoder delivers with three equal channels to one channel. Other pixels stay as they
/// are.
fn without_colours(pixels: Pixels) -> Pixels {
    let (count, channels) = match pixels.channels() {
        Channels::Rgb => (3, Channels::Gray),
        Channels::Rgba => (4, Channels::GrayAlpha),
        Channels::Gray | Channels::GrayAlpha | Channels::Cmyk => return pixels,
    };
    let each = pixels.bytes().chunks_exact(count);
    let is_grey = |pixel: &[u8]| pixel[0] == pixel[1] && pixel[1] == pixel[2];
    if !each.clone().all(is_grey) {
        return pixels;
    }
    let bytes = each.flat_map(|pixel| pixel[..1].iter().chain(&pixel[3..]));
    let grey = Pixels::new(
        pixels.width(),
        pixels.height(),
        channels,
        bytes.copied().collect(),
    );
    grey.unwrap_or(pixels)
}

fn converted(pixels: &Pixels, profile: &ColorProfile) -> Option<Pixels> {
    // Grey is converted to colour channels, which also suits a grey profile with a tint.
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
        // The library accepts any four channels as this layout; the profile states that they are inks.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grey_profile_suits_grey_pixels_of_three_channels() {
        let profile = ColorProfile::new_gray_with_gamma(1.0).encode().unwrap();
        let pixels = Pixels::new(2, 1, Channels::Rgba, vec![40, 40, 40, 9, 255, 255, 255, 8]);
        let shown = to_srgb(pixels.unwrap(), Some(&profile));
        let [red, green, blue, opacity, ..] = shown.bytes() else {
            panic!("{shown:?}");
        };
        assert!(
            red.abs_diff(110) < 3 && red == green && green == blue,
            "{shown:?}"
        );
        assert_eq!(*opacity, 9);
        let coloured = Pixels::new(1, 1, Channels::Rgb, vec![40, 41, 40]).unwrap();
        assert_eq!(to_srgb(coloured.clone(), Some(&profile)), coloured);
    }
}
