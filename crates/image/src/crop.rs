//! The part of a picture that is shown, and the angle by which it is straightened.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::turn::Turn;

/// The units of a side of the picture, and of a degree, in which a crop is stored.
const SIDE: f64 = 1e7;
const DEGREE: f64 = 1e6;
/// The maximum angle, in degrees.
const MAX_ANGLE: f64 = 45.0;
/// The maximum side of a crop, in sides of the picture: that of a diagonal strip.
const MAX_SIDE: f64 = 100.0;
/// The distance by which a corner may be outside the picture, in pixels: values in files are rounded.
const TOLERANCE: f64 = 0.5;

/// A part of an upright picture: a rectangle that is rotated around its own middle. Positions and sides are fractions of
/// the picture's sides, so that a crop applies to the picture in any size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Crop {
    x: i32,
    y: i32,
    width: i32,
    height: i32,
    angle: i32,
}

/// The numbers of a [`Crop`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CropArea {
    /// The middle of the part, as a fraction of the picture's width.
    pub x: f64,
    /// The middle of the part, as a fraction of the picture's height.
    pub y: f64,
    /// The width of the part, as a fraction of the picture's width.
    pub width: f64,
    /// The height of the part, as a fraction of the picture's height.
    pub height: f64,
    /// The rotation of the part around its middle, in degrees to the right, -45 to 45: the picture appears rotated to
    /// the left.
    pub angle: f64,
}

/// The upper left and the lower right corner of a [`Crop`], as fractions of the sides of a picture, and its angle in
/// degrees, as Camera Raw stores them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CropCorners {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
    pub angle: f64,
}

/// An error for numbers that are not those of a [`Crop`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "a crop is x,y,width,height,angle: the middle of the part and its sides as fractions of the picture's, none of \
     them empty, and degrees from -45 to 45"
)]
pub struct InvalidCrop;

#[expect(clippy::cast_possible_truncation, reason = "in range")]
fn stored(value: f64, unit: f64) -> i32 {
    (value * unit).round() as i32
}

fn value(stored: i32, unit: f64) -> f64 {
    f64::from(stored) / unit
}

impl Crop {
    /// Creates a crop.
    ///
    /// # Errors
    /// [`InvalidCrop`]
    pub fn new(area: CropArea) -> Result<Self, InvalidCrop> {
        let CropArea {
            x,
            y,
            width,
            height,
            angle,
        } = area;
        // Comparisons with NaN are false.
        let is_valid = (0.0..=1.0).contains(&x)
            && (0.0..=1.0).contains(&y)
            && (1.0 / SIDE..=MAX_SIDE).contains(&width)
            && (1.0 / SIDE..=MAX_SIDE).contains(&height)
            && angle.abs() <= MAX_ANGLE;
        if !is_valid {
            return Err(InvalidCrop);
        }
        Ok(Self {
            x: stored(x, SIDE),
            y: stored(y, SIDE),
            width: stored(width, SIDE),
            height: stored(height, SIDE),
            angle: stored(angle, DEGREE),
        })
    }

    #[must_use]
    pub fn area(self) -> CropArea {
        CropArea {
            x: value(self.x, SIDE),
            y: value(self.y, SIDE),
            width: value(self.width, SIDE),
            height: value(self.height, SIDE),
            angle: value(self.angle, DEGREE),
        }
    }

    /// True if it is the whole picture.
    #[must_use]
    pub fn is_whole(self) -> bool {
        let whole = CropArea {
            x: 0.5,
            y: 0.5,
            width: 1.0,
            height: 1.0,
            angle: 0.0,
        };
        Self::new(whole) == Ok(self)
    }

    /// Returns the crop of a turned picture that shows the same part.
    #[must_use]
    pub fn turned(self, turn: Turn) -> Self {
        let one = stored(1.0, SIDE);
        let mut crop = self;
        let (is_mirrored, quarters) = turn.parts();
        if is_mirrored {
            crop.x = one - crop.x;
            crop.angle = -crop.angle;
        }
        for _ in 0..quarters {
            crop = Self {
                x: one - crop.y,
                y: crop.x,
                width: crop.height,
                height: crop.width,
                angle: crop.angle,
            };
        }
        crop
    }

