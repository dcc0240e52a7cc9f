//! Transformations of a picture before it is shown: cropping, rotation, mirroring, in this order.

use image::metadata::Orientation;

use super::ContainerError;
use super::bytes::{Bytes, FourCc, malformed};

/// A part of the stored picture, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crop {
    /// The distance from the left edge.
    pub left: u32,
    /// The distance from the upper edge.
    pub top: u32,
    /// At least 1, if the picture has pixels.
    pub width: u32,
    /// At least 1, if the picture has pixels.
    pub height: u32,
}

/// The transformation of a stored picture for display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DisplayTransform {
    /// The visible part.
    pub crop: Crop,
    /// The orientation of that part.
    pub orientation: Orientation,
}

/// A clockwise rotation by a number of quarters, optionally followed by mirroring from left to right.
#[derive(Debug, Clone, Copy, Default)]
struct Rotation {
    quarters: u8,
    is_mirrored: bool,
}

impl Rotation {
    fn rotated(self, quarters: u8) -> Self {
        // A mirrored picture turns in the opposite direction.
        let by = if self.is_mirrored {
            4 - quarters
        } else {
            quarters
        };
        Self {
            quarters: (self.quarters + by) % 4,
            ..self
        }
    }

    fn mirrored(self) -> Self {
        Self {
            is_mirrored: !self.is_mirrored,
            ..self
        }
    }

    fn orientation(self) -> Orientation {
        match (self.quarters, self.is_mirrored) {
            (1, false) => Orientation::Rotate90,
            (2, false) => Orientation::Rotate180,
            (3, false) => Orientation::Rotate270,
            (1, true) => Orientation::Rotate90FlipH,
            (2, true) => Orientation::FlipVertical,
            (3, true) => Orientation::Rotate270FlipH,
            (_, true) => Orientation::FlipHorizontal,
            (_, false) => Orientation::NoTransforms,
        }
    }
}

pub(super) fn of<'a>(
    width: u32,
    height: u32,
    properties: impl Iterator<Item = (FourCc, Bytes<'a>)>,
) -> Result<DisplayTransform, ContainerError> {
    let mut crop = Crop {
        left: 0,
        top: 0,
        width,
        height,
    };
    let mut rotation = None;
    for (kind, mut body) in properties {
        let current: Rotation = rotation.unwrap_or_default();
        match &kind {
            b"clap" if rotation.is_some() => {
                return Err(malformed("a picture is cropped after it is turned"));
            }
            b"clap" => crop = cropped(width, height, body)?,
            // Rotation counts anticlockwise.
            b"irot" => rotation = Some(current.rotated((4 - (body.u8()? & 3)) % 4)),
            b"imir" if body.u8()? & 1 == 1 => rotation = Some(current.mirrored()),
            b"imir" => rotation = Some(current.mirrored().rotated(2)),
            _ => {}
        }
    }
    Ok(DisplayTransform {
        crop,
        orientation: rotation.unwrap_or_default().orientation(),
    })
}

fn cropped(width: u32, height: u32, mut body: Bytes<'_>) -> Result<Crop, ContainerError> {
    let mut fraction = || Ok::<_, ContainerError>((body.i32()?, body.i32()?));
    let (wide, high) = (fraction()?, fraction()?);
    let (right, down) = (fraction()?, fraction()?);
    let (left, width) = crop_side(width, wide, right)?;
    let (top, height) = crop_side(height, high, down)?;
    Ok(Crop {
        left,
        top,
        width,
        height,
    })
}

