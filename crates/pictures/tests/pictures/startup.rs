//! Opens on the remains of an earlier launch, a crash or another program.

use std::fs::{self, File};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SystemEntropy;
use fumikura_image::InProcess;
use fumikura_pictures::{Config, OpenError, Pictures};
use fumikura_thumbs::Priority;

use crate::test_app::{TestApp, open, png, variant, wait_until};

#[test]
fn thumbnails_survive_a_restart() {
    let app = TestApp::new();
    app.write("a.png", &png([1, 2, 3]));
    let before = app.thumbnail("a.png", variant("9x9-crop.jpg")).unwrap();
    app.pictures.shut_down();
    let again = open(app.base_dir(), Arc::new(InProcess::default()), |_| {});
    let found = again
        .roots()
        .source(app.root, b"a.png")
        .unwrap()
        .find()
        .unwrap();
    let ticket = again
        .thumbs()
        .request_wait(&found, variant("9x9-crop.jpg"), Priority::Next);
    assert_eq!(ticket.now().unwrap().unwrap().path, before.path);
    assert_eq!(
        (
            again.thumbs().stats().hits,
            again.thumbs().stats().generated
        ),
        (1, 0)
    );
}

#[test]
fn stale_unfinished_files_are_deleted_at_start() {
    let app = TestApp::new();
    app.pictures.shut_down();
    let shard = app.cache_dir().join("a3/f5");
    fs::create_dir_all(&shard).unwrap();
    let (stale, fresh) = (
        shard.join(".thumb-abcDEF012345.tmp"),
        shard.join(".thumb-abcDEF012346.tmp"),
    );
    File::create(&fresh).unwrap();
    let two_hours_ago = SystemTime::now() - Duration::from_secs(7200);
    File::create(&stale)
        .unwrap()
        .set_modified(two_hours_ago)
        .unwrap();
    let _again = open(app.base_dir(), Arc::new(InProcess::default()), |_| {});
    wait_until("the stale file is deleted", || !stale.exists());
    assert!(fresh.exists());
}

#[test]
fn folder_with_foreign_files_stops_the_start() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("Documents");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("thesis.odt"), "dear").unwrap();
    let config = Config::new(
        folder.clone(),
        outer.path().join("folders"),
        outer.path().join("roots.json"),
    );
    let opened = Pictures::open(
        config,
        Arc::new(SystemClock::new()),
        Arc::new(SystemEntropy),
    );
    let Err(OpenError::Cache(error)) = opened else {
        panic!("it was opened");
    };
    assert!(error.to_string().contains("holds other files"), "{error}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn damaged_roots_file_stops_start_and_is_kept() {
    let outer = tempfile::tempdir().unwrap();
    let roots = outer.path().join("roots.json");
    fs::write(&roots, "{").unwrap();
    let config = Config::new(
        outer.path().join("pictures"),
        outer.path().join("folders"),
        roots.clone(),
    );
    let opened = Pictures::open(
        config,
        Arc::new(SystemClock::new()),
        Arc::new(SystemEntropy),
    );
    assert!(matches!(opened, Err(OpenError::Roots(_))));
    assert_eq!(fs::read_to_string(roots).unwrap(), "{");
}

#[test]
fn defaults_match_the_specification() {
    let config = Config::new("a".into(), "b".into(), "c".into());
    let cpus = std::thread::available_parallelism().unwrap().get();
    assert_eq!(config.workers, (cpus / 2).max(1));
    assert_eq!(config.queue_size, 1024);
    assert_eq!(config.limits.pixels, 150_000_000);
}
