//! The headers of pictures are read in the background, and stored.

use std::fs;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use fumikura_image::{Head, InProcess};
use fumikura_library::{ListQuery, Listing, Sort};

use fumikura_pictures::PicturesEvent;

use crate::house::{House, open, png, sized_png, until};

fn sizes(listing: &Listing) -> Vec<Option<(u32, u32)>> {
    let heads = listing.entries.iter().map(|entry| entry.head);
    heads
        .map(|head| head.map(|Head { width, height, .. }| (width, height)))
        .collect()
}

/// Returns another part of a listing, or the same part again.
fn part(house: &House, of: &Listing, offset: usize, limit: usize) -> Listing {
    let query = ListQuery {
        snapshot: Some(of.snapshot),
        offset,
        limit,
        ..ListQuery::default()
    };
    house.pictures.list(house.root, b"", &query).unwrap()
}

fn list(house: &House) -> Listing {
    house
        .pictures
        .list(house.root, b"", &ListQuery::default())
        .unwrap()
}

#[test]
fn pages_of_one_listing_share_a_snapshot() {
    let house = House::new();
    for number in 1..=6 {
        house.put(&format!("{number}.txt"), b"");
    }
    let query = ListQuery {
        limit: 2,
        ..ListQuery::default()
    };
    let first = house.pictures.list(house.root, b"", &query).unwrap();
    house.put("0.txt", b"");
    fs::remove_file(house.pictures().join("4.txt")).unwrap();
    let second = part(&house, &first, 2, 2);
    assert_eq!(
        (second.snapshot, second.total, second.offset),
        (first.snapshot, 6, 2)
    );
    // Deleted files are left out. New files are not in the snapshot yet.
    let names: Vec<_> = second.entries.iter().map(|entry| &entry.name[..]).collect();
    assert_eq!(names, [b"3.txt"]);
    let fresh = list(&house);
    assert_ne!(fresh.snapshot, first.snapshot);
    assert_eq!(
        (fresh.total, &fresh.entries[0].name[..]),
        (6, &b"0.txt"[..])
    );
    // A snapshot belongs to its own folder.
    fs::create_dir(house.pictures().join("below")).unwrap();
    let query = ListQuery {
        snapshot: Some(fresh.snapshot),
        ..ListQuery::default()
    };
    let below = house.pictures.list(house.root, b"below", &query).unwrap();
    assert_eq!(below.total, 0);
    assert_ne!(below.snapshot, fresh.snapshot);
}

#[test]
fn evicted_listing_is_read_again() {
    let house = House::new();
    house.put("a.png", &png([1, 2, 3]));
    let first = list(&house);
    for _ in 0..16 {
        list(&house);
    }
    assert_ne!(part(&house, &first, 0, 1).snapshot, first.snapshot);
}

#[test]
fn headers_are_read_beyond_the_requested_page() {
    let house = House::new();
    for number in 0..100 {
        house.put(&format!("{number}.png"), &sized_png(number + 1, 7));
    }
    let (told, hears) = mpsc::channel();
    house.pictures.listen(move |event| {
        if let PicturesEvent::HeadersRead(read) = event {
            drop(told.send(read));
        }
    });
    let query = ListQuery {
        limit: 3,
        ..ListQuery::default()
    };
    let first = house.pictures.list(house.root, b"", &query).unwrap();
    assert_eq!(first.total, 100);
    let last = loop {
        let read = hears.recv_timeout(Duration::from_secs(30)).unwrap();
        if read.unread == 0 {
            break read;
        }
    };
    assert_eq!((last.root, last.path.as_bytes()), (house.root, &b""[..]));
    let all = part(&house, &first, 0, 100);
    let expected: Vec<_> = (0..100).map(|number| Some((number + 1, 7))).collect();
    assert_eq!(sizes(&all), expected);
}

#[test]
fn saved_headers_survive_restart_unless_files_changed() {
    let house = House::new();
    house.put("a.png", &sized_png(3, 4));
    house.put("b.png", &sized_png(5, 6));
    house.put("broken.jpg", b"no picture");
    assert_eq!(
        sizes(&house.read_listing()),
        [Some((3, 4)), Some((5, 6)), None]
    );
    house.wait_until_kept();
    house.pictures.shut_down();

    house.put("b.png", &sized_png(50, 60));
    house.put("c.png", &sized_png(7, 8));
    let again = open(house.outside(), Arc::new(InProcess::default()), |_| {});
    let listing = again.list(house.root, b"", &ListQuery::default()).unwrap();
    assert_eq!(sizes(&listing), [Some((3, 4)), None, None, None]);
    assert_eq!(listing.unread, 2);
    let mut last = listing;
    until("what is new has been read", || {
        let query = ListQuery {
            snapshot: Some(last.snapshot),
            ..ListQuery::default()
        };
        last = again.list(house.root, b"", &query).unwrap();
        last.unread == 0
    });
    assert_eq!(
        sizes(&last),
        [Some((3, 4)), Some((50, 60)), None, Some((7, 8))]
    );
}

