//! The watcher on a real disk.

mod hung_disks;
mod subfolders;

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};
use std::time::Instant;

use fumikura_fs::Root;
use tempfile::TempDir;

use super::*;
use crate::system_watches::tests::scripted_source;
use crate::system_watches::{EventSource, OnEvent};

/// A timeout that is exceeded only by waiting forever.
const LONG: Duration = Duration::from_secs(30);
const OFTEN: Duration = Duration::from_millis(20);

/// A watcher of the folder `pictures` in a temporary one.
struct TestWatcher {
    watcher: Watcher,
    reports: Receiver<FolderChange>,
    root: Arc<Root>,
    home: TempDir,
}

impl TestWatcher {
    fn new() -> Self {
        Self::with_probe(system_events, Arc::new(SystemProbe))
    }

    fn with_pool(pool: &Arc<DiskPool>) -> Self {
        Self::with_parts(Arc::clone(pool), system_events, Arc::new(SystemProbe))
    }

    fn with_probe(
        events: impl FnOnce(OnEvent) -> notify::Result<EventSource> + 'static,
        probe: Arc<dyn FsProbe>,
    ) -> Self {
        Self::with_parts(Arc::default(), events, probe)
    }

    fn with_parts(
        pool: Arc<DiskPool>,
        events: impl FnOnce(OnEvent) -> notify::Result<EventSource> + 'static,
        probe: Arc<dyn FsProbe>,
    ) -> Self {
        let home = TempDir::new().unwrap();
        let top = home.path().join("pictures");
        fs::create_dir(&top).unwrap();
        let (sender, reports) = mpsc::channel();
        let report = move |change| drop(sender.send(change));
        let watcher = Watcher::start_with(pool, OFTEN, Box::new(events), probe, report);
        Self {
            watcher: watcher.unwrap(),
            reports,
            root: Arc::new(Root::own(top.as_os_str().as_encoded_bytes().to_vec())),
            home,
        }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.home.path().join("pictures").join(path)
    }

    fn source(&self, path: &str) -> Source {
        let path = RelPath::parse(path.as_bytes()).unwrap();
        Source::new(Arc::clone(&self.root), path)
    }

    fn watch(&self, path: &str) -> Lease {
        self.watcher.watch(&self.source(path), FolderScope::Direct)
    }

    /// Waits until a change of the folder is reported.
    #[track_caller]
    fn assert_report(&self, path: &str) {
        let change = self
            .reports
            .recv_timeout(LONG)
            .expect("a change is reported");
        assert_eq!(change.path.as_bytes(), path.as_bytes());
        assert_eq!(change.root, self.root.id());
    }

    /// Waits until a condition is true, and no more of the changes that led there are reported.
    #[track_caller]
    fn wait_until(&self, condition: impl Fn(&Self) -> bool) {
        let until = Instant::now() + LONG;
        while !condition(self) {
            assert!(Instant::now() < until, "the condition never became true");
            thread::sleep(OFTEN);
        }
        self.wait_for_quiet();
    }

    /// Waits until no more changes are reported.
    #[track_caller]
    fn wait_for_quiet(&self) {
        let until = Instant::now() + LONG;
        while self
            .reports
            .recv_timeout(Duration::from_millis(700))
            .is_ok()
        {
            assert!(Instant::now() < until, "the reports never ended");
        }
    }
}

#[test]
fn every_change_in_a_folder_is_reported() {
    let test = TestWatcher::new();
    let lease = test.watch("");
    assert_eq!(lease.mode, WatchMode::Events);
    assert!(!lease.is_renewed && test.watch("").is_renewed);
    let [a, b] = ["a.jpg", "b.jpg"].map(|name| test.at(name));
    let steps: [&dyn Fn(); 6] = [
        &|| fs::write(&a, "new").unwrap(),
        &|| fs::write(&a, "other").unwrap(),
        &|| fs::rename(&a, &b).unwrap(),
        &|| fs::create_dir(test.at("folder")).unwrap(),
        // Editors save like this.
        &|| {
            fs::write(test.at(".b.jpg.new"), "better").unwrap();
            fs::rename(test.at(".b.jpg.new"), &b).unwrap();
        },
        &|| fs::remove_file(&b).unwrap(),
    ];
    for step in steps {
        step();
        test.assert_report("");
        test.wait_for_quiet();
    }
}

#[test]
fn flood_is_reported_to_its_end() {
    let test = TestWatcher::new();
    fs::create_dir(test.at("many")).unwrap();
    test.watch("many");
    for number in 0..10_000 {
        fs::write(test.at(&format!("many/{number}.jpg")), "").unwrap();
    }
    let mut seen = 0;
    while seen < 10_000 {
        test.assert_report("many");
        seen = fs::read_dir(test.at("many")).unwrap().count();
    }
}

#[test]
fn missing_folder_is_reported_when_it_appears() {
    let test = TestWatcher::new();
    assert_eq!(test.watch("stick").mode, WatchMode::Waiting);
    fs::create_dir(test.at("stick")).unwrap();
    test.assert_report("stick");
    assert_eq!(test.watch("stick").mode, WatchMode::Events);
    fs::write(test.at("stick/a.jpg"), "").unwrap();
    test.assert_report("stick");

    fs::remove_dir_all(test.at("stick")).unwrap();
    test.assert_report("stick");
    test.wait_until(|test| test.watch("stick").mode == WatchMode::Waiting);
    fs::create_dir(test.at("stick")).unwrap();
    test.assert_report("stick");
    assert_eq!(test.watch("stick").mode, WatchMode::Events);
}

