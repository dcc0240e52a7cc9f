//! Checks of a folder, and of everything beneath one, step by step, with a scripted event source and a scripted probe.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::Path;

use fumikura_fs::{AccessError, RelPath, Root};
use tempfile::TempDir;

use super::*;
use crate::event_source::EventSource;
use crate::probe::{Observation, Signature, SystemProbe, signature};
use crate::walk::Opened;

type Hook = Box<dyn FnMut(&Path) + Send>;

/// An event source that records requests.
#[derive(Default)]
struct Noting {
    listened: Mutex<BTreeSet<PathBuf>>,
    /// All requests since they were last taken, marked by `+` and `-`.
    asked: Mutex<Vec<(char, PathBuf)>>,
    /// A hook that runs just before a folder is watched.
    before: Mutex<Option<Hook>>,
    /// A place whose watch is refused.
    refused: Mutex<Option<(PathBuf, io::ErrorKind)>>,
}

impl EventSource for Arc<Noting> {
    fn listen(&self, place: &Path) -> io::Result<()> {
        if let Some(before) = &mut *self.before.lock() {
            before(place);
        }
        let refused = self.refused.lock();
        if let Some((_, kind)) = refused.as_ref().filter(|(refused, _)| refused == place) {
            return Err((*kind).into());
        }
        self.asked.lock().push(('+', place.to_owned()));
        self.listened.lock().insert(place.to_owned());
        Ok(())
    }

    fn forget(&self, place: &Path) {
        self.asked.lock().push(('-', place.to_owned()));
        self.listened.lock().remove(place);
    }
}

/// A probe that reports conditions that the disk does not have.
#[derive(Default)]
struct Odd {
    /// Folders that can be found but not read.
    unreadable: Mutex<HashSet<RelPath>>,
    /// A folder on a file system whose changes are not reported.
    far: Mutex<Option<RelPath>>,
    /// A stand-in for the mounts beneath any folder.
    mounts: Mutex<u64>,
}

impl FsProbe for Odd {
    fn find(&self, source: &Source) -> Result<Observation, AccessError> {
        SystemProbe.find(source)
    }

    fn open(
        &self,
        source: &Source,
        folder: &RelPath,
        above: Option<u64>,
    ) -> Result<Opened, AccessError> {
        if self.unreadable.lock().contains(folder) {
            return Err(AccessError::NotFound);
        }
        let opened = SystemProbe.open(source, folder, above)?;
        Ok(Opened {
            is_remote: above.is_some() && self.far.lock().as_ref() == Some(folder),
            ..opened
        })
    }

    fn mounts(&self, _place: &Path) -> Signature {
        Signature::of(*self.mounts.lock())
    }
}

/// A watch that is driven by hand.
struct Bench {
    watch: FolderWatch,
    method: Method,
    events: Arc<Noting>,
    probe: Arc<Odd>,
    home: TempDir,
}

impl Bench {
    /// Creates these folders; `top` is watched with everything beneath it.
    fn with(folders: &[&str]) -> Self {
        Self::of(Reach::Beneath, folders)
    }

    fn of(reach: Reach, folders: &[&str]) -> Self {
        let home = TempDir::new().unwrap();
        let root = Root::own(home.path().as_os_str().as_encoded_bytes().to_vec());
        let source = Source::new(Arc::new(root), rel("top"));
        let probe = Arc::new(Odd::default());
        let shared: Arc<dyn FsProbe> = Arc::<Odd>::clone(&probe);
        let events = Arc::<Noting>::default();
        let source_of_events = Box::new(Arc::clone(&events));
        let make = Box::new(|_| Some(source_of_events as Box<dyn EventSource>));
        let watches = SystemWatches::make(make, |_, _| ()).map(Arc::new);
        let bench = Self {
            watch: FolderWatch::new(&source, reach, shared, watches),
            method: Method::Waiting,
            events,
            probe,
            home,
        };
        for folder in folders {
            fs::create_dir_all(bench.at(folder)).unwrap();
        }
        bench
    }

