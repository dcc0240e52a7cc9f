//! WebP.

use std::io::Cursor;

use fumikura_image::{DecodeError, Limits};
use image::{ImageFormat, Rgb, RgbImage};

use crate::harness::{sample, thumbnail, thumbnail_within};
use crate::{damage, scene};

#[test]
fn rotated_and_animated_samples_are_shown() {
    scene::check("turned-6.webp", 8);
    scene::check("animated.webp", 8);
}

#[test]
fn damage_causes_at_most_an_error() {
    for name in ["turned-6.webp", "animated.webp"] {
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
        thumbnail_within(limits, &sample("turned-6.webp"), "20x20-shrink.png"),
        Err(DecodeError::TooManyPixels { .. })
    ));
}

#[test]
fn truncated_file_keeps_its_decoded_rows() {
    let noise = |x: u32, y: u32| Rgb([x, y, x * y].map(|value| (value * 97 % 251) as u8));
    let picture = RgbImage::from_fn(200, 200, noise);
    let mut whole = Cursor::new(Vec::new());
    picture.write_to(&mut whole, ImageFormat::WebP).unwrap();
    let whole = whole.into_inner();
    let cut = thumbnail(&whole[..whole.len() / 2], "200x200-shrink.png").unwrap();
    let cut = cut.to_rgb8();
    for x in 0..200 {
        assert_eq!(cut.get_pixel(x, 0), picture.get_pixel(x, 0));
        assert_eq!(cut.get_pixel(x, 199).0, [128; 3]);
    }
}
