//! Disks that do not answer for a while, or ever.

use std::collections::HashSet;
use std::sync::mpsc::Sender;

use fumikura_fs::{AccessError, Device, platform::Identity};

use super::*;
use crate::probe::{Observation, Signature};
use crate::walk::Opened;

/// The disks that do not answer.
struct Silence {
    roots: Mutex<HashSet<RootId>>,
    /// The roots whose next check panics.
    panics: Mutex<HashSet<RootId>>,
    is_over: Condvar,
    /// Receives the folder of each call that gets no answer.
    asked: Mutex<Sender<Source>>,
}

/// A probe that treats each root as a disk of its own.
struct Patient(Arc<Silence>);

impl Silence {
    fn begin(&self, root: RootId) {
        self.roots.lock().insert(root);
    }

    fn panic_once(&self, root: RootId) {
        self.panics.lock().insert(root);
    }

    fn end(&self) {
        self.roots.lock().clear();
        self.is_over.notify_all();
    }

    fn wait(&self, root: RootId, source: &Source) {
        if self.panics.lock().remove(&root) {
            drop(self.asked.lock().send(source.clone()));
            panic!("this look was to panic");
        }
        let mut silent = self.roots.lock();
        if silent.contains(&root) {
            drop(self.asked.lock().send(source.clone()));
        }
        while silent.contains(&root) {
            self.is_over.wait(&mut silent);
        }
    }
}

/// A guard that ends the silence, so that a failing test does not wait forever.
struct EndsAtLast<'a>(&'a Silence);

impl Drop for EndsAtLast<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl FsProbe for Patient {
    fn find(&self, source: &Source) -> Result<Observation, AccessError> {
        self.0.wait(source.root(), source);
        let there = SystemProbe.find(source)?;
        let bytes = source.root().to_string().into_bytes();
        let device = bytes.iter().fold(0_u64, |number, &byte| {
            number.wrapping_mul(257).wrapping_add(byte.into())
        });
        let [_, node] = there.identity.numbers();
        Ok(Observation {
            identity: Identity::from_numbers(device, node),
            ..there
        })
    }

    fn open(
        &self,
        source: &Source,
        folder: &RelPath,
        above: Option<u64>,
    ) -> Result<Opened, AccessError> {
        self.0.wait(source.root(), source);
        SystemProbe.open(source, folder, above)
    }

    fn mounts(&self, place: &Path) -> Signature {
        SystemProbe.mounts(place)
    }
}

/// A test setup with a disk of its own, and some that are about to fall silent.
struct Far {
    house: House,
    silence: Arc<Silence>,
    asked: Receiver<Source>,
    roots: Vec<Arc<Root>>,
}

impl Far {
    fn new(roots: usize) -> Self {
        let (asked, hears) = mpsc::channel();
        let silence = Arc::new(Silence {
            roots: Mutex::default(),
            panics: Mutex::default(),
            is_over: Condvar::new(),
            asked: Mutex::new(asked),
        });
        let probe = Arc::new(Patient(Arc::clone(&silence)));
        let house = House::with_both(|hear| Some(ears_of_the_system(hear)), probe);
        let root = |number: usize| {
            let place = house.home.path().join(number.to_string());
            fs::create_dir(&place).unwrap();
            Arc::new(Root::own(place.as_os_str().as_encoded_bytes().to_vec()))
        };
        let roots = (0..roots).map(root).collect();
        Self {
            house,
            silence,
            asked: hears,
            roots,
        }
    }

    fn source(&self, root: usize, path: &str) -> Source {
        let path = RelPath::parse(path.as_bytes()).unwrap();
        Source::new(Arc::clone(&self.roots[root]), path)
    }

    fn watch(&self, source: &Source) -> Lease {
        self.house.watcher.watch(source, Reach::Folder)
    }

    /// Waits until a silent disk is accessed.
    #[track_caller]
    fn is_asked(&self) -> Source {
        self.asked.recv_timeout(LONG).expect("it is asked")
    }

    /// Does everything that requires checks of the near disk.
    #[track_caller]
    fn the_near_disk_is_looked_at(&self) {
        let house = &self.house;
        assert_eq!(house.watch("stick").watching, Watching::Waiting);
        fs::create_dir(house.at("stick")).unwrap();
        house.hears_of("stick");
        assert_eq!(house.watch("stick").watching, Watching::Events);
        fs::remove_dir(house.at("stick")).unwrap();
        house.hears_of("stick");
        house.settles(|house| house.watch("stick").watching == Watching::Waiting);
    }
}

