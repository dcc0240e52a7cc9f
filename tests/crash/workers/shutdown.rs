//! Pictures that are being decoded during the shutdown.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SystemEntropy;
use fumikura_image::Variant;
use fumikura_pictures::{Config, Pictures};
use fumikura_thumbs::{Priority, WorkerConfig};

use super::{config, exists, good, notes_in};
use crate::support::until;

#[test]
fn shutdown_waits_for_the_running_decode() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("pictures")).unwrap();
    fs::write(at("pictures/slow.png"), "wait").unwrap();
    fs::write(at("pictures/quick.png"), good()).unwrap();
    let notes = || notes_in(&fs::read_to_string(at("notes")).unwrap_or_default());
    let thumbs = Config {
        workers: 2,
        worker: Some(WorkerConfig {
            // Long enough on a busy machine.
            finish: Duration::from_secs(60),
            ..config(&["child", "--notes", at("notes").to_str().unwrap()])
        }),
        ..Config::new(at("thumbs"), at("folders"), at("roots.json"))
    };
    let clock = Arc::new(SystemClock::new());
    let thumbs = Pictures::open(thumbs, clock, Arc::new(SystemEntropy)).unwrap();
    let root = thumbs.roots().add(&at("pictures")).unwrap().id();
    let request = |name: &str| {
        let source = thumbs.roots().source(root, name.as_bytes()).unwrap().find();
        thumbs
            .thumbs()
            .request_wait(&source.unwrap(), Variant::default(), Priority::Visible)
    };

    let slow = request("slow.png");
    until("it is being decoded", || !notes().is_empty());
    request("quick.png").wait().unwrap();
    let [(at_work, _), (idle, _)] = notes()[..] else {
        panic!("{:?}", notes());
    };
    std::thread::scope(|scope| {
        scope.spawn(|| thumbs.shut_down());
        // The idle worker ends at once; then the shutdown waits for the other.
        until("the end has begun", || !exists(idle));
        assert!(slow.now().is_none());
        fs::write(at("notes.go"), "").unwrap();
    });
    let made = slow.wait().unwrap();
    assert!(fs::read(&made.path).unwrap().ends_with(b"at last"));
    assert!(!exists(at_work));
}
