//! Beside the thumbnails that `vipsthumbnail` makes (Debian's `libvips-tools`).

use std::path::Path;
use std::process::Command;

use image::{DynamicImage, GrayImage};

use crate::house::{fixture, thumbnail};

/// The side of the squares that are compared, and how far apart they begin.
const SQUARE: u32 = 8;
const STEP: u32 = 4;

#[track_caller]
fn check(name: &str, side: u32) {
    let folder = tempfile::tempdir().unwrap();
    let (picture, theirs) = (folder.path().join("a.jpg"), folder.path().join("b.png"));
    std::fs::write(&picture, fixture(name)).unwrap();
    vipsthumbnail(&picture, &theirs, side);
    let theirs = image::open(&theirs).unwrap();
    let ours = thumbnail(&fixture(name), &format!("{side}x{side}-shrink.png")).unwrap();
    let similarity = ssim(&ours, &theirs);
    assert!(similarity >= 0.97, "{name} at {side}: {similarity}");
    // What is wrong is told apart: a picture that is shifted by a pixel, or a little brighter.
    let (width, height) = (theirs.width(), theirs.height());
    let shifted = theirs.crop_imm(1, 1, width - 1, height - 1);
    let part = ours.crop_imm(0, 0, width - 1, height - 1);
    assert!(ssim(&part, &shifted) < 0.97, "{name} at {side}");
}

fn vipsthumbnail(picture: &Path, thumbnail: &Path, side: u32) {
    let status = Command::new("vipsthumbnail")
        .arg(picture)
        .args(["--size", &format!("{side}x{side}"), "-o"])
        .arg(thumbnail)
        .status()
        .expect("vipsthumbnail is there (cargo xtask test installs libvips-tools)");
    assert!(status.success());
}

/// How alike two pictures of one size are in their brightness, 1 being the same (Wang and others,
/// 2004): the mean over squares.
fn ssim(a: &DynamicImage, b: &DynamicImage) -> f64 {
    let (a, b) = (a.to_luma8(), b.to_luma8());
    assert_eq!(a.dimensions(), b.dimensions());
    let (across, down) = (a.width() - SQUARE, a.height() - SQUARE);
    let places = (0..=down)
        .step_by(STEP as usize)
        .flat_map(|y| (0..=across).step_by(STEP as usize).map(move |x| (x, y)));
    let all: Vec<f64> = places.map(|place| similarity(&a, &b, place)).collect();
    all.iter().sum::<f64>() / all.len() as f64
}

fn similarity(a: &GrayImage, b: &GrayImage, (left, top): (u32, u32)) -> f64 {
    const STABLE: [f64; 2] = [6.5025, 58.5225];
    let count = f64::from(SQUARE * SQUARE);
    let (mut of_a, mut of_b, mut squares_a, mut squares_b, mut products) =
        (0.0, 0.0, 0.0, 0.0, 0.0);
    for y in top..top + SQUARE {
        for x in left..left + SQUARE {
            let (a, b) = (
                f64::from(a.get_pixel(x, y).0[0]),
                f64::from(b.get_pixel(x, y).0[0]),
            );
            of_a += a;
            of_b += b;
            squares_a += a * a;
            squares_b += b * b;
            products += a * b;
        }
    }
    let (mean_a, mean_b) = (of_a / count, of_b / count);
    let variances = (squares_a + squares_b) / count - mean_a * mean_a - mean_b * mean_b;
    let covariance = products / count - mean_a * mean_b;
    (2.0 * mean_a * mean_b + STABLE[0]) * (2.0 * covariance + STABLE[1])
        / ((mean_a * mean_a + mean_b * mean_b + STABLE[0]) * (variances + STABLE[1]))
}

#[test]
fn photos_look_as_vips_makes_them() {
    for name in ["Landscape_1.jpg", "Portrait_1.jpg", "Portrait_6.jpg"] {
        for side in [128, 256, 512] {
            check(&format!("orientation/{name}"), side);
        }
    }
}
