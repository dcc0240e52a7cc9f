//! Folder listings.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::time::{Duration, UNIX_EPOCH};

use fumikura_fs::AccessError;
use fumikura_library::{EntryKind, ListFilter, ListQuery, Listing, Order, Sort};
use fumikura_thumbs::Priority;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::test_app::{TestApp, fixture, name, png, variant};

fn list(app: &TestApp, query: ListQuery) -> Listing {
    app.pictures.list(app.root, b"", &query).unwrap()
}

fn names(listing: &Listing) -> Vec<String> {
    listing
        .entries
        .iter()
        .map(|entry| String::from_utf8_lossy(&entry.name).into_owned())
        .collect()
}

fn sorted(app: &TestApp, sort: Sort, order: Order) -> Vec<String> {
    names(&list(
        app,
        ListQuery {
            sort,
            order,
            ..ListQuery::default()
        },
    ))
}

/// Puts a file with a size and an age.
fn put(app: &TestApp, name: &str, size: u64, seconds: u64) {
    let file = File::create(app.root_dir().join(name)).unwrap();
    file.set_len(size).unwrap();
    file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds))
        .unwrap();
}

#[test]
fn entries_are_sorted_with_folders_first() {
    let app = TestApp::new();
    put(&app, "img10.jpg", 1, 300);
    put(&app, "img2.jpg", 3, 200);
    put(&app, "IMG1.png", 2, 100);
    put(&app, "notes.txt", 4, 400);
    fs::create_dir(app.root_dir().join("zoo")).unwrap();
    fs::create_dir(app.root_dir().join("alps")).unwrap();
    let check = |sort, order, expected: [&str; 4]| {
        let names = sorted(&app, sort, order);
        assert_eq!(names[2..], expected, "{sort:?} {order:?}");
        let mut folders = names[..2].to_vec();
        if sort != Sort::Modified {
            assert_eq!(
                folders,
                match (sort, order) {
                    (Sort::Name, Order::Descending) => ["zoo", "alps"],
                    _ => ["alps", "zoo"],
                }
            );
        }
        folders.sort();
        assert_eq!(folders, ["alps", "zoo"]);
    };
    let (up, down) = (Order::Ascending, Order::Descending);
    check(
        Sort::Name,
        up,
        ["IMG1.png", "img2.jpg", "img10.jpg", "notes.txt"],
    );
    check(
        Sort::Name,
        down,
        ["notes.txt", "img10.jpg", "img2.jpg", "IMG1.png"],
    );
    check(
        Sort::Modified,
        up,
        ["IMG1.png", "img2.jpg", "img10.jpg", "notes.txt"],
    );
    check(
        Sort::Size,
        up,
        ["img10.jpg", "IMG1.png", "img2.jpg", "notes.txt"],
    );
    check(
        Sort::Size,
        down,
        ["notes.txt", "img2.jpg", "IMG1.png", "img10.jpg"],
    );
    check(
        Sort::Type,
        up,
        ["img2.jpg", "img10.jpg", "IMG1.png", "notes.txt"],
    );
    check(
        Sort::Type,
        down,
        ["notes.txt", "IMG1.png", "img2.jpg", "img10.jpg"],
    );
}

