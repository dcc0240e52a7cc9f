//! The watcher on a real disk.

mod deep;
mod silence;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::time::Instant;

use fumikura_fs::Root;
use tempfile::TempDir;

use super::*;
use crate::event_source::{EventSource, OnEvents};

/// A timeout that is exceeded only by waiting forever.
const LONG: Duration = Duration::from_secs(30);
const OFTEN: Duration = Duration::from_millis(20);

/// An event source that has no watches left.
struct Deaf;

impl EventSource for Deaf {
    fn listen(&self, _place: &Path) -> io::Result<()> {
        Err(io::Error::other("no watches are left"))
    }

    fn forget(&self, _place: &Path) {}
}

fn ears_of_the_system(hear: OnEvents) -> Box<dyn EventSource> {
    SystemEventSource::make(hear).unwrap()
}

struct House {
    watcher: Watcher,
    told: Receiver<Changed>,
    root: Arc<Root>,
    home: TempDir,
}

impl House {
    fn new() -> Self {
        Self::with(ears_of_the_system)
    }

    fn with(events: impl Fn(OnEvents) -> Box<dyn EventSource> + Send + Sync + 'static) -> Self {
        Self::with_both(move |hear| Some(events(hear)), Arc::new(SystemProbe))
    }

    fn with_pool(pool: &Arc<DiskPool>) -> Self {
        let events = |hear| Some(ears_of_the_system(hear));
        Self::with_all(Arc::clone(pool), events, Arc::new(SystemProbe))
    }

    fn with_both(
        events: impl Fn(OnEvents) -> Option<Box<dyn EventSource>> + Send + Sync + 'static,
        probe: Arc<dyn FsProbe>,
    ) -> Self {
        Self::with_all(Arc::default(), events, probe)
    }

