//! `/api/image/info`: the metadata of a picture.

use crate::support::pictures::{fixture, in_root, png};
use crate::support::{TestApp, redacted};

#[tokio::test]
async fn info_has_dimensions_and_exif() {
    let app = TestApp::new();
    let root = app.root();
    app.file("turned.jpg", &fixture("orientation/Portrait_6.jpg"));
    let address = in_root("/api/image/info", &root, "turned.jpg");
    let info = app.get(&address).send().await.is(200).json();
    insta::assert_json_snapshot!(redacted(info, &["id", "mtime"]));
}

#[tokio::test]
async fn missing_metadata_is_absent() {
    let app = TestApp::new();
    let root = app.root();
    app.file("plain.png", &png([1, 2, 3]));
    let address = in_root("/api/image/info", &root, "plain.png");
    let mut info = app.get(&address).send().await.is(200).json();
    // The size of a compressed picture depends on its encoder.
    info["size"] = 99.into();
    insta::assert_json_snapshot!(redacted(info, &["id", "mtime"]));
}

#[tokio::test]
async fn info_names_the_colour_profile() {
    let app = TestApp::new();
    let root = app.root();
    app.file("p3.jpg", &fixture("samples/display-p3.jpg"));
    let address = in_root("/api/image/info", &root, "p3.jpg");
    let info = app.get(&address).send().await.is(200).json();
    let profile = info["profile"].as_str().unwrap();
    assert!(profile.starts_with("Display P3"), "{profile}");
}

#[tokio::test]
async fn picture_that_ends_early_is_incomplete() {
    let app = TestApp::new();
    let root = app.root();
    app.file("cut.jpg", &fixture("broken/truncated.jpg"));
    let address = in_root("/api/image/info", &root, "cut.jpg");
    let info = app.get(&address).send().await.is(200).json();
    assert_eq!(info["is_incomplete"], true);
}

#[tokio::test]
async fn non_pictures_are_refused() {
    let app = TestApp::new();
    let root = app.root();
    app.file("notes.jpg", b"no picture");
    std::fs::create_dir(app.pictures().join("folder")).unwrap();
    for (path, status, code) in [
        ("notes.jpg", 415, "not_a_picture"),
        ("gone.jpg", 404, "not_found"),
        ("folder", 403, "outside_roots"),
        ("../out.jpg", 403, "outside_roots"),
    ] {
        let address = in_root("/api/image/info", &root, path);
        app.get(&address).send().await.refused(status, code);
    }
}
