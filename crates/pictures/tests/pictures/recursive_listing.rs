//! Listings of everything beneath a folder.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Arc;

use fumikura_fs::{AccessError, FolderScope};
use fumikura_image::InProcess;
use fumikura_library::{GroupBy, GroupKey, ListQuery, Listing, Order, Sort};
use fumikura_xmp::{MarksChange, Rating, RatingChange, Tag, TagsChange};

use crate::test_app::{TestApp, name, open, png, sized_png, wait_until};

fn query() -> ListQuery {
    ListQuery {
        group: Some(GroupBy::Folder),
        ..ListQuery::default()
    }
}

fn list(app: &TestApp, path: &str, query: &ListQuery) -> Listing {
    app.pictures.list(app.root, path.as_bytes(), query).unwrap()
}

/// Returns the path of each entry from the folder.
fn paths(listing: &Listing) -> Vec<String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let entries = listing.entries.iter();
    entries
        .map(|entry| match entry.folder.as_bytes() {
            b"" => text(&entry.name),
            folder => format!("{}/{}", text(folder), text(&entry.name)),
        })
        .collect()
}

fn groups(listing: &Listing) -> Vec<(String, usize, usize)> {
    let groups = listing.groups.iter().flatten();
    groups
        .map(|group| match &group.key {
            GroupKey::Folder(folder) => {
                let folder = String::from_utf8_lossy(folder.as_bytes()).into_owned();
                (folder, group.first, group.count)
            }
            key @ (GroupKey::Date(_)
            | GroupKey::Camera(_)
            | GroupKey::Rating(_)
            | GroupKey::Folders) => panic!("a group of {key:?}"),
        })
        .collect()
}

fn read(app: &TestApp, path: &str) -> Listing {
    let mut listing = list(app, path, &query());
    wait_until("the headers are read", || {
        let again = ListQuery {
            snapshot: Some(listing.snapshot),
            ..query()
        };
        listing = list(app, path, &again);
        listing.unread == 0
    });
    listing
}

/// Creates pictures in folders of three depths.
fn album() -> TestApp {
    let app = TestApp::new();
    for folder in ["img10", "img2/deep", "empty", ".hidden", "only/folders"] {
        fs::create_dir_all(app.root_dir().join(folder)).unwrap();
    }
    for (at, path) in ["z.png", "img10/a.png", "img2/b.png", "img2/a.png"]
        .iter()
        .enumerate()
    {
        app.write(path, &sized_png(u32::try_from(at).unwrap() + 1, 1));
    }
    app.write("img2/deep/c.png", &sized_png(9, 9));
    app.write("img2/deep/notes.txt", b"");
    app.write(".hidden/no.png", b"");
    app.write("only/folders/x.png", &png([1, 2, 3]));
    app
}

#[test]
fn recursive_listing_is_grouped_by_folder() {
    let app = album();
    let listing = list(&app, "", &query());
    assert_eq!(
        paths(&listing),
        [
            "z.png",
            "img2/a.png",
            "img2/b.png",
            "img2/deep/c.png",
            "img2/deep/notes.txt",
            "img10/a.png",
            "only/folders/x.png",
        ]
    );
    let expected = [
        ("", 0, 1),
        ("img2", 1, 2),
        ("img2/deep", 3, 2),
        ("img10", 5, 1),
        ("only/folders", 6, 1),
    ];
    let expected = expected.map(|(folder, first, count)| (folder.to_owned(), first, count));
    assert_eq!(groups(&listing), expected);
    assert_eq!(
        (listing.total, listing.pictures, listing.left_out),
        (7, 6, 0)
    );
    let beneath = list(&app, "img2", &query());
    assert_eq!(
        paths(&beneath),
        ["a.png", "b.png", "deep/c.png", "deep/notes.txt"]
    );
}

#[test]
fn order_applies_to_folders_and_their_entries() {
    let app = album();
    let by_size = ListQuery {
        sort: Sort::Name,
        order: Order::Descending,
        ..query()
    };
    let listing = list(&app, "", &by_size);
    assert_eq!(
        paths(&listing)[..4],
        [
            "only/folders/x.png",
            "img10/a.png",
            "img2/deep/notes.txt",
            "img2/deep/c.png"
        ]
    );
    let around = ListQuery {
        around: Some(b"img2/deep/c.png".to_vec()),
        limit: 2,
        ..query()
    };
    let listing = list(&app, "", &around);
    assert_eq!(listing.offset, 2);
    assert_eq!(paths(&listing), ["img2/b.png", "img2/deep/c.png"]);
    for gone in [&b"c.png"[..], b"../z.png", b"img2", b""] {
        let around = ListQuery {
            around: Some(gone.to_vec()),
            offset: 4,
            limit: 1,
            ..query()
        };
        assert_eq!(list(&app, "", &around).offset, 4);
    }
}