    fn with_all(
        pool: Arc<DiskPool>,
        events: impl Fn(OnEvents) -> Option<Box<dyn EventSource>> + Send + Sync + 'static,
        probe: Arc<dyn FsProbe>,
    ) -> Self {
        let home = TempDir::new().unwrap();
        let top = home.path().join("pictures");
        fs::create_dir(&top).unwrap();
        let (tell, told) = mpsc::channel();
        let tell = move |changed| drop(tell.send(changed));
        let watcher = Watcher::start_with(pool, OFTEN, Box::new(events), probe, tell);
        Self {
            watcher: watcher.unwrap(),
            told,
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
        self.watcher.watch(&self.source(path), Reach::Folder)
    }

    /// Waits until a change of the folder is reported.
    #[track_caller]
    fn hears_of(&self, path: &str) {
        let changed = self.told.recv_timeout(LONG).expect("it is told");
        assert_eq!(changed.path.as_bytes(), path.as_bytes());
        assert_eq!(changed.root, self.root.id());
    }

    /// Waits until a condition is true, and no more of the changes that led there are reported.
    #[track_caller]
    fn settles(&self, is_so: impl Fn(&Self) -> bool) {
        let until = Instant::now() + LONG;
        while !is_so(self) {
            assert!(Instant::now() < until, "it never came to that");
            thread::sleep(OFTEN);
        }
        while self.told.recv_timeout(Duration::from_millis(700)).is_ok() {
            assert!(Instant::now() < until, "it never came to rest");
        }
    }
}

#[test]
fn whatever_happens_in_a_folder_is_told() {
    let house = House::new();
    let lease = house.watch("");
    assert_eq!(lease.watching, Watching::Events);
    assert!(!lease.is_renewed && house.watch("").is_renewed);
    let [a, b] = ["a.jpg", "b.jpg"].map(|name| house.at(name));
    let steps: [&dyn Fn(); 6] = [
        &|| fs::write(&a, "new").unwrap(),
        &|| fs::write(&a, "other").unwrap(),
        &|| fs::rename(&a, &b).unwrap(),
        &|| fs::create_dir(house.at("folder")).unwrap(),
        // Editors save like this.
        &|| {
            fs::write(house.at(".b.jpg.new"), "better").unwrap();
            fs::rename(house.at(".b.jpg.new"), &b).unwrap();
        },
        &|| fs::remove_file(&b).unwrap(),
    ];
    for step in steps {
        step();
        house.hears_of("");
        house.settles(|_| true);
    }
}

#[test]
fn after_the_last_word_of_a_flood_nothing_happens_any_more() {
    let house = House::new();
    fs::create_dir(house.at("many")).unwrap();
    house.watch("many");
    for number in 0..10_000 {
        fs::write(house.at(&format!("many/{number}.jpg")), "").unwrap();
    }
    let mut seen = 0;
    while seen < 10_000 {
        house.hears_of("many");
        seen = fs::read_dir(house.at("many")).unwrap().count();
    }
}

#[test]
fn a_folder_that_is_not_there_is_waited_for() {
    let house = House::new();
    assert_eq!(house.watch("stick").watching, Watching::Waiting);
    fs::create_dir(house.at("stick")).unwrap();
    house.hears_of("stick");
    assert_eq!(house.watch("stick").watching, Watching::Events);
    fs::write(house.at("stick/a.jpg"), "").unwrap();
    house.hears_of("stick");

    fs::remove_dir_all(house.at("stick")).unwrap();
    house.hears_of("stick");
    house.settles(|house| house.watch("stick").watching == Watching::Waiting);
    fs::create_dir(house.at("stick")).unwrap();
    house.hears_of("stick");
    assert_eq!(house.watch("stick").watching, Watching::Events);
}

#[test]
fn a_folder_that_is_replaced_is_followed_by_its_name() {
    let house = House::new();
    fs::create_dir_all(house.at("year/a")).unwrap();
    assert_eq!(house.watch("year/a").watching, Watching::Events);
    // A change further up causes no event in the folder itself.
    fs::rename(house.at("year"), house.at("before")).unwrap();
    house.hears_of("year/a");
    fs::create_dir_all(house.at("year/a")).unwrap();
    house.settles(|house| house.watch("year/a").watching == Watching::Events);
    fs::write(house.at("year/a/new.jpg"), "").unwrap();
    house.hears_of("year/a");
}

#[test]
fn a_folder_that_was_away_for_a_moment_is_heard_of_again() {
    let house = House::new();
    fs::create_dir(house.at("a")).unwrap();
    assert_eq!(house.watch("").watching, Watching::Events);
    assert_eq!(house.watch("a").watching, Watching::Events);
    let steps: [&dyn Fn(); 2] = [
        // The new folder usually has the number of the old one.
        &|| {
            fs::remove_dir_all(house.at("a")).unwrap();
            fs::create_dir(house.at("a")).unwrap();
        },
        &|| {
            fs::rename(house.at("a"), house.at("b")).unwrap();
            fs::rename(house.at("b"), house.at("a")).unwrap();
        },
    ];
    for (number, step) in steps.into_iter().enumerate() {
        step();
        house.settles(|house| house.watch("a").watching == Watching::Events);
        fs::write(house.at(&format!("a/{number}.jpg")), "").unwrap();
        house.hears_of("a");
        house.settles(|_| true);
    }
}

#[test]
fn a_folder_that_is_watched_in_two_places_is_heard_of_in_the_one_that_is_left() {
    let house = House::new();
    fs::create_dir(house.at("a")).unwrap();
    assert_eq!(house.watch("a").watching, Watching::Events);
    fs::rename(house.at("a"), house.at("b")).unwrap();
    assert_eq!(house.watch("b").watching, Watching::Events);
    house.settles(|house| house.watch("a").watching == Watching::Waiting);
    fs::write(house.at("b/x.jpg"), "").unwrap();
    house.hears_of("b");
}

#[test]
fn two_ways_to_one_folder_come_to_rest() {
    let house = House::new();
    fs::create_dir(house.at("a")).unwrap();
    std::os::unix::fs::symlink("a", house.at("link")).unwrap();
    house.watch("a");
    house.watch("link");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    fs::set_permissions(house.at("a"), mode).unwrap();
    house.told.recv_timeout(LONG).expect("it is told");
    // This ends only when nothing more is reported.
    house.settles(|_| true);
    fs::write(house.at("a/x.jpg"), "").unwrap();
    let mut told = [(); 2].map(|()| house.told.recv_timeout(LONG).expect("both are told").path);
    told.sort_unstable();
    assert_eq!(
        told.map(|path| path.as_bytes().to_vec()),
        [b"a".to_vec(), b"link".to_vec()]
    );
}

#[test]
fn a_folder_behind_a_link_is_followed_to_where_it_leads() {
    let house = House::new();
    fs::create_dir(house.at("real")).unwrap();
    fs::create_dir(house.at("other")).unwrap();
    std::os::unix::fs::symlink("real", house.at("link")).unwrap();
    assert_eq!(house.watch("link").watching, Watching::Events);
    fs::write(house.at("real/a.jpg"), "").unwrap();
    house.hears_of("link");
    fs::remove_file(house.at("link")).unwrap();
    std::os::unix::fs::symlink("other", house.at("link")).unwrap();
    house.hears_of("link");
    house.settles(|_| true);
    fs::write(house.at("other/a.jpg"), "").unwrap();
    house.hears_of("link");
}

#[test]
fn without_watches_a_folder_is_looked_into() {
    let house = House::with(|_| Box::new(Deaf));
    assert_eq!(house.watch("").watching, Watching::Polling);
    fs::write(house.at("a.jpg"), "1").unwrap();
    house.hears_of("");
    fs::write(house.at("a.jpg"), "22").unwrap();
    house.hears_of("");
    fs::remove_file(house.at("a.jpg")).unwrap();
    house.hears_of("");
}

#[test]
fn what_nobody_looks_at_is_not_told() {
    let house = House::new();
    fs::create_dir(house.at("a")).unwrap();
    fs::create_dir(house.at("b")).unwrap();
    house.watch("a");
    house.watch("b");
    let other = Root::own(b"/other".to_vec()).id();
    house.watcher.forget(other);
    fs::write(house.at("a/x.jpg"), "").unwrap();
    house.hears_of("a");
    house.settles(|_| true);
    house.watcher.forget(house.root.id());
    fs::write(house.at("a/y.jpg"), "").unwrap();
    assert!(!house.watch("a").is_renewed);
    fs::write(house.at("b/y.jpg"), "").unwrap();
    fs::write(house.at("a/z.jpg"), "").unwrap();
    // A report of the earlier change would have come first.
    house.hears_of("a");
    house.settles(|_| true);
    assert!(house.told.try_recv().is_err());
}
