//! Decoding of PNG, with the colours that its chunks name and with its orientation, even if that is stated
//! behind the pixels.

use std::io::{BufRead, Seek};

use image::metadata::Orientation;
use image::{ImageDecoder, ImageFormat, ImageReader};
use moxcms::{Chromaticity, ColorPrimaries, ColorProfile, ToneReprCurve, XyY};

use super::Picture;
use super::general::picture;
use super::pixels::Samples;
use crate::cicp::{Cicp, Hdr};
use crate::header::{PngNotes, png_notes};
use crate::tiff::orientation_in;
use crate::{DecodeError, Limits};

/// Decodes the PNG at `start`, the current position of `file`.
pub(super) fn decode(
    mut file: impl BufRead + Seek,
    start: u64,
    limits: Limits,
) -> Result<Picture, DecodeError> {
    let notes = png_notes(&mut file).unwrap_or_default();
    file.seek(std::io::SeekFrom::Start(start))?;
    let mut reader = ImageReader::with_format(file, ImageFormat::Png);
    // The decoder unpacks the colour profile at once.
    reader.limits(limits.for_header());
    let mut decoder = reader.into_decoder()?;
    limits.apply(&mut decoder)?;
    let exif = notes.exif.as_deref();
    let orientation = exif
        .and_then(orientation_in)
        .unwrap_or(Orientation::NoTransforms);
    let cicp = notes.cicp.map(|(primaries, transfer)| Cicp {
        primaries,
        transfer,
    });
    let stored = match cicp {
        Some(_) => None,
        None => decoder.icc_profile().unwrap_or(None),
    };
    let samples = Samples::read(decoder, true)?;
    if let Some(hdr) = cicp.and_then(Hdr::of)
        && samples.colour.has_color()
    {
        return Ok(picture(samples.into_srgb(hdr)?, orientation, None));
    }
    let has_colours = samples.colour.has_color();
    let profile = match cicp {
        Some(cicp) => cicp.profile(),
        None => stored.or_else(|| named(&notes, has_colours)),
    };
    Ok(picture(samples.into_pixels()?, orientation, profile))
}

/// Returns a profile for the stated curve and colours. `None` if that is sRGB, or if nothing is stated.
fn named(notes: &PngNotes, has_colours: bool) -> Option<Vec<u8>> {
    if notes.is_srgb || notes.has_profile {
        return None;
    }
    let gamma = notes
        .gamma
        .filter(|gamma| (1_000..=1_000_000).contains(gamma));
    let gamma = gamma
        .map(parts)
        .filter(|gamma| (gamma - SRGB_GAMMA).abs() > TOLERANCE);
    if !has_colours {
        return ColorProfile::new_gray_with_gamma(1.0 / gamma?)
            .encode()
            .ok();
    }
    let places = notes.chromaticities.map(|places| places.map(parts));
    let places = places.filter(|places| {
        let mut pairs = places.iter().zip(SRGB);
        pairs.any(|(place, srgb)| (place - srgb).abs() > TOLERANCE)
    });
    if gamma.is_none() && places.is_none() {
        return None;
    }
    let mut profile = ColorProfile::new_srgb();
    profile.cicp = None;
    if let Some(gamma) = gamma {
        let curve = ToneReprCurve::Parametric(vec![1.0 / gamma]);
        profile.red_trc = Some(curve.clone());
        profile.green_trc = Some(curve.clone());
        profile.blue_trc = Some(curve);
    }
    if let Some(
        [
            white_x,
            white_y,
            red_x,
            red_y,
            green_x,
            green_y,
            blue_x,
            blue_y,
        ],
    ) = places
    {
        let white = XyY {
            x: white_x.into(),
            y: white_y.into(),
            yb: 1.0,
        };
        let primaries = ColorPrimaries {
            red: Chromaticity::new(red_x, red_y),
            green: Chromaticity::new(green_x, green_y),
            blue: Chromaticity::new(blue_x, blue_y),
        };
        profile.update_rgb_colorimetry(white, primaries);
    }
    profile.encode().ok()
}

/// The exponent that approximates the curve of sRGB, and the difference from it that is still invisible.
const SRGB_GAMMA: f32 = 1.0 / 2.2;
const TOLERANCE: f32 = 0.006;
/// The white point and primaries of sRGB in CIE xy.
const SRGB: [f32; 8] = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06];

/// Converts parts of 100,000 to a number.
fn parts(number: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "places and exponents are small")]
    let number = number as f32;
    number / 100_000.0
}

#[cfg(test)]
mod tests {
    use super::super::Channels;
    use super::super::Pixels;
    use super::super::colour::to_srgb;
    use super::*;

    #[track_caller]
    fn check(notes: &PngNotes, colour: [u8; 3], expected: [u8; 3]) {
        let profile = named(notes, true);
        let pixels = Pixels::new(1, 1, Channels::Rgb, colour.to_vec()).unwrap();
        let shown = to_srgb(pixels, profile.as_deref());
        let is_near = shown
            .bytes()
            .iter()
            .zip(expected)
            .all(|(is, it)| is.abs_diff(it) <= 2);
        assert!(is_near, "{:?}, not {expected:?}", shown.bytes());
    }

    /// The expected values follow from the curve of sRGB, and from the matrix of CSS Color 4 from Display P3.
    #[test]
    fn gamma_and_primaries_are_applied() {
        let linear = PngNotes {
            gamma: Some(100_000),
            ..PngNotes::default()
        };
        check(&linear, [147, 12, 0], [200, 60, 0]);
        let p3 = PngNotes {
            gamma: Some(45_455),
            chromaticities: Some([
                31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000,
            ]),
            ..PngNotes::default()
        };
        check(&p3, [200, 100, 50], [215, 93, 31]);
    }

    #[test]
    fn srgb_needs_no_profile() {
        let srgb = [
            31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000,
        ];
        for notes in [
            PngNotes::default(),
            PngNotes {
                gamma: Some(45_455),
                chromaticities: Some(srgb),
                ..PngNotes::default()
            },
            PngNotes {
                gamma: Some(100_000),
                is_srgb: true,
                ..PngNotes::default()
            },
            PngNotes {
                gamma: Some(0),
                ..PngNotes::default()
            },
        ] {
            assert_eq!(named(&notes, true), None, "{notes:?}");
        }
    }

    #[test]
    fn any_numbers_never_panic() {
        for number in [0, 1, 999, 1_000, 31_270, u32::MAX] {
            let notes = PngNotes {
                gamma: Some(number),
                chromaticities: Some([number; 8]),
                ..PngNotes::default()
            };
            let pixels = Pixels::new(1, 1, Channels::Rgb, vec![1, 2, 3]).unwrap();
            let _shown = to_srgb(pixels, named(&notes, true).as_deref());
            let _profile = named(&notes, false);
        }
    }
}
