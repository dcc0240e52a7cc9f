//! Files that take over each other's name, size and time.

use std::fs;
use std::time::{Duration, SystemTime};

use fumikura_thumbs::{BytesResponse, Priority};

use crate::test_app::{TestApp, png, variant};

/// Creates two files of one size and one time of change.
fn twins(app: &TestApp) {
    put_twin(app, "a.png", [255, 0, 0]);
    put_twin(app, "b.png", [0, 0, 255]);
}

fn put_twin(app: &TestApp, name: &str, colour: [u8; 3]) {
    let mut bytes = png(colour);
    // Bytes behind the end of a PNG have no effect.
    bytes.resize(4096, 0);
    let path = app.write(name, &bytes);
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let file = fs::File::open(path).unwrap();
    file.set_modified(then).unwrap();
}

/// Checks the colour of a thumbnail, by its file and by its bytes.
#[track_caller]
fn check_shown(app: &TestApp, name: &str, expected: [u8; 3]) {
    let variant = variant("9x9-crop.png");
    let by_path = app.thumbnail(name, variant).unwrap().path.clone();
    let found = app.find(name);
    let BytesResponse::Ready(bytes) =
        app.pictures
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
    let app = TestApp::new();
    twins(&app);
    let ids = ["a.png", "b.png"].map(|name| app.find(name).id());
    for (a, b) in [
        ([255, 0, 0], [0, 0, 255]),
        ([0, 0, 255], [255, 0, 0]),
        ([255, 0, 0], [0, 0, 255]),
    ] {
        for _ in 0..2 {
            check_shown(&app, "a.png", a);
            check_shown(&app, "b.png", b);
        }
        let path = |name| app.root_dir().join(name);
        fs::rename(path("a.png"), path("aside")).unwrap();
        fs::rename(path("b.png"), path("a.png")).unwrap();
        fs::rename(path("aside"), path("b.png")).unwrap();
        assert_eq!(["a.png", "b.png"].map(|name| app.find(name).id()), ids);
    }
    assert_eq!(app.cache_file_count(), 2);
}

#[test]
fn edit_with_restored_mtime_is_detected() {
    let app = TestApp::new();
    put_twin(&app, "a.png", [255, 0, 0]);
    let before = app.find("a.png");
    check_shown(&app, "a.png", [255, 0, 0]);
    put_twin(&app, "a.png", [0, 0, 255]);
    let after = app.find("a.png");
    assert_eq!(after.id(), before.id());
    assert_ne!(after.version(), before.version());
    check_shown(&app, "a.png", [0, 0, 255]);
    // The same is true in the next launch.
    let app = app.restart();
    put_twin(&app, "a.png", [0, 255, 0]);
    check_shown(&app, "a.png", [0, 255, 0]);
}

#[test]
fn repaired_file_is_not_treated_as_damaged() {
    let app = TestApp::new();
    put_twin(&app, "a.png", [255, 0, 0]);
    let good = fs::read(app.root_dir().join("a.png")).unwrap();
    let mut damaged = good.clone();
    damaged[40..80].fill(0);
    let then = fs::metadata(app.root_dir().join("a.png")).unwrap();
    let put = |bytes: &[u8]| {
        let file = fs::File::open(app.write("a.png", bytes)).unwrap();
        file.set_modified(then.modified().unwrap()).unwrap();
    };
    put(&damaged);
    let variant = variant("9x9-crop.png");
    assert!(app.thumbnail("a.png", variant).is_err());
    put(&good);
    check_shown(&app, "a.png", [255, 0, 0]);
}