#[test]
fn a_disk_that_never_answers_holds_up_no_other() {
    let far = Far::new(1);
    let late = far.source(0, "late");
    assert_eq!(far.watch(&late).watching, Watching::Waiting);
    far.silence.begin(late.root());
    assert_eq!(far.is_asked(), late);
    far.the_near_disk_is_looked_at();

    // A caller that waits for the silent disk does not hold up watches on another disk either.
    let other = far.source(0, "other");
    let watcher = &far.house.watcher;
    thread::scope(|scope| {
        let _end = EndsAtLast(&far.silence);
        let watched = scope.spawn(|| watcher.watch(&other, Reach::Folder));
        assert_eq!(far.is_asked(), other);
        far.the_near_disk_is_looked_at();
        far.house.watcher.forget(far.house.root.id());
        far.the_near_disk_is_looked_at();
        assert!(far.watch(&late).is_renewed);

        let place = far.house.home.path().join("0/late");
        fs::create_dir(place).unwrap();
        far.silence.end();
        assert_eq!(watched.join().unwrap().watching, Watching::Waiting);
    });
    // A late result is reported all the same.
    let changed = far.house.told.recv_timeout(LONG).expect("it is told");
    assert_eq!((changed.root, &changed.path), (late.root(), late.path()));
    assert_eq!(far.watch(&late).watching, Watching::Events);
    far.the_near_disk_is_looked_at();
}

#[test]
fn several_disks_that_never_answer_hold_up_no_other() {
    let far = Far::new(6);
    let folders = ["", "missing", "missing/too"];
    let sources = (0..6).flat_map(|root| folders.map(|path| far.source(root, path)));
    for source in sources {
        far.watch(&source);
    }
    let mut expected = HashSet::new();
    for root in &far.roots {
        far.silence.begin(root.id());
        // One check waits for the disk of the root, and one for the folders whose disks are unknown.
        expected.extend([(root.id(), true), (root.id(), false)]);
    }
    let mut asked = HashSet::new();
    while asked != expected {
        let source = far.is_asked();
        let is_new = asked.insert((source.root(), source.path().is_empty()));
        assert!(is_new, "a disk is asked twice at once");
    }
    far.the_near_disk_is_looked_at();
    assert!(far.asked.try_recv().is_err());
    far.silence.end();
    far.the_near_disk_is_looked_at();
}

#[test]
fn the_end_waits_for_no_disk() {
    let far = Far::new(1);
    let late = far.source(0, "late");
    far.watch(&late);
    far.silence.begin(late.root());
    assert_eq!(far.is_asked(), late);
    drop(far.house);
    far.silence.end();
}

#[test]
fn a_look_that_panics_is_over_and_others_follow() {
    let far = Far::new(1);
    let late = far.source(0, "late");
    far.watch(&late);
    far.silence.panic_once(late.root());
    assert_eq!(far.is_asked(), late);
    fs::create_dir(far.house.home.path().join("0/late")).unwrap();
    let changed = far.house.told.recv_timeout(LONG).expect("it is told");
    assert_eq!(&changed.path, late.path());
}

#[test]
fn panicked_first_check_is_repeated() {
    let far = Far::new(1);
    let top = far.source(0, "");
    let watch = || far.house.watcher.watch(&top, Reach::Beneath);
    let panics = || far.silence.panic_once(top.root());
    panics();
    assert_eq!(watch().watching, Watching::Waiting);
    let changed = far.house.told.recv_timeout(LONG).expect("it is told");
    assert_eq!((changed.root, &changed.path), (top.root(), top.path()));
    assert_eq!(watch().watching, Watching::Events);
    panics();
    // The existing watch checks the folder, and panics.
    assert_eq!(far.is_asked(), top);
    assert_eq!(far.is_asked(), top);
    far.house.settles(|_| !watch().is_renewed);
}

#[test]
fn what_lies_beneath_a_folder_on_a_disk_that_never_answers_holds_up_no_other() {
    let far = Far::new(1);
    let silent = far.source(0, "");
    far.silence.begin(silent.root());
    let house = &far.house;
    let watcher = &house.watcher;
    let watch = |source: &Source| watcher.watch(source, Reach::Beneath);
    thread::scope(|scope| {
        let _end = EndsAtLast(&far.silence);
        let watched = scope.spawn(|| watch(&silent));
        assert_eq!(far.is_asked(), silent);
        fs::create_dir(house.at("a")).unwrap();
        assert_eq!(watch(&house.source("")).watching, Watching::Events);
        fs::write(house.at("a/x.jpg"), "").unwrap();
        house.hears_of("");
        // A caller that waits for the folder does not wait longer than it is wanted.
        house.watcher.forget(silent.root());
        assert_eq!(watched.join().unwrap().watching, Watching::Waiting);
        assert!(watch(&house.source("")).is_renewed);
    });
}

#[test]
fn refused_first_check_is_repeated() {
    let pool = Arc::<DiskPool>::default();
    let house = House::with_pool(&pool);
    let device = Device::at(house.root.id(), &house.at(""));
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
    assert_eq!(house.watch("").watching, Watching::Waiting);
    drop(answer);
    house.hears_of("");
    assert_eq!(house.watch("").watching, Watching::Events);
}
