//! Cameras' raw files.

use fumikura_image::{DecodeError, Limits};

use crate::harness::{sample, thumbnail_within};
use crate::{damage, scene};

/// The preview is stored on its side, as the camera was held, and does not state an orientation itself.
#[test]
fn the_scene_is_shown_upright() {
    scene::check("preview.dng", 6);
}

#[test]
fn damage_causes_at_most_an_error() {
    damage::check_every_length("preview.dng");
    damage::check_flips("preview.dng", 400);
}

#[test]
fn more_pixels_than_allowed_are_refused() {
    let limits = Limits {
        pixels: 120 * 80 - 1,
        ..Limits::default()
    };
    assert!(matches!(
        thumbnail_within(limits, &sample("preview.dng"), "20x20-shrink.png"),
        Err(DecodeError::TooManyPixels { .. })
    ));
}
