//! Watches of everything beneath a folder, on a real disk.

use super::*;

impl TestWatcher {
    fn watch_beneath(&self, path: &str) -> Lease {
        self.watcher
            .watch(&self.source(path), FolderScope::Recursive)
    }

    /// Waits for several times the delay of a report, and checks that there is none.
    #[track_caller]
    fn assert_no_report(&self) {
        let report = self.reports.recv_timeout(Duration::from_millis(300));
        assert!(report.is_err(), "{report:?}");
    }

    fn make(&self, folder: &str) {
        fs::create_dir_all(self.at(folder)).unwrap();
    }
}

#[test]
fn changes_in_subfolders_are_reported_at_the_top() {
    let test = TestWatcher::new();
    test.make("top/a/b");
    test.make("beside");
    let lease = test.watch_beneath("top");
    assert_eq!(lease.mode, WatchMode::Events);
    assert!(!lease.is_renewed && test.watch_beneath("top").is_renewed);
    let steps: [&dyn Fn(); 7] = [
        &|| fs::write(test.at("top/x.jpg"), "new").unwrap(),
        &|| fs::write(test.at("top/a/b/x.jpg"), "new").unwrap(),
        &|| fs::write(test.at("top/a/b/x.jpg"), "other").unwrap(),
        &|| test.make("top/a/c"),
        &|| fs::rename(test.at("top/a/b"), test.at("top/a/d")).unwrap(),
        &|| fs::remove_file(test.at("top/a/d/x.jpg")).unwrap(),
        &|| fs::remove_dir_all(test.at("top/a")).unwrap(),
    ];
    for step in steps {
        step();
        test.assert_report("top");
        test.wait_for_quiet();
    }
}

#[test]
fn moved_folders_are_watched_with_their_contents() {
    let test = TestWatcher::new();
    test.make("top");
    test.make("elsewhere/new/deep");
    test.watch_beneath("top");
    fs::rename(test.at("elsewhere/new"), test.at("top/new")).unwrap();
    test.assert_report("top");
    test.wait_for_quiet();
    fs::write(test.at("top/new/deep/x.jpg"), "new").unwrap();
    test.assert_report("top");
    test.wait_for_quiet();
    // The folder is also watched under its new name.
    fs::rename(test.at("top/new"), test.at("top/newer")).unwrap();
    test.assert_report("top");
    test.wait_for_quiet();
    fs::write(test.at("top/newer/deep/y.jpg"), "new").unwrap();
    test.assert_report("top");
}

#[test]
fn hidden_and_linked_folders_are_not_reported() {
    let test = TestWatcher::new();
    test.make("top/.git");
    test.make("top/a");
    test.make("other");
    std::os::unix::fs::symlink(test.at("other"), test.at("top/link")).unwrap();
    test.watch_beneath("top");
    fs::write(test.at("top/.git/x"), "").unwrap();
    fs::write(test.at("top/a/.x.jpg.part"), "").unwrap();
    fs::write(test.at("other/x.jpg"), "").unwrap();
    test.make("top/.git/folder");
    test.assert_no_report();
    fs::write(test.at("top/a/seen.jpg"), "").unwrap();
    test.assert_report("top");
    test.wait_for_quiet();
    fs::write(test.at("other/y.jpg"), "").unwrap();
    test.assert_no_report();
}

#[test]
fn vanished_top_folder_is_reported_when_it_returns() {
    let test = TestWatcher::new();
    assert_eq!(test.watch_beneath("top").mode, WatchMode::Waiting);
    test.make("top/a");
    test.assert_report("top");
    test.wait_until(|test| test.watch_beneath("top").mode == WatchMode::Events);
    fs::rename(test.at("top"), test.at("gone")).unwrap();
    test.assert_report("top");
    test.wait_until(|test| test.watch_beneath("top").mode == WatchMode::Waiting);
    fs::rename(test.at("gone"), test.at("top")).unwrap();
    test.assert_report("top");
    test.wait_until(|test| test.watch_beneath("top").mode == WatchMode::Events);
    fs::write(test.at("top/a/x.jpg"), "new").unwrap();
    test.assert_report("top");
}

#[test]
fn forgotten_or_evicted_watch_is_not_renewed() {
    let test = TestWatcher::new();
    test.make("top/a");
    test.watch_beneath("top");
    test.watcher.forget(test.root.id());
    assert!(!test.watch_beneath("top").is_renewed);
    for number in 0..9 {
        let folder = format!("{number}");
        test.make(&folder);
        test.watch_beneath(&folder);
    }
    // There are too many watches by now.
    assert!(!test.watch_beneath("top").is_renewed);
    assert!(test.watch_beneath("8").is_renewed);
}

#[test]
fn subfolders_without_events_are_polled() {
    let test = TestWatcher::with_probe(
        |_| Err(notify::Error::generic("no events")),
        Arc::new(SystemProbe),
    );
    test.make("top/a/b");
    assert_eq!(test.watch_beneath("top").mode, WatchMode::Polling);
    fs::write(test.at("top/a/b/x.jpg"), "new").unwrap();
    test.assert_report("top");
    test.wait_for_quiet();
    fs::write(test.at("top/a/b/x.jpg"), "longer").unwrap();
    test.assert_report("top");
}

#[test]
fn replaced_folder_reports_to_neither_of_two_watches() {
    let test = TestWatcher::new();
    test.make("a");
    assert_eq!(test.watch("a").mode, WatchMode::Events);
    assert_eq!(test.watch_beneath("a").mode, WatchMode::Events);
    fs::rename(test.at("a"), test.at("before")).unwrap();
    test.make("a");
    // Both have found the new folder when its changes are reported to both.
    test.wait_for_quiet();
    fs::write(test.at("a/x.jpg"), "").unwrap();
    test.assert_report("a");
    test.assert_report("a");
    test.wait_for_quiet();
    fs::write(test.at("before/x.jpg"), "").unwrap();
    test.assert_no_report();
}
