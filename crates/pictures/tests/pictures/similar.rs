//! Pictures that look alike.

use std::cell::Cell;
use std::fs;
use std::io::Cursor;

use fumikura_fs::Source;
use fumikura_image::PictureHash;
use fumikura_library::{KeepReason, Likeness, StayReason};
use fumikura_pictures::{
    DuplicatePicture, Duplicates, Look, MemberFacts, SearchCancelled, propose,
};
use image::imageops::FilterType;
use image::{DynamicImage, ImageFormat};
use jiff::civil::date;

use crate::test_app::{TestApp, png, variant};

fn photograph(name: &str) -> Vec<u8> {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/fixtures/images/photographs/"
    );
    fs::read(format!("{folder}{name}.jpg")).unwrap()
}

/// Returns a photograph in another size, as PNG, after a change.
fn edited(name: &str, width: u32, change: impl Fn(DynamicImage) -> DynamicImage) -> Vec<u8> {
    let picture = image::load_from_memory(&photograph(name)).unwrap();
    let picture = change(picture).resize(width, width, FilterType::Triangle);
    let mut bytes = Vec::new();
    picture
        .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
        .unwrap();
    bytes
}

fn find(app: &TestApp, likeness: Likeness) -> Duplicates {
    let folders = [app.source("")];
    let found = app.pictures.find_similar(&folders, likeness, &|_, _| true);
    found.unwrap()
}

/// Returns the names of the pictures of each group.
fn names(found: &Duplicates) -> Vec<Vec<String>> {
    let name = |picture: &DuplicatePicture| {
        let name = picture.file.source.path().name();
        String::from_utf8(name.to_vec()).unwrap()
    };
    let mut names: Vec<Vec<String>> = found
        .groups
        .iter()
        .map(|group| group.iter().map(name).collect())
        .collect();
    names.sort();
    names
}

#[test]
fn copies_in_other_sizes_form_groups() {
    let app = TestApp::new();
    for name in ["Coffee", "Fig", "Rocket", "Sunset"] {
        app.write(&format!("{name}.jpg"), &photograph(name));
    }
    app.write("Coffee small.png", &edited("Coffee", 200, |it| it));
    app.write("Fig bright.png", &edited("Fig", 400, |it| it.brighten(20)));
    app.write(
        "Rocket turned.png",
        &edited("Rocket", 300, |it| it.rotate180()),
    );
    app.write("blue.png", &png([10, 20, 200]));
    app.write("blue too.png", &png([10, 20, 200]));
    app.write("broken.jpg", b"no picture");
    let found = find(&app, Likeness::Close);
    assert_eq!(names(&found), [["Coffee small.png", "Coffee.jpg"]]);
    assert_eq!((found.pictures, found.unreadable), (10, 1));
    let found = find(&app, Likeness::Similar);
    let expected = [
        ["Coffee small.png", "Coffee.jpg"],
        ["Fig bright.png", "Fig.jpg"],
    ];
    assert_eq!(names(&found), expected);
    // Two names of one file are one picture.
    let path = |name| app.root_dir().join(name);
    fs::hard_link(path("Sunset.jpg"), path("link.jpg")).unwrap();
    assert_eq!(names(&find(&app, Likeness::Similar)), expected);
}

#[test]
fn hashes_outlive_listings_and_launches() {
    let app = TestApp::new();
    app.write("a.jpg", &photograph("Coffee"));
    app.write("b.png", &edited("Coffee", 200, |it| it));
    let generated = |app: &TestApp| app.pictures.thumbs().stats().generated;
    let expected = [["a.jpg", "b.png"]];
    assert_eq!(names(&find(&app, Likeness::Close)), expected);
    assert_eq!(generated(&app), 2);
    assert_eq!(names(&find(&app, Likeness::Close)), expected);
    let app = app.restart();
    assert_eq!(names(&find(&app, Likeness::Close)), expected);
    // The folder index is lost: the hashes come from thumbnails in the cache, whatever their size.
    let app = app.restart();
    app.write("a.jpg", &photograph("Fig"));
    app.write("b.png", &edited("Fig", 300, |it| it));
    for name in ["a.jpg", "b.png"] {
        app.thumbnail(name, variant("256x256-shrink.jpg")).unwrap();
    }
    let app = app.restart();
    fs::remove_dir_all(app.base_dir().join("cache/folders")).unwrap();
    assert_eq!(names(&find(&app, Likeness::Close)), expected);
    assert_eq!(generated(&app), 0);
}

#[test]
fn search_for_similar_can_be_cancelled() {
    let app = TestApp::new();
    app.write("a.jpg", &photograph("Coffee"));
    app.write("b.jpg", &photograph("Fig"));
    let folders: [Source; 1] = [app.source("")];
    for stop in 1..5 {
        let calls = Cell::new(0);
        let progress = |_, _| {
            calls.set(calls.get() + 1);
            calls.get() < stop
        };
        let found = app
            .pictures
            .find_similar(&folders, Likeness::Close, &progress);
        assert!(matches!(found, Err(SearchCancelled)), "{stop}");
        assert_eq!(calls.get(), stop);
    }
}

#[test]
fn other_shots_are_not_proposed_for_trash() {
    let app = TestApp::new();
    app.write("a.jpg", &photograph("Coffee"));
    app.write("b.png", &edited("Coffee", 200, |it| it));
    let group = &find(&app, Likeness::Close).groups[0];
    let stays = |seconds: [Option<i8>; 2]| {
        let at = |second: Option<i8>| second.map(|second| date(2026, 5, 1).at(9, 0, second, 0));
        let hash = PictureHash::of_thumbnail(&photograph("Coffee"), Default::default()).unwrap();
        let pictures: Vec<DuplicatePicture> = group
            .iter()
            .zip(seconds)
            .map(|(picture, second)| DuplicatePicture {
                look: Look::of(&hash, at(second)),
                ..picture.clone()
            })
            .collect();
        let facts = pictures.iter().map(|picture| MemberFacts {
            picture,
            is_unchanged: true,
            marks: Some(Default::default()),
            pixels: None,
        });
        let proposal = propose(&facts.collect::<Vec<_>>()).unwrap();
        proposal.stays[1 - proposal.keep]
    };
    assert_eq!(stays([None, Some(1)]), None);
    assert_eq!(stays([Some(1), Some(1)]), None);
    assert_eq!(stays([Some(1), Some(2)]), Some(StayReason::Differs));
}

#[test]
fn sharper_picture_is_kept() {
    let app = TestApp::new();
    app.write("a.png", &edited("Coffee", 500, |it| it.blur(2.0)));
    app.write("b.png", &edited("Coffee", 500, |it| it));
    app.write("c.png", &edited("Coffee", 500, |it| it.brighten(2)));
    let found = find(&app, Likeness::Close);
    assert_eq!(names(&found), [["a.png", "b.png", "c.png"]]);
    let facts = |at: &[usize]| {
        let members = at.iter().map(|&at| MemberFacts {
            picture: &found.groups[0][at],
            is_unchanged: true,
            marks: Some(Default::default()),
            pixels: Some(1),
        });
        let proposal = propose(&members.collect::<Vec<_>>()).unwrap();
        (proposal.keep, proposal.reason)
    };
    assert_eq!(facts(&[0, 1]), (1, KeepReason::Sharpness));
    assert_ne!(facts(&[1, 2]).1, KeepReason::Sharpness);
}
