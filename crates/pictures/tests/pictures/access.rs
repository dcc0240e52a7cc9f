//! Tests that nothing outside the roots is ever read, through any path, link or race.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use fumikura_fs::{AccessError, NodeKind, PathError, Source};
use fumikura_library::OriginalError;
use fumikura_thumbs::{Priority, ThumbError};
use rustix::fs::{CWD, FileType, Mode, RenameFlags, mknodat, renameat_with};

use crate::test_app::{TestApp, png, variant};

#[track_caller]
fn check(app: &TestApp, path: &str, is_expected: impl Fn(&AccessError) -> bool) {
    let found = app
        .pictures
        .roots()
        .source(app.root, path.as_bytes())
        .and_then(|source| source.find().map(drop));
    let error = found.expect_err(path);
    assert!(is_expected(&error), "{path}: {error}");
    // Opening fails in the same way as reading the status.
    if let Ok(source) = app.pictures.roots().source(app.root, path.as_bytes()) {
        match app.pictures.original(&source) {
            Err(OriginalError::Access(error)) => assert!(is_expected(&error), "{path}: {error}"),
            other => panic!("{path}: {other:?}"),
        }
    }
}

fn is_outside(error: &AccessError) -> bool {
    matches!(error, AccessError::OutsideRoots)
}

fn is_not_found(error: &AccessError) -> bool {
    matches!(error, AccessError::NotFound)
}

/// Creates an app with a secret beside its root.
fn app_with_secret() -> TestApp {
    let app = TestApp::new();
    app.write("inside.png", &png([0, 255, 0]));
    fs::create_dir(app.base_dir().join("root-evil")).unwrap();
    fs::write(app.base_dir().join("root-evil/a.png"), png([255, 0, 0])).unwrap();
    fs::write(app.base_dir().join("secret.png"), png([255, 0, 0])).unwrap();
    app
}

/// The superuser may read nearly every file.
#[test]
fn unreadable_file_is_refused() {
    let app = TestApp::new();
    let source = if rustix::process::geteuid().is_root() {
        let root = app.pictures.roots().add(Path::new("/proc/sys/vm")).unwrap();
        app.pictures
            .roots()
            .source(root.id(), b"drop_caches")
            .unwrap()
    } else {
        let path = app.write("closed.png", &png([1, 2, 3]));
        fs::set_permissions(path, Permissions::from_mode(0o000)).unwrap();
        app.source("closed.png")
    };
    let original = app.pictures.original(&source).map(drop);
    assert!(matches!(
        original,
        Err(OriginalError::Access(AccessError::PermissionDenied))
    ));
    let found = source.find().unwrap();
    let wanted = variant("9x9-crop.png");
    let ticket = app
        .pictures
        .thumbs()
        .request_wait(&found, wanted, Priority::Next);
    assert!(matches!(
        ticket.wait(),
        Err(ThumbError::Access(AccessError::PermissionDenied))
    ));
}

#[test]
fn paths_with_parent_segments_are_refused() {
    let app = app_with_secret();
    for path in [
        "..",
        "../secret.png",
        "a/../../secret.png",
        "./../root-evil/a.png",
        "inside.png/../inside.png",
    ] {
        check(&app, path, is_outside);
    }
    let malformed =
        |error: &AccessError| matches!(error, AccessError::InvalidPath(PathError::Absolute));
    check(&app, "/etc/hostname", malformed);
}

#[test]
fn sibling_with_same_prefix_is_outside() {
    let app = app_with_secret();
    let at = |path: &str| {
        let path = app.base_dir().join(path);
        app.pictures
            .roots()
            .source_at(path.as_os_str().as_encoded_bytes())
    };
    for path in [
        "root-evil/a.png",
        "secret.png",
        "root/../secret.png",
        "root/../root-evil/a.png",
    ] {
        assert!(matches!(at(path), Err(AccessError::OutsideRoots)), "{path}");
    }
    let source = at("root/x/../inside.png").unwrap();
    assert_eq!(source.path().as_bytes(), b"inside.png");
    source.find().unwrap();
    assert!(matches!(
        app.pictures.roots().source_at(b"relative.png"),
        Err(AccessError::InvalidPath(PathError::NotAbsolute))
    ));
}

#[test]
fn links_leading_outside_are_refused() {
    let app = app_with_secret();
    let root = app.root_dir();
    fs::create_dir(root.join("folder")).unwrap();
    symlink("../secret.png", root.join("relative.png")).unwrap();
    symlink(app.base_dir().join("secret.png"), root.join("absolute.png")).unwrap();
    symlink("..", root.join("up")).unwrap();
    symlink("/", root.join("top")).unwrap();
    symlink("../../secret.png", root.join("folder/deep.png")).unwrap();
    symlink("relative.png", root.join("twice.png")).unwrap();
    symlink("/proc/self/root", root.join("magic")).unwrap();
    for path in [
        "relative.png",
        "absolute.png",
        "up/secret.png",
        "top/etc/hostname",
        "folder/deep.png",
        "twice.png",
        "up/root/inside.png/../../secret.png",
        "magic/etc/hostname",
        "top/there/is/nothing.png",
    ] {
        check(&app, path, is_outside);
    }
}

#[test]
fn links_staying_inside_are_followed() {
    let app = app_with_secret();
    let root = app.root_dir();
    fs::create_dir(root.join("folder")).unwrap();
    symlink("inside.png", root.join("relative.png")).unwrap();
    symlink("../inside.png", root.join("folder/up.png")).unwrap();
    symlink(root.join("inside.png"), root.join("absolute.png")).unwrap();
    symlink(&root, root.join("folder/all")).unwrap();
    for path in [
        "relative.png",
        "folder/up.png",
        "absolute.png",
        "folder/all/inside.png",
    ] {
        app.source(path).find().expect(path);
        app.pictures.original(&app.source(path)).expect(path);
    }
}

