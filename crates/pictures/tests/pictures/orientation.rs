//! Every EXIF orientation is shown upright, and turned as the sidecar says.

use fumikura_image::{Head, Turn};
use fumikura_pictures::PictureChange;
use fumikura_xmp::SidecarError;
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

fn turned(turn: Turn) -> PictureChange {
    PictureChange {
        turn,
        ..PictureChange::default()
    }
}

/// Turns a picture as it is shown. Returns the orientation in its sidecar.
fn turn(app: &TestApp, name: &str, number: u8) -> Option<u8> {
    let turn = Turn::of_number(number).unwrap();
    let source = app.source(name);
    let marked = app.pictures.change(&source, &turned(turn));
    let after = marked.unwrap().after;
    assert_eq!(app.pictures.marks(&source).unwrap().shown(), after);
    after.orientation
}

#[test]
fn turns_apply_to_every_orientation_of_a_file() {
    let app = TestApp::new();
    let original = fixture("orientation/Landscape_6.jpg");
    app.write("a.jpg", &original);
    let upright = app.pixels("a.jpg", variant("180x180-shrink.png"));
    let checked = |turned: Option<&DynamicImage>| {
        let [entry] = &app.read_listing().entries[..] else {
            panic!("the sidecar is listed");
        };
        let size = "180x180-shrink.png";
        let variant = variant(size).turned(Some(&entry.turn().to_string()));
        let shown = app.pixels("a.jpg", variant.unwrap());
        let turned = turned.unwrap_or(&upright);
        assert!(difference(&shown, turned) < 6.0);
        assert!(difference(&shown, &turned.rotate180()) > 15.0);
        entry.shown_size().unwrap()
    };
    assert_eq!(checked(None), (1800, 1200));
    assert_eq!(turn(&app, "a.jpg", 6), Some(3));
    assert_eq!(checked(Some(&upright.rotate90())), (1200, 1800));
    assert_eq!(turn(&app, "a.jpg", 2), Some(4));
    assert_eq!(checked(Some(&upright.rotate90().fliph())), (1200, 1800));
    // The reverse turns bring back the file's own orientation, which needs no sidecar to state it.
    assert_eq!(turn(&app, "a.jpg", 2), Some(3));
    assert_eq!(turn(&app, "a.jpg", 8), None);
    assert_eq!(checked(None), (1800, 1200));
    assert_eq!(
        std::fs::read(app.root_dir().join("a.jpg")).unwrap(),
        original
    );
}

#[test]
fn turn_is_known_after_a_restart() {
    let app = TestApp::new();
    app.write("a.jpg", &fixture("orientation/Landscape_1.jpg"));
    turn(&app, "a.jpg", 8);
    app.read_listing();
    app.wait_until_saved();
    let app = app.restart();
    assert_eq!(app.read_listing().entries[0].turn().number(), 8);
}

#[test]
fn only_readable_pictures_are_turned() {
    let app = TestApp::new();
    for name in ["a.mp4", "b.jpg", "c.txt"] {
        app.write(name, b"nothing");
        let right = Turn::of_number(6).unwrap();
        let turned = app.pictures.change(&app.source(name), &turned(right));
        assert!(matches!(turned, Err(SidecarError::NotAPicture)), "{name}");
    }
    assert_eq!(std::fs::read_dir(app.root_dir()).unwrap().count(), 3);
}
