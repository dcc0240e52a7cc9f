//! The crop of a picture, as Camera Raw stores it.

use std::fmt;

use super::SidecarError;
use super::packet::{Packet, Place};
use super::properties::Editor;
use super::schema::{
    ALREADY_APPLIED, CROP_ANGLE, CROP_BOTTOM, CROP_LEFT, CROP_RIGHT, CROP_TOP, HAS_CROP, Property,
};

/// The number of units in a side of the picture, and in a degree.
const UNITS: f64 = 1_000_000.0;
/// The maximum angle, in degrees.
const MAX_ANGLE: f64 = 45.0;

/// The part of a picture that is shown: the upper left and the lower right corner of a rectangle, in millionths of the
/// sides of the picture as it is stored, without its orientation; and the millionths of a degree by which the rectangle
/// is rotated to the right around its middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CameraRawCrop {
    pub top: i32,
    pub left: i32,
    pub bottom: i32,
    pub right: i32,
    /// -45 to 45 degrees.
    pub angle: i32,
}

impl CameraRawCrop {
    const WHOLE: Self = Self {
        top: 0,
        left: 0,
        bottom: 1_000_000,
        right: 1_000_000,
        angle: 0,
    };

    /// Creates a crop from fractions and degrees, which are rounded. Returns `None` for numbers that make no crop.
    #[must_use]
    pub fn new([top, left, bottom, right]: [f64; 4], angle: f64) -> Option<Self> {
        // Corners of a rotated rectangle that is inside the picture are inside, too.
        let side = |value: f64| millionths(value).filter(|_| (-1.0..=2.0).contains(&value));
        let crop = Self {
            top: side(top)?,
            left: side(left)?,
            bottom: side(bottom)?,
            right: side(right)?,
            angle: millionths(angle).filter(|_| angle.abs() <= MAX_ANGLE)?,
        };
        let is_empty = crop.top == crop.bottom && crop.left == crop.right;
        (!is_empty && crop != Self::WHOLE).then_some(crop)
    }

    /// Returns the top, left, bottom and right side as fractions, and the angle in degrees.
    #[must_use]
    pub fn fractions(self) -> ([f64; 4], f64) {
        let fraction = |units: i32| f64::from(units) / UNITS;
        let sides = [self.top, self.left, self.bottom, self.right];
        (sides.map(fraction), fraction(self.angle))
    }

    /// Reads the crop in a sidecar. A number that makes no sense makes none, and so do pixels that are cropped already.
    pub(super) fn read(packet: &Packet<'_, '_>) -> Option<Self> {
        let is_true = |property: &Property| {
            let places = packet.places(property);
            let mut texts = places.iter().flat_map(Place::texts);
            texts.any(|text| text.trim().eq_ignore_ascii_case("true"))
        };
        if !is_true(&HAS_CROP) || is_true(&ALREADY_APPLIED) {
            return None;
        }
        let number = |property: &Property, absent: f64| {
            let places = packet.places(property);
            let text = places.iter().flat_map(Place::texts).next();
            text.map_or(Some(absent), |text| text.trim().parse().ok())
        };
        let sides = [
            number(&CROP_TOP, 0.0)?,
            number(&CROP_LEFT, 0.0)?,
            number(&CROP_BOTTOM, 1.0)?,
            number(&CROP_RIGHT, 1.0)?,
        ];
        Self::new(sides, number(&CROP_ANGLE, 0.0)?)
    }
}

fn millionths(value: f64) -> Option<i32> {
    let units = (value * UNITS).round();
    #[expect(clippy::cast_possible_truncation, reason = "in range")]
    (units.abs() < 1e9).then_some(units as i32)
}

/// A number of millionths, with as few digits as it needs.
struct Decimal(i32);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.0) / UNITS)
    }
}

/// Sets the crop, or removes it. Other settings of Camera Raw stay.
pub(super) fn set(
    editor: &mut Editor<'_, '_>,
    crop: Option<CameraRawCrop>,
) -> Result<(), SidecarError> {
    editor.set_or_remove(&HAS_CROP, crop.map(|_| "True"))?;
    let value = |of: fn(CameraRawCrop) -> i32| crop.map(|crop| Decimal(of(crop)));
    editor.set_or_remove(&CROP_TOP, value(|crop| crop.top))?;
    editor.set_or_remove(&CROP_LEFT, value(|crop| crop.left))?;
    editor.set_or_remove(&CROP_BOTTOM, value(|crop| crop.bottom))?;
    editor.set_or_remove(&CROP_RIGHT, value(|crop| crop.right))?;
    editor.set_or_remove(&CROP_ANGLE, value(|crop| crop.angle))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_make_no_crop_are_refused() {
        let of = |sides, angle| CameraRawCrop::new(sides, angle);
        assert!(of([0.1, 0.2, 0.9, 0.8], -45.0).is_some());
        for (sides, angle) in [
            ([0.0, 0.0, 1.0, 1.0], 0.0),
            ([0.5, 0.5, 0.5, 0.5], 1.0),
            ([f64::NAN, 0.0, 1.0, 1.0], 1.0),
            ([0.0, f64::INFINITY, 1.0, 1.0], 1.0),
            ([0.0, 0.0, 1e300, 1.0], 1.0),
            ([0.0, 0.0, 3.0, 1.0], 1.0),
            ([0.1, 0.2, 0.9, 0.8], 45.1),
            ([0.1, 0.2, 0.9, 0.8], f64::NAN),
        ] {
            assert_eq!(of(sides, angle), None, "{sides:?} {angle}");
        }
    }
}
