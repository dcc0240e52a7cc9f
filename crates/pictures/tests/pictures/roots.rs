//! The list of roots.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use fumikura_fileops::PictureFiles;
use fumikura_fs::{AccessError, AddRootError, PathError, RemoveRootError, RootStatus};
use fumikura_image::InProcess;
use fumikura_library::ListQuery;
use fumikura_pictures::Pictures;

use crate::test_app::{TestApp, open, png};

#[test]
fn roots_persist_but_session_roots_do_not() {
    let app = TestApp::new();
    let session = app.base_dir().join("session");
    fs::create_dir(&session).unwrap();
    let allowed = app.pictures.roots().allow_for_session(&session).unwrap();
    assert!(allowed.is_session());
    app.pictures.shut_down();

    let again = open(app.base_dir(), Arc::new(InProcess::default()), |_| {});
    let ids: Vec<_> = again.roots().list().iter().map(|l| l.root.id()).collect();
    assert_eq!(ids, [app.root]);
    // The same folder has the same id in the next launch, so that addresses stay valid.
    let same = again.roots().allow_for_session(&session).unwrap();
    assert_eq!(same.id(), allowed.id());
}

#[test]
fn adding_twice_changes_nothing() {
    let app = TestApp::new();
    let roots = app.pictures.roots();
    let odd_spelling = app.root_dir().join("../root/.");
    assert_eq!(roots.add(&odd_spelling).unwrap().id(), app.root);
    assert_eq!(
        roots.allow_for_session(&app.root_dir()).unwrap().id(),
        app.root
    );
    assert_eq!(roots.list().len(), 1);
    assert!(!roots.get(app.root).unwrap().is_session());
}

#[test]
fn added_session_root_keeps_its_id() {
    let app = TestApp::new();
    let folder = app.base_dir().join("session");
    fs::create_dir(&folder).unwrap();
    let session = app.pictures.roots().allow_for_session(&folder).unwrap();
    let added = app.pictures.roots().add(&folder).unwrap();
    assert_eq!(added.id(), session.id());
    assert!(!added.is_session());
    app.pictures.shut_down();
    let again = open(app.base_dir(), Arc::new(InProcess::default()), |_| {});
    assert!(again.roots().get(session.id()).is_some());
}

#[test]
fn viewed_folder_permits_no_folders_beneath() {
    let app = TestApp::new();
    let folder = app.base_dir().join("viewed");
    fs::create_dir_all(folder.join("inner")).unwrap();
    let roots = app.pictures.roots();
    let viewed = roots.view_for_session(&folder).unwrap();
    assert!(viewed.is_session());
    let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().to_vec();
    let picture = bytes(&folder.join("a.png"));
    assert_eq!(roots.source_at(&picture).unwrap().root(), viewed.id());
    assert!(matches!(
        roots.allowed_source_at(&picture),
        Err(AccessError::OutsideRoots)
    ));
    assert!(matches!(
        roots.add_beneath_allowed(&bytes(&folder.join("inner"))),
        Err(AddRootError::OutsideAllowed)
    ));
    // A permanent root stays one, and a viewed one becomes permanent when the user adds it.
    let permanent = roots.view_for_session(&app.root_dir()).unwrap();
    assert_eq!((permanent.id(), permanent.is_session()), (app.root, false));
    assert_eq!(roots.add(&folder).unwrap().id(), viewed.id());
    assert!(!roots.get(viewed.id()).unwrap().is_session());
}

#[test]
fn only_existing_folders_are_added() {
    let app = TestApp::new();
    let roots = app.pictures.roots();
    let file = app.write("file", b"");
    assert!(matches!(
        roots.add(&app.base_dir().join("none")),
        Err(AddRootError::NotFound)
    ));
    assert!(matches!(roots.add(&file), Err(AddRootError::NotAFolder)));
    assert!(matches!(
        roots.add(Path::new("relative")),
        Err(AddRootError::InvalidPath(PathError::NotAbsolute))
    ));
    assert_eq!(roots.list().len(), 1);
}

#[test]
fn the_innermost_root_owns_a_file() {
    let app = TestApp::new();
    let inner = app.root_dir().join("inner");
    fs::create_dir(&inner).unwrap();
    app.write("inner/a.png", b"");
    let path = inner.join("a.png");
    let owner = || {
        let source = app
            .pictures
            .roots()
            .source_at(path.as_os_str().as_encoded_bytes())
            .unwrap();
        (source.root(), source.path().as_bytes().to_vec())
    };
    assert_eq!(owner(), (app.root, b"inner/a.png".to_vec()));
    let nested = app.pictures.roots().add(&inner).unwrap();
    assert_eq!(owner(), (nested.id(), b"a.png".to_vec()));
    // It is one picture with one id, by whichever root it is named.
    let by_inner = app.pictures.roots().source(nested.id(), b"a.png").unwrap();
    assert_eq!(by_inner.find().unwrap().id(), app.find("inner/a.png").id());
}

