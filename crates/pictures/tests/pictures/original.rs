//! The picture's own file, typed by its content.

use std::io::Read;

use fumikura_image::PictureKind;
use fumikura_library::OriginalError;

use crate::test_app::{TestApp, fixture, png};

#[test]
fn original_is_complete_and_typed_by_content() {
    let app = TestApp::new();
    let bytes = png([1, 2, 3]);
    app.write("a.txt", &bytes);
    let mut original = app.pictures.original(&app.source("a.txt")).unwrap();
    assert_eq!(original.kind, PictureKind::Png);
    assert_eq!(original.kind.mime(), "image/png");
    assert_eq!(original.source_file.stat().size, bytes.len() as u64);
    assert_eq!(original.source_file.id(), app.find("a.txt").id());
    let mut read = Vec::new();
    original.file.read_to_end(&mut read).unwrap();
    assert_eq!(read, bytes);
}

#[test]
fn undecoded_formats_are_served_as_originals() {
    let app = TestApp::new();
    app.write("a.avif", &fixture("broken/17000x17000.avif"));
    let original = app.pictures.original(&app.source("a.avif")).unwrap();
    assert_eq!(original.kind, PictureKind::Avif);
}

#[test]
fn non_pictures_are_not_served() {
    let app = TestApp::new();
    for text in ["", "a secret\n", "<svg", "<html></html>"] {
        app.write("a.jpg", text.as_bytes());
        assert!(matches!(
            app.pictures.original(&app.source("a.jpg")),
            Err(OriginalError::NotAPicture)
        ));
    }
}
