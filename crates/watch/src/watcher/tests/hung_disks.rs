//! Disks that do not answer for a while, or ever.

use std::collections::HashSet;
use std::sync::mpsc::Sender;

use cap_std::fs::Dir;
use fumikura_fs::{AccessError, Device, platform::Identity};
use parking_lot::{Condvar, Mutex};

use super::*;
use crate::probe::Observation;

/// The disks that do not answer.
struct HungDisks {
    roots: Mutex<HashSet<RootId>>,
    /// The roots whose next check panics.
    panics: Mutex<HashSet<RootId>>,
    is_released: Condvar,
    /// Receives the folder of each call that gets no answer.
    requests: Mutex<Sender<Source>>,
}

/// A probe that treats each root as a disk of its own.
struct HangingProbe(Arc<HungDisks>);

impl HungDisks {
    fn hang(&self, root: RootId) {
        self.roots.lock().insert(root);
    }

    fn panic_once(&self, root: RootId) {
        self.panics.lock().insert(root);
    }

    fn release(&self) {
        self.roots.lock().clear();
        self.is_released.notify_all();
    }

    /// Waits as long as the disk of a folder hangs.
    fn access(&self, source: &Source) {
        let root = source.root();
        if self.panics.lock().remove(&root) {
            drop(self.requests.lock().send(source.clone()));
            panic!("this check was to panic");
        }
        let mut roots = self.roots.lock();
        if roots.contains(&root) {
            drop(self.requests.lock().send(source.clone()));
        }
        while roots.contains(&root) {
            self.is_released.wait(&mut roots);
        }
    }
}

/// A guard that releases the disks, so that a failing test does not wait forever.
struct ReleaseGuard<'a>(&'a HungDisks);

impl Drop for ReleaseGuard<'_> {
    fn drop(&mut self) {
        self.0.release();
    }
}

impl FsProbe for HangingProbe {
    fn find(&self, source: &Source, scope: FolderScope) -> Result<Observation, AccessError> {
        self.0.access(source);
        let found = SystemProbe.find(source, scope)?;
        let bytes = source.root().to_string().into_bytes();
        let device = bytes.iter().fold(0_u64, |number, &byte| {
            number.wrapping_mul(257).wrapping_add(byte.into())
        });
        let [_, node] = found.identity.numbers();
        Ok(Observation {
            identity: Identity::from_numbers(device, node),
            ..found
        })
    }

    fn open(&self, source: &Source, folder: &RelPath) -> Result<Dir, AccessError> {
        self.0.access(source);
        SystemProbe.open(source, folder)
    }

    fn is_remote(&self, folder: &RelPath, dir: &Dir) -> bool {
        SystemProbe.is_remote(folder, dir)
    }
}

/// A watcher with a local disk, and some disks that are about to hang.
struct TestDisks {
    local: TestWatcher,
    hung: Arc<HungDisks>,
    requests: Receiver<Source>,
    roots: Vec<Arc<Root>>,
}

impl TestDisks {
    fn new(roots: usize) -> Self {
        let (request, requests) = mpsc::channel();
        let hung = Arc::new(HungDisks {
            roots: Mutex::default(),
            panics: Mutex::default(),
            is_released: Condvar::new(),
            requests: Mutex::new(request),
        });
        let probe = Arc::new(HangingProbe(Arc::clone(&hung)));
        let local = TestWatcher::with_probe(system_events, probe);
        let root = |number: usize| {
            let place = local.home.path().join(number.to_string());
            fs::create_dir(&place).unwrap();
            Arc::new(Root::own(place.as_os_str().as_encoded_bytes().to_vec()))
        };
        let roots = (0..roots).map(root).collect();
        Self {
            local,
            hung,
            requests,
            roots,
        }
    }

    fn source(&self, root: usize, path: &str) -> Source {
        let path = RelPath::parse(path.as_bytes()).unwrap();
        Source::new(Arc::clone(&self.roots[root]), path)
    }

    fn watch(&self, source: &Source) -> Lease {
        self.local.watcher.watch(source, FolderScope::Direct)
    }

    /// Waits until a hung disk is accessed.
    #[track_caller]
    fn request(&self) -> Source {
        self.requests
            .recv_timeout(LONG)
            .expect("the disk is accessed")
    }

    #[track_caller]
    fn assert_reported(&self, source: &Source) {
        let change = self.local.reports.recv_timeout(LONG);
        let change = change.expect("a change is reported");
        assert_eq!((change.root, &change.path), (source.root(), source.path()));
    }

    /// Does everything that requires checks of the local disk.
    #[track_caller]
    fn assert_local_disk_is_checked(&self) {
        let local = &self.local;
        assert_eq!(local.watch("stick").mode, WatchMode::Waiting);
        fs::create_dir(local.at("stick")).unwrap();
        local.assert_report("stick");
        assert_eq!(local.watch("stick").mode, WatchMode::Events);
        fs::remove_dir(local.at("stick")).unwrap();
        local.assert_report("stick");
        local.wait_until(|local| local.watch("stick").mode == WatchMode::Waiting);
    }
}