/// Returns the first pixel and the number of pixels along one side of `full` pixels, for a length and an
/// offset of the middle, both as fractions.
fn crop_side(
    full: u32,
    length: (i32, i32),
    offset: (i32, i32),
) -> Result<(u32, u32), ContainerError> {
    let broken = || malformed("a picture is cropped beyond its edges");
    let whole = |(above, below): (i32, i32)| {
        let (above, below) = (i64::from(above), i64::from(below));
        (below > 0 && above % below == 0).then(|| above / below)
    };
    let length = whole(length).filter(|length| (1..=i64::from(full)).contains(length));
    let length = length.ok_or_else(broken)?;
    let (above, below) = (i64::from(offset.0), i64::from(offset.1));
    if below <= 0 {
        return Err(broken());
    }
    // Computed in halves, since the middle of an odd length is within a pixel. A position between pixels is
    // rounded down.
    let first = (i64::from(full) - length) * below + 2 * above;
    let first = first.div_euclid(2 * below);
    if first < 0 || first + length > i64::from(full) {
        return Err(broken());
    }
    let number = |number: i64| u32::try_from(number).map_err(|_| broken());
    Ok((number(first)?, number(length)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{DynamicImage, RgbImage};

    fn transform(properties: &[(&[u8; 4], &[u8])]) -> Result<DisplayTransform, ContainerError> {
        let properties = properties.iter().map(|(kind, body)| (**kind, Bytes(body)));
        of(120, 80, properties)
    }

    #[track_caller]
    fn check(properties: &[(&[u8; 4], &[u8])], does: fn(&DynamicImage) -> DynamicImage) {
        let image = DynamicImage::from(RgbImage::from_fn(3, 2, |x, y| {
            image::Rgb([x as u8, y as u8, 0])
        }));
        let mut rotated = image.clone();
        rotated.apply_orientation(transform(properties).unwrap().orientation);
        assert_eq!(rotated, does(&image));
    }

    #[test]
    fn rotations_and_mirrors_apply_in_order() {
        check(&[], DynamicImage::clone);
        check(&[(b"irot", &[0])], DynamicImage::clone);
        check(&[(b"irot", &[1])], DynamicImage::rotate270);
        check(&[(b"irot", &[2])], DynamicImage::rotate180);
        check(&[(b"irot", &[3])], DynamicImage::rotate90);
        check(&[(b"imir", &[0])], DynamicImage::flipv);
        check(&[(b"imir", &[1])], DynamicImage::fliph);
        check(&[(b"irot", &[1]), (b"imir", &[0])], |image| {
            image.rotate270().flipv()
        });
        check(&[(b"irot", &[1]), (b"imir", &[1])], |image| {
            image.rotate270().fliph()
        });
        check(&[(b"imir", &[1]), (b"irot", &[3])], |image| {
            image.fliph().rotate90()
        });
        check(&[(b"imir", &[0]), (b"irot", &[1])], |image| {
            image.flipv().rotate270()
        });
    }

    fn clap(numbers: [i32; 8]) -> Vec<u8> {
        numbers
            .iter()
            .flat_map(|number| number.to_be_bytes())
            .collect()
    }

    #[test]
    fn crop_is_read_and_checked() {
        let crop =
            |numbers| transform(&[(b"clap", &clap(numbers))]).map(|transform| transform.crop);
        let part = |left, top, width, height| Crop {
            left,
            top,
            width,
            height,
        };
        assert_eq!(
            crop([60, 1, 40, 1, 0, 1, 0, 1]).unwrap(),
            part(30, 20, 60, 40)
        );
        assert_eq!(
            crop([60, 1, 40, 1, -30, 1, 20, 1]).unwrap(),
            part(0, 40, 60, 40)
        );
        assert_eq!(
            crop([119, 1, 79, 1, 1, 2, -1, 2]).unwrap(),
            part(1, 0, 119, 79)
        );
        for wrong in [
            [121, 1, 40, 1, 0, 1, 0, 1],
            [0, 1, 40, 1, 0, 1, 0, 1],
            [60, 0, 40, 1, 0, 1, 0, 1],
            [60, 1, 40, 1, 31, 1, 0, 1],
            [60, 1, 40, 1, 0, 1, -41, 2],
            [60, 1, 40, 1, 0, 1, 0, 0],
        ] {
            assert!(crop(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn crop_of_a_rotated_picture_is_refused() {
        let clap = clap([60, 1, 40, 1, 0, 1, 0, 1]);
        assert!(transform(&[(b"irot", &[1]), (b"clap", &clap)]).is_err());
    }
}
