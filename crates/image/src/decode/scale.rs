//! Scales a picture to the requested size, and determines which part of it is shown.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8, U8x2, U8x3, U8x4};
use fast_image_resize::{FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};
use image::metadata::Orientation;

use super::region::{Region, scale_rotated};
use super::{Channels, Pixels, Plane, Planes, Raster, planes};
use crate::DecodeError;
use crate::orientation::turns_sideways;
use crate::variant::{Mode, Size};

/// The part of the source that is used, and its target size, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plan {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) part_width: f64,
    pub(super) part_height: f64,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The rotation of the part to the right around its middle, in radians.
    pub(super) angle: f64,
}

impl Plan {
    /// Returns the plan for a picture of `w` × `h` pixels, none of them 0.
    fn new(w: f64, h: f64, size: Size, mode: Mode) -> Self {
        let (target_width, target_height) = (size.width(), size.height());
        let scale_x = f64::from(target_width) / w;
        let scale_y = f64::from(target_height) / h;
        let whole = Self {
            left: 0.0,
            top: 0.0,
            part_width: w,
            part_height: h,
            width: u32::from(target_width),
            height: u32::from(target_height),
            angle: 0.0,
        };
        match mode {
            Mode::Stretch => whole,
            Mode::Shrink => {
                let scale = scale_x.min(scale_y).min(1.0);
                Self {
                    width: side(w * scale, target_width.into()),
                    height: side(h * scale, target_height.into()),
                    ..whole
                }
            }
            Mode::Crop => {
                let scale = scale_x.max(scale_y);
                let part_width = (f64::from(target_width) / scale).min(w);
                let part_height = (f64::from(target_height) / scale).min(h);
                Self {
                    left: (w - part_width) / 2.0,
                    top: (h - part_height) / 2.0,
                    part_width,
                    part_height,
                    ..whole
                }
            }
        }
    }

    /// Fits a part of a picture, stored in any orientation, to a longer side. It is never enlarged.
    pub(super) fn within(region: Region, edge: Option<u32>) -> Self {
        let (w, h) = (region.width, region.height);
        let longer = side(w.max(h), u32::MAX);
        let edge = edge.unwrap_or(longer).min(longer);
        let scale = f64::from(edge) / w.max(h);
        Self {
            left: region.left,
            top: region.top,
            part_width: w,
            part_height: h,
            width: side(w * scale, edge),
            height: side(h * scale, edge),
            angle: region.angle,
        }
    }

    /// Returns the plan for a part of a stored picture that is shown turned. The picture is scaled as stored and turned
    /// afterwards, since turning costs by the pixel.
    pub(super) fn stored(region: Region, orientation: Orientation, size: Size, mode: Mode) -> Self {
        let plan = if turns_sideways(orientation) {
            Self::new(region.height, region.width, size, mode).transposed()
        } else {
            Self::new(region.width, region.height, size, mode)
        };
        // Each mode keeps the middle, around which the part is rotated.
        Self {
            left: region.left + plan.left,
            top: region.top + plan.top,
            angle: region.angle,
            ..plan
        }
    }

    /// Returns the same plan for a picture whose decoder reduced each side by `by`.
    pub(super) fn reduced(self, by: u32) -> Self {
        let by = f64::from(by);
        Self {
            left: self.left / by,
            top: self.top / by,
            part_width: self.part_width / by,
            part_height: self.part_height / by,
            ..self
        }
    }

    /// Returns the number of pixels that become one, along the side that is reduced less.
    pub(super) fn reduction(self) -> f64 {
        let (width, height) = (f64::from(self.width), f64::from(self.height));
        (self.part_width / width).min(self.part_height / height)
    }

    /// Returns the same plan for a picture whose sides are swapped. The part is in the middle, so
    /// flips do not move it.
    pub(super) fn transposed(self) -> Self {
        Self {
            left: self.top,
            top: self.left,
            part_width: self.part_height,
            part_height: self.part_width,
            width: self.height,
            height: self.width,
            ..self
        }
    }
}

/// Rounds a side to whole pixels: at least 1, since even a strip is shown, and at most the requested
/// size.
fn side(exact: f64, max: u32) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 1…`max` before"
    )]
    let whole = exact.round().clamp(1.0, f64::from(max)) as u32;
    whole
}

/// Applies the plan.
pub(super) fn scale(raster: &Raster, plan: Plan) -> Result<Pixels, DecodeError> {
    if plan.angle != 0.0 {
        return scale_rotated(raster, plan);
    }
    let (channels, bytes) = match raster {
        Raster::Interleaved(pixels) => {
            let sides = (pixels.width(), pixels.height());
            let bytes = pixels.bytes();
            let bytes = match pixels.channels() {
                Channels::Gray => resized::<U8>(sides, bytes, plan, false),
                Channels::GrayAlpha => resized::<U8x2>(sides, bytes, plan, true),
                Channels::Rgb => resized::<U8x3>(sides, bytes, plan, false),
                Channels::Rgba => resized::<U8x4>(sides, bytes, plan, true),
                // The fourth channel of CMYK is ink, not opacity.
                Channels::Cmyk => resized::<U8x4>(sides, bytes, plan, false),
            };
            (pixels.channels(), bytes?)
        }
        Raster::Planar(Planes::Gray(plane)) => (Channels::Gray, plane_resized(plane, plan)?),
        Raster::Planar(Planes::Ycc(planes)) => {
            let [y, blue, red] = planes;
            let y = plane_resized(y, plan)?;
            let (blue, red) = (plane_resized(blue, plan)?, plane_resized(red, plan)?);
            (Channels::Rgb, planes::to_rgb(&y, &blue, &red))
        }
    };
    Pixels::new(plan.width, plan.height, channels, bytes)
        .ok_or_else(|| DecodeError::Damaged("it has no pixels left".into()))
}

