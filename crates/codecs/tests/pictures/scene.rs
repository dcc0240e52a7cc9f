//! The scene that all samples show.

use image::DynamicImage;

use crate::harness::{sample, thumbnail};

/// The colours of the scene at these places, in parts of its width and height.
const SCENE: [(f64, f64, [u8; 3]); 7] = [
    (0.1, 0.1, [200, 48, 40]),
    (0.9, 0.1, [44, 150, 66]),
    (0.1, 0.9, [48, 76, 190]),
    (0.9, 0.9, [222, 196, 64]),
    (0.41, 0.5, [128, 128, 128]),
    (0.5, 0.1, [232, 226, 214]),
    (0.5, 0.9, [232, 226, 214]),
];
/// The middle of the square that is transparent in some samples.
const CLEARING: (f64, f64) = (92.0 / 120.0, 0.5);

/// Checks that the sample shows the scene, decoded at its own size and reduced.
#[track_caller]
pub(crate) fn check(name: &str, tolerance: u8) {
    check_as(name, tolerance, |colour| colour);
}

/// Checks a sample that has half of the scene's light.
#[track_caller]
pub(crate) fn check_dimmed(name: &str, tolerance: u8) {
    check_as(name, tolerance, |colour| {
        colour.map(|channel| {
            let value = f64::from(channel) / 255.0;
            let light = match value <= 0.04045 {
                true => value / 12.92,
                false => ((value + 0.055) / 1.055).powf(2.4),
            };
            (255.0 * (1.055 * (light / 2.0).powf(1.0 / 2.4) - 0.055)).round() as u8
        })
    });
}

/// Checks a sample without colours.
#[track_caller]
pub(crate) fn check_grey(name: &str, tolerance: u8) {
    check_as(name, tolerance, |colour| [luma(colour); 3]);
}

/// Checks a sample in black and white.
#[track_caller]
pub(crate) fn check_black_and_white(name: &str) {
    check_as(name, 0, |colour| {
        [if luma(colour) < 128 { 0 } else { 255 }; 3]
    });
}

/// Returns the luma by ITU-R BT.601.
fn luma([red, green, blue]: [u8; 3]) -> u8 {
    (0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue)).round() as u8
}

#[track_caller]
fn check_as(name: &str, tolerance: u8, shown_as: fn([u8; 3]) -> [u8; 3]) {
    for wanted in ["120x120-shrink.png", "48x32-crop.png"] {
        let shown =
            thumbnail(&sample(name), wanted).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(shown.width() * 2, shown.height() * 3, "{name}");
        for (x, y, expected) in SCENE {
            let pixel = at(&shown, x, y);
            let expected = shown_as(expected);
            let is_near = pixel
                .iter()
                .zip(expected)
                .all(|(is, should)| is.abs_diff(should) <= tolerance);
            assert!(
                is_near && pixel[3] == 255,
                "{name} {wanted} at {x}, {y}: {pixel:?}, not {expected:?}"
            );
        }
    }
}

/// Checks a sample that is transparent at one place.
#[track_caller]
pub(crate) fn check_clear(name: &str, tolerance: u8) {
    check(name, tolerance);
    let shown = thumbnail(&sample(name), "120x120-shrink.png").unwrap();
    let clear = at(&shown, CLEARING.0, CLEARING.1);
    assert!(clear[3] < 3, "{name}: {clear:?}");
    let flat = thumbnail(&sample(name), "120x120-shrink.jpg").unwrap();
    let white = at(&flat, CLEARING.0, CLEARING.1);
    assert!(white[..3].iter().all(|&channel| channel > 250), "{white:?}");
}

fn at(shown: &DynamicImage, x: f64, y: f64) -> [u8; 4] {
    let (width, height) = (f64::from(shown.width()), f64::from(shown.height()));
    let shown = shown.to_rgba8();
    shown.get_pixel((x * width) as u32, (y * height) as u32).0
}
