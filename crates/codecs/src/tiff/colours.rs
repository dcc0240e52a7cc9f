//! Conversion of the samples of a picture to displayed colours.

use std::io::{Read, Seek};

use fumikura_image::{
    Channels, DecodeError,
    tiff::{Tiff, tag},
};

use super::layout::{Layout, Photometric};
use crate::colour::{Light, divide_by_opacity};

/// The colours of the samples, as the file states them.
#[derive(Debug, Clone)]
pub(super) enum Colours {
    /// The samples are the displayed colours.
    Direct,
    /// 0 is white.
    Inverted,
    Ycc(Ycc),
    Lab {
        is_signed: bool,
    },
}

/// The conversion of luma and chroma to red, green and blue (TIFF 6.0, section 21).
#[derive(Debug, Clone)]
pub(super) struct Ycc {
    /// The contributions of red, green and blue to the luma.
    luma: [f64; 3],
    /// The samples that mean black and white, or none and full colour.
    reference: [(f64, f64); 3],
}

impl Colours {
    pub(super) fn read<R: Read + Seek>(
        tiff: &mut Tiff<R>,
        layout: &Layout,
    ) -> Result<Self, DecodeError> {
        Ok(match layout.photometric {
            Photometric::WhiteIsZero => Self::Inverted,
            Photometric::BlackIsZero
            | Photometric::Rgb
            | Photometric::Palette
            | Photometric::Inks => Self::Direct,
            // The decoder of an embedded picture converts it to colours.
            Photometric::Ycc if layout.compression.is_picture() => Self::Direct,
            Photometric::Ycc => Self::Ycc(Ycc::read(tiff)?),
            Photometric::CieLab => Self::Lab { is_signed: true },
            Photometric::IccLab => Self::Lab { is_signed: false },
        })
    }

    /// Converts the samples to displayed colours.
    pub(super) fn apply(&self, layout: &Layout, bytes: &mut [u8]) {
        let channels = layout.channels();
        let count = channels.count();
        match self {
            Self::Direct => {}
            Self::Inverted => {
                for pixel in bytes.chunks_exact_mut(count) {
                    pixel[0] = 255 - pixel[0];
                }
            }
            Self::Ycc(ycc) => ycc.apply(bytes, count),
            Self::Lab { is_signed } => lab(bytes, count, *is_signed),
        }
        let is_multiplied = layout.opacity.is_some_and(|opacity| opacity.is_multiplied);
        if is_multiplied && matches!(channels, Channels::GrayAlpha | Channels::Rgba) {
            divide_by_opacity(bytes, count);
        }
    }
}

impl Ycc {
    fn read<R: Read + Seek>(tiff: &mut Tiff<R>) -> Result<Self, DecodeError> {
        let luma = tiff.fractions(tag::YCC_COEFFICIENTS, 3)?;
        let luma = <[f64; 3]>::try_from(luma).ok();
        let luma = luma.filter(|luma| luma.iter().all(|part| *part > 0.0 && *part < 1.0));
        let reference = tiff.fractions(tag::REFERENCE_BLACK_WHITE, 6)?;
        let reference = match reference[..] {
            [a, b, c, d, e, f] if a != b && c != d && e != f => [(a, b), (c, d), (e, f)],
            _ => [(0.0, 255.0), (128.0, 255.0), (128.0, 255.0)],
        };
        Ok(Self {
            luma: luma.unwrap_or([0.299, 0.587, 0.114]),
            reference,
        })
    }

    fn apply(&self, bytes: &mut [u8], count: usize) {
        let [red, green, blue] = self.luma;
        let scaled = |place: usize, max: f64| {
            let (zero, full) = self.reference[place];
            std::array::from_fn::<f64, 256, _>(|byte| {
                let byte = f64::from(u8::try_from(byte).unwrap_or(u8::MAX));
                (byte - zero) * max / (full - zero)
            })
        };
        let tables = [scaled(0, 255.0), scaled(1, 127.0), scaled(2, 127.0)];
        for pixel in bytes.chunks_exact_mut(count) {
            let [luma, first, second, ..] = pixel else {
                continue;
            };
            let [y, cb, cr] = [(0, &*luma), (1, &*first), (2, &*second)]
                .map(|(place, byte)| tables[place][usize::from(*byte)]);
            let r = y + cr * (2.0 - 2.0 * red);
            let b = y + cb * (2.0 - 2.0 * blue);
            let g = (y - blue * b - red * r) / green;
            [*luma, *first, *second] = [r, g, b].map(whole);
        }
    }
}

/// Converts CIE L*a*b* under D50, as in ICC profiles, to sRGB. L* of 8 bits is 0…100 as 0…255; a* and b* are
/// stored as they are, or with 128 added.
fn lab(bytes: &mut [u8], count: usize, is_signed: bool) {
    let light = Light::new();
    for pixel in bytes.chunks_exact_mut(count) {
        let [lightness, a, b, ..] = pixel else {
            continue;
        };
        let number = |byte: u8| match is_signed {
            true => f32::from(byte.cast_signed()),
            false => f32::from(byte) - 128.0,
        };
        let colour = light.of_lab(
            f32::from(*lightness) * 100.0 / 255.0,
            number(*a),
            number(*b),
        );
        [*lightness, *a, *b] = colour;
    }
}

fn whole(exact: f64) -> u8 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0…255 before; what is no number becomes 0"
    )]
    let whole = exact.round().clamp(0.0, 255.0) as u8;
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luma_and_chroma_become_colours() {
        let ycc = Ycc {
            luma: [0.299, 0.587, 0.114],
            reference: [(0.0, 255.0), (128.0, 255.0), (128.0, 255.0)],
        };
        let mut bytes = [255, 128, 128, 0, 128, 128, 76, 85, 255];
        ycc.apply(&mut bytes, 3);
        assert_eq!(bytes, [255, 255, 255, 0, 0, 0, 254, 0, 0]);
    }

    #[test]
    fn studio_range_levels_reach_black_and_white() {
        let ycc = Ycc {
            luma: [0.299, 0.587, 0.114],
            reference: [(16.0, 235.0), (128.0, 240.0), (128.0, 240.0)],
        };
        let mut bytes = [235, 128, 128, 16, 128, 128];
        ycc.apply(&mut bytes, 3);
        assert_eq!(bytes, [255, 255, 255, 0, 0, 0]);
    }
}
