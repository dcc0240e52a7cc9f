//! AVIF.

use fumikura_image::{DecodeError, Limits};

use crate::harness::{fixture, sample, thumbnail, thumbnail_within};
use crate::{damage, scene};

#[test]
fn the_scene_is_shown() {
    scene::check("scene.avif", 8);
    scene::check("display-p3.avif", 8);
    scene::check("display-p3-10-bit.avif", 6);
    scene::check_clear("clear.avif", 8);
    scene::check("grid.avif", 8);
    scene::check_dimmed("bright.avif", 6);
}

/// The container's orientation is applied, and Exif beside it is ignored.
#[test]
fn rotated_sample_is_upright() {
    scene::check("turned-5.avif", 8);
    scene::check("turned-6.avif", 8);
}

#[test]
fn damage_causes_at_most_an_error() {
    damage::check_every_length("turned-6.avif");
    for name in [
        "scene.avif",
        "clear.avif",
        "display-p3-10-bit.avif",
        "grid.avif",
    ] {
        damage::check_flips(name, 400);
    }
}

#[test]
fn more_pixels_than_allowed_are_refused() {
    assert!(matches!(
        thumbnail(&fixture("broken/17000x17000.avif"), "20x20-shrink.png"),
        Err(DecodeError::TooManyPixels {
            width: 17_000,
            height: 17_000,
            limit: 150_000_000
        })
    ));
    let limits = Limits {
        pixels: 120 * 80 - 1,
        ..Limits::default()
    };
    assert!(matches!(
        thumbnail_within(limits, &sample("scene.avif"), "20x20-shrink.png"),
        Err(DecodeError::TooManyPixels { .. })
    ));
}

/// The container would make the decoder allocate less than its frame needs.
#[test]
fn frame_larger_than_stated_is_damaged() {
    let mut bytes = sample("scene.avif");
    let at = bytes.windows(4).position(|kind| kind == b"ispe").unwrap();
    bytes[at + 8..at + 12].copy_from_slice(&60_u32.to_be_bytes());
    assert!(matches!(
        thumbnail(&bytes, "20x20-shrink.png"),
        Err(DecodeError::Damaged(_))
    ));
}