#[test]
fn links_are_not_followed_and_names_are_bytes() {
    let app = album();
    symlink(app.root_dir(), app.root_dir().join("img2/loop")).unwrap();
    symlink(
        app.root_dir().join("img2/a.png"),
        app.root_dir().join("img10/linked.png"),
    )
    .unwrap();
    let odd = app.root_dir().join(name(b"\xff\n"));
    fs::create_dir(&odd).unwrap();
    fs::write(odd.join(name(b"\xfe.png")), png([1, 2, 3])).unwrap();
    let listing = list(&app, "", &query());
    assert!(!paths(&listing).iter().any(|path| path.contains("loop")));
    assert_eq!(listing.total, 9);
    let entry = listing
        .entries
        .iter()
        .find(|entry| entry.name == b"\xfe.png");
    let entry = entry.unwrap();
    assert_eq!(entry.folder.as_bytes(), b"\xff\n");
    let path = [entry.folder.as_bytes(), b"/", &entry.name].concat();
    let id = app.pictures.roots().source(app.root, &path).unwrap();
    assert_eq!(Some(id.find().unwrap().id()), entry.id);
}

#[test]
fn excess_folders_are_counted_as_left_out() {
    let app = TestApp::new();
    app.write("a.png", b"");
    for number in 0..20_005 {
        fs::create_dir(app.root_dir().join(format!("{number}"))).unwrap();
    }
    app.write("7/b.png", b"");
    app.write("20004/c.png", b"");
    let listing = list(&app, "", &query());
    assert_eq!(
        (paths(&listing).join(" "), listing.left_out),
        ("a.png 7/b.png".to_owned(), 5)
    );
    let gone = app.pictures.list(app.root, b"gone", &query());
    assert!(matches!(gone, Err(AccessError::NotFound)));
}

#[test]
fn headers_are_shared_across_listings_and_launches() {
    let app = album();
    let listing = read(&app, "");
    let sizes = |listing: &Listing| -> Vec<_> {
        let heads = listing.entries.iter().map(|entry| entry.head);
        heads.flatten().map(|head| head.width).collect()
    };
    assert_eq!(sizes(&listing), [1, 4, 3, 9, 2, 40]);
    let plain = list(&app, "img2", &ListQuery::default());
    assert_eq!((sizes(&plain), plain.unread), (vec![4, 3], 0));
    let kept = app.base_dir().join("cache/folders");
    wait_until("each folder index is saved", || {
        let all = fs::read_dir(&kept).into_iter().flatten();
        let all = all.map(|entry| entry.unwrap().path());
        all.filter(|path| path.extension() == Some("folder".as_ref()))
            .count()
            == 5
    });
    app.pictures.shut_down();
    let again = open(app.base_dir(), Arc::new(InProcess::default()), |_| {});
    let listing = again.list(app.root, b"", &query()).unwrap();
    assert_eq!(
        (sizes(&listing), listing.unread),
        (vec![1, 4, 3, 9, 2, 40], 0)
    );
}

#[test]
fn new_marks_show_in_recursive_listing_immediately() {
    let app = album();
    let before = read(&app, "");
    let change = MarksChange {
        rating: RatingChange::Set(Rating::Four),
        tags: TagsChange::Set(vec![Tag::parse("Sea").unwrap()]),
        ..MarksChange::default()
    };
    let source = app.source("img2/deep/c.png");
    app.pictures.mark(&source, &change).unwrap();
    let same = ListQuery {
        snapshot: Some(before.snapshot),
        ..query()
    };
    let rated = |listing: &Listing| -> Vec<_> {
        let rated = listing.entries.iter();
        rated
            .filter(|entry| entry.marks.rating.is_some())
            .map(|entry| entry.name.clone())
            .collect()
    };
    assert_eq!(rated(&list(&app, "", &same)), [b"c.png"]);
    assert_eq!(rated(&read(&app, "img2")), [b"c.png"]);
    let tags = |path, scope| {
        let tags = app.pictures.tags(&app.source(path), scope, false).unwrap();
        Vec::from_iter(tags.iter().map(|(tag, count)| (tag.to_string(), *count)))
    };
    assert_eq!(tags("img2", FolderScope::Direct), []);
    assert_eq!(
        tags("img2", FolderScope::Recursive),
        [("Sea".to_owned(), 1)]
    );
    assert_eq!(
        tags("img2/deep", FolderScope::Direct),
        [("Sea".to_owned(), 1)]
    );
}
