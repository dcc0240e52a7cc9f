//! The steps of a watch, without a disk.

use std::sync::Arc;

use fumikura_fs::platform::Identity;
use fumikura_fs::{RelPath, Root, Source};

use super::*;
use crate::probe::{Observation, Signature};
use crate::system_watches::{EventSource, SystemWatches, WatchedFolders};

const SECOND: Duration = Duration::from_secs(1);
const CHECK_EVERY: Duration = Duration::from_secs(10);

fn observation() -> Observation {
    Observation {
        place: "/p/top".into(),
        identity: Identity::from_numbers(7, 8),
        is_remote: false,
        mounts: Vec::new(),
    }
}

fn events() -> Method {
    let make = Box::new(|_| Ok(Box::new(notify::NullWatcher) as EventSource));
    let watches = Arc::new(SystemWatches::make(make, |_, _| ()).unwrap());
    Method::Events {
        found: observation(),
        _folders: WatchedFolders::new(&watches, 1),
    }
}

fn polling() -> Method {
    Method::Polling {
        found: observation(),
        signature: Signature::default(),
        next: std::time::Instant::now(),
    }
}

/// A watch and a clock that is set by hand.
struct TestWatch {
    watch: FolderWatch,
    now: Duration,
}

impl TestWatch {
    /// Creates a watch whose first check is due.
    fn unchecked(scope: FolderScope) -> Self {
        let root = Arc::new(Root::own(b"/p".to_vec()));
        let source = Source::new(root, RelPath::parse(b"top").unwrap());
        let mut watch = FolderWatch::new(1, Target { source, scope });
        assert!(!watch.renew(SECOND));
        Self { watch, now: SECOND }
    }

    /// Creates a watch whose folder has events.
    fn new(scope: FolderScope) -> Self {
        let mut test = Self::unchecked(scope);
        test.assert_check(false);
        test.finish(events(), true, Duration::ZERO);
        test
    }

    fn step(&mut self) -> Step {
        self.watch.step(self.now, false)
    }

    #[track_caller]
    fn assert_check(&mut self, is_stale: bool) {
        match self.step() {
            Step::Check { is_stale: flag } => assert_eq!(flag, is_stale),
            Step::Report => panic!("a change is reported"),
            Step::Wait(time) => panic!("nothing is due for {time:?}"),
        }
    }

    #[track_caller]
    fn assert_report(&mut self) {
        assert!(matches!(self.step(), Step::Report));
    }

    /// Advances the clock to the next step.
    #[track_caller]
    fn wait(&mut self) -> Duration {
        let Step::Wait(time) = self.step() else {
            panic!("a step is due");
        };
        self.now += time;
        time
    }

    fn finish(&mut self, method: Method, is_change: bool, took: Duration) {
        let method = Some(method);
        let result = CheckResult {
            method,
            is_change,
            took,
        };
        self.watch.finish(&mut Some(result), self.now, CHECK_EVERY);
    }

    /// Lets the check panic, or the pool refuse it.
    fn fail(&mut self) {
        self.watch.finish(&mut None, self.now, CHECK_EVERY);
    }

    fn hint(&mut self, hint: Hint) {
        self.watch.hint(hint, self.now);
    }
}

#[test]
fn changed_file_is_reported_without_a_check() {
    for scope in [FolderScope::Direct, FolderScope::Recursive] {
        let mut test = TestWatch::new(scope);
        test.hint(Hint::File);
        assert!(test.wait() < SECOND);
        test.assert_report();
        assert!(test.wait() > SECOND);
        test.assert_check(false);
        test.finish(events(), false, Duration::ZERO);
        assert_eq!(test.wait(), CHECK_EVERY);
    }
}

#[test]
fn new_folder_is_watched_before_its_report() {
    let mut test = TestWatch::new(FolderScope::Recursive);
    test.hint(Hint::Folder);
    test.wait();
    test.assert_check(true);
    test.finish(events(), true, Duration::ZERO);
    test.assert_report();
    assert!(test.wait() > SECOND, "it is reported once");
    // A single folder does not depend on those in it.
    let mut test = TestWatch::new(FolderScope::Direct);
    test.hint(Hint::Folder);
    test.wait();
    test.assert_report();
}

