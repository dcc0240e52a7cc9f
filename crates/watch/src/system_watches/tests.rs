//! System watches with a recorded event source, and hints of made-up events.

use std::fs;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use notify::event::{CreateKind, DataChange, Flag, MetadataKind, RemoveKind};
use notify::{Config, ErrorKind, EventHandler, WatcherKind};
use tempfile::TempDir;

use super::*;

const FOLDER_CREATED: EventKind = EventKind::Create(CreateKind::Folder);
const MOVED_TO: EventKind = EventKind::Modify(ModifyKind::Name(RenameMode::To));

/// An event source that calls a function: with the path, and with true if it is to be watched.
struct ScriptedSource<F>(F);

impl<F: FnMut(&Path, bool) -> notify::Result<()>> notify::Watcher for ScriptedSource<F> {
    fn new<H: EventHandler>(_: H, _: Config) -> notify::Result<Self> {
        Err(notify::Error::generic("it needs a function"))
    }

    fn watch(&mut self, place: &Path, mode: RecursiveMode) -> notify::Result<()> {
        assert_eq!(mode, RecursiveMode::NonRecursive);
        (self.0)(place, true)
    }

    fn unwatch(&mut self, place: &Path) -> notify::Result<()> {
        (self.0)(place, false)
    }

    fn kind() -> WatcherKind {
        WatcherKind::NullWatcher
    }
}

/// Returns an event source that calls a function: with the path, and with true if it is to be watched.
pub(crate) fn scripted_source(
    call: impl FnMut(&Path, bool) -> notify::Result<()> + Send + 'static,
) -> EventSource {
    Box::new(ScriptedSource(call))
}

/// System watches of folders in a temporary one, whose source records the requests.
struct TestWatches {
    watches: Arc<SystemWatches>,
    requests: Receiver<String>,
    on_event: OnEvent,
    reports: Receiver<(Hint, Option<Vec<u64>>)>,
    home: TempDir,
}