#[test]
fn changed_picture_is_read_again() {
    let house = House::new();
    house.put("a.png", &sized_png(3, 4));
    assert_eq!(sizes(&house.read_listing()), [Some((3, 4))]);
    house.put("a.png", &sized_png(30, 40));
    assert_eq!(sizes(&house.read_listing()), [Some((30, 40))]);
}

#[test]
fn unreadable_picture_counts_as_read_until_changed() {
    let house = House::new();
    house.put("a.png", &sized_png(3, 4));
    let away = house.put("b.png", &sized_png(5, 6));
    house.put("notes.txt", b"text");
    // `b.png` is listed by its name, but is a folder when its header is read.
    let first = list(&house);
    assert_eq!(first.unread, 2);
    fs::remove_file(&away).unwrap();
    fs::create_dir(&away).unwrap();
    until("both have been looked into", || {
        part(&house, &first, 0, 9).unread == 0
    });
    fs::remove_dir(&away).unwrap();
    house.put("b.png", &sized_png(7, 8));
    let sizes = sizes(&house.read_listing());
    assert_eq!(sizes, [Some((3, 4)), Some((7, 8)), None]);
}

#[test]
fn missing_folder_stops_only_its_own_reading() {
    let house = House::new();
    let folder = house.pictures().join("stick");
    fs::create_dir(&folder).unwrap();
    for number in 0..100 {
        fs::write(folder.join(format!("{number}.png")), sized_png(1, 2)).unwrap();
        fs::write(folder.join(format!("{number}.xmp")), "").unwrap();
    }
    let query = ListQuery {
        limit: 1,
        ..ListQuery::default()
    };
    let stick = house.pictures.list(house.root, b"stick", &query).unwrap();
    assert_eq!(stick.unread, 100);
    fs::rename(&folder, house.outside().join("away")).unwrap();
    house.put("a.png", &sized_png(3, 4));
    assert_eq!(sizes(&house.read_listing()), [Some((3, 4))]);
    fs::rename(house.outside().join("away"), &folder).unwrap();
    let mut last = stick;
    until("the folder is read when it is back", || {
        last = house.pictures.list(house.root, b"stick", &query).unwrap();
        last.unread == 0
    });
}

#[test]
fn date_sort_reads_headers_of_all_pictures() {
    let house = House::new();
    house.put("a.png", &sized_png(3, 4));
    house.read_listing();
    house.put("z.png", &sized_png(5, 6));
    let query = |sort| ListQuery {
        sort,
        limit: 1,
        ..ListQuery::default()
    };
    let by_date = || {
        house
            .pictures
            .list(house.root, b"", &query(Sort::Taken))
            .unwrap()
    };
    assert_eq!(by_date().unread, 1);
    until("what stands at the end is known, too", || {
        by_date().unread == 0
    });
}

#[test]
fn listings_of_one_folder_share_read_headers() {
    let house = House::new();
    for number in 0..200 {
        house.put(&format!("{number}.png"), &sized_png(number + 1, 7));
    }
    let query = ListQuery {
        limit: 1,
        ..ListQuery::default()
    };
    let list = || house.pictures.list(house.root, b"", &query).unwrap();
    let listings = [list(), list(), list()];
    for listing in &listings {
        until("it has learned all", || {
            part(&house, listing, 0, 1).unread == 0
        });
    }
    let last = part(&house, &listings[0], 199, 1);
    assert_eq!(sizes(&last), [Some((200, 7))]);
}

#[test]
fn swapped_files_keep_their_own_headers() {
    let house = House::new();
    let then = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for (name, width) in [("a.png", 3), ("b.png", 5)] {
        let mut bytes = sized_png(width, 4);
        bytes.resize(4096, 0);
        let file = fs::File::open(house.put(name, &bytes)).unwrap();
        file.set_modified(then).unwrap();
    }
    let before = house.read_listing();
    assert_eq!(sizes(&before), [Some((3, 4)), Some((5, 4))]);
    house.wait_until_kept();
    let path = |name| house.pictures().join(name);
    fs::rename(path("a.png"), path("aside")).unwrap();
    fs::rename(path("b.png"), path("a.png")).unwrap();
    fs::rename(path("aside"), path("b.png")).unwrap();
    let after = house.read_listing();
    assert_eq!(sizes(&after), [Some((5, 4)), Some((3, 4))]);
    for (before, after) in before.entries.iter().zip(&after.entries) {
        assert_eq!(before.id, after.id);
        assert_ne!(before.version(), after.version());
    }
    let house = house.relaunched();
    assert_eq!(sizes(&house.read_listing()), [Some((5, 4)), Some((3, 4))]);
}
