//! A comparison with the thumbnails of `vipsthumbnail` (Debian's `libvips-tools`).

use std::path::Path;
use std::process::Command;

use fumikura_tests::similarity::ssim;

use crate::harness::{fixture, thumbnail};

#[track_caller]
fn check(name: &str, side: u32) {
    check_as(name, "a.jpg", side, |picture| {
        std::fs::write(picture, fixture(name)).unwrap();
    });
}

/// Checks the photo in another format, which `vips` writes with its options.
#[track_caller]
fn check_written(name: &str, format: &str, side: u32) {
    let (ending, _) = format.split_once('[').unwrap();
    check_as(name, &format!("a.{ending}"), side, |picture| {
        let photo = picture.with_file_name("photo.jpg");
        std::fs::write(&photo, fixture(name)).unwrap();
        let written = picture.with_file_name(format!("a.{format}"));
        vips("vips", &[Path::new("copy"), &photo, &written]);
    });
}

#[track_caller]
fn check_as(name: &str, file: &str, side: u32, write: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    let (picture, theirs) = (folder.path().join(file), folder.path().join("b.png"));
    write(&picture);
    let size = format!("{side}x{side}");
    let [option, size, output] = ["--size", &size, "-o"].map(Path::new);
    vips("vipsthumbnail", &[&picture, option, size, output, &theirs]);
    let theirs = image::open(&theirs).unwrap();
    let bytes = std::fs::read(&picture).unwrap();
    let ours = thumbnail(&bytes, &format!("{side}x{side}-shrink.png")).unwrap();
    let similarity = ssim(&ours, &theirs);
    assert!(
        similarity >= 0.97,
        "{name} in {file} at {side}: {similarity}"
    );
    // Wrong pictures are detected: one that is shifted by a pixel, or a little brighter.
    let (width, height) = (theirs.width(), theirs.height());
    let shifted = theirs.crop_imm(1, 1, width - 1, height - 1);
    let part = ours.crop_imm(0, 0, width - 1, height - 1);
    assert!(ssim(&part, &shifted) < 0.97, "{name} in {file} at {side}");
}

fn vips(program: &str, arguments: &[&Path]) {
    let status = Command::new(program)
        .args(arguments)
        .status()
        .expect("vips is there (cargo xtask test installs libvips-tools)");
    assert!(status.success());
}

#[test]
fn photos_look_as_vips_makes_them() {
    for name in ["Landscape_1.jpg", "Portrait_1.jpg", "Portrait_6.jpg"] {
        for side in [128, 256, 512] {
            check(&format!("orientation/{name}"), side);
        }
    }
}

#[test]
fn webp_looks_as_vips_makes_it() {
    for side in [128, 512] {
        check_written("orientation/Landscape_1.jpg", "webp[Q=90]", side);
        check_written("orientation/Portrait_6.jpg", "webp[Q=90]", side);
    }
    check_written("orientation/Portrait_1.jpg", "webp[lossless]", 256);
}

/// JPEG XL decoded by its eighth, by its details, and without losses.
#[test]
fn jpeg_xl_looks_as_vips_makes_it() {
    for side in [128, 225, 256] {
        check_written("orientation/Landscape_1.jpg", "jxl[Q=90]", side);
        check_written("orientation/Portrait_6.jpg", "jxl[Q=90]", side);
    }
    check_written("orientation/Portrait_1.jpg", "jxl[lossless]", 128);
}

/// TIFF in strips, which are reduced as they arrive, and in tiles, which are not.
#[test]
fn tiff_looks_as_vips_makes_it() {
    check_written("orientation/Landscape_1.jpg", "tif[compression=none]", 128);
    check_written(
        "orientation/Portrait_6.jpg",
        "tif[compression=lzw,predictor=horizontal]",
        256,
    );
    check_written(
        "orientation/Landscape_1.jpg",
        "tif[compression=deflate,tile]",
        128,
    );
}

#[test]
fn heic_looks_as_vips_makes_it() {
    check_written(
        "orientation/Landscape_1.jpg",
        "heic[Q=80,compression=hevc]",
        128,
    );
    check_written(
        "orientation/Portrait_6.jpg",
        "heic[Q=80,compression=hevc]",
        256,
    );
}

#[test]
fn avif_looks_as_vips_makes_it() {
    check_written("orientation/Landscape_1.jpg", "avif[Q=80,speed=9]", 128);
    check_written("orientation/Portrait_6.jpg", "avif[lossless,speed=9]", 256);
}