    /// Returns the crop with these corners of a picture of `width` × `height` pixels, made smaller if it is partly
    /// outside the picture. `None` if nothing of it is inside.
    #[must_use]
    pub fn of_corners(corners: CropCorners, (width, height): (u32, u32)) -> Option<Self> {
        let (w, h) = (f64::from(width), f64::from(height));
        let inside = |value: f64| match corners.angle == 0.0 {
            true => value.clamp(0.0, 1.0),
            false => value,
        };
        let (left, top) = (inside(corners.left), inside(corners.top));
        let (right, bottom) = (inside(corners.right), inside(corners.bottom));
        let (across, down) = ((right - left) * w, (bottom - top) * h);
        let (sin, cos) = corners.angle.to_radians().sin_cos();
        let area = CropArea {
            x: left.midpoint(right),
            y: top.midpoint(bottom),
            width: (across * cos + down * sin) / w,
            height: (down * cos - across * sin) / h,
            angle: corners.angle,
        };
        Self::new(area).ok()?.fitted((width, height))
    }

    /// Returns the corners in a picture of `width` × `height` pixels.
    #[must_use]
    pub fn corners(self, (width, height): (u32, u32)) -> CropCorners {
        let area = self.area();
        let (w, h) = (f64::from(width), f64::from(height));
        let (across, down) = (area.width * w / 2.0, area.height * h / 2.0);
        let (sin, cos) = area.angle.to_radians().sin_cos();
        let (to_right, to_bottom) = (
            (across * cos - down * sin) / w,
            (across * sin + down * cos) / h,
        );
        CropCorners {
            left: area.x - to_right,
            top: area.y - to_bottom,
            right: area.x + to_right,
            bottom: area.y + to_bottom,
            angle: area.angle,
        }
    }

    /// Returns half of the width and height of the upright rectangle around the part, in pixels.
    fn reach(self, (width, height): (u32, u32)) -> (f64, f64) {
        let area = self.area();
        let across = area.width * f64::from(width) / 2.0;
        let down = area.height * f64::from(height) / 2.0;
        let (sin, cos) = area.angle.to_radians().sin_cos();
        (
            across * cos + down * sin.abs(),
            across * sin.abs() + down * cos,
        )
    }

    /// True if the whole part is inside a picture of `width` × `height` pixels.
    #[must_use]
    pub fn fits(self, size: (u32, u32)) -> bool {
        let (across, down) = self.reach(size);
        let is_inside = |middle: f64, reach: f64, side: u32| {
            let side = f64::from(side);
            middle * side - reach >= -TOLERANCE && middle * side + reach <= side + TOLERANCE
        };
        let area = self.area();
        is_inside(area.x, across, size.0) && is_inside(area.y, down, size.1)
    }

    /// Returns a part that is inside a picture of `width` × `height` pixels: it is moved, and made smaller as far as
    /// necessary. `None` if nothing is left.
    #[must_use]
    pub fn fitted(self, size: (u32, u32)) -> Option<Self> {
        let (across, down) = self.reach(size);
        let (w, h) = (f64::from(size.0), f64::from(size.1));
        if !(across > 0.0 && down > 0.0) {
            return None;
        }
        let scale = (w / 2.0 / across).min(h / 2.0 / down).min(1.0);
        let moved = |middle: f64, reach: f64, side: f64| {
            let reach = (reach * scale / side).min(0.5);
            middle.clamp(reach, 1.0 - reach)
        };
        let area = self.area();
        let fitted = CropArea {
            x: moved(area.x, across, w),
            y: moved(area.y, down, h),
            width: area.width * scale,
            height: area.height * scale,
            angle: area.angle,
        };
        Self::new(fitted).ok()
    }

    /// Returns the width and height of the part of a picture of `width` × `height` pixels, in pixels.
    #[must_use]
    pub fn size_in(self, (width, height): (u32, u32)) -> (u32, u32) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "saturates"
        )]
        let side = |part: f64, whole: u32| (part * f64::from(whole)).round().max(1.0) as u32;
        let area = self.area();
        (side(area.width, width), side(area.height, height))
    }
}

impl fmt::Display for Crop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CropArea {
            x,
            y,
            width,
            height,
            angle,
        } = self.area();
        write!(f, "{x},{y},{width},{height},{angle}")
    }
}