    fn at(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    fn look(&mut self) -> bool {
        self.watch.update(&mut self.method)
    }

    fn hears_of(&self, path: &str) {
        self.watch.hint(&[self.at(path)], true);
    }

    /// Checks the folders that have watches now.
    #[track_caller]
    fn listens_to(&self, expected: &[&str]) {
        let expected: BTreeSet<_> = expected.iter().map(|path| self.at(path)).collect();
        assert_eq!(*self.events.listened.lock(), expected);
    }

    /// Takes the requests since the last call.
    fn asked(&self) -> Vec<(char, PathBuf)> {
        std::mem::take(&mut *self.events.asked.lock())
    }
}

fn rel(path: &str) -> RelPath {
    RelPath::parse(path.as_bytes()).unwrap()
}

/// Returns a hook: just before this folder is watched, another one appears in it.
fn brings(folder: PathBuf) -> Hook {
    Box::new(move |place| {
        if *place == folder {
            fs::create_dir_all(folder.join("late")).unwrap();
        }
    })
}

#[test]
fn a_folder_that_comes_while_the_others_are_looked_for_is_listened_to() {
    let mut bench = Bench::with(&["top/a", "top/b"]);
    *bench.events.before.lock() = Some(brings(bench.at("top/a")));
    assert!(bench.look());
    assert_eq!(bench.method.watching(), Watching::Events);
    bench.listens_to(&["top", "top/a", "top/a/late", "top/b"]);
}

#[test]
fn so_is_one_that_comes_into_a_folder_that_has_just_come() {
    let mut bench = Bench::with(&["top"]);
    bench.look();
    fs::create_dir(bench.at("top/a")).unwrap();
    bench.hears_of("top/a");
    *bench.events.before.lock() = Some(brings(bench.at("top/a")));
    bench.look();
    bench.listens_to(&["top", "top/a", "top/a/late"]);
}

#[test]
fn only_what_came_is_listened_to_anew() {
    let mut bench = Bench::with(&["top/a/b", "top/c", "elsewhere/d/e"]);
    bench.look();
    bench.asked();
    fs::rename(bench.at("elsewhere/d"), bench.at("top/c/d")).unwrap();
    bench.hears_of("top/c/d");
    // Files, hidden folders and links to folders are left alone.
    fs::write(bench.at("top/x.jpg"), "").unwrap();
    fs::create_dir(bench.at("top/.git")).unwrap();
    std::os::unix::fs::symlink("a", bench.at("top/link")).unwrap();
    for path in ["top/x.jpg", "top/.git", "top/link"] {
        bench.hears_of(path);
    }
    assert!(!bench.look(), "the folder is the same");
    let [d, e] = ["top/c/d", "top/c/d/e"].map(|path| ('+', bench.at(path)));
    assert_eq!(bench.asked(), [d, e]);
    bench.listens_to(&["top", "top/a", "top/a/b", "top/c", "top/c/d", "top/c/d/e"]);
    bench.look();
    assert_eq!(bench.asked(), []);
}

#[test]
fn the_old_name_of_a_folder_goes_before_the_new_one_comes() {
    let mut bench = Bench::with(&["top/b/c"]);
    bench.look();
    bench.asked();
    fs::rename(bench.at("top/b"), bench.at("top/a")).unwrap();
    bench
        .watch
        .hint(&["top/b", "top/a"].map(|it| bench.at(it)), true);
    bench.look();
    let expected = [
        ('-', "top/b"),
        ('-', "top/b/c"),
        ('+', "top/a"),
        ('+', "top/a/c"),
    ];
    assert_eq!(
        bench.asked(),
        expected.map(|(it, path)| (it, bench.at(path)))
    );
}

#[test]
fn where_anything_may_have_happened_all_are_listened_to_anew() {
    let mut bench = Bench::with(&["top/a"]);
    bench.look();
    bench.asked();
    fs::create_dir(bench.at("top/b")).unwrap();
    bench.watch.hint(&[], true);
    bench.look();
    assert_eq!(bench.asked().len(), 2 + 3);
    bench.listens_to(&["top", "top/a", "top/b"]);
}

#[test]
fn a_folder_that_may_not_be_read_is_left_out() {
    let mut bench = Bench::with(&["top/a", "top/lost+found"]);
    let place = bench.at("top/lost+found");
    *bench.events.refused.lock() = Some((place, io::ErrorKind::PermissionDenied));
    bench.look();
    assert_eq!(bench.method.watching(), Watching::Events);
    bench.listens_to(&["top", "top/a"]);
}

#[test]
fn where_one_more_folder_can_not_be_told_of_all_of_it_is_looked_at() {
    let mut bench = Bench::with(&["top/a"]);
    bench.look();
    fs::create_dir(bench.at("top/b")).unwrap();
    let place = bench.at("top/b");
    *bench.events.refused.lock() = Some((place, io::ErrorKind::Other));
    bench.hears_of("top/b");
    bench.look();
    assert_eq!(bench.method.watching(), Watching::Polling);
    bench.listens_to(&[]);
}

#[test]
fn that_a_folder_can_be_found_and_not_read_is_no_news() {
    let mut bench = Bench::with(&["top/a"]);
    bench.probe.unreadable.lock().insert(rel("top"));
    for _ in 0..3 {
        assert!(!bench.look());
        assert_eq!(bench.method.watching(), Watching::Waiting);
    }
    bench.listens_to(&[]);
    bench.probe.unreadable.lock().clear();
    assert!(bench.look());
    bench.listens_to(&["top", "top/a"]);
}

#[test]
fn a_watch_whose_time_is_over_can_not_be_renewed_any_more() {
    let bench = Bench::with(&["top"]);
    bench.watch.state().until = Duration::ZERO;
    assert_eq!(bench.watch.step(false), Step::End);
    assert!(bench.watch.state().is_over);
}

/// Returns the number of reports until the next check is due.
fn told_until(next: Duration, watch: &FolderWatch) -> usize {
    let mut told = 0;
    {
        let mut state = watch.state();
        (state.next, state.is_checking) = (next, false);
    }
    loop {
        match watch.step(false) {
            Step::Report => told += 1,
            Step::Check => return told,
            Step::Wait(time) => std::thread::sleep(time),
            Step::End => panic!("the watch has ended"),
        }
    }
}

#[test]
fn where_folders_come_all_the_time_it_is_told_all_the_same() {
    let mut bench = Bench::with(&["top/a"]);
    bench.look();
    bench.hears_of("top/a");
    assert_eq!(
        told_until(LEASE, &bench.watch),
        0,
        "it is listened to first"
    );
    bench.look();
    bench.hears_of("top/a");
    assert_eq!(told_until(LEASE, &bench.watch), 1);
    bench.look();
    assert!(bench.watch.state().doubts.is_none());
}

#[test]
fn what_is_left_alone_for_a_while_is_told_at_once_and_again_when_it_is_listened_to() {
    let mut bench = Bench::with(&["top", "other"]);
    bench.look();
    bench.watch.state().rested = LEASE;
    fs::rename(bench.at("other"), bench.at("top/a")).unwrap();
    bench.hears_of("top/a");
    let soon = bench.watch.began.elapsed() + Duration::from_secs(1);
    assert_eq!(told_until(soon, &bench.watch), 1);
    bench.look();
    bench.listens_to(&["top"]);

    bench.watch.state().rested = Duration::ZERO;
    assert_eq!(
        told_until(LEASE, &bench.watch),
        0,
        "there is something to look at"
    );
    bench.look();
    bench.listens_to(&["top", "top/a"]);
    let soon = bench.watch.began.elapsed() + Duration::from_secs(1);
    assert_eq!(told_until(soon, &bench.watch), 1);
}

#[test]
fn that_one_has_gone_is_told() {
    let mut bench = Bench::with(&["top/a"]);
    bench.look();
    fs::rename(bench.at("top"), bench.at("gone")).unwrap();
    bench.hears_of("top");
    assert!(bench.look());
    let soon = bench.watch.began.elapsed() + Duration::from_secs(1);
    assert_eq!(told_until(soon, &bench.watch), 1);
}

#[test]
fn a_look_sees_all_that_lies_beneath_but_what_is_hidden() {
    let bench = Bench::with(&["top/a", "top/.git"]);
    let look = || signature(&SystemProbe, &bench.watch.source, Reach::Beneath).unwrap();
    let before = look();
    fs::write(bench.at("top/.git/x.jpg"), "").unwrap();
    fs::write(bench.at("top/a/.x.jpg.part"), "").unwrap();
    let hidden = look();
    fs::write(bench.at("top/a/x.jpg"), "").unwrap();
    let shown = look();
    fs::write(bench.at("top/a/x.jpg"), "longer").unwrap();
    assert_eq!(
        [before == hidden, hidden == shown, shown == look()],
        [true, false, false]
    );
}

#[test]
fn where_a_part_lies_far_away_all_of_it_is_looked_at() {
    let mut bench = Bench::with(&["top/a", "top/nas"]);
    *bench.probe.far.lock() = Some(rel("top/nas"));
    bench.look();
    assert_eq!(bench.method.watching(), Watching::Polling);
    bench.listens_to(&[]);
    // No watch was requested.
    assert!(!bench.asked().contains(&('+', bench.at("top/nas"))));
}

#[test]
fn a_disk_that_is_mounted_beneath_a_folder_is_news() {
    let mut bench = Bench::with(&["top/stick"]);
    bench.look();
    assert!(!bench.look());
    *bench.probe.mounts.lock() = 1;
    // The mount hides the earlier contents.
    fs::create_dir(bench.at("top/stick/folder")).unwrap();
    assert!(bench.look());
    assert_eq!(bench.method.watching(), Watching::Events);
    bench.listens_to(&["top", "top/stick", "top/stick/folder"]);
    assert!(!bench.look());
    *bench.probe.far.lock() = Some(rel("top/stick"));
    *bench.probe.mounts.lock() = 2;
    assert!(bench.look());
    assert_eq!(bench.method.watching(), Watching::Polling);
    *bench.probe.far.lock() = None;
    *bench.probe.mounts.lock() = 0;
    assert!(bench.look());
    assert_eq!(bench.method.watching(), Watching::Events);
}

#[test]
fn single_folder_has_one_system_watch() {
    let mut bench = Bench::of(Reach::Folder, &["top/a"]);
    assert!(bench.look());
    assert_eq!(bench.method.watching(), Watching::Events);
    bench.listens_to(&["top"]);
    // What is beneath it, or hidden, is no change of it.
    for nothing in ["top/a/x.jpg", "top/.x.jpg.tmp", "topmost"] {
        assert!(!bench.watch.hint(&[bench.at(nothing)], true));
    }
    bench.hears_of("top/a");
    assert!(bench.watch.state().doubts.is_none());
}

#[test]
fn folder_that_may_be_another_is_watched_anew() {
    let mut bench = Bench::of(Reach::Folder, &["top"]);
    bench.look();
    bench.asked();
    for way in [vec![bench.at("top")], vec![bench.at("")], vec![]] {
        assert!(bench.watch.hint(&way, true));
        assert_eq!(told_until(LEASE, &bench.watch), 0);
        assert!(!bench.look(), "the folder is the same");
        let place = bench.at("top");
        assert_eq!(bench.asked(), [('-', place.clone()), ('+', place)]);
        let soon = bench.watch.now() + Duration::from_secs(1);
        assert_eq!(told_until(soon, &bench.watch), 1);
    }
}

#[test]
fn folder_without_events_is_polled_now_and_then() {
    let mut bench = Bench::of(Reach::Folder, &["top"]);
    *bench.events.refused.lock() = Some((bench.at("top"), io::ErrorKind::Other));
    assert!(bench.look());
    let poll = |bench: &mut Bench| {
        if let Method::Polling { next, .. } = &mut bench.method {
            *next = Duration::ZERO;
        }
        bench.look()
    };
    assert!(!poll(&mut bench));
    fs::write(bench.at("top/x.jpg"), "").unwrap();
    assert!(!bench.look(), "it is too soon for a poll");
    assert!(poll(&mut bench));
    assert!(!poll(&mut bench));
    fs::write(bench.at("top/x.jpg"), "longer").unwrap();
    assert!(poll(&mut bench));
}

#[test]
fn absent_folder_is_no_news() {
    let mut bench = Bench::of(Reach::Folder, &["top"]);
    bench.look();
    fs::remove_dir(bench.at("top")).unwrap();
    assert!(bench.look());
    assert!(!bench.look());
    bench.listens_to(&[]);
    fs::create_dir(bench.at("top")).unwrap();
    assert!(bench.look());
}

#[test]
fn end_of_a_watch_ends_its_system_watches() {
    let bench = Bench::with(&["top/a"]);
    bench.watch.check(LEASE);
    bench.listens_to(&["top", "top/a"]);
    bench.watch.end();
    bench.listens_to(&[]);
    // A check that was running meanwhile leaves none either.
    bench.watch.check(LEASE);
    bench.listens_to(&[]);
    assert_eq!(bench.watch.step(false), Step::End);
    assert!(!bench.watch.extend());
}

#[test]
fn disk_of_a_folder_that_went_is_remembered() {
    let bench = Bench::with(&["top"]);
    assert_eq!(bench.watch.device(), None);
    bench.watch.check(LEASE);
    let device = bench.watch.device();
    assert!(matches!(device, Some(Device::FileSystem(_))));
    fs::remove_dir(bench.at("top")).unwrap();
    bench.watch.check(LEASE);
    assert_eq!(bench.watch.device(), device);

    let absent = Bench::with(&[]);
    absent.watch.check(LEASE);
    let root = absent.watch.changed().root;
    assert_eq!(absent.watch.device(), Some(Device::Root(root)));
}

#[test]
fn nothing_is_checked_while_the_disk_is_busy() {
    let bench = Bench::with(&["top"]);
    bench.watch.check(Duration::ZERO);
    assert!(matches!(bench.watch.step(true), Step::Wait(_)));
    assert_eq!(bench.watch.step(false), Step::Check);
    assert!(matches!(bench.watch.step(false), Step::Wait(_)));
}

#[test]
fn unfinished_check_does_not_outlive_the_lease() {
    for is_disk_busy in [false, true] {
        let bench = Bench::with(&["top"]);
        bench.watch.check(Duration::ZERO);
        if !is_disk_busy {
            assert_eq!(bench.watch.step(false), Step::Check);
        }
        let Step::Wait(time) = bench.watch.step(is_disk_busy) else {
            panic!("nothing is due");
        };
        assert!(time <= LEASE);
        bench.watch.state().until = bench.watch.now();
        assert_eq!(bench.watch.step(is_disk_busy), Step::End);
    }
}

#[test]
fn failed_check_is_a_gap() {
    let bench = Bench::with(&["top"]);
    bench.watch.check(LEASE);
    assert_eq!(bench.watch.renew(), (Some(Watching::Events), true));
    bench.watch.fail(LEASE);
    assert_eq!(bench.watch.renew(), (Some(Watching::Events), false));
    assert_eq!(bench.watch.renew(), (Some(Watching::Events), true));
    // The first check is repeated, and what it finds is reported.
    let bench = Bench::with(&["top"]);
    bench.watch.fail(Duration::ZERO);
    assert_eq!(bench.watch.renew(), (Some(Watching::Waiting), false));
    assert_eq!(bench.watch.step(false), Step::Check);
    bench.watch.check(LEASE);
    assert_eq!(bench.watch.renew(), (Some(Watching::Events), true));
    let soon = bench.watch.now() + Duration::from_secs(1);
    assert_eq!(told_until(soon, &bench.watch), 1);
}

#[test]
fn hints_are_for_folders_with_events() {
    for reach in [Reach::Folder, Reach::Beneath] {
        let bench = Bench::of(reach, &[]);
        let anything = |bench: &Bench| {
            let paths = [bench.at("top/x.jpg"), bench.at("other/x.jpg")];
            let hints = paths.map(|path| bench.watch.hint(&[path], true));
            (bench.watch.hint(&[], true), hints)
        };
        assert_eq!(anything(&bench), (false, [false, false]));
        bench.watch.check(LEASE);
        assert_eq!(anything(&bench), (false, [false, false]));
        fs::create_dir(bench.at("top")).unwrap();
        bench.watch.check(LEASE);
        assert_eq!(anything(&bench), (true, [true, false]));

        let polled = Bench::of(reach, &["top"]);
        *polled.events.refused.lock() = Some((polled.at("top"), io::ErrorKind::Other));
        polled.watch.check(LEASE);
        assert_eq!(polled.watch.renew().0, Some(Watching::Polling));
        assert_eq!(anything(&polled), (false, [false, false]));
    }
}
