//! The list of roots.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use fumikura_fs::{AccessError, AddRootError, ListedRoot, RemoveRootError};
use fumikura_image::InProcess;
use fumikura_library::ListQuery;
use fumikura_pictures::Pictures;

use crate::house::{House, open, png};

#[test]
fn roots_persist_but_session_roots_do_not() {
    let house = House::new();
    let session = house.outside().join("session");
    fs::create_dir(&session).unwrap();
    let allowed = house.pictures.roots().allow_for_session(&session).unwrap();
    assert!(allowed.is_session());
    house.pictures.shut_down();

    let again = open(house.outside(), Arc::new(InProcess::default()), |_| {});
    let ids: Vec<_> = again.roots().list().iter().map(|l| l.root.id()).collect();
    assert_eq!(ids, [house.root]);
    // The same folder has the same id in the next launch, so that addresses stay valid.
    let same = again.roots().allow_for_session(&session).unwrap();
    assert_eq!(same.id(), allowed.id());
}

#[test]
fn adding_twice_changes_nothing() {
    let house = House::new();
    let roots = house.pictures.roots();
    let odd_spelling = house.pictures().join("../root/.");
    assert_eq!(roots.add(&odd_spelling).unwrap().id(), house.root);
    assert_eq!(
        roots.allow_for_session(&house.pictures()).unwrap().id(),
        house.root
    );
    assert_eq!(roots.list().len(), 1);
    assert!(!roots.get(house.root).unwrap().is_session());
}

#[test]
fn added_session_root_keeps_its_id() {
    let house = House::new();
    let folder = house.outside().join("session");
    fs::create_dir(&folder).unwrap();
    let session = house.pictures.roots().allow_for_session(&folder).unwrap();
    let added = house.pictures.roots().add(&folder).unwrap();
    assert_eq!(added.id(), session.id());
    assert!(!added.is_session());
    house.pictures.shut_down();
    let again = open(house.outside(), Arc::new(InProcess::default()), |_| {});
    assert!(again.roots().get(session.id()).is_some());
}

#[test]
fn only_existing_folders_are_added() {
    let house = House::new();
    let roots = house.pictures.roots();
    let file = house.put("file", b"");
    assert!(matches!(
        roots.add(&house.outside().join("none")),
        Err(AddRootError::NotFound)
    ));
    assert!(matches!(roots.add(&file), Err(AddRootError::NotAFolder)));
    assert!(matches!(
        roots.add(Path::new("relative")),
        Err(AddRootError::NotAbsolute)
    ));
    assert_eq!(roots.list().len(), 1);
}

#[test]
fn the_innermost_root_owns_a_file() {
    let house = House::new();
    let inner = house.pictures().join("inner");
    fs::create_dir(&inner).unwrap();
    house.put("inner/a.png", b"");
    let path = inner.join("a.png");
    let owner = || {
        let source = house
            .pictures
            .roots()
            .source_at(path.as_os_str().as_encoded_bytes())
            .unwrap();
        (source.root(), source.path().as_bytes().to_vec())
    };
    assert_eq!(owner(), (house.root, b"inner/a.png".to_vec()));
    let nested = house.pictures.roots().add(&inner).unwrap();
    assert_eq!(owner(), (nested.id(), b"a.png".to_vec()));
    // It is one picture with one id, by whichever root it is named.
    let by_inner = house
        .pictures
        .roots()
        .source(nested.id(), b"a.png")
        .unwrap();
    assert_eq!(
        by_inner.find().unwrap().id(),
        house.find("inner/a.png").id()
    );
}

#[test]
fn clients_add_only_folders_beneath_allowed_ones() {
    let house = House::new();
    let roots = house.pictures.roots();
    let allowed = house.outside().join("allowed");
    fs::create_dir_all(allowed.join("inner")).unwrap();
    fs::create_dir(house.outside().join("allowed-not")).unwrap();
    std::os::unix::fs::symlink(house.pictures(), allowed.join("link")).unwrap();
    let session = roots.allow_for_session(&allowed).unwrap();
    let add = |path: &str| {
        let path = house.outside().join(path);
        roots.add_beneath_allowed(path.as_os_str().as_encoded_bytes())
    };
    assert_eq!(add("allowed").unwrap().id(), session.id());
    assert_eq!(
        add("allowed/inner").unwrap().path(),
        allowed.join("inner").as_path()
    );
    for path in [
        "root",
        "allowed-not",
        "allowed/../root",
        "allowed/link",
        "none",
    ] {
        assert!(
            matches!(add(path), Err(AddRootError::OutsideAllowed)),
            "{path}"
        );
    }
    assert!(matches!(add("allowed/none"), Err(AddRootError::NotFound)));
}

#[test]
fn removed_root_stays_removed() {
    let house = House::new();
    house.pictures.roots().remove(house.root).unwrap();
    assert!(matches!(
        house.pictures.roots().remove(house.root),
        Err(RemoveRootError::Unknown(_))
    ));
    house.pictures.shut_down();
    let again = open(house.outside(), Arc::new(InProcess::default()), |_| {});
    assert!(again.roots().list().is_empty());
    assert!(house.pictures().is_dir());
}

