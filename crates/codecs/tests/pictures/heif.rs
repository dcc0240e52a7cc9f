//! HEIC.

use fumikura_image::{DecodeError, Limits};

use crate::harness::{sample, thumbnail, thumbnail_within};
use crate::{damage, scene};

#[test]
fn the_scene_is_shown() {
    scene::check("scene.heic", 8);
    scene::check("display-p3.heic", 8);
    scene::check("grid.heic", 8);
    scene::check_clear("clear.heic", 8);
}

/// The container's orientation is applied, and Exif beside it is ignored.
#[test]
fn rotated_sample_is_upright() {
    scene::check("turned-6.heic", 8);
    scene::check("turned-6-exif-6.heic", 8);
    scene::check("turned-7.heic", 8);
}

#[test]
fn damage_causes_at_most_an_error() {
    damage::check_every_length("turned-6-exif-6.heic");
    for name in [
        "scene.heic",
        "turned-7.heic",
        "display-p3.heic",
        "grid.heic",
        "clear.heic",
    ] {
        damage::check_flips(name, 400);
    }
}

#[test]
fn more_pixels_than_allowed_are_refused() {
    let limits = Limits {
        pixels: 120 * 80 - 1,
        ..Limits::default()
    };
    assert!(matches!(
        thumbnail_within(limits, &sample("scene.heic"), "20x20-shrink.png"),
        Err(DecodeError::TooManyPixels { .. })
    ));
}

#[test]
fn truncated_file_is_damaged() {
    let whole = sample("scene.heic");
    assert!(matches!(
        thumbnail(&whole[..whole.len() - 9], "20x20-shrink.png"),
        Err(DecodeError::Damaged(_))
    ));
}
