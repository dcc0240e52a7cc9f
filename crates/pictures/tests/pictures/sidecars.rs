//! Ratings and tags, in sidecars beside the pictures.

use std::fs;
use std::sync::Arc;
use std::thread;

use fumikura_fs::FolderScope;
use fumikura_image::InProcess;
use fumikura_library::{
    GroupBy, GroupKey, ListFilter, ListQuery, Listing, Order, RatingFilter, Sort,
};
use fumikura_xmp::{MarksChange, Rating, RatingChange, SidecarError, Tag, TagsChange};
use jiff::civil::date;

use crate::test_app::{TestApp, open, png};

#[test]
fn concurrent_changes_are_all_kept() {
    let app = TestApp::new();
    app.write("a.png", &png([1, 2, 3]));
    thread::scope(|scope| {
        for worker in 0..4 {
            let app = &app;
            scope.spawn(move || {
                for number in 0..10 {
                    let tag = Tag::parse(&format!("{worker}/{number}")).unwrap();
                    let change = MarksChange {
                        tags: TagsChange::Each {
                            add: vec![tag],
                            remove: Vec::new(),
                        },
                        ..MarksChange::default()
                    };
                    app.pictures.mark(&app.source("a.png"), &change).unwrap();
                }
            });
        }
    });
    let marks = app.pictures.marks(&app.source("a.png")).unwrap().shown();
    assert_eq!(marks.tags.len(), 40);
    assert_eq!(
        std::fs::read(app.root_dir().join("a.png")).unwrap(),
        png([1, 2, 3])
    );
}

#[test]
fn non_pictures_get_no_sidecar() {
    let app = TestApp::new();
    app.write("notes.txt", b"text");
    app.write("b.xmp", b"of nothing");
    fs::create_dir(app.root_dir().join("folder")).unwrap();
    let change = MarksChange {
        rating: RatingChange::Set(Rating::One),
        ..MarksChange::default()
    };
    for name in ["notes.txt", "b.xmp", "folder", ""] {
        let marked = app.pictures.mark(&app.source(name), &change);
        assert!(matches!(marked, Err(SidecarError::NotAPicture)), "{name}");
    }
    assert_eq!(fs::read_dir(app.root_dir()).unwrap().count(), 3);
}

fn mark(app: &TestApp, name: &str, rating: Rating, tags: &[&str]) {
    let tags = tags.iter().map(|tag| Tag::parse(tag).unwrap());
    let change = MarksChange {
        rating: RatingChange::Set(rating),
        tags: TagsChange::Set(tags.collect()),
        ..MarksChange::default()
    };
    app.pictures.mark(&app.source(name), &change).unwrap();
}

fn list(app: &TestApp, filter: ListFilter) -> Listing {
    let query = ListQuery {
        filter,
        ..ListQuery::default()
    };
    app.pictures.list(app.root, b"", &query).unwrap()
}

fn names(listing: &Listing) -> Vec<String> {
    let names = listing.entries.iter().map(|entry| &entry.name);
    names
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect()
}

fn ratings(listing: &Listing) -> Vec<Option<Rating>> {
    let entries = listing.entries.iter();
    entries.map(|entry| entry.marks.rating).collect()
}

/// Creates sidecars as another program writes them, so that nothing is known before they are read.
fn app_with_sidecars() -> TestApp {
    let other = TestApp::new();
    let app = TestApp::new();
    let marked = [
        ("a.png", Some((Rating::Five, &["Places/京都", "sea"][..]))),
        ("b.png", Some((Rating::Rejected, &[]))),
        ("c.png", Some((Rating::Two, &["Sea"]))),
        ("d.png", None),
    ];
    for (name, marks) in marked {
        other.write(name, &png([1, 2, 3]));
        app.write(name, &png([1, 2, 3]));
        if let Some((rating, tags)) = marks {
            mark(&other, name, rating, tags);
            let sidecar = format!("{name}.xmp");
            let bytes = fs::read(other.root_dir().join(&sidecar)).unwrap();
            app.write(&sidecar, &bytes);
        }
    }
    app.write("e.png", &png([1, 2, 3]));
    app.write("e.xmp", b"damaged");
    app.write("f.xmp", b"of nothing");
    app
}

