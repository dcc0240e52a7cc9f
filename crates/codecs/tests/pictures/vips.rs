//! Beside the thumbnails that `vipsthumbnail` makes (Debian's `libvips-tools`).

use std::path::Path;
use std::process::Command;

use fumikura_tests::likeness::ssim;

use crate::house::{fixture, thumbnail};

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

#[test]
fn photos_look_as_vips_makes_them() {
    for name in ["Landscape_1.jpg", "Portrait_1.jpg", "Portrait_6.jpg"] {
        for side in [128, 256, 512] {
            check(&format!("orientation/{name}"), side);
        }
    }
}
