//! A scene in many formats (tests/fixtures/images/samples): upright, and in its colours.

use fumikura_image::{DecodeError, Head};
use fumikura_thumbs::ThumbError;

use crate::test_app::{TestApp, fixture, variant};

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

/// Checks that the sample shows the scene, decoded at its own size and reduced.
#[track_caller]
fn check_scene(name: &str, tolerance: u8) {
    let app = TestApp::new();
    app.write(name, &fixture(&format!("samples/{name}")));
    for wanted in ["120x120-shrink.png", "48x32-crop.png"] {
        let shown = app.pixels(name, variant(wanted)).to_rgb8();
        assert_eq!(shown.width() * 2, shown.height() * 3, "{name}");
        for (x, y, expected) in SCENE {
            let (w, h) = (f64::from(shown.width()), f64::from(shown.height()));
            let pixel = shown.get_pixel((x * w) as u32, (y * h) as u32).0;
            let near = pixel
                .iter()
                .zip(expected)
                .all(|(is, should)| is.abs_diff(should) <= tolerance);
            assert!(
                near,
                "{name} {wanted} at {x}, {y}: {pixel:?}, not {expected:?}"
            );
        }
    }
}

#[test]
fn lossless_samples_are_shown_exactly() {
    for name in [
        "scene.bmp",
        "scene.ico",
        "lzw.tiff",
        "deep-lzw.tiff",
        "tiled.tiff",
        "planar-big-endian.tiff",
        "deep.png",
        "turned-6.png",
        "turned-6.webp",
        "animated.gif",
        "animated.webp",
    ] {
        check_scene(name, 3);
    }
}

#[test]
fn display_p3_samples_keep_their_colours() {
    check_scene("display-p3.png", 3);
    check_scene("display-p3.jpg", 6);
}

#[test]
fn progressive_jpeg_is_shown() {
    check_scene("progressive.jpg", 6);
}

#[test]
fn listing_reports_size_and_orientation() {
    let app = TestApp::new();
    let upright = Head {
        width: 120,
        height: 80,
        orientation: 1,
    };
    let turned = Head {
        orientation: 6,
        ..upright
    };
    for (name, expected) in [
        ("scene.bmp", upright),
        ("deep.png", upright),
        ("turned-6.png", turned),
        ("animated.webp", upright),
        ("turned-6.webp", turned),
        ("scene.avif", upright),
        ("grid.avif", upright),
        (
            "turned-5.avif",
            Head {
                orientation: 5,
                ..upright
            },
        ),
        ("scene.heic", upright),
        ("turned-6-exif-6.heic", turned),
        (
            "turned-7.heic",
            Head {
                orientation: 7,
                ..upright
            },
        ),
        ("clear.jxl", upright),
        ("deep.jxl", upright),
        ("turned-6.jxl", turned),
        ("preview.dng", turned),
        ("lzw.tiff", upright),
        ("planar-big-endian.tiff", upright),
        ("tiled.tiff", turned),
        (
            "scene.ico",
            Head {
                width: 60,
                height: 40,
                ..upright
            },
        ),
    ] {
        let path = app.write(name, &fixture(&format!("samples/{name}")));
        let listing = app.read_listing();
        assert_eq!(listing.entries[0].head, Some(expected), "{name}");
        std::fs::remove_file(path).unwrap();
    }
}

/// The `image` crate would read the first directory as the picture.
#[test]
fn raw_file_is_not_decoded_as_tiff() {
    let app = TestApp::new();
    app.write("a.tiff", &fixture("samples/preview.dng"));
    assert!(matches!(
        app.thumbnail("a.tiff", variant("20x20-crop.png")),
        Err(ThumbError::Decode(DecodeError::UnsupportedKind(kind))) if kind == "image/x-dcraw"
    ));
}