#[test]
fn hung_disk_delays_no_other() {
    let test = TestDisks::new(1);
    let late = test.source(0, "late");
    assert_eq!(test.watch(&late).mode, WatchMode::Waiting);
    test.hung.hang(late.root());
    assert_eq!(test.request(), late);
    test.assert_local_disk_is_checked();

    // A caller that waits for the hung disk does not delay watches on another disk either.
    let other = test.source(0, "other");
    let watcher = &test.local.watcher;
    thread::scope(|scope| {
        let _release = ReleaseGuard(&test.hung);
        let watch = scope.spawn(|| watcher.watch(&other, FolderScope::Direct));
        assert_eq!(test.request(), other);
        test.assert_local_disk_is_checked();
        test.local.watcher.forget(test.local.root.id());
        test.assert_local_disk_is_checked();
        assert!(test.watch(&late).is_renewed);

        let place = test.local.home.path().join("0/late");
        fs::create_dir(place).unwrap();
        test.hung.release();
        assert_eq!(watch.join().unwrap().mode, WatchMode::Waiting);
    });
    // A late result is reported all the same.
    test.assert_reported(&late);
    assert_eq!(test.watch(&late).mode, WatchMode::Events);
    test.assert_local_disk_is_checked();
}

#[test]
fn several_hung_disks_delay_no_other() {
    let test = TestDisks::new(6);
    let folders = ["", "missing", "missing/too"];
    let sources = (0..6).flat_map(|root| folders.map(|path| test.source(root, path)));
    for source in sources {
        test.watch(&source);
    }
    let mut expected = HashSet::new();
    for root in &test.roots {
        test.hung.hang(root.id());
        // One check waits for the disk of the root, and one for the folders whose disks are unknown.
        expected.extend([(root.id(), true), (root.id(), false)]);
    }
    let mut requests = HashSet::new();
    while requests != expected {
        let source = test.request();
        let is_new = requests.insert((source.root(), source.path().is_empty()));
        assert!(is_new, "a disk is accessed twice at once");
    }
    test.assert_local_disk_is_checked();
    assert!(test.requests.try_recv().is_err());
    test.hung.release();
    test.assert_local_disk_is_checked();
}

#[test]
fn dropped_watcher_waits_for_no_disk() {
    let test = TestDisks::new(1);
    let late = test.source(0, "late");
    test.watch(&late);
    test.hung.hang(late.root());
    assert_eq!(test.request(), late);
    drop(test.local);
    test.hung.release();
}

#[test]
fn panicked_check_is_repeated() {
    let test = TestDisks::new(1);
    let late = test.source(0, "late");
    test.watch(&late);
    test.hung.panic_once(late.root());
    assert_eq!(test.request(), late);
    fs::create_dir(test.local.home.path().join("0/late")).unwrap();
    test.assert_reported(&late);
}

#[test]
fn panicked_first_check_is_repeated() {
    let test = TestDisks::new(1);
    let top = test.source(0, "");
    let watch = || test.local.watcher.watch(&top, FolderScope::Recursive);
    test.hung.panic_once(top.root());
    assert_eq!(watch().mode, WatchMode::Waiting);
    test.assert_reported(&top);
    assert_eq!(watch().mode, WatchMode::Events);
    test.hung.panic_once(top.root());
    // The existing watch checks the folder, and panics.
    assert_eq!(test.request(), top);
    assert_eq!(test.request(), top);
    test.local.wait_until(|_| !watch().is_renewed);
}

#[test]
fn refused_first_check_is_repeated() {
    let pool = Arc::<DiskPool>::default();
    let test = TestWatcher::with_pool(&pool);
    let device = Device::at(test.root.id(), &test.at(""));
    let (answer, answers) = mpsc::channel::<()>();
    let (occupied, occupies) = mpsc::channel();
    let answers = Arc::new(Mutex::new(answers));
    let occupy = || {
        let (answers, occupied) = (Arc::clone(&answers), occupied.clone());
        pool.submit(device, move || {
            let _occupied = occupied.send(());
            // Ends when the sender is dropped.
            answers.lock().recv().is_err()
        })
    };
    // The disk is busy until nothing more can wait for it.
    for _ in 0..8 {
        occupy().unwrap();
        occupies.recv_timeout(LONG).unwrap();
    }
    while occupy().is_ok() {}
    assert_eq!(test.watch("").mode, WatchMode::Waiting);
    drop(answer);
    test.assert_report("");
    assert_eq!(test.watch("").mode, WatchMode::Events);
}

#[test]
fn subfolders_on_a_hung_disk_delay_no_other() {
    let test = TestDisks::new(1);
    let hung = test.source(0, "");
    test.hung.hang(hung.root());
    let local = &test.local;
    let watcher = &local.watcher;
    let watch = |source: &Source| watcher.watch(source, FolderScope::Recursive);
    thread::scope(|scope| {
        let _release = ReleaseGuard(&test.hung);
        let waiting = scope.spawn(|| watch(&hung));
        assert_eq!(test.request(), hung);
        fs::create_dir(local.at("a")).unwrap();
        assert_eq!(watch(&local.source("")).mode, WatchMode::Events);
        fs::write(local.at("a/x.jpg"), "").unwrap();
        local.assert_report("");
        // A caller that waits for the folder does not wait longer than it is wanted.
        watcher.forget(hung.root());
        assert_eq!(waiting.join().unwrap().mode, WatchMode::Waiting);
        assert!(watch(&local.source("")).is_renewed);
    });
}
