//! Listings that begin before all names are read.

use std::fs;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use fumikura_fs::AccessError;
use fumikura_image::InProcess;
use fumikura_library::{GroupBy, ListQuery, Listed, Listing};
use fumikura_pictures::{Config, Pictures, PicturesEvent};

use crate::house::{House, open, sized_png};

fn list(house: &House, query: ListQuery) -> Listing {
    house.pictures.list(house.root, b"", &query).unwrap()
}

/// Creates a house in which no listing waits.
fn impatient() -> (House, mpsc::Receiver<Listed>) {
    let decoder = Arc::new(InProcess::default());
    let house = House::with(decoder, at_once);
    let told = told_by(&house.pictures);
    (house, told)
}

fn at_once(config: &mut Config) {
    config.patience = Duration::ZERO;
}

fn told_by(pictures: &Pictures) -> mpsc::Receiver<Listed> {
    let (tell, told) = mpsc::channel();
    pictures.listen(move |event| {
        if let PicturesEvent::Listed(listed) = event {
            drop(tell.send(listed));
        }
    });
    told
}

#[test]
fn listing_may_return_before_all_names_are_read() {
    let (house, told) = impatient();
    for number in 0..500 {
        house.put(&format!("{number}.txt"), b"");
    }
    let growing = ListQuery {
        may_grow: true,
        ..ListQuery::default()
    };
    let first = list(&house, growing.clone());
    assert!(first.is_growing && (1..500).contains(&first.total));
    let listed = told.recv_timeout(Duration::from_secs(30)).unwrap();
    assert_eq!(
        (listed.root, listed.path.as_bytes(), listed.snapshot),
        (house.root, &b""[..], first.snapshot)
    );
    let again = ListQuery {
        snapshot: Some(first.snapshot),
        ..growing.clone()
    };
    let whole = list(&house, again.clone());
    assert!(!whole.is_growing);
    assert_eq!(whole.total, 500);
    assert_ne!(whole.snapshot, first.snapshot);
    // All requests share one scan.
    assert_eq!(list(&house, again).snapshot, whole.snapshot);
    // A query without `may_grow` waits for all.
    assert_eq!(list(&house, ListQuery::default()).total, 500);
    assert!(told.try_recv().is_err());
    // A folder that was deleted meanwhile gives an error at the next request.
    let folder = house.pictures().join("going");
    fs::create_dir(&folder).unwrap();
    for number in 0..100 {
        fs::write(folder.join(format!("{number}")), b"").unwrap();
    }
    let begun = house.pictures.list(house.root, b"going", &growing).unwrap();
    told.recv_timeout(Duration::from_secs(30)).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let again = ListQuery {
        snapshot: Some(begun.snapshot),
        ..growing
    };
    let gone = house.pictures.list(house.root, b"going", &again);
    assert!(matches!(gone, Err(AccessError::NotFound)));
}

#[test]
fn only_large_or_recursive_listings_grow() {
    let (house, told) = impatient();
    for folder in 0..10 {
        fs::create_dir(house.pictures().join(format!("{folder}"))).unwrap();
        house.put(&format!("{folder}/a.txt"), b"");
    }
    let growing = ListQuery {
        may_grow: true,
        ..ListQuery::default()
    };
    assert!(!list(&house, growing.clone()).is_growing);
    let beneath = ListQuery {
        group: Some(GroupBy::Folder),
        ..growing
    };
    let first = list(&house, beneath.clone());
    assert!(first.is_growing && first.total < 10);
    told.recv_timeout(Duration::from_secs(30)).unwrap();
    let again = ListQuery {
        snapshot: Some(first.snapshot),
        ..beneath
    };
    let whole = list(&house, again);
    assert_eq!((whole.total, whole.is_growing), (10, false));
}

#[test]
fn incremental_listing_keeps_saved_metadata_of_all_names() {
    let house = House::new();
    for number in 1..=200 {
        house.put(&format!("{number}.png"), &sized_png(number, 7));
    }
    house.read_listing();
    house.wait_until_kept();
    house.pictures.shut_down();
    for _launch in 0..2 {
        let pictures = open(house.outside(), Arc::new(InProcess::default()), at_once);
        let told = told_by(&pictures);
        let growing = ListQuery {
            may_grow: true,
            limit: 500,
            ..ListQuery::default()
        };
        let first = pictures.list(house.root, b"", &growing).unwrap();
        assert!(first.is_growing);
        told.recv_timeout(Duration::from_secs(30)).unwrap();
        let again = ListQuery {
            snapshot: Some(first.snapshot),
            ..growing
        };
        let whole = pictures.list(house.root, b"", &again).unwrap();
        assert_eq!(whole.unread, 0);
        let heads = whole.entries.iter().map(|entry| entry.head);
        let widths: Vec<_> = heads.map(|head| head.map(|head| head.width)).collect();
        assert_eq!(widths, Vec::from_iter((1..=200).map(Some)));
        // The stored listing is not only the first part.
        pictures.shut_down();
    }
}