#[test]
fn constantly_created_folders_are_reported() {
    let mut test = TestWatch::new(FolderScope::Recursive);
    for _ in 0..3 {
        test.hint(Hint::Folder);
        test.wait();
        test.assert_check(true);
        // The next one is created during the check.
        test.hint(Hint::Folder);
        test.finish(events(), true, Duration::ZERO);
        test.assert_report();
        test.wait();
        test.assert_check(true);
        test.finish(events(), true, Duration::ZERO);
        test.assert_report();
    }
}

#[test]
fn slow_checks_of_new_folders_are_rare() {
    let mut test = TestWatch::new(FolderScope::Recursive);
    test.hint(Hint::Folder);
    test.wait();
    test.assert_check(true);
    test.finish(events(), true, SECOND);
    let finished = test.now;
    test.assert_report();
    // Meanwhile changes are reported at once, and again when the new folders are watched.
    test.hint(Hint::Folder);
    test.wait();
    test.assert_report();
    test.wait();
    assert_eq!(test.now, finished + REST * SECOND);
    test.assert_check(true);
    test.finish(events(), true, SECOND);
    test.assert_report();
}

#[test]
fn moved_folder_is_checked() {
    for scope in [FolderScope::Direct, FolderScope::Recursive] {
        let mut test = TestWatch::new(scope);
        test.hint(Hint::Itself);
        test.wait();
        test.assert_check(true);
    }
}

#[test]
fn polled_folder_is_checked_at_intervals() {
    let mut test = TestWatch::new(FolderScope::Recursive);
    test.hint(Hint::Folder);
    test.wait();
    test.assert_check(true);
    // A late event is reported, but there are no system watches to renew.
    test.hint(Hint::Folder);
    test.finish(polling(), true, Duration::ZERO);
    test.assert_report();
    test.wait();
    test.assert_report();
    assert!(test.wait() > SECOND);
    test.assert_check(false);
}

#[test]
fn vanished_folder_is_reported_and_its_disk_remembered() {
    let mut test = TestWatch::unchecked(FolderScope::Direct);
    assert_eq!(test.watch.device, None);
    test.assert_check(false);
    test.finish(Method::Waiting, false, Duration::ZERO);
    let root = test.watch.target.root();
    assert_eq!(test.watch.device, Some(Device::Root(root)));

    test.finish(events(), true, Duration::ZERO);
    test.assert_report();
    test.finish(Method::Waiting, true, Duration::ZERO);
    test.assert_report();
    assert_eq!(test.watch.device, Some(Device::FileSystem(7)));
    assert_eq!(test.watch.mode(), Some(WatchMode::Waiting));
}

#[test]
fn busy_disk_delays_checks_but_not_reports() {
    let mut test = TestWatch::new(FolderScope::Recursive);
    test.hint(Hint::Folder);
    test.wait();
    assert!(matches!(test.watch.step(test.now, true), Step::Report));
    test.now += CHECK_EVERY;
    assert!(matches!(test.watch.step(test.now, true), Step::Wait(time) if time > SECOND));
    test.assert_check(true);
}

#[test]
fn unfinished_check_does_not_outlive_the_lease() {
    for is_disk_busy in [false, true] {
        let mut test = TestWatch::new(FolderScope::Direct);
        test.wait();
        if !is_disk_busy {
            test.assert_check(false);
        }
        let Step::Wait(time) = test.watch.step(test.now, is_disk_busy) else {
            panic!("a step is due");
        };
        assert!(!test.watch.is_expired(test.now));
        assert!(test.watch.is_expired(test.now + time));
    }
}

#[test]
fn failed_check_is_a_gap() {
    let mut test = TestWatch::new(FolderScope::Direct);
    assert!(test.watch.renew(test.now));
    test.wait();
    test.assert_check(false);
    test.fail();
    assert_eq!(test.watch.device, None);
    assert!(!test.watch.renew(test.now));
    assert!(test.watch.renew(test.now));
    assert_eq!(test.watch.mode(), Some(WatchMode::Events));
    assert_eq!(test.wait(), CHECK_EVERY);
    test.assert_check(true);
}

#[test]
fn failed_first_check_is_repeated() {
    let mut test = TestWatch::unchecked(FolderScope::Direct);
    test.assert_check(false);
    test.fail();
    assert_eq!(test.watch.mode(), Some(WatchMode::Waiting));
    assert!(!test.watch.renew(test.now));
    assert_eq!(test.wait(), CHECK_EVERY);
    test.assert_check(true);
    test.finish(events(), true, Duration::ZERO);
    test.assert_report();
    assert!(test.watch.renew(test.now));
}