#[test]
fn dangling_and_circular_links_are_not_found() {
    let app = app_with_secret();
    let root = app.root_dir();
    symlink("nothing.png", root.join("dangling.png")).unwrap();
    symlink("circle.png", root.join("circle.png")).unwrap();
    for path in [
        "dangling.png",
        "circle.png",
        "none.png",
        "inside.png/below.png",
        &"x".repeat(300),
    ] {
        check(&app, path, is_not_found);
    }
}

#[test]
fn only_regular_files_are_opened() {
    let app = app_with_secret();
    let root = app.root_dir();
    fs::create_dir(root.join("folder.png")).unwrap();
    mknodat(CWD, root.join("fifo.png"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    let _socket = UnixListener::bind(root.join("socket.png")).unwrap();
    for (path, kind) in [
        ("", NodeKind::Folder),
        ("folder.png", NodeKind::Folder),
        ("fifo.png", NodeKind::Fifo),
        ("socket.png", NodeKind::Socket),
    ] {
        check(
            &app,
            path,
            |error| matches!(error, AccessError::NotAFile(found) if *found == kind),
        );
    }
    let devices = app.pictures.roots().add(Path::new("/dev")).unwrap();
    let null = app.pictures.roots().source(devices.id(), b"null").unwrap();
    assert!(matches!(
        null.find(),
        Err(AccessError::NotAFile(NodeKind::Device))
    ));
}

/// A thread swaps a folder and a link that leads outside, atomically. The other thread must never see anything
/// outside.
#[test]
fn folder_swapped_for_link_never_leads_outside() {
    let app = app_with_secret();
    let root = app.root_dir();
    fs::create_dir(root.join("folder")).unwrap();
    fs::write(root.join("folder/a.png"), png([0, 255, 0])).unwrap();
    symlink(app.base_dir().join("root-evil"), root.join("link")).unwrap();
    let stop = AtomicBool::new(false);
    let (mut seen, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let (a, b) = (root.join("folder"), root.join("link"));
                renameat_with(CWD, &a, CWD, &b, RenameFlags::EXCHANGE).unwrap();
            }
        });
        for _ in 0..3000 {
            let source = app.source("folder/a.png");
            match app.pictures.original(&source) {
                Ok(original) => {
                    let image = image::ImageReader::new(std::io::BufReader::new(original.file))
                        .with_guessed_format()
                        .unwrap()
                        .decode()
                        .unwrap();
                    assert_eq!(image.to_rgb8().get_pixel(0, 0).0, [0, 255, 0]);
                    seen += 1;
                }
                Err(OriginalError::Access(AccessError::OutsideRoots)) => refused += 1,
                Err(error) => panic!("{error}"),
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(seen > 0 && refused > 0, "{seen} seen, {refused} refused");
}

#[test]
fn missing_root_is_unavailable() {
    let app = app_with_secret();
    let source = app.source("inside.png");
    fs::rename(app.root_dir(), app.base_dir().join("moved")).unwrap();
    assert!(matches!(
        source.find(),
        Err(AccessError::FolderUnavailable { .. })
    ));
}

#[test]
fn removed_root_is_not_readable() {
    let app = app_with_secret();
    app.pictures.roots().remove(app.root).unwrap();
    assert!(matches!(
        app.pictures.roots().source(app.root, b"inside.png"),
        Err(AccessError::RootNotFound(_))
    ));
}

#[test]
fn fingerprint_uses_the_requested_path() {
    let app = app_with_secret();
    symlink("inside.png", app.root_dir().join("link.png")).unwrap();
    let (file, link) = (app.find("inside.png"), app.find("link.png"));
    let expected = app.root_dir().join("link.png");
    assert_eq!(
        link.fingerprint().path,
        expected.as_os_str().as_encoded_bytes()
    );
    assert_eq!(link.stat(), file.stat());
    assert_ne!(link.id(), file.id());
    assert_eq!(link.id(), link.fingerprint().id());
}

#[test]
fn private_folder_is_readable_but_not_addressable() {
    let app = TestApp::new();
    let own = app.base_dir().join("own");
    std::fs::create_dir_all(own.join("a")).unwrap();
    std::fs::write(own.join("a/b"), png([1, 2, 3])).unwrap();
    let source = Source::own(&own, Path::new("a/b")).unwrap();
    let found = source.find().unwrap();
    let made = app
        .pictures
        .thumbs()
        .request_wait(&found, variant("8x8-crop.png"), Priority::Next);
    assert!(made.wait().is_ok());
    let unknown = app.pictures.roots().source(source.root(), b"a/b");
    assert!(matches!(unknown, Err(AccessError::RootNotFound(_))));
    let outside = app.pictures.roots().source_at(&source.absolute());
    assert!(matches!(outside, Err(AccessError::OutsideRoots)));
    assert_eq!(app.pictures.roots().list().len(), 1);
    // A link out of the root leads nowhere.
    let secret = app.base_dir().join("secret.png");
    std::fs::write(&secret, png([1, 2, 3])).unwrap();
    std::os::unix::fs::symlink(&secret, own.join("a/c")).unwrap();
    let out = Source::own(&own, Path::new("a/c")).unwrap();
    assert!(matches!(out.find(), Err(AccessError::OutsideRoots)));
    let climbing = Source::own(&own, Path::new("../secret.png"));
    assert!(matches!(climbing, Err(AccessError::OutsideRoots)));
}