#[test]
fn entries_have_kind_id_and_size() {
    let app = TestApp::new();
    let root = app.root_dir();
    app.write("a.png", &png([1, 2, 3]));
    app.write("broken.jpg", b"no picture");
    app.write("notes.txt", b"four");
    app.write(".hidden.png", &png([1, 2, 3]));
    fs::create_dir(root.join("folder")).unwrap();
    symlink("folder", root.join("to-folder")).unwrap();
    symlink("a.png", root.join("to-picture.png")).unwrap();
    symlink("/etc", root.join("to-outside.png")).unwrap();
    mknodat(CWD, root.join("fifo.jpg"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    let listing = app.read_listing();
    assert_eq!((listing.total, listing.pictures), (8, 3));
    let kinds: Vec<_> = listing
        .entries
        .iter()
        .map(|entry| (str::from_utf8(&entry.name).unwrap(), entry.kind))
        .collect();
    assert_eq!(
        kinds,
        [
            ("folder", EntryKind::Folder),
            ("to-folder", EntryKind::Folder),
            ("a.png", EntryKind::Picture),
            ("broken.jpg", EntryKind::Picture),
            ("fifo.jpg", EntryKind::Other),
            ("notes.txt", EntryKind::Other),
            ("to-outside.png", EntryKind::Other),
            ("to-picture.png", EntryKind::Picture),
        ]
    );
    for entry in &listing.entries {
        assert_eq!(entry.id.is_some(), entry.kind == EntryKind::Picture);
        if let Some(id) = entry.id {
            let found = app.find(str::from_utf8(&entry.name).unwrap());
            assert_eq!(id, found.id());
            assert_eq!(entry.size, found.stat().size);
        }
    }
    let heads: Vec<_> = listing
        .entries
        .iter()
        .filter_map(|entry| entry.head)
        .map(|head| (head.width, head.height, head.orientation))
        .collect();
    assert_eq!(heads, [(40, 30, 1), (40, 30, 1)]);
}

#[test]
fn dimensions_are_listed_for_each_decoded_format() {
    let app = TestApp::new();
    for file in [
        "1.webp",
        "big-height.webp",
        "truncated.gif",
        "truncated.jpg",
    ] {
        app.write(file, &fixture(&format!("broken/{file}")));
    }
    let listing = app.read_listing();
    let sizes: Vec<_> = listing
        .entries
        .iter()
        .map(|entry| entry.head.map(|head| (head.width, head.height)))
        .collect();
    assert_eq!(
        sizes,
        [
            Some((550, 368)),
            Some((13, 169)),
            Some((575, 800)),
            Some((290, 442))
        ]
    );
}

#[test]
fn listing_filters_by_kind_and_text() {
    let app = TestApp::new();
    for file in [
        "カメラ.JPG",
        "かめ.txt",
        "ＣＡＭＥＲＡ2.png",
        "camera10.png",
    ] {
        app.write(file, b"");
    }
    fs::create_dir(app.root_dir().join("camera bag")).unwrap();
    let check = |kind, text: Option<&str>, expected: &[&str], pictures| {
        let filter = ListFilter {
            kind,
            text: text.map(str::to_owned),
            ..ListFilter::default()
        };
        let listing = list(
            &app,
            ListQuery {
                filter: filter.clone(),
                ..ListQuery::default()
            },
        );
        assert_eq!(names(&listing), expected, "{filter:?}");
        assert_eq!(
            (listing.total, listing.pictures),
            (expected.len(), pictures)
        );
    };
    let camera = ["camera bag", "ＣＡＭＥＲＡ2.png", "camera10.png"];
    check(None, Some("Camera"), &camera, 2);
    check(Some(EntryKind::Folder), Some("camera"), &camera[..1], 2);
    check(Some(EntryKind::Folder), None, &camera[..1], 3);
    check(Some(EntryKind::Picture), Some("カメ"), &["カメラ.JPG"], 1);
    check(None, Some("ｶﾒ"), &["かめ.txt", "カメラ.JPG"], 1);
    check(Some(EntryKind::Other), None, &["かめ.txt"], 3);
    check(None, Some("がめ"), &[], 0);
}

#[test]
fn pages_are_contiguous_and_bounded() {
    let app = TestApp::new();
    for number in 0..50 {
        app.write(&format!("{number}.txt"), b"");
    }
    let page = |offset, limit| {
        let listing = list(
            &app,
            ListQuery {
                offset,
                limit,
                ..ListQuery::default()
            },
        );
        assert_eq!(listing.total, 50);
        names(&listing)
    };
    assert_eq!(page(0, 3), ["0.txt", "1.txt", "2.txt"]);
    assert_eq!(page(48, 3), ["48.txt", "49.txt"]);
    assert!(page(50, 3).is_empty());
    assert!(page(usize::MAX, usize::MAX).is_empty());
    assert_eq!(page(0, usize::MAX).len(), 50);
}

#[test]
fn names_with_arbitrary_bytes_are_supported() {
    let app = TestApp::new();
    let odd: [&[u8]; 4] = [b"a\nb.png", b"\xff\xfe.png", b"50%#~ .png", &[b'x'; 255]];
    for bytes in odd {
        fs::write(app.root_dir().join(name(bytes)), png([1, 2, 3])).unwrap();
    }
    let listing = list(&app, ListQuery::default());
    for bytes in odd {
        assert!(listing.entries.iter().any(|entry| entry.name == bytes));
        let found = app.pictures.roots().source(app.root, bytes).unwrap().find();
        let ticket = app.pictures.thumbs().request_wait(
            &found.unwrap(),
            variant("9x9-crop.png"),
            Priority::Next,
        );
        ticket.wait().unwrap();
    }
}

#[test]
fn subfolder_is_listed_by_its_path() {
    let app = TestApp::new();
    fs::create_dir_all(app.root_dir().join("a/b")).unwrap();
    app.write("a/b/c.png", &png([1, 2, 3]));
    let listing = app
        .pictures
        .list(app.root, b"a/b/", &ListQuery::default())
        .unwrap();
    assert_eq!(listing.path.as_bytes(), b"a/b");
    assert_eq!(listing.entries[0].id, Some(app.find("a/b/c.png").id()));
}

#[test]
fn undecodable_picture_is_flagged_until_changed() {
    let app = TestApp::new();
    app.write("a.jpg", b"no picture");
    let marked = || list(&app, ListQuery::default()).entries[0].undecodable;
    assert!(!marked());
    app.thumbnail("a.jpg", variant("85x85-crop.jpg"))
        .unwrap_err();
    assert!(marked());
    app.write("a.jpg", &png([1, 2, 3]));
    assert!(!marked());
}

#[test]
fn unlistable_folder_reports_the_reason() {
    let app = TestApp::new();
    app.write("file", b"");
    symlink("/etc", app.root_dir().join("outside")).unwrap();
    let error = |path: &[u8]| {
        app.pictures
            .list(app.root, path, &ListQuery::default())
            .unwrap_err()
    };
    assert!(matches!(error(b"gone"), AccessError::NotFound));
    assert!(matches!(error(b"file"), AccessError::NotAFolder));
    assert!(matches!(error(b"outside"), AccessError::OutsideRoots));
    assert!(matches!(error(b".."), AccessError::OutsideRoots));
    fs::remove_dir_all(app.root_dir()).unwrap();
    assert!(matches!(error(b""), AccessError::FolderUnavailable { .. }));
}

#[test]
fn large_folder_is_listed_in_pages() {
    let app = TestApp::new();
    for number in 0..20_000 {
        File::create(app.root_dir().join(format!("IMG_{number}.jpg"))).unwrap();
    }
    let listing = list(
        &app,
        ListQuery {
            offset: 9_999,
            limit: 2,
            ..ListQuery::default()
        },
    );
    assert_eq!((listing.total, listing.pictures), (20_000, 20_000));
    assert_eq!(names(&listing), ["IMG_9999.jpg", "IMG_10000.jpg"]);
}

#[test]
fn counting_folders_keeps_the_shown_listing() {
    let app = TestApp::new();
    put(&app, "a.txt", 1, 100);
    for number in 0..30 {
        for name in ["a", "b", "c"] {
            fs::create_dir_all(app.root_dir().join(format!("{number}/{name}"))).unwrap();
        }
    }
    let shown = list(&app, ListQuery::default());
    let only_folders = || ListFilter {
        kind: Some(EntryKind::Folder),
        ..ListFilter::default()
    };
    let counted = |number: usize, snapshot| {
        let query = ListQuery {
            filter: only_folders(),
            limit: 2,
            snapshot,
            ..ListQuery::default()
        };
        let path = number.to_string();
        let counted = app.pictures.list(app.root, path.as_bytes(), &query);
        let counted = counted.unwrap();
        assert_eq!(counted.total, 3);
        counted.snapshot
    };
    let all = Vec::from_iter((0..30).map(|number| counted(number, None)));
    // The next part of a listing of many folders comes from the same snapshot.
    assert_eq!(counted(29, Some(all[29])), all[29]);
    put(&app, "b.txt", 1, 100);
    let again = list(
        &app,
        ListQuery {
            snapshot: Some(shown.snapshot),
            ..ListQuery::default()
        },
    );
    assert_eq!(again.snapshot, shown.snapshot);
    assert_eq!(again.total, 31);
}
