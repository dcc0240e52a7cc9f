//! Files that take over each other's name, size and time.

use std::fs;
use std::time::{Duration, SystemTime};

use fumikura_thumbs::{Priority, Requested};

use crate::house::{House, png, variant};

/// Creates two files of one size and one time of change.
fn twins(house: &House) {
    put_twin(house, "a.png", [255, 0, 0]);
    put_twin(house, "b.png", [0, 0, 255]);
}

fn put_twin(house: &House, name: &str, colour: [u8; 3]) {
    let mut bytes = png(colour);
    // Bytes behind the end of a PNG have no effect.
    bytes.resize(4096, 0);
    let path = house.put(name, &bytes);
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let file = fs::File::open(path).unwrap();
    file.set_modified(then).unwrap();
}

/// Checks the colour of a thumbnail, by its file and by its bytes.
#[track_caller]
fn check_shown(house: &House, name: &str, expected: [u8; 3]) {
    let variant = variant("9x9-crop.png");
    let by_path = house.thumbnail(name, variant).unwrap().path.clone();
    let found = house.find(name);
    let Requested::Here(bytes) =
        house
            .pictures
            .thumbs()
            .request_bytes(&found, variant, Priority::Visible)
    else {
        panic!("it was just made");
    };
    for image in [
        image::open(by_path).unwrap(),
        image::load_from_memory(&bytes).unwrap(),
    ] {
        assert_eq!(image.to_rgb8().get_pixel(4, 4).0, expected, "{name}");
    }
}

#[test]
fn swapped_files_show_their_own_thumbnails() {
    let house = House::new();
    twins(&house);
    let ids = ["a.png", "b.png"].map(|name| house.find(name).id());
    for (a, b) in [
        ([255, 0, 0], [0, 0, 255]),
        ([0, 0, 255], [255, 0, 0]),
        ([255, 0, 0], [0, 0, 255]),
    ] {
        for _ in 0..2 {
            check_shown(&house, "a.png", a);
            check_shown(&house, "b.png", b);
        }
        let path = |name| house.pictures().join(name);
        fs::rename(path("a.png"), path("aside")).unwrap();
        fs::rename(path("b.png"), path("a.png")).unwrap();
        fs::rename(path("aside"), path("b.png")).unwrap();
        assert_eq!(["a.png", "b.png"].map(|name| house.find(name).id()), ids);
    }
    assert_eq!(house.files_in_cache(), 2);
}

#[test]
fn edit_with_restored_mtime_is_detected() {
    let house = House::new();
    put_twin(&house, "a.png", [255, 0, 0]);
    let before = house.find("a.png");
    check_shown(&house, "a.png", [255, 0, 0]);
    put_twin(&house, "a.png", [0, 0, 255]);
    let after = house.find("a.png");
    assert_eq!(after.id(), before.id());
    assert_ne!(after.version(), before.version());
    check_shown(&house, "a.png", [0, 0, 255]);
    // The same is true in the next launch.
    let house = house.relaunched();
    put_twin(&house, "a.png", [0, 255, 0]);
    check_shown(&house, "a.png", [0, 255, 0]);
}

#[test]
fn repaired_file_is_not_treated_as_damaged() {
    let house = House::new();
    put_twin(&house, "a.png", [255, 0, 0]);
    let good = fs::read(house.pictures().join("a.png")).unwrap();
    let mut damaged = good.clone();
    damaged[40..80].fill(0);
    let then = fs::metadata(house.pictures().join("a.png")).unwrap();
    let put = |bytes: &[u8]| {
        let file = fs::File::open(house.put("a.png", bytes)).unwrap();
        file.set_modified(then.modified().unwrap()).unwrap();
    };
    put(&damaged);
    let variant = variant("9x9-crop.png");
    assert!(house.thumbnail("a.png", variant).is_err());
    put(&good);
    check_shown(&house, "a.png", [255, 0, 0]);
}
