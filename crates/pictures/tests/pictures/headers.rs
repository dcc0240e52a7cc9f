//! The headers of pictures are read in the background, and stored.

use std::fs;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use fumikura_image::{Head, InProcess};
use fumikura_library::{ListQuery, Listing, Sort};

use fumikura_pictures::PicturesEvent;

use crate::test_app::{TestApp, open, png, sized_png, wait_until};

fn sizes(listing: &Listing) -> Vec<Option<(u32, u32)>> {
    let heads = listing.entries.iter().map(|entry| entry.head);
    heads
        .map(|head| head.map(|Head { width, height, .. }| (width, height)))
        .collect()
}

/// Returns another part of a listing, or the same part again.
fn part(app: &TestApp, of: &Listing, offset: usize, limit: usize) -> Listing {
    let query = ListQuery {
        snapshot: Some(of.snapshot),
        offset,
        limit,
        ..ListQuery::default()
    };
    app.pictures.list(app.root, b"", &query).unwrap()
}

fn list(app: &TestApp) -> Listing {
    app.pictures
        .list(app.root, b"", &ListQuery::default())
        .unwrap()
}

#[test]
fn pages_of_one_listing_share_a_snapshot() {
    let app = TestApp::new();
    for number in 1..=6 {
        app.write(&format!("{number}.txt"), b"");
    }
    let query = ListQuery {
        limit: 2,
        ..ListQuery::default()
    };
    let first = app.pictures.list(app.root, b"", &query).unwrap();
    app.write("0.txt", b"");
    fs::remove_file(app.root_dir().join("4.txt")).unwrap();
    let second = part(&app, &first, 2, 2);
    assert_eq!(
        (second.snapshot, second.total, second.offset),
        (first.snapshot, 6, 2)
    );
    // Deleted files are left out. New files are not in the snapshot yet.
    let names: Vec<_> = second.entries.iter().map(|entry| &entry.name[..]).collect();
    assert_eq!(names, [b"3.txt"]);
    let fresh = list(&app);
    assert_ne!(fresh.snapshot, first.snapshot);
    assert_eq!(
        (fresh.total, &fresh.entries[0].name[..]),
        (6, &b"0.txt"[..])
    );
    // A snapshot belongs to its own folder.
    fs::create_dir(app.root_dir().join("below")).unwrap();
    let query = ListQuery {
        snapshot: Some(fresh.snapshot),
        ..ListQuery::default()
    };
    let below = app.pictures.list(app.root, b"below", &query).unwrap();
    assert_eq!(below.total, 0);
    assert_ne!(below.snapshot, fresh.snapshot);
}

#[test]
fn evicted_listing_is_read_again() {
    let app = TestApp::new();
    app.write("a.png", &png([1, 2, 3]));
    let first = list(&app);
    for _ in 0..16 {
        list(&app);
    }
    assert_ne!(part(&app, &first, 0, 1).snapshot, first.snapshot);
}

#[test]
fn headers_are_read_beyond_the_requested_page() {
    let app = TestApp::new();
    for number in 0..100 {
        app.write(&format!("{number}.png"), &sized_png(number + 1, 7));
    }
    let (sender, events) = mpsc::channel();
    app.pictures.listen(move |event| {
        if let PicturesEvent::HeadersRead(read) = event {
            drop(sender.send(read));
        }
    });
    let query = ListQuery {
        limit: 3,
        ..ListQuery::default()
    };
    let first = app.pictures.list(app.root, b"", &query).unwrap();
    assert_eq!(first.total, 100);
    let last = loop {
        let read = events.recv_timeout(Duration::from_secs(30)).unwrap();
        if read.unread == 0 {
            break read;
        }
    };
    assert_eq!((last.root, last.path.as_bytes()), (app.root, &b""[..]));
    let all = part(&app, &first, 0, 100);
    let expected: Vec<_> = (0..100).map(|number| Some((number + 1, 7))).collect();
    assert_eq!(sizes(&all), expected);
}

#[test]
fn saved_headers_survive_restart_unless_files_changed() {
    let app = TestApp::new();
    app.write("a.png", &sized_png(3, 4));
    app.write("b.png", &sized_png(5, 6));
    app.write("broken.jpg", b"no picture");
    assert_eq!(
        sizes(&app.read_listing()),
        [Some((3, 4)), Some((5, 6)), None]
    );
    app.wait_until_saved();
    app.pictures.shut_down();

    app.write("b.png", &sized_png(50, 60));
    app.write("c.png", &sized_png(7, 8));
    let again = open(app.base_dir(), Arc::new(InProcess::default()), |_| {});
    let listing = again.list(app.root, b"", &ListQuery::default()).unwrap();
    assert_eq!(sizes(&listing), [Some((3, 4)), None, None, None]);
    assert_eq!(listing.unread, 2);
    let mut last = listing;
    wait_until("new headers are read", || {
        let query = ListQuery {
            snapshot: Some(last.snapshot),
            ..ListQuery::default()
        };
        last = again.list(app.root, b"", &query).unwrap();
        last.unread == 0
    });
    assert_eq!(
        sizes(&last),
        [Some((3, 4)), Some((50, 60)), None, Some((7, 8))]
    );
}

