//! Conversion of HDR pictures to sRGB.

use super::Cicp;

/// A curve of ITU-R BT.2100, which has two, with its colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hdr {
    curve: Curve,
    primaries: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Curve {
    /// Absolute light: candelas per square metre, up to 10,000.
    Pq,
    /// Relative light: parts of the peak of the screen, as broadcasters use it.
    Hlg,
}

/// The luminance of white paper and of letters, in candelas per square metre (ITU-R BT.2408).
const WHITE: f32 = 203.0;
/// The brightest light that is distinguished, in the same unit: the limit of screens and of grading.
const MAX_LIGHT: f32 = 1000.0;
/// The part of white up to which light is unchanged. Brighter light shares the rest.
const KNEE: f32 = 0.6;

/// Matrices from linear light in the colours of BT.2020 and of Display P3 to linear light in those of sRGB
/// (CSS Color 4).
const FROM_BT2020: [[f32; 3]; 3] = [
    [1.660_491, -0.587_641_1, -0.072_849_9],
    [-0.124_550_5, 1.132_899_9, -0.008_349_4],
    [-0.018_150_8, -0.100_578_9, 1.118_729_7],
];
const FROM_P3: [[f32; 3]; 3] = [
    [1.224_940_2, -0.224_940_2, 0.0],
    [-0.042_056_9, 1.042_056_9, 0.0],
    [-0.019_637_6, -0.078_636_1, 1.098_273_7],
];
const IDENTITY: [[f32; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Hdr {
    /// Returns `None` if the numbers are not those of such a picture.
    #[must_use]
    pub fn of(cicp: Cicp) -> Option<Self> {
        let curve = match cicp.transfer {
            16 => Curve::Pq,
            18 => Curve::Hlg,
            _ => return None,
        };
        Some(Self {
            curve,
            primaries: cicp.primaries,
        })
    }

    /// Converts pixels of 16 bits per channel to sRGB pixels of 8 bits. Each has `channels` channels:
    /// colours, then others.
    #[must_use]
    pub fn to_srgb(self, samples: &[u16], channels: usize) -> Vec<u8> {
        let light = self.lights();
        let code = srgb_codes();
        let matrix = match self.primaries {
            9 => FROM_BT2020,
            11 | 12 => FROM_P3,
            _ => IDENTITY,
        };
        let mut bytes = Vec::with_capacity(samples.len());
        for pixel in samples.chunks_exact(channels) {
            let [red, green, blue, rest @ ..] = pixel else {
                continue;
            };
            let seen = self.on_screen([red, green, blue].map(|&value| light[usize::from(value)]));
            let darkened = tone_map(matrix.map(|row| {
                let [red, green, blue] = seen;
                row[0] * red + row[1] * green + row[2] * blue
            }));
            bytes.extend(darkened.map(|light| code[step(light)]));
            bytes.extend(rest.iter().map(|&value| value.to_be_bytes()[0]));
        }
        bytes
    }

    /// Returns the light of each number, relative to white.
    fn lights(self) -> Vec<f32> {
        (0..=u16::MAX)
            .map(|number| {
                let value = f32::from(number) / f32::from(u16::MAX);
                match self.curve {
                    Curve::Pq => pq(value) / WHITE,
                    Curve::Hlg => hlg(value),
                }
            })
            .collect()
    }

    /// Converts light to that of a screen: scene light becomes darker in its dark parts (BT.2100, table 5).
    fn on_screen(self, light: [f32; 3]) -> [f32; 3] {
        match self.curve {
            Curve::Pq => light,
            Curve::Hlg => {
                let luminance = 0.2627 * light[0] + 0.678 * light[1] + 0.0593 * light[2];
                let gain = luminance.max(0.0).powf(0.2) * MAX_LIGHT / WHITE;
                light.map(|light| light * gain)
            }
        }
    }
}

/// Returns candelas per square metre (SMPTE ST 2084).
fn pq(value: f32) -> f32 {
    const M1: f32 = 2610.0 / 16384.0;
    const M2: f32 = 2523.0 / 4096.0 * 128.0;
    const C1: f32 = 3424.0 / 4096.0;
    const C2: f32 = 2413.0 / 4096.0 * 32.0;
    const C3: f32 = 2392.0 / 4096.0 * 32.0;
    let power = value.powf(1.0 / M2);
    10_000.0 * ((power - C1).max(0.0) / (C2 - C3 * power)).powf(1.0 / M1)
}

/// Returns the light of the scene, 0…1 (BT.2100, table 5).
fn hlg(value: f32) -> f32 {
    const A: f32 = 0.178_832_77;
    const B: f32 = 1.0 - 4.0 * A;
    const C: f32 = 0.559_910_7;
    if value <= 0.5 {
        value * value / 3.0
    } else {
        (((value - C) / A).exp() + B) / 12.0
    }
}

/// Reduces light brighter than white to white, by the same factor in all three channels, so that the colour
/// is preserved.
fn tone_map(light: [f32; 3]) -> [f32; 3] {
    let brightest = light.into_iter().fold(0.0, f32::max);
    if brightest <= KNEE {
        return light;
    }
    let room = 1.0 - KNEE;
    let above = |light: f32| (light - KNEE) / (light - KNEE + room);
    let reduced = KNEE + room * above(brightest) / above(MAX_LIGHT / WHITE);
    light.map(|light| light * (reduced.min(1.0) / brightest))
}

/// Converts light of 0…1 to one of 65,536 steps.
#[must_use]
pub fn step(light: f32) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0…65535 before"
    )]
    let step = (light.clamp(0.0, 1.0) * f32::from(u16::MAX)).round() as u16;
    usize::from(step)
}

