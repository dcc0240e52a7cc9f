//! Conversion of CIE L*a*b* to sRGB.

use fumikura_image::cicp::{srgb_codes, step};

/// The sRGB numbers of light.
pub(crate) struct Light {
    codes: Vec<u8>,
}

/// White of D50 (ICC.1:2022, 6.3.4.1).
const WHITE: [f32; 3] = [0.9642, 1.0, 0.8249];
/// The matrix from XYZ under D50 to linear light in the colours of sRGB (Bradford's adaptation to D65).
const TO_SRGB: [[f32; 3]; 3] = [
    [3.134_136, -1.617_386, -0.490_662],
    [-0.978_795, 1.916_254, 0.033_443],
    [0.071_955, -0.228_977, 1.405_386],
];

impl Light {
    pub(crate) fn new() -> Self {
        Self {
            codes: srgb_codes(),
        }
    }

    /// Returns the colour of a lightness of 0…100, and of the two opponent colours.
    pub(crate) fn of_lab(&self, lightness: f32, a: f32, b: f32) -> [u8; 3] {
        let y = (lightness + 16.0) / 116.0;
        let [x, y, z] = [y + a / 500.0, y, y - b / 200.0].map(cubed);
        let xyz = [x * WHITE[0], y * WHITE[1], z * WHITE[2]];
        TO_SRGB.map(|row| {
            let light = row[0] * xyz[0] + row[1] * xyz[1] + row[2] * xyz[2];
            self.codes[step(light)]
        })
    }
}

/// Returns the inverse of CIE's cube root, which is linear near black.
fn cubed(root: f32) -> f32 {
    const KNEE: f32 = 6.0 / 29.0;
    if root > KNEE {
        root * root * root
    } else {
        3.0 * KNEE * KNEE * (root - 4.0 / 29.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lab: [f32; 3], expected: [u8; 3]) {
        let [lightness, a, b] = lab;
        let found = Light::new().of_lab(lightness, a, b);
        let is_near = found
            .iter()
            .zip(expected)
            .all(|(is, it)| is.abs_diff(it) <= 1);
        assert!(is_near, "{lab:?}: {found:?}, not {expected:?}");
    }

    /// The expected values are those of CSS Color 4 for sRGB colours in L*a*b*.
    #[test]
    fn lab_becomes_srgb() {
        check([0.0, 0.0, 0.0], [0; 3]);
        check([100.0, 0.0, 0.0], [255; 3]);
        check([54.29, 80.81, 69.89], [255, 0, 0]);
        check([87.82, -79.27, 80.99], [0, 255, 0]);
        check([29.57, 68.30, -112.03], [0, 0, 255]);
        check([53.59, 0.0, 0.0], [128; 3]);
    }
}
