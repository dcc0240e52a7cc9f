//! Listings that begin before all names are read.

use std::fs;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use fumikura_fs::AccessError;
use fumikura_image::InProcess;
use fumikura_library::{GroupBy, ListQuery, Listing, ListingCompleted};
use fumikura_pictures::{Config, Pictures, PicturesEvent};

use crate::test_app::{TestApp, open, sized_png};

fn list(app: &TestApp, query: ListQuery) -> Listing {
    app.pictures.list(app.root, b"", &query).unwrap()
}

/// Creates an app whose listings do not wait.
fn app_without_timeout() -> (TestApp, mpsc::Receiver<ListingCompleted>) {
    let decoder = Arc::new(InProcess::default());
    let app = TestApp::with_config(decoder, no_timeout);
    let events = listed_events(&app.pictures);
    (app, events)
}

fn no_timeout(config: &mut Config) {
    config.listing_timeout = Duration::ZERO;
}

fn listed_events(pictures: &Pictures) -> mpsc::Receiver<ListingCompleted> {
    let (sender, events) = mpsc::channel();
    pictures.listen(move |event| {
        if let PicturesEvent::ListingCompleted(listed) = event {
            drop(sender.send(listed));
        }
    });
    events
}

#[test]
fn listing_may_return_before_all_names_are_read() {
    let (app, events) = app_without_timeout();
    for number in 0..500 {
        app.write(&format!("{number}.txt"), b"");
    }
    let growing = ListQuery {
        may_grow: true,
        ..ListQuery::default()
    };
    let first = list(&app, growing.clone());
    assert!(first.is_growing && (1..500).contains(&first.total));
    let listed = events.recv_timeout(Duration::from_secs(30)).unwrap();
    assert_eq!(
        (listed.root, listed.path.as_bytes(), listed.snapshot),
        (app.root, &b""[..], first.snapshot)
    );
    let again = ListQuery {
        snapshot: Some(first.snapshot),
        ..growing.clone()
    };
    let whole = list(&app, again.clone());
    assert!(!whole.is_growing);
    assert_eq!(whole.total, 500);
    assert_ne!(whole.snapshot, first.snapshot);
    // All requests share one scan.
    assert_eq!(list(&app, again).snapshot, whole.snapshot);
    // A query without `may_grow` waits for all.
    assert_eq!(list(&app, ListQuery::default()).total, 500);
    assert!(events.try_recv().is_err());
    // A folder that was deleted meanwhile gives an error at the next request.
    let folder = app.root_dir().join("going");
    fs::create_dir(&folder).unwrap();
    for number in 0..100 {
        fs::write(folder.join(format!("{number}")), b"").unwrap();
    }
    let partial = app.pictures.list(app.root, b"going", &growing).unwrap();
    events.recv_timeout(Duration::from_secs(30)).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let again = ListQuery {
        snapshot: Some(partial.snapshot),
        ..growing
    };
    let gone = app.pictures.list(app.root, b"going", &again);
    assert!(matches!(gone, Err(AccessError::NotFound)));
}

#[test]
fn only_large_or_recursive_listings_grow() {
    let (app, events) = app_without_timeout();
    for folder in 0..10 {
        fs::create_dir(app.root_dir().join(format!("{folder}"))).unwrap();
        app.write(&format!("{folder}/a.txt"), b"");
    }
    let growing = ListQuery {
        may_grow: true,
        ..ListQuery::default()
    };
    assert!(!list(&app, growing.clone()).is_growing);
    let beneath = ListQuery {
        group: Some(GroupBy::Folder),
        ..growing
    };
    let first = list(&app, beneath.clone());
    assert!(first.is_growing && first.total < 10);
    events.recv_timeout(Duration::from_secs(30)).unwrap();
    let again = ListQuery {
        snapshot: Some(first.snapshot),
        ..beneath
    };
    let whole = list(&app, again);
    assert_eq!((whole.total, whole.is_growing), (10, false));
}

#[test]
fn incremental_listing_keeps_saved_metadata_of_all_names() {
    let app = TestApp::new();
    for number in 1..=200 {
        app.write(&format!("{number}.png"), &sized_png(number, 7));
    }
    app.read_listing();
    app.wait_until_saved();
    app.pictures.shut_down();
    for _launch in 0..2 {
        let pictures = open(app.base_dir(), Arc::new(InProcess::default()), no_timeout);
        let events = listed_events(&pictures);
        let growing = ListQuery {
            may_grow: true,
            limit: 500,
            ..ListQuery::default()
        };
        let first = pictures.list(app.root, b"", &growing).unwrap();
        assert!(first.is_growing);
        events.recv_timeout(Duration::from_secs(30)).unwrap();
        let again = ListQuery {
            snapshot: Some(first.snapshot),
            ..growing
        };
        let whole = pictures.list(app.root, b"", &again).unwrap();
        assert_eq!(whole.unread, 0);
        let heads = whole.entries.iter().map(|entry| entry.head);
        let widths: Vec<_> = heads.map(|head| head.map(|head| head.width)).collect();
        assert_eq!(widths, Vec::from_iter((1..=200).map(Some)));
        // The stored listing is not only the first part.
        pictures.shut_down();
    }
}
