//! Files that some programs show wrongly, checked by their corners, and by their sizes in the header.

use std::io::{Seek, Write};

use fumikura_image::Head;

use crate::harness::{fixture, thumbnail};

const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];
const BLUE: [u8; 3] = [0, 0, 255];
const WHITE: [u8; 3] = [255; 3];
/// The colours of the corners, from the upper left to the lower right.
const CORNERS: [[u8; 3]; 4] = [RED, GREEN, BLUE, WHITE];

#[track_caller]
fn check(name: &str, size: Option<(u32, u32)>, corners: [[u8; 3]; 4], tolerance: u8) {
    let bytes = fixture(&format!("cases/{name}"));
    let shown = thumbnail(&bytes, "256x256-shrink.png").unwrap().to_rgba8();
    let (width, height) = shown.dimensions();
    let places = [(1, 1), (7, 1), (1, 7), (7, 7)];
    for ((x, y), corner) in places.into_iter().zip(corners) {
        let pixel = shown.get_pixel(width * x / 8, height * y / 8).0;
        let is_near = pixel
            .iter()
            .zip(corner)
            .all(|(is, it)| is.abs_diff(it) <= tolerance);
        assert!(
            is_near && pixel[3] == 255,
            "{name} at {x}, {y}: {pixel:?}, not {corner:?}"
        );
    }
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    file.rewind().unwrap();
    let head = Head::read(file, bytes.len() as u64);
    assert_eq!(head.map(|head| (head.width, head.height)), size, "{name}");
}

#[test]
fn orientation_stored_as_long_is_applied() {
    check("exif_orient_as_long.jpg", Some((96, 64)), CORNERS, 25);
}

#[test]
fn icons_are_shown() {
    check("bmp32_mask_all_set.ico", Some((64, 64)), CORNERS, 4);
    check("png_pal.ico", Some((64, 64)), CORNERS, 4);
}

#[test]
fn bitmaps_of_os2_are_shown() {
    check("os2_v2_header64.bmp", Some((96, 64)), CORNERS, 4);
}

#[test]
fn drawings_are_shown() {
    check("embedded_png.svg", None, CORNERS, 8);
    check("gzipped.svgz", None, CORNERS, 8);
}

#[test]
fn png_gamma_and_exif_chunks_are_applied() {
    let colours = [[200, 60, 60], [60, 180, 60], [60, 60, 200], [230; 3]];
    check("gama_1_only.png", Some((96, 64)), colours, 10);
    check("exif_after_idat_orient6.png", Some((96, 64)), CORNERS, 3);
}

/// The numbers are linear light.
#[test]
fn grey_profile_applies_to_three_channels() {
    let greys = [110, 175, 219, 248].map(|grey| [grey; 3]);
    check("mono_icc_linear.avif", Some((96, 64)), greys, 12);
}
