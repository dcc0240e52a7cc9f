//! The part of a stored picture that is shown, and pictures of rotated parts.

use image::metadata::Orientation;

use super::scale::{Plan, scale};
use super::{Channels, Pixels, Planes, Raster};
use crate::DecodeError;
use crate::crop::Crop;
use crate::turn::Turn;

/// The part of a stored picture that is shown, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Region {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// The rotation to the right around its middle, in radians.
    pub(super) angle: f64,
}

impl Region {
    /// Returns the part of a picture that is stored with `width` × `height` pixels, in an orientation. A crop is of the
    /// upright picture; one that is outside this picture counts as none.
    pub(super) fn of(
        crop: Option<Crop>,
        (width, height): (u32, u32),
        orientation: Orientation,
    ) -> Self {
        let (w, h) = (f64::from(width), f64::from(height));
        let upright = Turn::from(orientation).inverse();
        let crop = crop.and_then(|crop| crop.turned(upright).fitted((width, height)));
        let Some(area) = crop.map(Crop::area) else {
            return Self {
                left: 0.0,
                top: 0.0,
                width: w,
                height: h,
                angle: 0.0,
            };
        };
        // At least one pixel, as far as the picture has one.
        let (part_width, part_height) = ((area.width * w).max(1.0), (area.height * h).max(1.0));
        let start = |middle: f64, part: f64, whole: f64| match area.angle == 0.0 {
            true => (middle * whole - part / 2.0).clamp(0.0, (whole - part).max(0.0)),
            false => middle * whole - part / 2.0,
        };
        Self {
            left: start(area.x, part_width, w),
            top: start(area.y, part_height, h),
            width: part_width,
            height: part_height,
            angle: area.angle.to_radians(),
        }
    }
}

/// Scales a rotated part of a picture: first the upright rectangle around it, then its pixels are interpolated.
pub(super) fn scale_rotated(raster: &Raster, plan: Plan) -> Result<Pixels, DecodeError> {
    let (sin, cos) = plan.angle.sin_cos();
    let half = (plan.part_width / 2.0, plan.part_height / 2.0);
    let middle = (plan.left + half.0, plan.top + half.1);
    // Pixels of the raster that become one.
    let reduction = plan.reduction().max(1.0);
    let margin = 2.0 * reduction;
    let span = |middle: f64, reach: f64, side: u32| {
        let side = f64::from(side);
        let start = (middle - reach - margin).clamp(0.0, side - 1.0);
        (start, (middle + reach + margin).clamp(start + 1.0, side))
    };
    let (width, height) = sides(raster);
    let (left, right) = span(middle.0, half.0 * cos + half.1 * sin.abs(), width);
    let (top, bottom) = span(middle.1, half.0 * sin.abs() + half.1 * cos, height);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1 and a side of the raster"
    )]
    let whole = |side: f64| (side / reduction).ceil().max(1.0) as u32;
    let around = Plan {
        left,
        top,
        part_width: right - left,
        part_height: bottom - top,
        width: whole(right - left),
        height: whole(bottom - top),
        angle: 0.0,
    };
    let source = scale(raster, around)?;
    let across = f64::from(around.width) / around.part_width;
    let down = f64::from(around.height) / around.part_height;
    let step = (
        plan.part_width / f64::from(plan.width),
        plan.part_height / f64::from(plan.height),
    );
    let sampler = Sampler::new(&source);
    let count = source.channels().count();
    let bytes = plan.width as usize * plan.height as usize * count;
    let mut bytes = Vec::with_capacity(bytes);
    for row in 0..plan.height {
        let y = (f64::from(row) + 0.5) * step.1 - half.1;
        for column in 0..plan.width {
            let x = (f64::from(column) + 0.5) * step.0 - half.0;
            let at = (
                (middle.0 + x * cos - y * sin - left) * across - 0.5,
                (middle.1 + x * sin + y * cos - top) * down - 0.5,
            );
            let pixel = sampler.at(at);
            bytes.extend_from_slice(&pixel[..count]);
        }
    }
    Pixels::new(plan.width, plan.height, source.channels(), bytes)
        .ok_or_else(|| DecodeError::Damaged("it has no pixels left".into()))
}

fn sides(raster: &Raster) -> (u32, u32) {
    match raster {
        Raster::Interleaved(pixels) => (pixels.width(), pixels.height()),
        Raster::Planar(Planes::Gray(plane) | Planes::Ycc([plane, ..])) => {
            (plane.width(), plane.height())
        }
    }
}

/// Interpolates between pixels, by cubic splines (Catmull–Rom). Beyond the edges, the outermost pixels are repeated.
struct Sampler<'a> {
    pixels: &'a Pixels,
    count: usize,
    /// The channel of opacity.
    alpha: Option<usize>,
}

