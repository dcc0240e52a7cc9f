//! The time of capture: that of the file, and that of its sidecar.

use std::fs::File;
use std::time::{Duration, UNIX_EPOCH};

use fumikura_library::{ListQuery, Order, Sort};
use fumikura_pictures::PictureChange;
use fumikura_xmp::{MarksChange, TakenChange};
use jiff::SignedDuration;

use crate::test_app::{TestApp, fixture};

#[test]
fn pictures_sort_by_time_of_capture() {
    let app = TestApp::new();
    for (name, date, seconds) in [
        ("a.jpg", Some("2024:05:06 07:08:10"), 100),
        ("b.jpg", Some("2024:05:06 07:08:09"), 300),
        ("c.jpg", None, 200),
        ("d.jpg", None, 4_000_000_000),
    ] {
        app.write(name, &jpeg_of(date));
        let file = File::options().write(true).open(app.root_dir().join(name));
        let time = UNIX_EPOCH + Duration::from_secs(seconds);
        file.unwrap().set_modified(time).unwrap();
    }
    let _read = app.read_listing();
    let expected = ["c.jpg", "b.jpg", "a.jpg", "d.jpg"];
    assert_eq!(sorted(&app, Sort::Taken, Order::Ascending), expected);
    let mut expected = expected;
    expected.reverse();
    assert_eq!(sorted(&app, Sort::Taken, Order::Descending), expected);
}

#[test]
fn shifted_pictures_are_listed_at_their_new_time() {
    let app = TestApp::new();
    app.write("a.jpg", &jpeg_of(Some("2024:12:31 23:30:00")));
    app.write("b.jpg", &jpeg_of(Some("2025:01:01 00:10:00")));
    app.write("c.jpg", &jpeg_of(None));
    let taken = |app: &TestApp| {
        let entries = app.read_listing().entries.into_iter();
        let taken = entries.map(|entry| entry.taken().map(|taken| taken.to_string()));
        taken.map(Option::unwrap_or_default).collect::<Vec<_>>()
    };
    let change = |name: &str, change: PictureChange| {
        app.pictures.change(&app.source(name), &change).unwrap()
    };
    let shift = |name: &str, hours| {
        let shift = Some(SignedDuration::from_hours(hours));
        let marks = MarksChange {
            discards_empty: true,
            ..MarksChange::default()
        };
        change(
            name,
            PictureChange {
                marks,
                shift,
                ..PictureChange::default()
            },
        )
    };
    for name in ["a.jpg", "c.jpg"] {
        shift(name, 1);
    }
    assert_eq!(
        taken(&app),
        ["2025-01-01T00:30:00", "2025-01-01T00:10:00", ""]
    );
    // Without a date, there is nothing to be shifted, and nothing is written.
    assert!(!app.root_dir().join("c.jpg.xmp").exists());
    let marks = MarksChange {
        taken: TakenChange::Set("2025-01-01T00:20:00".parse().unwrap()),
        ..MarksChange::default()
    };
    change(
        "c.jpg",
        PictureChange {
            marks,
            ..PictureChange::default()
        },
    );
    let order = sorted(&app, Sort::Taken, Order::Ascending);
    assert_eq!(order, ["b.jpg", "c.jpg", "a.jpg"]);

    // Back: the sidecar states nothing, and is removed.
    assert_eq!(shift("a.jpg", -1).after.taken, None);
    assert_eq!(taken(&app)[0], "2024-12-31T23:30:00");
    assert!(!app.root_dir().join("a.jpg.xmp").exists());
    app.wait_until_saved();
    assert_eq!(taken(&app.restart())[2], "2025-01-01T00:20:00");
}

/// Returns the names of the root, sorted.
fn sorted(app: &TestApp, sort: Sort, order: Order) -> Vec<String> {
    let query = ListQuery {
        sort,
        order,
        ..ListQuery::default()
    };
    let listing = app.pictures.list(app.root, b"", &query).unwrap();
    let names = listing
        .entries
        .into_iter()
        .filter(|entry| !entry.name.ends_with(b".xmp"));
    names
        .map(|entry| String::from_utf8(entry.name).unwrap())
        .collect()
}

fn jpeg_of(date: Option<&str>) -> Vec<u8> {
    let mut jpeg = fixture("orientation/Portrait_6.jpg");
    if let Some(date) = date {
        jpeg.splice(2..2, exif_of(date));
    }
    jpeg
}

/// Builds a segment of a JPEG with the time at which it was taken.
fn exif_of(date: &str) -> Vec<u8> {
    let mut notes =
        b"Exif\0\0II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x1a\0\0\0\0\0\0\0".to_vec();
    notes.extend(b"\x01\0\x03\x90\x02\0\x14\0\0\0\x2c\0\0\0\0\0\0\0");
    notes.extend(date.as_bytes());
    notes.push(0);
    let length = u16::try_from(notes.len() + 2).unwrap().to_be_bytes();
    [&[0xFF, 0xE1], &length[..], &notes].concat()
}
