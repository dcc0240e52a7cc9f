//! JPEG XL.

use fumikura_image::{DecodeError, Limits};

use crate::harness::{sample, thumbnail, thumbnail_within};
use crate::{damage, scene};

#[test]
fn the_scene_is_shown() {
    scene::check("deep.jxl", 3);
    scene::check("display-p3.jxl", 3);
    scene::check_clear("clear.jxl", 3);
}

/// The header states the orientation.
#[test]
fn rotated_sample_is_upright() {
    scene::check("turned-6.jxl", 8);
}

#[test]
fn damage_causes_at_most_an_error() {
    for name in ["turned-6.jxl", "deep.jxl", "clear.jxl", "display-p3.jxl"] {
        damage::check_every_length(name);
        damage::check_flips(name, 300);
    }
}

#[test]
fn more_pixels_than_allowed_are_refused() {
    let limits = Limits {
        pixels: 120 * 80 - 1,
        ..Limits::default()
    };
    assert!(matches!(
        thumbnail_within(limits, &sample("clear.jxl"), "20x20-shrink.png"),
        Err(DecodeError::TooManyPixels {
            width: 120,
            height: 80,
            limit: 9_599
        })
    ));
}

#[test]
fn truncated_file_is_damaged() {
    let whole = sample("turned-6.jxl");
    assert!(matches!(
        thumbnail(&whole[..40], "20x20-shrink.png"),
        Err(DecodeError::Damaged(_))
    ));
}
