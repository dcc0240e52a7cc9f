//! Placeholders of pictures until their thumbnails are loaded.

use std::fs;

use fumikura_image::PictureHash;
use fumikura_library::ListQuery;

use crate::test_app::{TestApp, png, variant};

fn hashes(app: &TestApp) -> Vec<Option<PictureHash>> {
    let listing = app.pictures.list(app.root, b"", &ListQuery::default());
    let entries = listing.unwrap().entries.into_iter();
    entries.map(|entry| entry.hash).collect()
}

#[test]
fn whole_picture_thumbnail_sets_a_lasting_placeholder() {
    let app = TestApp::new();
    app.write("a.png", &png([200, 30, 30]));
    app.write("b.png", &png([30, 30, 200]));
    assert_eq!(hashes(&app), [None, None]);
    app.thumbnail("b.png", variant("9x9-crop.png")).unwrap();
    assert_eq!(hashes(&app), [None, None]);
    app.thumbnail("a.png", variant("9x9-shrink.png")).unwrap();
    let known_hashes = hashes(&app);
    assert!(
        known_hashes[0].is_some() && known_hashes[1].is_none(),
        "{known_hashes:?}"
    );

    let app = app.restart();
    assert_eq!(hashes(&app), known_hashes);
    // No hash is known for another state of the file.
    app.write("a.png", &png([30, 200, 30]));
    assert_eq!(hashes(&app), [None, None]);
    app.thumbnail("a.png", variant("9x9-shrink.png")).unwrap();
    let another = hashes(&app);
    assert!(
        another[0].is_some() && another != known_hashes,
        "{another:?}"
    );
}

#[test]
fn embedded_camera_preview_is_listed_and_served() {
    let app = TestApp::new();
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/fixtures/images/samples/"
    );
    let sample = fs::read(format!("{folder}embedded.jpg")).unwrap();
    app.write("a.jpg", &sample);
    app.write("b.png", &png([1, 2, 3]));
    let listing = app.read_listing();
    let embeds: Vec<_> = listing.entries.iter().map(|entry| entry.embeds).collect();
    assert_eq!(embeds, [true, false]);
    let embedded = |name: &str| app.pictures.embedded(&app.source(name)).unwrap().1;
    let small = embedded("a.jpg").unwrap();
    let small = image::load_from_memory(&small).unwrap();
    assert_eq!((small.width(), small.height()), (36, 48));
    assert_eq!(embedded("b.png"), None);
}