impl TestWatches {
    fn new(folders: &[&str]) -> Self {
        let home = TempDir::new().unwrap();
        for folder in folders {
            fs::create_dir_all(home.path().join(folder)).unwrap();
        }
        let top = home.path().to_owned();
        let (request, requests) = mpsc::channel();
        let source = scripted_source(move |place, is_watched| {
            let sign = if is_watched { '+' } else { '-' };
            let place = place.strip_prefix(&top).unwrap().display();
            request.send(format!("{sign}{place}")).unwrap();
            Ok(())
        });
        let (give, callback) = mpsc::channel();
        let make = Box::new(move |on_event| {
            give.send(on_event).unwrap();
            Ok(source)
        });
        let (report, reports) = mpsc::channel();
        let watches = SystemWatches::make(make, move |hint, users| {
            report.send((hint, users.map(<[u64]>::to_vec))).unwrap();
        });
        Self {
            watches: Arc::new(watches.unwrap()),
            requests,
            on_event: callback.recv().unwrap(),
            reports,
            home,
        }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    fn watch(&self, user: u64, path: &str) -> WatchedFolders {
        let mut folders = WatchedFolders::new(&self.watches, user);
        folders.add(&self.at(path)).unwrap();
        folders
    }

    #[track_caller]
    fn assert_requests(&self, expected: &[&str]) {
        assert_eq!(Vec::from_iter(self.requests.try_iter()), expected);
    }

    #[track_caller]
    fn assert_hints(&mut self, kind: EventKind, path: &str, expected: &[(Hint, &[u64])]) {
        let event = Event::new(kind).add_path(self.at(path));
        (self.on_event)(Ok(event));
        let expected = expected
            .iter()
            .map(|(hint, users)| (*hint, Some(users.to_vec())));
        let reports = Vec::from_iter(self.reports.try_iter());
        assert_eq!(reports, Vec::from_iter(expected), "{kind:?} of {path}");
    }
}

#[test]
fn system_watch_ends_with_its_last_user() {
    let test = TestWatches::new(&["a", "b"]);
    let (first, again, other) = (test.watch(1, "a"), test.watch(1, "a"), test.watch(2, "b"));
    test.assert_requests(&["+a", "+b"]);
    drop(first);
    // It does not end, not even for a moment.
    test.assert_requests(&[]);
    drop(again);
    test.assert_requests(&["-a"]);
    drop(other);
    test.assert_requests(&["-b"]);
}

#[test]
fn renamed_folder_outlives_the_watch_of_its_old_path() {
    let mut test = TestWatches::new(&["a"]);
    let old = test.watch(1, "a");
    fs::rename(test.at("a"), test.at("b")).unwrap();
    let new = test.watch(2, "b");
    test.assert_requests(&["+a", "-a", "+b"]);
    test.assert_hints(WRITTEN, "b/x.jpg", &[(Hint::File, &[1, 2])]);
    drop(old);
    test.assert_requests(&[]);
    drop(new);
    test.assert_requests(&["-b"]);
}

#[test]
fn replacing_folder_outlives_the_watch_of_the_replaced_one() {
    let mut test = TestWatches::new(&["a"]);
    let old = test.watch(1, "a");
    fs::rename(test.at("a"), test.at("b")).unwrap();
    fs::create_dir(test.at("a")).unwrap();
    let new = test.watch(2, "a");
    test.assert_requests(&["+a", "-a", "+a"]);
    test.assert_hints(WRITTEN, "a/x.jpg", &[(Hint::File, &[2])]);
    drop(old);
    test.assert_requests(&[]);
    drop(new);
    test.assert_requests(&["-a"]);
}

#[test]
fn folder_is_watched_anew_after_its_end() {
    let mut test = TestWatches::new(&["a/b/c", "other"]);
    let watch = |test: &TestWatches| ["a", "a/b", "a/b/c", "other"].map(|path| test.watch(1, path));
    let _before = watch(&test);
    test.assert_requests(&["+a", "+a/b", "+a/b/c", "+other"]);
    // `notify` has ended the watches of everything beneath a folder that was moved away.
    let itself: (Hint, &[u64]) = (Hint::Itself, &[1]);
    let hints = [itself, itself, (Hint::Folder, &[1])];
    test.assert_hints(MOVED_AWAY, "a/b", &hints);
    let _after = watch(&test);
    test.assert_requests(&["-a/b", "+a/b", "-a/b/c", "+a/b/c"]);

    let lost = Event::new(EventKind::Other).set_flag(Flag::Rescan);
    (test.on_event)(Ok(lost));
    assert_eq!(test.reports.recv().unwrap(), (Hint::Itself, None));
    let _lost = watch(&test);
    assert_eq!(test.requests.try_iter().count(), 8);
}

#[test]
fn refused_folder_has_no_users() {
    let source = |_: OnEvent| {
        Ok(scripted_source(|_, is_watched| match is_watched {
            true => Err(notify::Error::new(ErrorKind::MaxFilesWatch)),
            false => panic!("it was never watched"),
        }))
    };
    let watches = SystemWatches::make(Box::new(source), |_, _| ()).unwrap();
    let mut folders = WatchedFolders::new(&Arc::new(watches), 1);
    let home = TempDir::new().unwrap();
    let refused = folders.add(home.path()).unwrap_err();
    assert!(matches!(refused.kind, ErrorKind::MaxFilesWatch));
    assert!(folders.is_empty());
}

#[test]
fn events_become_hints_for_the_folder_and_its_parent() {
    let mut test = TestWatches::new(&["top/a", "top/unreadable"]);
    fs::write(test.at("top/x.jpg"), "").unwrap();
    let _top = test.watch(1, "top");
    let _a = test.watch(2, "top/a");
    let _again = test.watch(3, "top/a");
    let file: (Hint, &[u64]) = (Hint::File, &[1]);
    let folder: (Hint, &[u64]) = (Hint::Folder, &[1]);
    let itself: (Hint, &[u64]) = (Hint::Itself, &[2, 3]);
    let data = EventKind::Modify(ModifyKind::Data(DataChange::Any));
    let metadata = EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any));
    for kind in [data, metadata, WRITTEN, MOVED_AWAY, MOVED_TO] {
        test.assert_hints(kind, "top/x.jpg", &[file]);
    }
    for kind in [FOLDER_CREATED, metadata, MOVED_TO] {
        test.assert_hints(kind, "top/unreadable", &[folder]);
        test.assert_hints(kind, "top/a", &[itself, folder]);
    }
    test.assert_hints(
        EventKind::Remove(RemoveKind::Folder),
        "top/a",
        &[itself, folder],
    );
    test.assert_hints(MOVED_AWAY, "top", &[(Hint::Itself, &[1]), itself]);
    // Reading changes nothing.
    for kind in [AccessKind::Open(AccessMode::Any), AccessKind::Read] {
        test.assert_hints(EventKind::Access(kind), "top/x.jpg", &[]);
    }
    test.assert_hints(WRITTEN, "elsewhere/x.jpg", &[]);
    for hidden in [".x.jpg.tmp", ".git"] {
        test.assert_hints(FOLDER_CREATED, &format!("top/{hidden}"), &[]);
    }
}

#[test]
fn dropped_source_ends_its_thread() {
    let used = Arc::new(());
    let user = Arc::clone(&used);
    let source = system_events(Box::new(move |_| drop(Arc::clone(&user)))).unwrap();
    assert_eq!(Arc::strong_count(&used), 2);
    drop(source);
    let until = Instant::now() + Duration::from_secs(30);
    while Arc::strong_count(&used) > 1 {
        assert!(Instant::now() < until, "the thread goes on");
        thread::yield_now();
    }
}