fn plane_resized(plane: &Plane, plan: Plan) -> Result<Vec<u8>, DecodeError> {
    let (across, down) = plane.pixels_of_a_sample();
    let plan = Plan {
        left: plan.left / across,
        top: plan.top / down,
        part_width: plan.part_width / across,
        part_height: plan.part_height / down,
        ..plan
    };
    let sides = (plane.width(), plane.height());
    resized::<U8>(sides, plane.samples(), plan, false)
}

/// Resizes pixels of one type. The function for any type would link those of all types, which are some megabytes.
fn resized<P: PixelTrait>(
    (source_width, source_height): (u32, u32),
    bytes: &[u8],
    plan: Plan,
    use_alpha: bool,
) -> Result<Vec<u8>, DecodeError> {
    let source = TypedImageRef::<P>::from_buffer(source_width, source_height, bytes);
    let mut resized = vec![0; plan.width as usize * plan.height as usize * size_of::<P>()];
    let target = TypedImage::<P>::from_buffer(plan.width, plan.height, &mut resized);
    let (source, mut target) = (source.map_err(broken)?, target.map_err(broken)?);
    // The end of a part may exceed the picture by a rounding error.
    let part = |start: f64, part: f64, side: u32| {
        let part = part.min(f64::from(side) - start);
        match start + part > f64::from(side) {
            true => part.next_down(),
            false => part,
        }
    };
    let (width, height) = (
        part(plan.left, plan.part_width, source_width),
        part(plan.top, plan.part_height, source_height),
    );
    let options = ResizeOptions::new()
        .crop(plan.left, plan.top, width, height)
        .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
        .use_alpha(use_alpha);
    Resizer::new()
        .resize_typed(&source, &mut target, &options)
        .map_err(broken)?;
    Ok(resized)
}

fn broken(error: impl std::fmt::Display) -> DecodeError {
    DecodeError::Damaged(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(source: (u32, u32), size: &str, mode: Mode, expected: (u32, u32)) {
        let (width, height) = (source.0.into(), source.1.into());
        let plan = Plan::new(width, height, size.parse().unwrap(), mode);
        assert_eq!((plan.width, plan.height), expected);
    }

    #[test]
    fn shrink_fits_inside_and_never_enlarges() {
        check((4000, 3000), "256x256", Mode::Shrink, (256, 192));
        check((3000, 4000), "256x256", Mode::Shrink, (192, 256));
        check((100, 50), "256x256", Mode::Shrink, (100, 50));
        check((20_000, 10), "256x256", Mode::Shrink, (256, 1));
        check((1, 65_535), "256x256", Mode::Shrink, (1, 256));
    }

    #[test]
    fn longer_side_is_limited_and_never_enlarged() {
        let check = |source: (u32, u32), edge, expected: (u32, u32)| {
            let whole = Region::of(None, source, Orientation::NoTransforms);
            let plan = Plan::within(whole, edge);
            assert_eq!((plan.width, plan.height), expected);
        };
        check((4000, 3000), Some(1600), (1600, 1200));
        check((3000, 4000), Some(1600), (1200, 1600));
        check((100, 50), Some(1600), (100, 50));
        check((65_535, 1), None, (65_535, 1));
        check((20_000, 10), Some(100), (100, 1));
    }

    #[test]
    fn crop_and_stretch_have_the_size_exactly() {
        for mode in [Mode::Crop, Mode::Stretch] {
            check((4000, 3000), "85x85", mode, (85, 85));
            check((10, 10), "320x200", mode, (320, 200));
            check((1, 1), "4096x1", mode, (4096, 1));
        }
    }

    #[test]
    fn crop_takes_the_middle() {
        let plan = Plan::new(400.0, 200.0, "100x100".parse().unwrap(), Mode::Crop);
        assert!((plan.left - 100.0).abs() < 1e-9 && plan.top.abs() < 1e-9);
        assert!((plan.part_width - 200.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn crop_is_inside_and_sides_in_range(
            w in 1..=65_535_u32, h in 1..=65_535_u32, tw in 1..=4096_u16, th in 1..=4096_u16,
            mode in prop_oneof![Just(Mode::Crop), Just(Mode::Shrink), Just(Mode::Stretch)],
        ) {
            let plan = Plan::new(w.into(), h.into(), Size::new(tw, th).unwrap(), mode);
            prop_assert!(plan.left >= 0.0 && plan.top >= 0.0);
            prop_assert!(plan.part_width > 0.0 && plan.part_height > 0.0);
            prop_assert!(plan.left + plan.part_width <= f64::from(w));
            prop_assert!(plan.top + plan.part_height <= f64::from(h));
            prop_assert!((1..=u32::from(tw)).contains(&plan.width));
            prop_assert!((1..=u32::from(th)).contains(&plan.height));
            prop_assert_eq!(plan.transposed().transposed(), plan);
        }
    }
}
