//! Cropped pictures: in listings, thumbnails and exports, in every orientation.

use fumikura_image::{Crop, CropArea, KeptMetadata, Rendition, RenditionFormat, Turn};
use fumikura_pictures::PictureChange;
use fumikura_xmp::{CameraRawCrop, SidecarError};
use image::{DynamicImage, GenericImageView, Rgb, RgbImage};

use crate::test_app::{TestApp, fixture, variant};

fn crop(text: &str) -> Crop {
    text.parse().unwrap()
}

fn change(crop: Crop, turn: u8) -> PictureChange {
    PictureChange {
        crop: Some(crop),
        turn: Turn::of_number(turn).unwrap(),
        ..PictureChange::default()
    }
}

fn whole() -> Crop {
    crop("0.5,0.5,1,1,0")
}

/// Returns the mean difference of a channel, 0…255.
fn difference(a: &DynamicImage, b: &DynamicImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    let (a, b) = (a.to_rgb8(), b.to_rgb8());
    let pairs = a.as_raw().iter().zip(b.as_raw());
    let sum: u64 = pairs.map(|(x, y)| u64::from(x.abs_diff(*y))).sum();
    sum as f64 / a.as_raw().len() as f64
}

/// Returns the thumbnail of the only picture as its listing says, and its size.
fn shown(app: &TestApp, size: &str) -> (DynamicImage, (u32, u32)) {
    let [entry] = &app.read_listing().entries[..] else {
        panic!("the sidecar is listed");
    };
    let turned = variant(size).turned(Some(&entry.turn().to_string()));
    let crop = entry.crop().map(|crop| crop.to_string());
    let variant = turned.unwrap().cropped(crop.as_deref()).unwrap();
    let name = String::from_utf8(entry.name.to_vec()).unwrap();
    (app.pixels(&name, variant), entry.shown_size().unwrap())
}

#[test]
fn crop_applies_to_every_orientation_of_a_file() {
    for orientation in 1..=8 {
        let app = TestApp::new();
        let original = fixture(&format!("orientation/Landscape_{orientation}.jpg"));
        app.write("a.jpg", &original);
        let upright = app.pixels("a.jpg", variant("1800x1200-shrink.png"));
        let crop = crop("0.3,0.4,0.4,0.6,0");
        let source = app.source("a.jpg");
        app.pictures.change(&source, &change(crop, 6)).unwrap();
        let (thumbnail, size) = shown(&app, "120x120-shrink.png");
        assert_eq!(size, (720, 720));
        let expected = upright.crop_imm(180, 120, 720, 720).rotate90();
        let expected = expected.resize_exact(120, 120, image::imageops::FilterType::Lanczos3);
        let found = difference(&thumbnail, &expected);
        assert!(found < 6.0, "{orientation} differs by {found}");
        assert!(difference(&thumbnail, &expected.rotate180()) > 15.0);
        // Turned and reset: nothing is left of the crop, and the file is unchanged.
        app.pictures.change(&source, &change(whole(), 8)).unwrap();
        assert_eq!(shown(&app, "120x120-shrink.png").1, (1800, 1200));
        let path = app.root_dir().join("a.jpg");
        assert_eq!(std::fs::read(path).unwrap(), original);
    }
}

#[test]
fn rotated_part_is_level_in_every_orientation() {
    // The upper half of the part is red, below a slanted edge.
    let (sin, cos) = 10_f64.to_radians().sin_cos();
    let upright = RgbImage::from_fn(400, 300, |x, y| {
        let (x, y) = (f64::from(x) - 160.0, f64::from(y) - 150.0);
        match y * cos - x * sin < 0.0 {
            true => Rgb([250, 0, 0]),
            false => Rgb([0, 0, 250]),
        }
    });
    for turn in Turn::all() {
        let app = TestApp::new();
        let mut bytes = std::io::Cursor::new(Vec::new());
        let png = image::ImageFormat::Png;
        upright.write_to(&mut bytes, png).unwrap();
        app.write("a.png", bytes.get_ref());
        let crop = crop("0.4,0.5,0.5,0.5,10");
        let source = app.source("a.png");
        app.pictures
            .change(&source, &change(crop, turn.number()))
            .unwrap();
        let (mut thumbnail, _) = shown(&app, "100x100-shrink.png");
        thumbnail.apply_orientation(turn.inverse().orientation());
        let (width, height) = thumbnail.dimensions();
        let pixels = thumbnail.to_rgb8();
        for x in 0..width {
            assert!(pixels.get_pixel(x, height / 2 - 3).0[0] > 240, "{turn}");
            assert!(pixels.get_pixel(x, height / 2 + 3).0[2] > 240, "{turn}");
        }
    }
}

