//! Every EXIF orientation is shown upright.

use fumikura_image::Head;
use image::{DynamicImage, GenericImageView};

use crate::test_app::{TestApp, fixture, variant};

/// Returns the mean difference of a channel, 0…255.
fn difference(a: &DynamicImage, b: &DynamicImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    let (a, b) = (a.to_rgb8(), b.to_rgb8());
    let sum: u64 = a
        .as_raw()
        .iter()
        .zip(b.as_raw())
        .map(|(x, y)| u64::from(x.abs_diff(*y)))
        .sum();
    sum as f64 / a.as_raw().len() as f64
}

#[track_caller]
fn check(series: &str, size: &str, expected: (u32, u32)) {
    let app = TestApp::new();
    // The files with orientation 0 and 1 are stored upright.
    let upright =
        image::load_from_memory(&fixture(&format!("orientation/{series}_1.jpg"))).unwrap();
    for orientation in 0..=8 {
        let name = format!("{series}_{orientation}.jpg");
        app.write(&name, &fixture(&format!("orientation/{name}")));
        let thumbnail = app.pixels(&name, variant(size));
        assert_eq!(thumbnail.dimensions(), expected, "{name}");
        let shown = match size.contains("crop") {
            true => upright.resize_to_fill(
                expected.0,
                expected.1,
                image::imageops::FilterType::Lanczos3,
            ),
            false => upright.resize_exact(
                expected.0,
                expected.1,
                image::imageops::FilterType::Lanczos3,
            ),
        };
        let difference = difference(&thumbnail, &shown);
        assert!(difference < 6.0, "{name} differs by {difference}");
        // A turned or mirrored picture differs much more, so the comparison does distinguish them.
        for wrong in [shown.fliph(), shown.flipv(), shown.rotate180()] {
            assert!(self::difference(&thumbnail, &wrong) > 15.0, "{name}");
        }
    }
}

#[test]
fn landscapes_are_upright() {
    check("Landscape", "180x180-shrink.jpg", (180, 120));
}

#[test]
fn portraits_are_upright() {
    check("Portrait", "180x180-shrink.png", (120, 180));
}

#[test]
fn landscapes_are_cropped_upright() {
    check("Landscape", "60x100-crop.png", (60, 100));
}

#[test]
fn listing_reports_displayed_size_and_orientation() {
    let app = TestApp::new();
    for orientation in 0..=8 {
        let name = format!("Landscape_{orientation}.jpg");
        app.write(&name, &fixture(&format!("orientation/{name}")));
    }
    let listing = app.read_listing();
    let heads: Vec<_> = listing.entries.iter().map(|entry| entry.head).collect();
    let expected: Vec<_> = [1, 1, 2, 3, 4, 5, 6, 7, 8]
        .map(|orientation| {
            Some(Head {
                width: 1800,
                height: 1200,
                orientation,
            })
        })
        .into();
    assert_eq!(heads, expected);
}
