//! The pictures that stand for a folder.

use std::fs;
use std::os::unix::fs::symlink;

use fumikura_fs::AccessError;
use fumikura_image::Turn;
use fumikura_library::Entry;
use fumikura_pictures::PictureChange;
use fumikura_xmp::{MarksChange, Rating, RatingChange};

use crate::test_app::{TestApp, fixture, png};

fn covers(app: &TestApp, folder: &str) -> Vec<Entry> {
    app.pictures.covers(app.root, folder.as_bytes()).unwrap()
}

fn paths(covers: &[Entry]) -> Vec<String> {
    let path = |entry: &Entry| entry.folder.join(&entry.name).as_bytes().to_vec();
    let paths = covers.iter().map(path);
    paths.map(|path| String::from_utf8(path).unwrap()).collect()
}

/// Creates an app with pictures of these names, and the folders above them.
fn app_with(pictures: &[&str]) -> TestApp {
    let app = TestApp::new();
    for path in pictures {
        let folder = app.root_dir().join(path);
        fs::create_dir_all(folder.parent().unwrap()).unwrap();
        app.write(path, &png([1, 2, 3]));
    }
    app
}

fn rate(app: &TestApp, name: &str, rating: Rating) {
    let change = MarksChange {
        rating: RatingChange::Set(rating),
        ..MarksChange::default()
    };
    app.pictures.mark(&app.source(name), &change).unwrap();
}

#[test]
fn best_rated_pictures_are_covers() {
    let names = ["1.png", "2.png", "3.png", "4.png", "5.png", "10.png"];
    let app = app_with(&names);
    app.write("0.mp4", b"a video");
    app.write("0.txt", b"text");
    app.write(".0.png", &png([1, 2, 3]));
    assert_eq!(paths(&covers(&app, "")), names[..4]);
    rate(&app, "10.png", Rating::Two);
    rate(&app, "4.png", Rating::Five);
    rate(&app, "1.png", Rating::Rejected);
    app.read_listing();
    let best = ["4.png", "10.png", "2.png", "3.png"];
    assert_eq!(paths(&covers(&app, "")), best);
}

#[test]
fn folders_below_have_one_cover_each_first() {
    let app = app_with(&[
        "years/2024/a/1.png",
        "years/2024/a/2.png",
        "years/2024/b/1.png",
        "years/2025/1.png",
        "years/2025/2.png",
        "years/empty/only/folders/none.txt",
    ]);
    symlink(app.root_dir(), app.root_dir().join("years/0 loop")).unwrap();
    let of_years = ["2024/a/1.png", "2025/1.png", "2024/b/1.png", "2025/2.png"];
    assert_eq!(paths(&covers(&app, "years")), of_years);
    // A folder with pictures has none of those below it.
    app.write("years/own.png", &png([1, 2, 3]));
    assert_eq!(paths(&covers(&app, "years")), ["own.png"]);
    fs::create_dir(app.root_dir().join("nothing")).unwrap();
    assert_eq!(paths(&covers(&app, "nothing")), [""; 0]);
    let gone = app.pictures.covers(app.root, b"gone");
    assert!(matches!(gone, Err(AccessError::NotFound)));
}

#[test]
fn covers_are_turned_before_they_were_listed() {
    let app = TestApp::new();
    app.write("a.jpg", &fixture("orientation/Landscape_1.jpg"));
    let quarter = Turn::of_number(6).unwrap();
    let change = PictureChange {
        turn: quarter,
        ..PictureChange::default()
    };
    let turned = app.pictures.change(&app.source("a.jpg"), &change);
    assert!(turned.is_ok());
    let app = app.restart();
    let [cover] = &covers(&app, "")[..] else {
        panic!("there is one picture");
    };
    assert_eq!(cover.turn(), quarter);
    assert_eq!(cover.shown_size(), Some((1200, 1800)));
}

#[test]
fn files_of_one_picture_are_one_cover() {
    let app = app_with(&["a.png"]);
    app.write("b.jpg", &fixture("orientation/Landscape_1.jpg"));
    app.write("b.nef", b"raw");
    assert_eq!(paths(&covers(&app, "")), ["a.png", "b.jpg"]);
}
