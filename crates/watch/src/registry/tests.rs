//! The watched folders, and those of them that are checked.

use std::sync::mpsc::{self, Receiver, Sender};

use fumikura_fs::{AccessError, RelPath, Root};

use super::*;
use crate::probe::{Observation, Signature};
use crate::walk::Opened;

/// A timeout that is exceeded only by waiting forever.
const LONG: Duration = Duration::from_secs(30);

/// A disk that answers when the test lets it: there is no folder on it.
struct SlowDisk {
    asked: Mutex<Sender<Source>>,
    /// An answer for each question.
    answers: Mutex<Receiver<()>>,
}

impl FsProbe for SlowDisk {
    fn find(&self, source: &Source) -> Result<Observation, AccessError> {
        drop(self.asked.lock().send(source.clone()));
        let answers = self.answers.lock();
        // Ends when the test is over, too.
        let _answer = answers.recv();
        Err(AccessError::NotFound)
    }

    fn open(&self, _: &Source, _: &RelPath, _: Option<u64>) -> Result<Opened, AccessError> {
        Err(AccessError::NotFound)
    }

    fn mounts(&self, _: &std::path::Path) -> Signature {
        Signature::NOTHING
    }
}

struct Bench {
    registry: WatchRegistry,
    asked: Receiver<Source>,
    answer: Sender<()>,
    woken: Receiver<()>,
}

fn folder(root: &str, path: &str) -> Source {
    let root = Arc::new(Root::own(root.as_bytes().to_vec()));
    Source::new(root, RelPath::parse(path.as_bytes()).unwrap())
}

impl Bench {
    /// Creates a registry in which a check is due at once.
    fn new() -> Self {
        let (asked, asks) = mpsc::channel();
        let (answer, answers) = mpsc::channel();
        let (wake, woken) = mpsc::channel();
        let wake = Mutex::new(wake);
        let probe = Arc::new(SlowDisk {
            asked: Mutex::new(asked),
            answers: Mutex::new(answers),
        });
        let wake: Wake = Arc::new(move || {
            // The test may be over.
            let _woken = wake.lock().send(());
        });
        Self {
            registry: WatchRegistry::new(Arc::default(), Duration::ZERO, None, probe, wake),
            asked: asks,
            answer,
            woken,
        }
    }

    /// Watches a folder, whose first check is answered.
    fn watch(&self, source: &Source) {
        let (watch, is_new) = self.registry.take(source, Reach::Folder);
        assert!(is_new);
        self.answer.send(()).unwrap();
        watch.check(Duration::ZERO);
        assert_eq!(self.asked.recv_timeout(LONG).as_ref(), Ok(source));
        while self.woken.try_recv().is_ok() {}
    }

    #[track_caller]
    fn asks(&self) -> Source {
        self.asked.recv_timeout(LONG).expect("a disk is asked")
    }
}

#[test]
fn folders_of_a_disk_are_checked_in_turn() {
    let bench = Bench::new();
    let [a, b, other] = [folder("/p", "a"), folder("/p", "b"), folder("/q", "")];
    for source in [&a, &b, &other] {
        bench.watch(source);
    }
    // One check of each root, as the folders' disks are unknown.
    bench.registry.step();
    let mut asked = [bench.asks(), bench.asks()];
    asked.sort_by_key(|source| *source != a);
    assert_eq!(asked, [a.clone(), other]);
    bench.registry.step();
    assert!(bench.asked.try_recv().is_err());
    for _ in 0..2 {
        bench.answer.send(()).unwrap();
        bench.woken.recv_timeout(LONG).unwrap();
    }
    // The folder that was checked longest ago comes first.
    bench.registry.step();
    assert!([bench.asks(), bench.asks()].contains(&b));
}

#[test]
fn late_check_of_a_forgotten_root_frees_the_disk() {
    let bench = Bench::new();
    let a = folder("/p", "a");
    bench.watch(&a);
    bench.registry.step();
    assert_eq!(bench.asks(), a);
    bench.registry.forget(a.root());
    assert_eq!(bench.registry.count(Reach::Folder), 0);
    bench.answer.send(()).unwrap();
    bench.woken.recv_timeout(LONG).unwrap();
    assert!(bench.registry.list().busy.is_empty());
    bench.watch(&a);
    bench.registry.step();
    assert_eq!(bench.asks(), a);
}

#[test]
fn first_of_many_folders_is_forgotten() {
    let bench = Bench::new();
    let name = |number: usize| folder("/p", &number.to_string());
    for number in 0..=most(Reach::Folder) {
        let (_, is_new) = bench.registry.take(&name(number), Reach::Folder);
        assert!(is_new);
    }
    assert_eq!(bench.registry.count(Reach::Folder), most(Reach::Folder));
    assert!(!bench.registry.take(&name(1), Reach::Folder).1);
    assert!(bench.registry.take(&name(0), Reach::Folder).1);
    // Folders that are watched with everything beneath them are counted by themselves.
    assert!(bench.registry.take(&name(1), Reach::Beneath).1);
    assert!(!bench.registry.take(&name(1), Reach::Folder).1);
}