#[test]
fn crop_outside_the_picture_is_refused() {
    let app = TestApp::new();
    app.write("a.jpg", &fixture("orientation/Landscape_6.jpg"));
    app.write("b.mp4", b"nothing");
    app.write("c.jpg", b"nothing");
    let try_crop = |name, text| {
        let change = change(crop(text), 1);
        app.pictures.change(&app.source(name), &change)
    };
    for text in ["0.9,0.5,0.5,0.5,0", "0.5,0.1,0.5,0.3,0", "0.5,0.5,1,1,3"] {
        let refused = try_crop("a.jpg", text);
        assert!(matches!(refused, Err(SidecarError::CropOutside)), "{text}");
    }
    for name in ["b.mp4", "c.jpg"] {
        let refused = try_crop(name, "0.5,0.5,0.5,0.5,0");
        assert!(matches!(refused, Err(SidecarError::NotAPicture)), "{name}");
    }
    assert_eq!(std::fs::read_dir(app.root_dir()).unwrap().count(), 3);
}

#[test]
fn crop_is_known_after_a_restart_and_a_replacement() {
    let app = TestApp::new();
    app.write("a.jpg", &fixture("orientation/Landscape_6.jpg"));
    let wanted = crop("0.3,0.4,0.4,0.6,-5");
    let marked = app
        .pictures
        .change(&app.source("a.jpg"), &change(wanted, 1))
        .unwrap();
    assert_eq!(marked.before.crop, None);
    let mark: CameraRawCrop = marked.after.crop.unwrap();
    assert_eq!(
        app.pictures
            .crop(&app.source("a.jpg"), &marked.after)
            .map(|crop| crop.size_in((1800, 1200))),
        Some((720, 720))
    );
    assert!(mark.angle < 0);
    app.read_listing();
    app.wait_until_saved();
    let app = app.restart();
    let entry = &app.read_listing().entries[0];
    let CropArea { x, y, .. } = entry.crop().unwrap().area();
    assert!((x - 0.3).abs() < 1e-5 && (y - 0.4).abs() < 1e-5);
    // The crop is a part of any picture.
    app.write("a.jpg", &fixture("orientation/Portrait_1.jpg"));
    let (thumbnail, size) = shown(&app, "64x64-shrink.png");
    assert!(thumbnail.width() <= 64 && size.0 <= 1200 && size.1 <= 1800);
}

#[test]
fn export_applies_the_crop() {
    let app = TestApp::new();
    app.write("a.jpg", &fixture("orientation/Landscape_6.jpg"));
    let source = app.source("a.jpg");
    app.pictures
        .change(&source, &change(crop("0.3,0.4,0.4,0.6,7"), 6))
        .unwrap();
    let rendition = Rendition {
        turn: Turn::NONE,
        crop: None,
        edge: None,
        format: RenditionFormat::Png,
        quality: 90,
        sharpens: false,
        metadata: KeptMetadata::None,
        taken: None,
    };
    let folder = app.source("");
    let target = app.pictures.files().new_files(&folder).unwrap();
    app.pictures
        .export(&source, rendition, &target, ("b.png", false))
        .unwrap();
    let exported = image::open(app.root_dir().join("b.png")).unwrap();
    assert_eq!(exported.dimensions(), (720, 720));
}
