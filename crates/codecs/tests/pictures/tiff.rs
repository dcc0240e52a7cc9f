//! TIFF.

use fumikura_image::{DecodeError, Limits};

use crate::harness::{sample, thumbnail, thumbnail_within};
use crate::{damage, scene};

#[test]
fn palettes_are_shown_in_their_colours() {
    scene::check("palette-8.tiff", 0);
    scene::check("palette-4-reversed.tiff", 0);
    scene::check("palette-3-big.tiff", 0);
}

#[test]
fn grey_of_any_depth_is_shown() {
    scene::check_grey("grey-2.tiff", 43);
    scene::check_grey("grey-4.tiff", 9);
    scene::check_grey("grey-12.tiff", 1);
}

#[test]
fn faxes_are_shown() {
    scene::check_black_and_white("fax-rle.tiff");
    scene::check_black_and_white("fax-3.tiff");
    scene::check_black_and_white("fax-4.tiff");
}

#[test]
fn luma_and_chroma_become_colours() {
    for name in [
        "ycbcr-2-2.tiff",
        "ycbcr-2-1-lzw.tiff",
        "ycbcr-2-2-planar.tiff",
    ] {
        scene::check(name, 2);
    }
}

#[test]
fn jpeg_in_strips_and_tiles_is_shown() {
    for name in ["jpeg-strips.tiff", "jpeg-tiles.tiff", "jpeg-rgb.tiff"] {
        scene::check(name, 6);
    }
}

#[test]
fn old_jpeg_is_shown() {
    scene::check("old-jpeg.tiff", 6);
    scene::check("old-jpeg-tables.tiff", 6);
}

#[test]
fn colours_are_converted_to_srgb() {
    scene::check("lab-8.tiff", 3);
    scene::check("lab-16.tiff", 3);
    scene::check("cmyk.tiff", 1);
    scene::check("display-p3.tiff", 3);
}

#[test]
fn whole_numbers_and_fractions_are_shown() {
    for name in [
        "lzw.tiff",
        "deep-lzw.tiff",
        "tiled.tiff",
        "planar-big-endian.tiff",
        "planar-tiles-big.tiff",
        "fractions.tiff",
        "zstd.tiff",
    ] {
        scene::check(name, 1);
    }
}

#[test]
fn associated_opacity_is_kept() {
    scene::check_clear("clear.tiff", 1);
}

#[test]
fn missing_rows_are_grey() {
    let whole = sample("lzw.tiff");
    let cut = thumbnail(&whole[..whole.len() * 7 / 10], "120x80-stretch.png");
    let cut = cut.unwrap().to_rgb8();
    let is_near = |x, y, expected: [u8; 3]| {
        let pixel = cut.get_pixel(x, y).0;
        pixel
            .iter()
            .zip(expected)
            .all(|(is, it)| is.abs_diff(it) < 4)
    };
    assert!(is_near(5, 5, [200, 48, 40]));
    assert!(is_near(5, 75, [128; 3]));
}

#[test]
fn more_pixels_than_allowed_are_refused() {
    let limits = Limits {
        pixels: 120 * 80 - 1,
        ..Limits::default()
    };
    assert!(matches!(
        thumbnail_within(limits, &sample("palette-8.tiff"), "20x20-shrink.png"),
        Err(DecodeError::TooManyPixels { .. })
    ));
}

#[test]
fn damage_causes_at_most_an_error() {
    damage::check_every_length("palette-8.tiff");
    damage::check_every_length("old-jpeg-tables.tiff");
    for name in [
        "palette-3-big.tiff",
        "grey-2.tiff",
        "fax-3.tiff",
        "fax-4.tiff",
        "ycbcr-2-1-lzw.tiff",
        "ycbcr-2-2-planar.tiff",
        "jpeg-tiles.tiff",
        "old-jpeg.tiff",
        "lab-16.tiff",
        "clear.tiff",
        "fractions.tiff",
        "planar-tiles-big.tiff",
        "zstd.tiff",
    ] {
        damage::check_flips(name, 400);
    }
}