#[test]
fn clients_add_only_folders_beneath_allowed_ones() {
    let app = TestApp::new();
    let roots = app.pictures.roots();
    let allowed = app.base_dir().join("allowed");
    fs::create_dir_all(allowed.join("inner")).unwrap();
    fs::create_dir(app.base_dir().join("allowed-not")).unwrap();
    std::os::unix::fs::symlink(app.root_dir(), allowed.join("link")).unwrap();
    let session = roots.allow_for_session(&allowed).unwrap();
    let add = |path: &str| {
        let path = app.base_dir().join(path);
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
    let app = TestApp::new();
    app.pictures.roots().remove(app.root).unwrap();
    assert!(matches!(
        app.pictures.roots().remove(app.root),
        Err(RemoveRootError::Unknown(_))
    ));
    app.pictures.shut_down();
    let again = open(app.base_dir(), Arc::new(InProcess::default()), |_| {});
    assert!(again.roots().list().is_empty());
    assert!(app.root_dir().is_dir());
}

#[test]
fn root_with_missing_folder_is_listed_unavailable() {
    let app = TestApp::new();
    fs::remove_dir(app.root_dir()).unwrap();
    let available = || app.pictures.roots().list()[0].available;
    assert!(!available());
    fs::create_dir(app.root_dir()).unwrap();
    assert!(available());
}

#[test]
fn failed_write_leaves_the_list_unchanged() {
    let app = TestApp::new();
    let file = app.base_dir().join("roots.json");
    fs::remove_file(&file).unwrap();
    fs::create_dir_all(file.join("in the way")).unwrap();
    let other = app.base_dir().join("other");
    fs::create_dir(&other).unwrap();
    let roots = app.pictures.roots();
    assert!(matches!(roots.add(&other), Err(AddRootError::Storage(_))));
    assert!(matches!(
        roots.remove(app.root),
        Err(RemoveRootError::Storage(_))
    ));
    assert_eq!(roots.list().len(), 1);
}

#[test]
fn allowed_stored_root_lets_clients_add_subfolders() {
    let app = TestApp::new();
    let roots = app.pictures.roots();
    let folder = app.base_dir().join("both");
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
    let app = TestApp::new();
    let allowed = app.base_dir().join("allowed");
    let (inner, secret) = (allowed.join("inner"), app.base_dir().join("secret"));
    for folder in [&inner, &secret, &allowed.join("other")] {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("a.png"), png([1, 2, 3])).unwrap();
    }
    let roots = app.pictures.roots();
    roots.allow_for_session(&allowed).unwrap();
    let path = inner.as_os_str().as_encoded_bytes();
    let root = roots.add_beneath_allowed(path).unwrap().id();
    let list = |pictures: &Pictures| pictures.list(root, b"", &ListQuery::default());
    assert_eq!(list(&app.pictures).unwrap().total, 1);

    // A link takes its place.
    fs::remove_dir_all(&inner).unwrap();
    std::os::unix::fs::symlink(&secret, &inner).unwrap();
    let is_refused = |pictures: &Pictures| {
        assert!(matches!(list(pictures), Err(AccessError::OutsideRoots)));
        let source = || pictures.roots().source(root, b"a.png").unwrap();
        assert!(matches!(source().find(), Err(AccessError::OutsideRoots)));
        assert!(pictures.original(&source()).is_err());
        let is_listed = |listed: &&RootStatus| listed.root.id() == root;
        let listed = pictures.roots().list();
        assert!(!listed.iter().find(is_listed).unwrap().available);
    };
    is_refused(&app.pictures);
    let files = app.pictures.files();
    let source = || app.pictures.roots().source(root, b"a.png").unwrap();
    let names = [(b"a.png".to_vec(), "b.png".to_owned())];
    assert!(
        files
            .rename(
                &app.pictures.roots().source(root, b"").unwrap(),
                &names,
                PictureFiles::Apart,
            )
            .is_err()
    );
    assert!(
        files
            .trash(&[source()], PictureFiles::Apart, &mut |_, _| true)
            .is_err()
    );
    assert!(secret.join("a.png").exists());

    // A link that stays within the allowed folder leads to a place that any client may open.
    fs::remove_file(&inner).unwrap();
    std::os::unix::fs::symlink("other", &inner).unwrap();
    assert_eq!(list(&app.pictures).unwrap().total, 1);

    fs::remove_file(&inner).unwrap();
    std::os::unix::fs::symlink(&secret, &inner).unwrap();
    let app = app.restart();
    is_refused(&app.pictures);
    // The user may still add it.
    app.pictures.roots().add(&inner).unwrap();
    assert_eq!(list(&app.pictures).unwrap().total, 1);
}

#[test]
fn unavailable_allowed_folder_becomes_available_again() {
    let app = TestApp::new();
    let roots = app.pictures.roots();
    let folder = app.base_dir().join("stick/pictures");
    let root = roots.allow_for_session(&folder).unwrap().id();
    let is_there = || {
        let listed = roots.list().into_iter();
        let mut of_root = listed.filter(|listed| listed.root.id() == root);
        of_root.next().unwrap().available
    };
    let list = || app.pictures.list(root, b"", &ListQuery::default());
    assert!(!is_there());
    assert!(matches!(list(), Err(AccessError::FolderUnavailable { .. })));
    fs::create_dir_all(&folder).unwrap();
    assert!(is_there());
    assert_eq!(list().unwrap().total, 0);
    let file = app.write("file", b"");
    assert!(matches!(
        roots.allow_for_session(&file),
        Err(AddRootError::NotAFolder)
    ));
}
