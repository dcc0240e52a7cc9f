//! Placeholders of pictures until their thumbnails are loaded.

use std::fs;

use fumikura_image::ThumbHash;
use fumikura_library::ListQuery;

use crate::house::{House, png, variant};

fn hashes(house: &House) -> Vec<Option<ThumbHash>> {
    let listing = house.pictures.list(house.root, b"", &ListQuery::default());
    let entries = listing.unwrap().entries.into_iter();
    entries.map(|entry| entry.hash).collect()
}

#[test]
fn whole_picture_thumbnail_sets_a_lasting_placeholder() {
    let house = House::new();
    house.put("a.png", &png([200, 30, 30]));
    house.put("b.png", &png([30, 30, 200]));
    assert_eq!(hashes(&house), [None, None]);
    house.thumbnail("b.png", variant("9x9-crop.png")).unwrap();
    assert_eq!(hashes(&house), [None, None]);
    house.thumbnail("a.png", variant("9x9-shrink.png")).unwrap();
    let told = hashes(&house);
    assert!(told[0].is_some() && told[1].is_none(), "{told:?}");

    let house = house.relaunched();
    assert_eq!(hashes(&house), told);
    // No hash is known for another state of the file.
    house.put("a.png", &png([30, 200, 30]));
    assert_eq!(hashes(&house), [None, None]);
    house.thumbnail("a.png", variant("9x9-shrink.png")).unwrap();
    let another = hashes(&house);
    assert!(another[0].is_some() && another != told, "{another:?}");
}

#[test]
fn embedded_camera_preview_is_listed_and_served() {
    let house = House::new();
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/fixtures/images/samples/"
    );
    let sample = fs::read(format!("{folder}embedded.jpg")).unwrap();
    house.put("a.jpg", &sample);
    house.put("b.png", &png([1, 2, 3]));
    let listing = house.read_listing();
    let told: Vec<_> = listing.entries.iter().map(|entry| entry.embeds).collect();
    assert_eq!(told, [true, false]);
    let embedded = |name: &str| house.pictures.embedded(&house.source(name)).unwrap().1;
    let small = embedded("a.jpg").unwrap();
    let small = image::load_from_memory(&small).unwrap();
    assert_eq!((small.width(), small.height()), (36, 48));
    assert_eq!(embedded("b.png"), None);
}