/// Returns the sRGB number of each of 65,536 steps of light.
#[must_use]
pub fn srgb_codes() -> Vec<u8> {
    (0..=u16::MAX)
        .map(|step| {
            let light = f32::from(step) / f32::from(u16::MAX);
            let curved = if light <= 0.003_130_8 {
                12.92 * light
            } else {
                1.055 * light.powf(1.0 / 2.4) - 0.055
            };
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "0…1 times 255"
            )]
            let code = (curved * 255.0).round() as u8;
            code
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn srgb_pixel(transfer: u8, primaries: u8, value: f64) -> [u8; 3] {
        let hdr = Hdr::of(Cicp {
            primaries,
            transfer,
        });
        let sample = (value * 65535.0).round() as u16;
        let bytes = hdr.unwrap().to_srgb(&[sample; 3], 3);
        bytes.try_into().unwrap()
    }

    #[test]
    fn srgb_is_no_hdr_curve() {
        assert_eq!(Hdr::of(Cicp::SRGB), None);
    }

    #[test]
    fn tones_below_the_knee_are_unchanged() {
        // 18 % of white is 36.54 candelas: 0.4109 in PQ. Its sRGB number is 118.
        for primaries in [1, 9, 12] {
            assert_eq!(srgb_pixel(16, primaries, 0.410_9), [118; 3], "{primaries}");
        }
    }

    #[test]
    fn tone_curve_is_monotonic_up_to_white() {
        for transfer in [16, 18] {
            let greys: Vec<u8> = (0..=100)
                .map(|part| srgb_pixel(transfer, 9, f64::from(part) / 100.0)[0])
                .collect();
            assert!(greys.is_sorted(), "{greys:?}");
            assert_eq!((greys[0], greys[100]), (0, 255));
        }
        // White paper is nearly white, and leaves room for highlights.
        assert!((215..=245).contains(&srgb_pixel(16, 9, 0.580_7)[0]));
        assert!((215..=245).contains(&srgb_pixel(18, 9, 0.75)[0]));
    }

    #[test]
    fn opacity_channel_is_unchanged() {
        let hdr = Hdr::of(Cicp {
            primaries: 9,
            transfer: 16,
        });
        let bytes = hdr.unwrap().to_srgb(&[0, 0, 0, 0xC0FF], 4);
        assert_eq!(bytes, [0, 0, 0, 0xC0]);
    }
}