#[test]
fn changed_picture_is_read_again() {
    let app = TestApp::new();
    app.write("a.png", &sized_png(3, 4));
    assert_eq!(sizes(&app.read_listing()), [Some((3, 4))]);
    app.write("a.png", &sized_png(30, 40));
    assert_eq!(sizes(&app.read_listing()), [Some((30, 40))]);
}

#[test]
fn unreadable_picture_counts_as_read_until_changed() {
    let app = TestApp::new();
    app.write("a.png", &sized_png(3, 4));
    let away = app.write("b.png", &sized_png(5, 6));
    app.write("notes.txt", b"text");
    // `b.png` is listed by its name, but is a folder when its header is read.
    let first = list(&app);
    assert_eq!(first.unread, 2);
    fs::remove_file(&away).unwrap();
    fs::create_dir(&away).unwrap();
    wait_until("both headers are read", || {
        part(&app, &first, 0, 9).unread == 0
    });
    fs::remove_dir(&away).unwrap();
    app.write("b.png", &sized_png(7, 8));
    let sizes = sizes(&app.read_listing());
    assert_eq!(sizes, [Some((3, 4)), Some((7, 8)), None]);
}

#[test]
fn missing_folder_stops_only_its_own_reading() {
    let app = TestApp::new();
    let folder = app.root_dir().join("stick");
    fs::create_dir(&folder).unwrap();
    for number in 0..100 {
        fs::write(folder.join(format!("{number}.png")), sized_png(1, 2)).unwrap();
        fs::write(folder.join(format!("{number}.xmp")), "").unwrap();
    }
    let query = ListQuery {
        limit: 1,
        ..ListQuery::default()
    };
    let stick = app.pictures.list(app.root, b"stick", &query).unwrap();
    assert_eq!(stick.unread, 100);
    fs::rename(&folder, app.base_dir().join("away")).unwrap();
    app.write("a.png", &sized_png(3, 4));
    assert_eq!(sizes(&app.read_listing()), [Some((3, 4))]);
    fs::rename(app.base_dir().join("away"), &folder).unwrap();
    let mut last = stick;
    wait_until("the restored folder is read", || {
        last = app.pictures.list(app.root, b"stick", &query).unwrap();
        last.unread == 0
    });
}

#[test]
fn date_sort_reads_headers_of_all_pictures() {
    let app = TestApp::new();
    app.write("a.png", &sized_png(3, 4));
    app.read_listing();
    app.write("z.png", &sized_png(5, 6));
    let query = |sort| ListQuery {
        sort,
        limit: 1,
        ..ListQuery::default()
    };
    let by_date = || {
        app.pictures
            .list(app.root, b"", &query(Sort::Taken))
            .unwrap()
    };
    assert_eq!(by_date().unread, 1);
    wait_until("the last header is read", || by_date().unread == 0);
}

#[test]
fn listings_of_one_folder_share_read_headers() {
    let app = TestApp::new();
    for number in 0..200 {
        app.write(&format!("{number}.png"), &sized_png(number + 1, 7));
    }
    let query = ListQuery {
        limit: 1,
        ..ListQuery::default()
    };
    let list = || app.pictures.list(app.root, b"", &query).unwrap();
    let listings = [list(), list(), list()];
    for listing in &listings {
        wait_until("all headers are read", || {
            part(&app, listing, 0, 1).unread == 0
        });
    }
    let last = part(&app, &listings[0], 199, 1);
    assert_eq!(sizes(&last), [Some((200, 7))]);
}

#[test]
fn swapped_files_keep_their_own_headers() {
    let app = TestApp::new();
    let then = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for (name, width) in [("a.png", 3), ("b.png", 5)] {
        let mut bytes = sized_png(width, 4);
        bytes.resize(4096, 0);
        let file = fs::File::open(app.write(name, &bytes)).unwrap();
        file.set_modified(then).unwrap();
    }
    let before = app.read_listing();
    assert_eq!(sizes(&before), [Some((3, 4)), Some((5, 4))]);
    app.wait_until_saved();
    let path = |name| app.root_dir().join(name);
    fs::rename(path("a.png"), path("aside")).unwrap();
    fs::rename(path("b.png"), path("a.png")).unwrap();
    fs::rename(path("aside"), path("b.png")).unwrap();
    let after = app.read_listing();
    assert_eq!(sizes(&after), [Some((5, 4)), Some((3, 4))]);
    for (before, after) in before.entries.iter().zip(&after.entries) {
        assert_eq!(before.id, after.id);
        assert_ne!(before.version(), after.version());
    }
    let app = app.restart();
    assert_eq!(sizes(&app.read_listing()), [Some((5, 4)), Some((3, 4))]);
}