impl FromStr for Crop {
    type Err = InvalidCrop;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut numbers = [0.0; 5];
        let mut parts = text.split(',');
        for number in &mut numbers {
            let part = parts.next().ok_or(InvalidCrop)?;
            *number = part.parse().map_err(|_| InvalidCrop)?;
        }
        if parts.next().is_some() {
            return Err(InvalidCrop);
        }
        let [x, y, width, height, angle] = numbers;
        Self::new(CropArea {
            x,
            y,
            width,
            height,
            angle,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIZE: (u32, u32) = (3000, 2000);

    fn crop(text: &str) -> Crop {
        text.parse().unwrap()
    }

    fn corners(left: f64, top: f64, right: f64, bottom: f64, angle: f64) -> CropCorners {
        CropCorners {
            left,
            top,
            right,
            bottom,
            angle,
        }
    }

    #[track_caller]
    fn check_near(found: CropCorners, expected: CropCorners) {
        let of = |one: CropCorners| [one.left, one.top, one.right, one.bottom, one.angle];
        for (one, other) in of(found).into_iter().zip(of(expected)) {
            assert!((one - other).abs() < 1e-3, "{found:?} {expected:?}");
        }
    }

    #[test]
    fn nonsense_numbers_are_refused() {
        for text in [
            "",
            "0.5,0.5,1,1",
            "0.5,0.5,1,1,0,0",
            "0.5,0.5,0,1,0",
            "0.5,0.5,1,-1,0",
            "0.5,1.5,1,1,0",
            "-0.1,0.5,1,1,0",
            "0.5,0.5,1,1,46",
            "0.5,0.5,1,1,-45.1",
            "NaN,0.5,1,1,0",
            "0.5,0.5,inf,1,0",
            "0.5,0.5,1,1,NaN",
            "a,b,c,d,e",
        ] {
            assert_eq!(text.parse::<Crop>(), Err(InvalidCrop), "{text:?}");
        }
        assert!(crop("0.5,0.5,1,1,0").is_whole());
        assert!(!crop("0.5,0.5,1,1,1").is_whole());
    }

    #[test]
    fn corners_are_those_of_camera_raw() {
        // Lightroom moved these corners of a picture of 3:2 when the part was rotated by ten degrees.
        let upright = Crop::of_corners(corners(0.4, 0.3, 0.9, 0.8, 0.0), SIZE).unwrap();
        let CropArea {
            x,
            y,
            width,
            height,
            ..
        } = upright.area();
        assert_eq!((x, y, width, height), (0.65, 0.55, 0.5, 0.5));
        let rotated = Crop::new(CropArea {
            angle: -10.0,
            ..upright.area()
        });
        let expected = corners(0.374_965, 0.369_16, 0.925_035, 0.730_84, -10.0);
        check_near(rotated.unwrap().corners(SIZE), expected);
    }

    #[test]
    fn part_outside_becomes_smaller_or_nothing() {
        let of = |corners| Crop::of_corners(corners, SIZE).map(|crop| crop.to_string());
        let upright = of(corners(-0.2, 0.5, 0.6, 1.5, 0.0));
        assert_eq!(upright.as_deref(), Some("0.3,0.75,0.6,0.5,0"));
        assert_eq!(of(corners(1.2, 0.5, 1.6, 0.8, 0.0)), None);
        assert_eq!(of(corners(0.6, 0.5, 0.4, 0.8, 0.0)), None);
        assert_eq!(of(corners(0.5, 0.5, 0.5, 0.5, 0.0)), None);
        let rotated = Crop::of_corners(corners(0.0, 0.0, 1.0, 1.0, 5.0), SIZE).unwrap();
        assert!(rotated.fits(SIZE) && rotated.area().width > 0.8);
        assert!(!crop("0.5,0.5,1,1,5").fits(SIZE));
    }

    #[test]
    fn rounded_part_of_a_picture_has_whole_pixels() {
        assert_eq!(crop("0.5,0.5,0.5,0.25,0").size_in(SIZE), (1500, 500));
        assert_eq!(crop("0.5,0.5,0.0000001,0.25,0").size_in(SIZE), (1, 500));
    }

    proptest! {
        #[test]
        fn turns_and_corners_round_trip(
            x in 0.3..0.7_f64, y in 0.3..0.7_f64, width in 0.1..0.3_f64, height in 0.1..0.3_f64, angle in -45.0..45.0_f64,
        ) {
            let crop = Crop::new(CropArea { x, y, width, height, angle }).unwrap();
            prop_assert_eq!(crop.to_string().parse(), Ok(crop));
            prop_assert!(crop.fits(SIZE));
            let again = Crop::of_corners(crop.corners(SIZE), SIZE).unwrap();
            check_near(again.corners(SIZE), crop.corners(SIZE));
            for one in Turn::all() {
                prop_assert_eq!(crop.turned(one).turned(one.inverse()), crop);
                for other in Turn::all() {
                    prop_assert_eq!(crop.turned(one).turned(other), crop.turned(one.then(other)));
                }
            }
        }

        #[test]
        fn fitted_part_is_inside(
            x in 0.0..=1.0_f64, y in 0.0..=1.0_f64, width in 1e-7..50.0_f64, height in 1e-7..50.0_f64, angle in -45.0..=45.0_f64,
            w in 1..=65_535_u32, h in 1..=65_535_u32,
        ) {
            let crop = Crop::new(CropArea { x, y, width, height, angle }).unwrap();
            if let Some(fitted) = crop.fitted((w, h)) {
                prop_assert!(fitted.fits((w, h)), "{} {}", crop, fitted);
            }
        }
    }
}