#[test]
fn listing_contains_marks_of_sidecars() {
    let app = app_with_sidecars();
    let all = app.read_listing();
    // The sidecars of pictures are not separate entries.
    assert_eq!(
        names(&all),
        ["a.png", "b.png", "c.png", "d.png", "e.png", "f.xmp"]
    );
    let expected = [
        Some(Rating::Five),
        Some(Rating::Rejected),
        Some(Rating::Two),
        None,
        None,
        None,
    ];
    assert_eq!(ratings(&all), expected);
    let check = |filter: ListFilter, expected: &[&str]| {
        let found = list(&app, filter.clone());
        assert_eq!(names(&found), expected, "{filter:?}");
        assert_eq!(found.unread, 0);
    };
    let rated = |rated| ListFilter {
        rated: Some(rated),
        ..ListFilter::default()
    };
    check(
        rated(RatingFilter::AtLeast(Rating::Two)),
        &["a.png", "c.png"],
    );
    check(rated(RatingFilter::Exactly(Rating::Rejected)), &["b.png"]);
    check(rated(RatingFilter::Not), &["d.png", "e.png"]);
    let tagged = |tag: &str| ListFilter {
        tag: Some(tag.to_owned()),
        ..ListFilter::default()
    };
    check(tagged("SEA"), &["a.png", "c.png"]);
    check(tagged("places"), &["a.png"]);
    check(tagged("京都"), &["a.png"]);
    check(tagged("Place"), &[]);
    let folder = app.source("");
    let tags = app
        .pictures
        .tags(&folder, FolderScope::Direct, false)
        .unwrap();
    let tags: Vec<_> = tags
        .iter()
        .map(|(tag, count)| (tag.to_string(), *count))
        .collect();
    assert_eq!(tags.iter().map(|(_, count)| count).sum::<usize>(), 3);
    assert!(tags.contains(&("Places/京都".to_owned(), 1)));
}

#[test]
fn new_marks_are_listed_immediately() {
    let app = app_with_sidecars();
    app.read_listing();
    mark(&app, "a.png", Rating::One, &[]);
    mark(&app, "d.png", Rating::Three, &[]);
    let again = list(&app, ListFilter::default());
    assert_eq!(again.unread, 0);
    assert_eq!(ratings(&again)[0], Some(Rating::One));
    assert_eq!(ratings(&again)[3], Some(Rating::Three));
    // A later change by another program is read again.
    fs::remove_file(app.root_dir().join("d.png.xmp")).unwrap();
    let bytes = fs::read(app.root_dir().join("c.png.xmp")).unwrap();
    app.write("a.png.xmp", &bytes);
    let read = app.read_listing();
    assert_eq!(ratings(&read)[0], Some(Rating::Two));
    assert_eq!(ratings(&read)[3], None);
}

#[test]
fn sidecar_marks_persist_across_launches() {
    let app = app_with_sidecars();
    app.read_listing();
    app.wait_until_saved();
    app.pictures.shut_down();
    let again = open(app.base_dir(), Arc::new(InProcess::default()), |_| {});
    let first = again.list(app.root, b"", &ListQuery::default()).unwrap();
    assert_eq!(ratings(&first)[0], Some(Rating::Five));
    assert_eq!(first.entries[0].marks.tags.len(), 2);
}