#[test]
fn root_with_missing_folder_is_listed_unavailable() {
    let house = House::new();
    fs::remove_dir(house.pictures()).unwrap();
    let available = || house.pictures.roots().list()[0].available;
    assert!(!available());
    fs::create_dir(house.pictures()).unwrap();
    assert!(available());
}

#[test]
fn failed_write_leaves_the_list_unchanged() {
    let house = House::new();
    let file = house.outside().join("roots.json");
    fs::remove_file(&file).unwrap();
    fs::create_dir_all(file.join("in the way")).unwrap();
    let other = house.outside().join("other");
    fs::create_dir(&other).unwrap();
    let roots = house.pictures.roots();
    assert!(matches!(roots.add(&other), Err(AddRootError::Storage(_))));
    assert!(matches!(
        roots.remove(house.root),
        Err(RemoveRootError::Storage(_))
    ));
    assert_eq!(roots.list().len(), 1);
}

#[test]
fn allowed_stored_root_lets_clients_add_subfolders() {
    let house = House::new();
    let roots = house.pictures.roots();
    let folder = house.outside().join("both");
    fs::create_dir_all(folder.join("inner")).unwrap();
    let kept = roots.add(&folder).unwrap();
    let inner = folder.join("inner");
    let add = || roots.add_beneath_allowed(inner.as_os_str().as_encoded_bytes());
    assert!(matches!(add(), Err(AddRootError::OutsideAllowed)));
    let allowed = roots.allow_for_session(&folder).unwrap();
    assert_eq!((allowed.id(), allowed.is_session()), (kept.id(), false));
    assert_eq!(add().unwrap().path(), inner.as_path());
}

#[test]
fn client_root_stays_within_its_allowed_folder() {
    let house = House::new();
    let allowed = house.outside().join("allowed");
    let (inner, secret) = (allowed.join("inner"), house.outside().join("secret"));
    for folder in [&inner, &secret, &allowed.join("other")] {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("a.png"), png([1, 2, 3])).unwrap();
    }
    let roots = house.pictures.roots();
    roots.allow_for_session(&allowed).unwrap();
    let path = inner.as_os_str().as_encoded_bytes();
    let root = roots.add_beneath_allowed(path).unwrap().id();
    let list = |pictures: &Pictures| pictures.list(root, b"", &ListQuery::default());
    assert_eq!(list(&house.pictures).unwrap().total, 1);

    // A link takes its place.
    fs::remove_dir_all(&inner).unwrap();
    std::os::unix::fs::symlink(&secret, &inner).unwrap();
    let is_refused = |pictures: &Pictures| {
        assert!(matches!(list(pictures), Err(AccessError::OutsideRoots)));
        let source = || pictures.roots().source(root, b"a.png").unwrap();
        assert!(matches!(source().find(), Err(AccessError::OutsideRoots)));
        assert!(pictures.original(&source()).is_err());
        let is_listed = |listed: &&ListedRoot| listed.root.id() == root;
        let listed = pictures.roots().list();
        assert!(!listed.iter().find(is_listed).unwrap().available);
    };
    is_refused(&house.pictures);
    let files = house.pictures.files();
    let source = || house.pictures.roots().source(root, b"a.png").unwrap();
    let names = [(b"a.png".to_vec(), "b.png".to_owned())];
    assert!(
        files
            .rename(&house.pictures.roots().source(root, b"").unwrap(), &names)
            .is_err()
    );
    assert!(files.bin(&[source()], &mut |_, _| true).is_err());
    assert!(secret.join("a.png").exists());

    // A link that stays within the allowed folder leads to a place that any client may open.
    fs::remove_file(&inner).unwrap();
    std::os::unix::fs::symlink("other", &inner).unwrap();
    assert_eq!(list(&house.pictures).unwrap().total, 1);

    fs::remove_file(&inner).unwrap();
    std::os::unix::fs::symlink(&secret, &inner).unwrap();
    let house = house.relaunched();
    is_refused(&house.pictures);
    // The user may add it nevertheless.
    house.pictures.roots().add(&inner).unwrap();
    assert_eq!(list(&house.pictures).unwrap().total, 1);
}

#[test]
fn unavailable_allowed_folder_becomes_available_again() {
    let house = House::new();
    let roots = house.pictures.roots();
    let folder = house.outside().join("stick/pictures");
    let root = roots.allow_for_session(&folder).unwrap().id();
    let is_there = || {
        let listed = roots.list().into_iter();
        let mut of_root = listed.filter(|listed| listed.root.id() == root);
        of_root.next().unwrap().available
    };
    let list = || house.pictures.list(root, b"", &ListQuery::default());
    assert!(!is_there());
    assert!(matches!(list(), Err(AccessError::FolderUnavailable { .. })));
    fs::create_dir_all(&folder).unwrap();
    assert!(is_there());
    assert_eq!(list().unwrap().total, 0);
    let file = house.put("file", b"");
    assert!(matches!(
        roots.allow_for_session(&file),
        Err(AddRootError::NotAFolder)
    ));
}
