//! Pictures whose channels are separate planes, as JPEG stores them.

/// The samples of one channel, row by row from the top, without gaps. There may be fewer samples than the picture has
/// pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plane {
    width: u32,
    height: u32,
    across: Ratio,
    down: Ratio,
    samples: Vec<u8>,
}

/// A number of pixels per number of samples.
type Ratio = (u8, u8);

impl Plane {
    /// Creates a plane from samples that cover pixels in these ratios along each side. `None` unless the number of
    /// samples is positive and matches the sides, and the ratios are valid.
    #[must_use]
    pub fn new(
        (width, height): (u32, u32),
        (across, down): (Ratio, Ratio),
        samples: Vec<u8>,
    ) -> Option<Self> {
        let count = u64::from(width) * u64::from(height);
        let has_ratios = [across.0, across.1, down.0, down.1]
            .iter()
            .all(|&part| part > 0);
        let fits = count > 0 && count == samples.len() as u64 && has_ratios;
        fits.then_some(Self {
            width,
            height,
            across,
            down,
            samples,
        })
    }

    /// The number of samples in a row.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    #[must_use]
    pub fn samples(&self) -> &[u8] {
        &self.samples
    }

    /// Returns the number of pixels per sample, across and down, before any reduction by the decoder.
    pub(super) fn pixels_of_a_sample(&self) -> (f64, f64) {
        let ratio = |(pixels, samples): Ratio| f64::from(pixels) / f64::from(samples);
        (ratio(self.across), ratio(self.down))
    }
}

/// The planes of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Planes {
    /// Grey.
    Gray(Plane),
    /// Luminance, blue difference and red difference (ITU-T T.871, 6.2).
    Ycc([Plane; 3]),
}

/// The number of bits behind the binary point.
const BITS: u32 = 16;

/// Converts a constant to a fixed-point number with [`BITS`] bits behind the point.
const fn fixed(value: f64) -> i32 {
    (value * (1 << BITS) as f64 + 0.5) as i32
}

/// Converts samples to RGB. Each plane has one sample per pixel (ITU-T T.871, 7).
pub(super) fn to_rgb(luminance: &[u8], blue: &[u8], red: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; luminance.len() * 3];
    let samples = luminance.iter().zip(blue.iter().zip(red));
    for (pixel, (&luminance, (&blue, &red))) in bytes.chunks_exact_mut(3).zip(samples) {
        let (blue, red) = (i32::from(blue) - 128, i32::from(red) - 128);
        let luminance = (i32::from(luminance) << BITS) + (1 << (BITS - 1));
        let channel = |more: i32| ((luminance + more) >> BITS).clamp(0, 255) as u8;
        pixel[0] = channel(fixed(1.402) * red);
        pixel[1] = channel(-fixed(0.344_136_286) * blue - fixed(0.714_136_286) * red);
        pixel[2] = channel(fixed(1.772) * blue);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plane_length_must_match_its_sides() {
        let full = ((1, 1), (1, 1));
        assert!(Plane::new((2, 3), full, vec![0; 6]).is_some());
        assert!(Plane::new((2, 3), full, vec![0; 5]).is_none());
        assert!(Plane::new((0, 3), full, Vec::new()).is_none());
        assert!(Plane::new((1, 1), ((1, 0), (1, 1)), vec![0]).is_none());
    }

    #[test]
    fn colours_are_those_of_jfif() {
        let check = |[y, blue, red]: [u8; 3], expected: [u8; 3]| {
            assert_eq!(to_rgb(&[y], &[blue], &[red]), expected);
        };
        check([0, 128, 128], [0, 0, 0]);
        check([255, 128, 128], [255, 255, 255]);
        // The pure colours, as an encoder rounds them.
        check([76, 85, 255], [254, 0, 0]);
        check([150, 44, 21], [0, 255, 1]);
        check([29, 255, 107], [0, 0, 254]);
        check([255, 255, 255], [255, 121, 255]);
    }
}
