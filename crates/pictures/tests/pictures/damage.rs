//! Damaged and hostile pictures cost an error each, and nothing else.

use fumikura_image::DecodeError;
use fumikura_thumbs::ThumbError;
use image::{DynamicImage, GenericImageView, ImageFormat, Rgb};

use crate::test_app::{TestApp, encoded, fixture, png, read_fixtures, variant};

#[track_caller]
fn check_refused(bytes: &[u8], is_expected: impl Fn(&DecodeError) -> bool) {
    let app = TestApp::new();
    app.write("picture.jpg", bytes);
    let outcome = app.thumbnail("picture.jpg", variant("85x85-crop.jpg"));
    match outcome {
        Err(ThumbError::Decode(error)) => assert!(is_expected(&error), "{error}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(app.cache_file_count(), 0);
    // The next picture is not affected.
    app.write("good.png", &png([1, 2, 3]));
    app.thumbnail("good.png", variant("85x85-crop.jpg"))
        .unwrap();
}

fn is_damaged(error: &DecodeError) -> bool {
    matches!(error, DecodeError::Damaged(_))
}

/// Creates a picture that no format makes much smaller.
fn noise_picture() -> DynamicImage {
    let noise = |x: u32, y: u32| ((x * 97) ^ (y * 61) ^ (x * y)) as u8;
    image::RgbImage::from_fn(200, 200, |x, y| Rgb([200, noise(x, y), 30])).into()
}

#[test]
fn truncated_gif_is_shown_partly() {
    let app = TestApp::new();
    app.write("cut.gif", &fixture("broken/truncated.gif"));
    let shown = app.pixels("cut.gif", variant("256x256-shrink.png"));
    let shown = shown.to_rgba8();
    let last = shown.height() - 1;
    assert_eq!(shown.get_pixel(5, 0).0[3], 255);
    assert_eq!(shown.get_pixel(5, last).0[3], 0);
}

#[test]
fn truncated_png_is_shown_partly() {
    let app = TestApp::new();
    let whole = encoded(&noise_picture(), ImageFormat::Png);
    app.write("cut.png", &whole[..whole.len() / 2]);
    let shown = app
        .pixels("cut.png", variant("200x200-shrink.png"))
        .to_rgb8();
    assert!(shown.get_pixel(5, 5).0[0].abs_diff(200) < 4);
    assert_eq!(shown.get_pixel(5, 195).0, [128; 3]);
}

#[test]
fn avif_is_refused_whatever_size_it_claims() {
    check_refused(
        &fixture("broken/17000x17000.avif"),
        |error| matches!(error, DecodeError::UnsupportedKind(kind) if kind == "image/avif"),
    );
}

#[test]
fn truncated_jpeg_is_shown_with_grey_rest() {
    let app = TestApp::new();
    app.write("cut.jpg", &fixture("broken/truncated.jpg"));
    let shown = app
        .pixels("cut.jpg", variant("290x442-stretch.png"))
        .to_rgb8();
    assert_eq!(shown.dimensions(), (290, 442));
    assert_ne!(shown.get_pixel(20, 20), shown.get_pixel(200, 20));
    let is_grey = |pixel: &Rgb<u8>| pixel.0.iter().all(|channel| channel.abs_diff(128) < 4);
    assert!((0..290).all(|x| is_grey(shown.get_pixel(x, 430))));
}

#[test]
fn unusual_but_valid_pictures_are_shown() {
    let app = TestApp::new();
    for (name, size) in [
        ("1.webp", (128, 86)),
        ("big-height.webp", (10, 128)),
        ("looks-like-svg.webp", (128, 128)),
        ("trans-x.png", (100, 100)),
    ] {
        app.write(name, &fixture(&format!("broken/{name}")));
        for format in ["jpg", "png", "webp"] {
            let variant = variant(&format!("128x128-shrink.{format}"));
            assert_eq!(app.pixels(name, variant).dimensions(), size, "{name}");
        }
    }
}

#[test]
fn non_pictures_are_refused() {
    let no_picture = |error: &DecodeError| matches!(error, DecodeError::NotAPicture);
    check_refused(b"", no_picture);
    check_refused(b"\xff", no_picture);
    check_refused(b"just a text\n", no_picture);
    check_refused(b"<html><svg/></html>", no_picture);
}

#[test]
fn headers_without_a_body_are_damaged() {
    check_refused(b"\xff\xd8\xff", is_damaged);
    check_refused(b"\x89PNG\r\n\x1a\n", is_damaged);
    check_refused(b"GIF89a", is_damaged);
    check_refused(b"RIFF\0\0\0\0WEBP", is_damaged);
}

#[test]
fn extreme_aspect_ratios_get_thumbnails() {
    let app = TestApp::new();
    let strip = DynamicImage::new_rgb8(20_000, 10);
    for (name, strip) in [("lying", strip.clone()), ("standing", strip.rotate90())] {
        let is_standing = name == "standing";
        app.write(name, &encoded(&strip, ImageFormat::Png));
        for (wanted, mut size) in [
            ("256x256-shrink.png", (256, 1)),
            ("85x85-crop.jpg", (85, 85)),
            ("64x64-stretch.webp", (64, 64)),
        ] {
            if is_standing {
                size = (size.1, size.0);
            }
            let shown = app.pixels(name, variant(wanted));
            assert_eq!(shown.dimensions(), size, "{name} {wanted}");
        }
    }
}

/// Only the first frame is decoded, whatever the number of frames.
#[test]
fn long_animation_is_shown_by_first_frame() {
    let [red, blue] = [0, 1];
    let mut gif = b"GIF89a\x01\0\x01\0\x80\0\0\xff\0\0\0\0\xff".to_vec();
    for number in 0..100_000 {
        gif.extend(b",\0\0\0\0\x01\0\x01\0\0");
        let colour = if number == 0 { red } else { blue };
        // LZW with two bits per colour: a fresh table, the colour, the end.
        gif.extend([2, 2, 0b0100_0100 | (colour << 3), 1, 0]);
    }
    gif.push(b';');
    let app = TestApp::new();
    app.write("many.gif", &gif);
    let shown = app.pixels("many.gif", variant("8x8-stretch.png")).to_rgb8();
    assert!(shown.pixels().all(|pixel| pixel.0 == [255, 0, 0]));
}

/// The header of a picture decides before anything is decoded: these would need 10 GB.
#[test]
fn pictures_that_claim_too_many_pixels_are_refused() {
    // A PNG of 50,000 × 50,000 in 69 bytes.
    let bomb = "89504e470d0a1a0a0000000d494844520000c3500000c35008060000004baf3dca\
                0000000c49444154789c6360a03d00000064000186643c350000000049454e44ae426082";
    check_refused(&hex::decode(bomb).unwrap(), |error| {
        matches!(
            error,
            DecodeError::TooManyPixels {
                width: 50_000,
                height: 50_000,
                limit: 150_000_000,
            } | DecodeError::TooLarge(_)
        )
    });

    let mut gif = b"GIF89a\xff\xff\xff\xff\0\0\0".to_vec();
    gif.extend(b",\0\0\0\0\xff\xff\xff\xff\0\x02\x02D\x01\0;");
    check_refused(&gif, |error| {
        matches!(
            error,
            DecodeError::TooManyPixels { .. } | DecodeError::TooLarge(_)
        )
    });

    let mut jpeg = encoded(&DynamicImage::new_rgb8(8, 8), ImageFormat::Jpeg);
    let frame = jpeg
        .windows(2)
        .position(|marker| marker == [0xff, 0xc0])
        .unwrap();
    jpeg[frame + 5..frame + 9].fill(0xff);
    check_refused(&jpeg, |error| {
        matches!(
            error,
            DecodeError::TooManyPixels {
                width: 65_535,
                height: 65_535,
                ..
            }
        )
    });
}

#[test]
fn oversized_file_is_not_read() {
    let app = TestApp::new();
    let path = app.write("long.jpg", &fixture("broken/truncated.jpg"));
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_len(600 << 20).unwrap();
    assert!(matches!(
        app.thumbnail("long.jpg", variant("85x85-crop.jpg")),
        Err(ThumbError::Decode(DecodeError::FileTooLarge { .. }))
    ));
}

/// Every prefix and every flipped byte of a picture gives an error or a thumbnail, never more.
#[test]
fn no_damage_stops_the_engine() {
    let app = TestApp::new();
    let small = DynamicImage::from(image::RgbImage::from_fn(16, 16, |x, y| {
        Rgb([(x * 16) as u8, (y * 16) as u8, 90])
    }));
    for format in [
        ImageFormat::Jpeg,
        ImageFormat::Png,
        ImageFormat::Gif,
        ImageFormat::WebP,
        ImageFormat::Bmp,
        ImageFormat::Tiff,
        ImageFormat::Ico,
    ] {
        let bytes = encoded(&small, format);
        for step in 0..40 {
            let at = bytes.len() * step / 40;
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x55;
            for (kind, damaged) in [("cut", &bytes[..at]), ("flip", &flipped[..])] {
                let name = format!("{kind}-{step}.{}", format.extensions_str()[0]);
                app.write(&name, damaged);
                match app.thumbnail(&name, variant("8x8-crop.jpg")) {
                    Ok(_) | Err(ThumbError::Decode(_)) => {}
                    Err(other) => panic!("{name}: {other}"),
                }
            }
        }
    }
}

#[test]
fn truncated_bitmap_is_shown_partly() {
    let app = TestApp::new();
    let whole = encoded(&noise_picture(), ImageFormat::Bmp);
    app.write("cut.bmp", &whole[..whole.len() / 2]);
    let shown = app
        .pixels("cut.bmp", variant("200x200-shrink.png"))
        .to_rgb8();
    // Rows are stored from the bottom.
    assert!(shown.get_pixel(5, 195).0[0].abs_diff(200) < 4);
    assert_eq!(shown.get_pixel(5, 5).0, [128; 3]);
}

#[test]
fn truncated_icon_is_shown_partly() {
    let app = TestApp::new();
    let whole = encoded(&noise_picture(), ImageFormat::Ico);
    app.write("cut.ico", &whole[..whole.len() / 2]);
    let shown = app.pixels("cut.ico", variant("200x200-shrink.png"));
    assert!(shown.to_rgb8().get_pixel(5, 5).0[0].abs_diff(200) < 4);
}

#[test]
fn listing_flags_only_truncated_files() {
    let app = TestApp::new();
    for folder in ["broken", "cases", "samples"] {
        for (name, bytes) in read_fixtures(folder) {
            app.write(&name, &bytes);
        }
    }
    for (name, format) in [
        ("cut.bmp", ImageFormat::Bmp),
        ("cut.ico", ImageFormat::Ico),
        ("cut.png", ImageFormat::Png),
        ("cut.webp", ImageFormat::WebP),
    ] {
        let whole = encoded(&noise_picture(), format);
        app.write(name, &whole[..whole.len() / 2]);
    }
    let tiff = fixture("samples/planar-tiles-big.tiff");
    app.write("cut.tiff", &tiff[..tiff.len() / 2]);
    let entries = app.read_listing().entries.into_iter();
    let cut = entries.filter(|entry| entry.is_incomplete);
    let cut: Vec<_> = cut
        .map(|entry| String::from_utf8(entry.name).unwrap())
        .collect();
    let expected = [
        "cut.bmp",
        "cut.ico",
        "cut.png",
        "cut.tiff",
        "cut.webp",
        "truncated.gif",
        "truncated.jpg",
    ];
    assert_eq!(cut, expected);
}
