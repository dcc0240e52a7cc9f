//! Checks of a folder, alone or with everything beneath it, with a scripted event source and a scripted probe.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::PathBuf;

use fumikura_fs::Root;
use parking_lot::Mutex;
use tempfile::TempDir;

use super::*;
use crate::probe::SystemProbe;
use crate::system_watches::tests::scripted_source;

type Hook = Box<dyn FnMut(&Path) + Send>;

/// A record of the requests to an event source.
#[derive(Default)]
struct Recording {
    watched: Mutex<BTreeSet<PathBuf>>,
    /// The number of requests for a watch since it was last taken.
    requests: Mutex<usize>,
    /// A hook that runs just before a folder is watched.
    before: Mutex<Option<Hook>>,
    /// A place whose watch is refused.
    refused: Mutex<Option<(PathBuf, io::ErrorKind)>>,
}

impl Recording {
    fn request(&self, place: &Path, is_watched: bool) -> notify::Result<()> {
        if !is_watched {
            self.watched.lock().remove(place);
            return Ok(());
        }
        if let Some(before) = &mut *self.before.lock() {
            before(place);
        }
        let refused = self.refused.lock();
        if let Some((_, kind)) = refused.as_ref().filter(|(refused, _)| refused == place) {
            return Err(notify::Error::io((*kind).into()));
        }
        *self.requests.lock() += 1;
        self.watched.lock().insert(place.to_owned());
        Ok(())
    }
}

/// A probe that reports conditions that the disk does not have.
#[derive(Default)]
struct ScriptedProbe {
    /// Folders that can be found but not read.
    unreadable: Mutex<HashSet<RelPath>>,
    /// A folder on a file system whose changes are not reported.
    remote: Mutex<Option<RelPath>>,
    /// A stand-in for the mounts beneath any folder.
    mounts: Mutex<u8>,
}

impl FsProbe for ScriptedProbe {
    fn find(&self, source: &Source, scope: FolderScope) -> Result<Observation, AccessError> {
        Ok(Observation {
            mounts: vec![vec![*self.mounts.lock()]],
            ..SystemProbe.find(source, scope)?
        })
    }

    fn open(&self, source: &Source, folder: &RelPath) -> Result<Dir, AccessError> {
        if self.unreadable.lock().contains(folder) {
            return Err(AccessError::NotFound);
        }
        SystemProbe.open(source, folder)
    }

    fn is_remote(&self, folder: &RelPath, _dir: &Dir) -> bool {
        self.remote.lock().as_ref() == Some(folder)
    }
}

/// A watched folder that is checked by hand.
struct TestFolder {
    checker: Checker,
    target: Target,
    method: Method,
    events: Arc<Recording>,
    probe: Arc<ScriptedProbe>,
    home: TempDir,
}

