//! Kinds of pictures and kinds of thumbnails: colours, depth, transparency, first frames.

use std::io::Cursor;

use image::codecs::gif::GifEncoder;
use image::codecs::png::PngEncoder;
use image::{
    DynamicImage, Frame, GenericImageView, ImageBuffer, ImageEncoder, ImageFormat, Luma, Rgb,
    RgbImage, Rgba, RgbaImage,
};

use crate::test_app::{TestApp, encoded, png, variant};

#[track_caller]
fn check_colour(pixel: Rgb<u8>, expected: [u8; 3], tolerance: u8) {
    let near = pixel
        .0
        .iter()
        .zip(expected)
        .all(|(is, should)| is.abs_diff(should) <= tolerance);
    assert!(near, "{:?} instead of {expected:?}", pixel.0);
}

#[test]
fn thumbnail_has_the_requested_format() {
    let app = TestApp::new();
    app.write("a.png", &png([200, 100, 50]));
    for (name, format) in [
        ("jpg", ImageFormat::Jpeg),
        ("png", ImageFormat::Png),
        ("webp", ImageFormat::WebP),
    ] {
        let thumbnail = app
            .thumbnail("a.png", variant(&format!("20x20-crop.{name}")))
            .unwrap();
        let bytes = std::fs::read(&thumbnail.path).unwrap();
        assert_eq!(image::guess_format(&bytes).unwrap(), format);
        let decoded = image::load_from_memory(&bytes).unwrap();
        assert_eq!(decoded.dimensions(), (20, 20));
        check_colour(*decoded.to_rgb8().get_pixel(10, 10), [200, 100, 50], 3);
    }
}

#[test]
fn content_decides_not_the_extension() {
    let app = TestApp::new();
    app.write("really-a-png.jpg", &png([9, 8, 7]));
    app.thumbnail("really-a-png.jpg", variant("20x20-crop.png"))
        .unwrap();
}

#[test]
fn each_mode_yields_its_size() {
    let app = TestApp::new();
    app.write("a.png", &png([1, 2, 3])); // 40 × 30
    for (wanted, size) in [
        ("20x20-crop.png", (20, 20)),
        ("20x20-shrink.png", (20, 15)),
        ("20x20-stretch.png", (20, 20)),
        ("80x80-crop.png", (80, 80)),
        ("80x80-shrink.png", (40, 30)),
        ("80x10-stretch.png", (80, 10)),
    ] {
        let shown = app.pixels("a.png", variant(wanted));
        assert_eq!(shown.dimensions(), size, "{wanted}");
    }
}

#[test]
fn transparency_is_kept_or_flattened_to_white() {
    let app = TestApp::new();
    let clear = RgbaImage::from_pixel(10, 10, Rgba([255, 0, 0, 0]));
    app.write("clear.png", &encoded(&clear.into(), ImageFormat::Png));
    let half = RgbaImage::from_pixel(10, 10, Rgba([255, 0, 0, 128]));
    app.write("half.png", &encoded(&half.into(), ImageFormat::Png));

    let jpg = app.pixels("clear.png", variant("5x5-crop.jpg")).to_rgb8();
    check_colour(*jpg.get_pixel(2, 2), [255; 3], 2);
    let jpg = app.pixels("half.png", variant("5x5-crop.jpg")).to_rgb8();
    check_colour(*jpg.get_pixel(2, 2), [255, 127, 127], 6);
    for format in ["png", "webp"] {
        let kept = app
            .pixels("half.png", variant(&format!("5x5-crop.{format}")))
            .to_rgba8();
        assert_eq!(kept.get_pixel(2, 2).0, [255, 0, 0, 128]);
    }
}

#[test]
fn sixteen_bit_and_grey_pictures_are_decoded() {
    let app = TestApp::new();
    let grey = ImageBuffer::from_pixel(10, 10, Luma([0x8080_u16]));
    let grey = DynamicImage::ImageLuma16(grey);
    app.write("grey16.png", &encoded(&grey, ImageFormat::Png));
    let rgb = ImageBuffer::from_pixel(10, 10, Rgb([0xffff_u16, 0x8080, 0]));
    let rgb = DynamicImage::ImageRgb16(rgb);
    app.write("rgb16.png", &encoded(&rgb, ImageFormat::Png));
    let grey = DynamicImage::ImageLuma8(ImageBuffer::from_pixel(10, 10, Luma([77])));
    app.write("grey.jpg", &encoded(&grey, ImageFormat::Jpeg));
    for (name, expected) in [
        ("grey16.png", [128; 3]),
        ("rgb16.png", [255, 128, 0]),
        ("grey.jpg", [77; 3]),
    ] {
        for format in ["jpg", "png", "webp"] {
            let variant = variant(&format!("6x6-crop.{format}"));
            let shown = app.pixels(name, variant).to_rgb8();
            check_colour(*shown.get_pixel(3, 3), expected, 3);
        }
    }
}

#[test]
fn animation_shows_its_first_frame() {
    let app = TestApp::new();
    let mut gif = Vec::new();
    let mut encoder = GifEncoder::new(&mut gif);
    for colour in [[255, 0, 0, 255], [0, 0, 255, 255]] {
        let frame = Frame::new(RgbaImage::from_pixel(10, 10, Rgba(colour)));
        encoder.encode_frame(frame).unwrap();
    }
    drop(encoder);
    app.write("moving.gif", &gif);
    let shown = app.pixels("moving.gif", variant("5x5-crop.png"));
    check_colour(*shown.to_rgb8().get_pixel(2, 2), [255, 0, 0], 2);
}

/// The expected colours were computed with the matrix of CSS Color 4 from Display P3 to sRGB.
#[test]
fn colours_are_converted_to_srgb() {
    let app = TestApp::new();
    for (colour, expected) in [
        ([200, 100, 50], [215, 93, 31]),
        ([100, 200, 100], [45, 203, 86]),
    ] {
        let image = RgbImage::from_pixel(10, 10, Rgb(colour));
        let mut bytes = Cursor::new(Vec::new());
        let mut encoder = PngEncoder::new(&mut bytes);
        let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
        encoder.set_icc_profile(profile).unwrap();
        DynamicImage::from(image)
            .write_with_encoder(encoder)
            .unwrap();
        app.write("p3.png", &bytes.into_inner());
        let shown = app.pixels("p3.png", variant("5x5-crop.png"));
        check_colour(*shown.to_rgb8().get_pixel(2, 2), expected, 2);
    }
}

#[test]
fn broken_colour_profile_is_ignored() {
    let app = TestApp::new();
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = PngEncoder::new(&mut bytes);
    encoder.set_icc_profile(b"no profile".to_vec()).unwrap();
    DynamicImage::from(RgbImage::from_pixel(9, 9, Rgb([9, 90, 200])))
        .write_with_encoder(encoder)
        .unwrap();
    app.write("odd.png", &bytes.into_inner());
    let shown = app.pixels("odd.png", variant("5x5-crop.png"));
    check_colour(*shown.to_rgb8().get_pixel(2, 2), [9, 90, 200], 1);
}