#[test]
fn ratings_are_grouped_best_first() {
    let app = TestApp::new();
    fs::create_dir(app.root_dir().join("folder")).unwrap();
    for (name, rating) in [
        ("a.png", Some(Rating::Rejected)),
        ("b.png", None),
        ("c.png", Some(Rating::Two)),
        ("d.png", Some(Rating::Five)),
        ("e.png", Some(Rating::Two)),
    ] {
        app.write(name, &png([1, 2, 3]));
        if let Some(rating) = rating {
            let change = MarksChange {
                rating: RatingChange::Set(rating),
                ..MarksChange::default()
            };
            app.pictures.mark(&app.source(name), &change).unwrap();
        }
    }
    app.read_listing();
    let list = |sort, order, group| {
        let query = ListQuery {
            sort,
            order,
            group,
            ..ListQuery::default()
        };
        app.pictures.list(app.root, b"", &query).unwrap()
    };
    for order in [Order::Ascending, Order::Descending] {
        let listing = list(Sort::Name, order, Some(GroupBy::Rating));
        let groups = listing.groups.clone().unwrap().into_iter();
        let groups: Vec<_> = groups.map(|group| (group.key, group.count)).collect();
        let expected = [
            (GroupKey::Folders, 1),
            (GroupKey::Rating(Some(Rating::Five)), 1),
            (GroupKey::Rating(Some(Rating::Two)), 2),
            (GroupKey::Rating(None), 1),
            (GroupKey::Rating(Some(Rating::Rejected)), 1),
        ];
        assert_eq!(groups, expected);
    }
    let listing = list(Sort::Rating, Order::Ascending, None);
    let by_rating = ["folder", "a.png", "b.png", "c.png", "e.png", "d.png"];
    assert_eq!(names(&listing), by_rating);
}

#[test]
fn pictures_are_grouped_by_day_and_month() {
    let app = TestApp::new();
    fs::create_dir(app.root_dir().join("folder")).unwrap();
    let noon = |day: i8, month: i8| {
        let time = date(2024, month, day).at(12, 0, 0, 0);
        let time = time.to_zoned(jiff::tz::TimeZone::system()).unwrap();
        std::time::SystemTime::from(time.timestamp())
    };
    for (name, day, month) in [
        ("a.png", 2, 5),
        ("b.png", 1, 5),
        ("c.png", 2, 5),
        ("d.png", 30, 4),
    ] {
        let file = fs::File::create(app.write(name, b"")).unwrap();
        file.set_modified(noon(day, month)).unwrap();
    }
    app.read_listing();
    let list = |group, order, filter| {
        let query = ListQuery {
            group: Some(group),
            order,
            filter,
            sort: Sort::Name,
            ..ListQuery::default()
        };
        let listing = app.pictures.list(app.root, b"", &query).unwrap();
        let groups = listing.groups.clone().unwrap().into_iter();
        let groups = groups.map(|group| match group.key {
            GroupKey::Date(date) => (date, group.first, group.count),
            key @ (GroupKey::Camera(_)
            | GroupKey::Rating(_)
            | GroupKey::Folder(_)
            | GroupKey::Folders) => panic!("a group of {key:?}"),
        });
        (names(&listing), groups.collect::<Vec<_>>())
    };
    let day = |day, month| Some(date(2024, month, day));
    let (found, groups) = list(GroupBy::Day, Order::Ascending, ListFilter::default());
    assert_eq!(found, ["folder", "d.png", "b.png", "a.png", "c.png"]);
    let expected = [
        (None, 0, 1),
        (day(30, 4), 1, 1),
        (day(1, 5), 2, 1),
        (day(2, 5), 3, 2),
    ];
    assert_eq!(groups, expected);
    let (found, groups) = list(GroupBy::Month, Order::Descending, ListFilter::default());
    assert_eq!(found, ["folder", "c.png", "b.png", "a.png", "d.png"]);
    assert_eq!(groups, [(None, 0, 1), (day(1, 5), 1, 3), (day(1, 4), 4, 1)]);
    let in_may = ListFilter {
        from: day(1, 5),
        to: day(1, 5),
        ..ListFilter::default()
    };
    let (found, groups) = list(GroupBy::Day, Order::Ascending, in_may);
    assert_eq!(found, ["b.png"]);
    assert_eq!(groups, [(day(1, 5), 0, 1)]);
}
