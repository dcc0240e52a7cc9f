//! Pictures of several files in listings: a raw file with its JPEG, and the parts of a Live Photo.

use fumikura_fileops::CompanionLookup;
use fumikura_fs::FolderScope;
use fumikura_image::CompanionKind;
use fumikura_library::{GroupBy, ListFilter, ListQuery, Listing, Sort};
use fumikura_pictures::PictureChange;
use fumikura_xmp::{MarksChange, Rating, RatingChange, Tag, TagsChange};

use crate::test_app::{TestApp, png};

fn joined() -> ListQuery {
    ListQuery {
        joins_files: true,
        ..ListQuery::default()
    }
}

fn filtered(filter: ListFilter) -> ListQuery {
    ListQuery { filter, ..joined() }
}

fn list(app: &TestApp, query: &ListQuery) -> Listing {
    app.pictures.list(app.root, b"", query).unwrap()
}

/// Returns the names of the entries, each with its companions in brackets.
fn names(listing: &Listing) -> Vec<String> {
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    let entries = listing.entries.iter();
    entries
        .map(|entry| {
            let others = entry.companions.iter().map(|one| text(&one.entry.name));
            let others = others.collect::<Vec<_>>().join(" ");
            match entry.companions.is_empty() {
                true => text(&entry.name),
                false => format!("{} ({others})", text(&entry.name)),
            }
        })
        .collect()
}

fn app_with(files: &[&str]) -> TestApp {
    let app = TestApp::new();
    for name in files {
        app.write(name, &png([3, 2, 1]));
    }
    app
}

#[test]
fn picture_of_several_files_is_one_entry() {
    let app = app_with(&[
        "a.CR3", "a.jpg", "b.jpg", "i.AAE", "i.HEIC", "i.MOV", "n.txt",
    ]);
    let listing = list(&app, &joined());
    assert_eq!(
        names(&listing),
        ["a.jpg (a.CR3)", "b.jpg", "i.HEIC (i.MOV i.AAE)", "n.txt"]
    );
    assert_eq!((listing.total, listing.pictures), (4, 3));
    let parts = listing.entries[2].companions.iter().map(|one| one.kind);
    assert!(parts.eq([CompanionKind::Motion, CompanionKind::Edits]));
    assert!(listing.entries[0].companions[0].entry.id.is_some());
    let apart = list(&app, &ListQuery::default());
    assert_eq!(apart.total, 7);
    assert!(
        apart
            .entries
            .iter()
            .all(|entry| entry.companions.is_empty())
    );
}

#[test]
fn any_file_passes_filters_of_names_and_types() {
    let app = app_with(&["a.CR3", "a.jpg", "b.jpg"]);
    let found = |filter| names(&list(&app, &filtered(filter)));
    let text = ListFilter {
        text: Some("cr3".to_owned()),
        ..ListFilter::default()
    };
    assert_eq!(found(text), ["a.jpg (a.CR3)"]);
    let raw = ListFilter {
        types: vec!["raw".parse().unwrap()],
        ..ListFilter::default()
    };
    assert_eq!(found(raw), ["a.jpg (a.CR3)"]);
}

#[test]
fn page_around_a_companion_has_its_picture() {
    let app = app_with(&["a.jpg", "b.jpg", "c.CR3", "c.jpg", "d.jpg"]);
    let query = ListQuery {
        around: Some(b"c.CR3".to_vec()),
        limit: 2,
        sort: Sort::Size,
        ..joined()
    };
    let listing = list(&app, &query);
    assert_eq!(listing.offset, 2);
    assert_eq!(names(&listing), ["c.jpg (c.CR3)", "d.jpg"]);
}

#[test]
fn files_are_joined_within_their_folder_only() {
    let app = app_with(&["a.jpg"]);
    std::fs::create_dir(app.root_dir().join("in")).unwrap();
    for name in ["in/a.CR3", "in/b.CR3", "in/b.jpg"] {
        app.write(name, &png([3, 2, 1]));
    }
    let query = ListQuery {
        group: Some(GroupBy::Folder),
        ..joined()
    };
    let listing = list(&app, &query);
    assert_eq!(names(&listing), ["a.jpg", "a.CR3", "b.jpg (b.CR3)"]);
}

#[test]
fn vanished_file_leaves_the_other_as_a_picture() {
    let app = app_with(&["a.CR3", "a.jpg", "b.CR3", "b.jpg"]);
    let first = list(&app, &joined());
    std::fs::remove_file(app.root_dir().join("a.jpg")).unwrap();
    std::fs::remove_file(app.root_dir().join("b.CR3")).unwrap();
    assert_eq!(names(&list(&app, &joined())), ["a.CR3", "b.jpg"]);
    // A part of the earlier listing shows what it knew.
    let again = ListQuery {
        snapshot: Some(first.snapshot),
        ..joined()
    };
    assert_eq!(list(&app, &again).total, 2);
}

fn rate(app: &TestApp, name: &str, rating: Rating, tag: &str) {
    let marks = MarksChange {
        rating: RatingChange::Set(rating),
        tags: TagsChange::Each {
            add: vec![Tag::parse(tag).unwrap()],
            remove: Vec::new(),
        },
        ..MarksChange::default()
    };
    let change = PictureChange {
        marks,
        ..PictureChange::default()
    };
    let mut lookup = CompanionLookup::default();
    let source = app.source(name);
    app.pictures
        .mark_joined(&source, &change, &mut lookup)
        .unwrap();
}

#[test]
fn rating_changes_every_existing_sidecar_of_a_picture() {
    let app = app_with(&["a.CR3", "a.jpg", "b.CR3", "b.jpg", "c.CR3", "c.jpg"]);
    let exists = |name: &str| app.root_dir().join(name).exists();
    // Another program has rated the raw file.
    let change = MarksChange {
        rating: RatingChange::Set(Rating::Two),
        ..MarksChange::default()
    };
    app.pictures.mark(&app.source("b.CR3"), &change).unwrap();
    for sidecar in ["c.jpg", "c.CR3"] {
        app.pictures.mark(&app.source(sidecar), &change).unwrap();
    }
    for name in ["a.jpg", "b.jpg", "c.jpg"] {
        rate(&app, name, Rating::Five, "sea");
    }
    assert!(exists("a.jpg.xmp") && !exists("a.CR3.xmp"));
    assert!(exists("b.CR3.xmp") && !exists("b.jpg.xmp"));
    let marks = |name| {
        app.pictures
            .marks(&app.source(name))
            .unwrap()
            .shown()
            .rating
    };
    for name in ["a.jpg", "b.CR3", "c.jpg", "c.CR3"] {
        assert_eq!(marks(name), Some(Rating::Five), "{name}");
    }
    let listing = app.read_joined_listing();
    let ratings = listing.entries.iter().map(|entry| entry.marks.rating);
    assert!(ratings.eq([Some(Rating::Five); 3]));
    let folder = app.source("");
    let tags = |joins| {
        let tags = app.pictures.tags(&folder, FolderScope::Direct, joins);
        tags.unwrap()[0].1
    };
    assert_eq!((tags(true), tags(false)), (3, 4));
}