impl<'a> Sampler<'a> {
    fn new(pixels: &'a Pixels) -> Self {
        Self {
            count: pixels.channels().count(),
            alpha: match pixels.channels() {
                Channels::GrayAlpha => Some(1),
                Channels::Rgba => Some(3),
                // The fourth channel of CMYK is ink.
                Channels::Gray | Channels::Rgb | Channels::Cmyk => None,
            },
            pixels,
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped before"
    )]
    fn at(&self, (x, y): (f64, f64)) -> [u8; 4] {
        let (columns, across) = taps(x, self.pixels.width());
        let (rows, down) = taps(y, self.pixels.height());
        let mut sums = [0.0_f32; 4];
        let mut opacity = 0.0_f32;
        for (row, down) in rows.into_iter().zip(down) {
            for (column, across) in columns.into_iter().zip(across) {
                let start = (row * self.pixels.width() as usize + column) * self.count;
                let pixel = &self.pixels.bytes()[start..start + self.count];
                let weight = down * across;
                // Colours count as much as they are seen.
                let weight = match self.alpha {
                    Some(alpha) => weight * f32::from(pixel[alpha]) / 255.0,
                    None => weight,
                };
                opacity += weight;
                for (sum, channel) in sums.iter_mut().zip(pixel) {
                    *sum += weight * f32::from(*channel);
                }
            }
        }
        if self.alpha.is_some() {
            let divisor = opacity.max(f32::EPSILON);
            sums.iter_mut().for_each(|sum| *sum /= divisor);
        }
        if let Some(alpha) = self.alpha {
            sums[alpha] = opacity * 255.0;
        }
        sums.map(|sum| sum.round().clamp(0.0, 255.0) as u8)
    }
}

/// Returns the four pixels around a place along a side, and their weights.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped before"
)]
fn taps(place: f64, side: u32) -> ([usize; 4], [f32; 4]) {
    let last = f64::from(side - 1);
    let place = place.clamp(0.0, last);
    let first = place.floor();
    let pixel = |by: f64| (first + by).clamp(0.0, last) as usize;
    let t = (place - first) as f32;
    let (t2, t3) = (t * t, t * t * t);
    (
        [pixel(-1.0), pixel(0.0), pixel(1.0), pixel(2.0)],
        [
            (-t3 + 2.0 * t2 - t) / 2.0,
            (3.0 * t3 - 5.0 * t2 + 2.0) / 2.0,
            (-3.0 * t3 + 4.0 * t2 + t) / 2.0,
            (t3 - t2) / 2.0,
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::Mode;
    use image::{DynamicImage, GrayImage, RgbaImage};

    fn scaled(image: DynamicImage, crop: &str, size: &str) -> Pixels {
        let sides = (image.width(), image.height());
        let none = Orientation::NoTransforms;
        let region = Region::of(Some(crop.parse().unwrap()), sides, none);
        let plan = Plan::stored(region, none, size.parse().unwrap(), Mode::Shrink);
        scale(&image.into(), plan).unwrap()
    }

    #[test]
    fn upright_part_keeps_its_pixels() {
        let image = GrayImage::from_fn(40, 20, |x, y| image::Luma([(x * 5 + y) as u8]));
        let part = scaled(image.into(), "0.5,0.75,0.25,0.5,0", "64x64");
        assert_eq!((part.width(), part.height()), (10, 10));
        let expected = (0..10).flat_map(|y| (0..10).map(move |x| (x + 15) * 5 + y + 10));
        assert!(part.bytes().iter().copied().eq(expected));
    }

    #[test]
    fn slanted_edge_becomes_level() {
        for angle in [12.5_f64, -30.0, 45.0] {
            let (sin, cos) = angle.to_radians().sin_cos();
            let image = GrayImage::from_fn(300, 200, |x, y| {
                let (x, y) = (f64::from(x) + 0.5 - 150.0, f64::from(y) + 0.5 - 100.0);
                image::Luma([if y * cos - x * sin > 0.0 { 255 } else { 0 }])
            });
            let crop = format!("0.5,0.5,0.4,0.4,{angle}");
            for size in ["120x80", "60x40"] {
                let part = scaled(DynamicImage::from(image.clone()), &crop, size);
                let (width, height) = (part.width() as usize, part.height() as usize);
                assert_eq!(format!("{width}x{height}"), size);
                let (upper, lower) = part.bytes().split_at(width * height / 2);
                let edge = 2 * width;
                // The edge is a stair of pixels, whose corners reach a little farther.
                assert!(upper[..upper.len() - edge].iter().all(|&light| light <= 8));
                assert!(lower[edge..].iter().all(|&light| light >= 247));
            }
        }
    }

    #[test]
    fn invisible_colours_leave_no_trace() {
        let image = RgbaImage::from_fn(40, 40, |x, _| match x < 20 {
            true => image::Rgba([255, 0, 0, 0]),
            false => image::Rgba([0, 0, 255, 255]),
        });
        let part = scaled(image.into(), "0.5,0.5,0.5,0.5,20", "64x64");
        let is_clean = |pixel: &[u8]| pixel[3] == 0 || pixel[0] == 0 && pixel[2] == 255;
        assert!(part.bytes().chunks(4).all(is_clean));
    }

    #[test]
    fn crop_is_found_in_every_orientation() {
        let crop: Crop = "0.25,0.5,0.5,0.2,10".parse().unwrap();
        for turn in Turn::all() {
            let stored = match turn.is_sideways() {
                true => (200, 400),
                false => (400, 200),
            };
            let region = Region::of(Some(crop), stored, turn.orientation());
            let sides = match turn.is_sideways() {
                true => (region.height, region.width),
                false => (region.width, region.height),
            };
            assert_eq!((sides.0.round(), sides.1.round()), (200.0, 40.0));
            let (is_mirrored, _) = turn.parts();
            assert_eq!(region.angle < 0.0, is_mirrored);
        }
        let outside = "0.5,0.5,1,1,0".parse().ok();
        let whole = Region::of(outside, (3, 2), Orientation::NoTransforms);
        assert_eq!((whole.width, whole.height), (3.0, 2.0));
    }
}