impl TestFolder {
    /// Creates these folders, of which `top` is the one to check.
    fn new(scope: FolderScope, folders: &[&str]) -> Self {
        let home = TempDir::new().unwrap();
        for folder in folders {
            fs::create_dir_all(home.path().join(folder)).unwrap();
        }
        let root = Root::own(home.path().as_os_str().as_encoded_bytes().to_vec());
        let source = Source::new(Arc::new(root), rel("top"));
        let probe = Arc::new(ScriptedProbe::default());
        let events = Arc::<Recording>::default();
        let recording = Arc::clone(&events);
        let request = move |place: &Path, is_watched| recording.request(place, is_watched);
        let make = Box::new(|_| Ok(scripted_source(request)));
        let watches = SystemWatches::make(make, |_, _| ()).map(Arc::new);
        Self {
            checker: Checker {
                probe: Arc::<ScriptedProbe>::clone(&probe),
                events: watches,
            },
            target: Target { source, scope },
            method: Method::Waiting,
            events,
            probe,
            home,
        }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    /// Checks the folder. Returns true if it is another, or contains something else.
    fn check(&mut self) -> bool {
        self.check_with(false)
    }

    /// Checks the folder after folders may have changed.
    fn check_stale(&mut self) -> bool {
        self.check_with(true)
    }

    fn check_with(&mut self, is_stale: bool) -> bool {
        let result = self.checker.check(1, &self.target, &self.method, is_stale);
        if let Some(method) = result.method {
            self.method = method;
        }
        result.is_change
    }

    #[track_caller]
    fn assert_mode(&self, mode: WatchMode) {
        assert_eq!(self.method.mode(), mode);
    }

    #[track_caller]
    fn assert_watched(&self, expected: &[&str]) {
        let expected: BTreeSet<_> = expected.iter().map(|path| self.at(path)).collect();
        assert_eq!(*self.events.watched.lock(), expected);
    }

    /// Takes the number of requested watches since the last call.
    fn requests(&self) -> usize {
        std::mem::take(&mut *self.events.requests.lock())
    }

    fn refuse(&self, place: &str, kind: io::ErrorKind) {
        *self.events.refused.lock() = Some((self.at(place), kind));
    }
}

fn rel(path: &str) -> RelPath {
    RelPath::parse(path.as_bytes()).unwrap()
}

/// Returns a hook that creates another folder in this one just before this one is watched.
fn create_late(folder: PathBuf) -> Hook {
    Box::new(move |place| {
        if *place == folder {
            fs::create_dir_all(folder.join("late")).unwrap();
        }
    })
}

#[test]
fn folder_created_during_the_walk_is_watched() {
    let mut top = TestFolder::new(FolderScope::Recursive, &["top/a", "top/b"]);
    *top.events.before.lock() = Some(create_late(top.at("top/a")));
    assert!(top.check());
    top.assert_mode(WatchMode::Events);
    top.assert_watched(&["top", "top/a", "top/a/late", "top/b"]);
}

#[test]
fn folder_created_in_a_new_one_is_watched() {
    let mut top = TestFolder::new(FolderScope::Recursive, &["top"]);
    top.check();
    fs::create_dir(top.at("top/a")).unwrap();
    *top.events.before.lock() = Some(create_late(top.at("top/a")));
    assert!(top.check_stale());
    top.assert_watched(&["top", "top/a", "top/a/late"]);
}

#[test]
fn system_watches_are_renewed_only_if_stale() {
    let mut top = TestFolder::new(FolderScope::Recursive, &["top/a/b", "other/c/d"]);
    top.check();
    assert_eq!(top.requests(), 3);
    assert!(!top.check(), "nothing has changed");
    assert_eq!(top.requests(), 0);
    fs::rename(top.at("other/c"), top.at("top/c")).unwrap();
    assert!(top.check_stale());
    top.assert_watched(&["top", "top/a", "top/a/b", "top/c", "top/c/d"]);
    fs::remove_dir_all(top.at("top/a")).unwrap();
    assert!(top.check_stale());
    top.assert_watched(&["top", "top/c", "top/c/d"]);
}

#[test]
fn renamed_folder_stays_watched() {
    let mut top = TestFolder::new(FolderScope::Recursive, &["top/b/c"]);
    top.check();
    fs::rename(top.at("top/b"), top.at("top/a")).unwrap();
    top.check_stale();
    top.assert_watched(&["top", "top/a", "top/a/c"]);
    fs::rename(top.at("top/a"), top.at("other")).unwrap();
    top.check_stale();
    top.assert_watched(&["top"]);
}

#[test]
fn unreadable_folder_is_left_out() {
    let mut top = TestFolder::new(FolderScope::Recursive, &["top/a", "top/lost+found"]);
    top.refuse("top/lost+found", io::ErrorKind::PermissionDenied);
    top.check();
    top.assert_mode(WatchMode::Events);
    top.assert_watched(&["top", "top/a"]);
}

#[test]
fn refused_system_watch_leads_to_polling() {
    let mut top = TestFolder::new(FolderScope::Recursive, &["top/a"]);
    top.check();
    fs::create_dir(top.at("top/b")).unwrap();
    top.refuse("top/b", io::ErrorKind::Other);
    top.check_stale();
    top.assert_mode(WatchMode::Polling);
    top.assert_watched(&[]);
}

#[test]
fn unreadable_top_folder_is_no_change() {
    let mut top = TestFolder::new(FolderScope::Recursive, &["top/a"]);
    top.probe.unreadable.lock().insert(rel("top"));
    for _ in 0..3 {
        assert!(!top.check());
        top.assert_mode(WatchMode::Waiting);
    }
    top.assert_watched(&[]);
    top.probe.unreadable.lock().clear();
    assert!(top.check());
    top.assert_watched(&["top", "top/a"]);
}

#[test]
fn remote_subfolder_leads_to_polling() {
    let mut top = TestFolder::new(FolderScope::Recursive, &["top/a", "top/nas"]);
    *top.probe.remote.lock() = Some(rel("top/nas"));
    top.check();
    top.assert_mode(WatchMode::Polling);
    top.assert_watched(&[]);
    // Its own watch is not even requested.
    assert!(top.requests() <= 2);
}

#[test]
fn mounted_disk_is_a_change() {
    let mut top = TestFolder::new(FolderScope::Recursive, &["top/stick"]);
    top.check();
    assert!(!top.check());
    *top.probe.mounts.lock() = 1;
    // The mount hides the earlier contents.
    fs::create_dir(top.at("top/stick/folder")).unwrap();
    assert!(top.check());
    top.assert_mode(WatchMode::Events);
    top.assert_watched(&["top", "top/stick", "top/stick/folder"]);
    assert!(!top.check());
    *top.probe.remote.lock() = Some(rel("top/stick"));
    *top.probe.mounts.lock() = 2;
    assert!(top.check());
    top.assert_mode(WatchMode::Polling);
    *top.probe.remote.lock() = None;
    *top.probe.mounts.lock() = 0;
    assert!(top.check());
    top.assert_mode(WatchMode::Events);
}

#[test]
fn single_folder_has_one_system_watch() {
    let mut top = TestFolder::new(FolderScope::Direct, &["top/a"]);
    assert!(top.check());
    top.assert_mode(WatchMode::Events);
    top.assert_watched(&["top"]);
}

#[test]
fn system_watch_of_the_same_folder_stays() {
    let mut top = TestFolder::new(FolderScope::Direct, &["top"]);
    top.check();
    assert!(top.check_stale());
    assert_eq!(top.requests(), 1);
    top.assert_watched(&["top"]);
}

#[test]
fn folder_without_events_is_polled_at_intervals() {
    let mut top = TestFolder::new(FolderScope::Direct, &["top"]);
    top.refuse("top", io::ErrorKind::Other);
    assert!(top.check());
    let poll = |top: &mut TestFolder| {
        if let Method::Polling { next, .. } = &mut top.method {
            *next = Instant::now();
        }
        top.check()
    };
    assert!(!poll(&mut top));
    fs::write(top.at("top/x.jpg"), "").unwrap();
    assert!(!top.check(), "it is too soon for a poll");
    assert!(poll(&mut top));
    assert!(!poll(&mut top));
    fs::write(top.at("top/x.jpg"), "longer").unwrap();
    assert!(poll(&mut top));
}

#[test]
fn absent_folder_is_reported_once() {
    let mut top = TestFolder::new(FolderScope::Direct, &["top"]);
    top.check();
    fs::remove_dir(top.at("top")).unwrap();
    assert!(top.check());
    assert!(!top.check());
    top.assert_watched(&[]);
    fs::create_dir(top.at("top")).unwrap();
    assert!(top.check());
}

#[test]
fn dropped_method_ends_its_system_watches() {
    let mut top = TestFolder::new(FolderScope::Recursive, &["top/a"]);
    top.check();
    top.assert_watched(&["top", "top/a"]);
    top.method = Method::Waiting;
    top.assert_watched(&[]);
}