#[test]
fn folder_replaced_with_its_parent_is_watched() {
    let test = TestWatcher::new();
    fs::create_dir_all(test.at("year/a")).unwrap();
    assert_eq!(test.watch("year/a").mode, WatchMode::Events);
    // A change further up causes no event in the folder itself.
    fs::rename(test.at("year"), test.at("before")).unwrap();
    test.assert_report("year/a");
    fs::create_dir_all(test.at("year/a")).unwrap();
    test.wait_until(|test| test.watch("year/a").mode == WatchMode::Events);
    fs::write(test.at("year/a/new.jpg"), "").unwrap();
    test.assert_report("year/a");
}

#[test]
fn quickly_replaced_folder_is_watched() {
    let test = TestWatcher::new();
    fs::create_dir(test.at("a")).unwrap();
    assert_eq!(test.watch("").mode, WatchMode::Events);
    assert_eq!(test.watch("a").mode, WatchMode::Events);
    let steps: [&dyn Fn(); 2] = [
        // The new folder usually has the number of the old one.
        &|| {
            fs::remove_dir_all(test.at("a")).unwrap();
            fs::create_dir(test.at("a")).unwrap();
        },
        &|| {
            fs::rename(test.at("a"), test.at("b")).unwrap();
            fs::rename(test.at("b"), test.at("a")).unwrap();
        },
    ];
    for (number, step) in steps.into_iter().enumerate() {
        step();
        test.wait_until(|test| test.watch("a").mode == WatchMode::Events);
        fs::write(test.at(&format!("a/{number}.jpg")), "").unwrap();
        test.assert_report("a");
        test.wait_for_quiet();
    }
}

#[test]
fn renamed_folder_is_watched_at_its_new_place() {
    let test = TestWatcher::new();
    fs::create_dir(test.at("a")).unwrap();
    assert_eq!(test.watch("a").mode, WatchMode::Events);
    fs::rename(test.at("a"), test.at("b")).unwrap();
    assert_eq!(test.watch("b").mode, WatchMode::Events);
    test.wait_until(|test| test.watch("a").mode == WatchMode::Waiting);
    fs::write(test.at("b/x.jpg"), "").unwrap();
    test.assert_report("b");
}

#[test]
fn folder_and_link_to_it_report_finitely() {
    let test = TestWatcher::new();
    fs::create_dir(test.at("a")).unwrap();
    std::os::unix::fs::symlink("a", test.at("link")).unwrap();
    test.watch("a");
    test.watch("link");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    fs::set_permissions(test.at("a"), mode).unwrap();
    test.reports
        .recv_timeout(LONG)
        .expect("a change is reported");
    // This ends only when nothing more is reported.
    test.wait_for_quiet();
    fs::write(test.at("a/x.jpg"), "").unwrap();
    let report = || {
        test.reports
            .recv_timeout(LONG)
            .expect("both are reported")
            .path
    };
    let mut paths = [report(), report()];
    paths.sort_unstable();
    assert_eq!(
        paths.map(|path| path.as_bytes().to_vec()),
        [b"a".to_vec(), b"link".to_vec()]
    );
}

#[test]
fn linked_folder_is_watched_at_its_target() {
    let test = TestWatcher::new();
    fs::create_dir(test.at("real")).unwrap();
    fs::create_dir(test.at("other")).unwrap();
    std::os::unix::fs::symlink("real", test.at("link")).unwrap();
    assert_eq!(test.watch("link").mode, WatchMode::Events);
    fs::write(test.at("real/a.jpg"), "").unwrap();
    test.assert_report("link");
    fs::remove_file(test.at("link")).unwrap();
    std::os::unix::fs::symlink("other", test.at("link")).unwrap();
    test.assert_report("link");
    test.wait_for_quiet();
    fs::write(test.at("other/a.jpg"), "").unwrap();
    test.assert_report("link");
}

#[test]
fn folder_without_system_watches_is_polled() {
    let no_watches_left = |_: OnEvent| {
        Ok(scripted_source(|_, _| {
            Err(notify::Error::new(notify::ErrorKind::MaxFilesWatch))
        }))
    };
    let test = TestWatcher::with_probe(no_watches_left, Arc::new(SystemProbe));
    assert_eq!(test.watch("").mode, WatchMode::Polling);
    fs::write(test.at("a.jpg"), "1").unwrap();
    test.assert_report("");
    fs::write(test.at("a.jpg"), "22").unwrap();
    test.assert_report("");
    fs::remove_file(test.at("a.jpg")).unwrap();
    test.assert_report("");
}

#[test]
fn forgotten_root_is_not_reported() {
    let test = TestWatcher::new();
    fs::create_dir(test.at("a")).unwrap();
    fs::create_dir(test.at("b")).unwrap();
    test.watch("a");
    test.watch("b");
    let other = Root::own(b"/other".to_vec()).id();
    test.watcher.forget(other);
    fs::write(test.at("a/x.jpg"), "").unwrap();
    test.assert_report("a");
    test.wait_for_quiet();
    test.watcher.forget(test.root.id());
    fs::write(test.at("a/y.jpg"), "").unwrap();
    assert!(!test.watch("a").is_renewed);
    fs::write(test.at("b/y.jpg"), "").unwrap();
    fs::write(test.at("a/z.jpg"), "").unwrap();
    // A report of the earlier change would have come first.
    test.assert_report("a");
    test.wait_for_quiet();
    assert!(test.reports.try_recv().is_err());
}
