//! The list of watches, and the checks of each disk.

use std::sync::mpsc::{self, Receiver, Sender};

use cap_std::fs::Dir;
use fumikura_fs::{AccessError, RelPath, Root, Source};

use super::*;
use crate::probe::Observation;

/// A timeout that is exceeded only by waiting forever.
const LONG: Duration = Duration::from_secs(30);

/// A disk that answers when the test lets it: there is no folder on it.
struct SlowDisk {
    requests: Mutex<Sender<Source>>,
    /// An answer for each request.
    answers: Mutex<Receiver<()>>,
}

impl FsProbe for SlowDisk {
    fn find(&self, source: &Source, _: FolderScope) -> Result<Observation, AccessError> {
        drop(self.requests.lock().send(source.clone()));
        let answers = self.answers.lock();
        // Ends when the test is over, too.
        let _answer = answers.recv();
        Err(AccessError::NotFound)
    }

    fn open(&self, _: &Source, _: &RelPath) -> Result<Dir, AccessError> {
        Err(AccessError::NotFound)
    }

    fn is_remote(&self, _: &RelPath, _: &Dir) -> bool {
        false
    }
}

/// A registry whose steps are taken by hand, and in which checks are always due.
struct TestRegistry {
    registry: Arc<WatchRegistry>,
    requests: Receiver<Source>,
    answer: Sender<()>,
}

fn target(root: &str, path: &str) -> Target {
    let root = Arc::new(Root::own(root.as_bytes().to_vec()));
    Target {
        source: Source::new(root, RelPath::parse(path.as_bytes()).unwrap()),
        scope: FolderScope::Direct,
    }
}

impl TestRegistry {
    fn new() -> Self {
        let (request, requests) = mpsc::channel();
        let (answer, answers) = mpsc::channel();
        let probe = Arc::new(SlowDisk {
            requests: Mutex::new(request),
            answers: Mutex::new(answers),
        });
        let no_events = Box::new(|_| Err(notify::Error::generic("no events")));
        let registry = WatchRegistry::new(Arc::default(), Duration::ZERO, no_events, probe);
        Self {
            registry,
            requests,
            answer,
        }
    }

    /// Watches a folder, whose first check is answered.
    fn watch(&self, target: &Target) {
        let registry = &self.registry;
        let now = registry.now();
        let (id, _, evicted) = registry.list().request(target, now);
        assert!(evicted.is_none());
        let step = registry.list().find(id).unwrap().step(now, false);
        let Step::Check { is_stale } = step else {
            panic!("no check is due");
        };
        self.answer.send(()).unwrap();
        let check = Check {
            registry: Arc::clone(registry),
            watch: id,
            target: target.clone(),
            device: None,
            is_stale,
            before: None,
            result: None,
        };
        check.run();
        self.assert_request(target);
    }

    fn next_step(&self, later: Duration) -> NextStep {
        let registry = &self.registry;
        registry.list().next_step(registry, registry.now() + later)
    }

    /// Submits all checks that are due.
    fn submit_checks(&self) {
        while let NextStep::Check(check) = self.next_step(Duration::ZERO) {
            self.registry.submit(check);
        }
    }

    #[track_caller]
    fn request(&self) -> Source {
        self.requests.recv_timeout(LONG).expect("a disk is asked")
    }

    #[track_caller]
    fn assert_request(&self, target: &Target) {
        assert_eq!(self.request(), target.source);
    }

    /// Waits until no disk is being checked.
    fn wait_for_checks(&self) {
        let mut list = self.registry.list();
        while !list.busy.is_empty() {
            self.registry.has_changed.wait(&mut list);
        }
    }
}

#[test]
fn folders_of_a_disk_are_checked_in_turn() {
    let test = TestRegistry::new();
    let [a, b, other] = [target("/p", "a"), target("/p", "b"), target("/q", "")];
    for target in [&a, &b, &other] {
        test.watch(target);
    }
    // One check of each root, as the folders' disks are unknown.
    test.submit_checks();
    let mut requests = [test.request(), test.request()];
    requests.sort_by_key(|source| *source != a.source);
    assert_eq!(requests, [a.source, other.source]);
    test.submit_checks();
    assert!(test.requests.try_recv().is_err());
    for _ in 0..2 {
        test.answer.send(()).unwrap();
    }
    test.wait_for_checks();
    // The folder that was checked longest ago comes first.
    test.submit_checks();
    assert!([test.request(), test.request()].contains(&b.source));
}

#[test]
fn late_check_of_forgotten_root_frees_disk() {
    let test = TestRegistry::new();
    let a = target("/p", "a");
    test.watch(&a);
    test.submit_checks();
    test.assert_request(&a);
    test.registry.forget(a.root());
    assert_eq!(test.registry.count(FolderScope::Direct), 0);
    test.answer.send(()).unwrap();
    test.wait_for_checks();
    test.watch(&a);
    test.submit_checks();
    test.assert_request(&a);
}

#[test]
fn expired_watch_ends() {
    let test = TestRegistry::new();
    test.watch(&target("/p", "a"));
    assert!(matches!(test.next_step(Duration::ZERO), NextStep::Check(_)));
    assert!(matches!(test.next_step(Lease::TIME), NextStep::End(_)));
    assert_eq!(test.registry.count(FolderScope::Direct), 0);
}

#[test]
fn expiry_releases_the_caller_of_a_first_check() {
    let test = TestRegistry::new();
    let registry = Arc::clone(&test.registry);
    let caller = std::thread::spawn(move || registry.watch(&target("/p", "a")).mode);
    let registry = &test.registry;
    while registry.count(FolderScope::Direct) == 0 {
        std::thread::yield_now();
    }
    let NextStep::End(watch) = test.next_step(Lease::TIME) else {
        panic!("the watch goes on");
    };
    registry.expire(watch);
    assert_eq!(caller.join().unwrap(), WatchMode::Waiting);
}

#[test]
fn oldest_of_many_watches_is_dropped() {
    let mut list = WatchList::default();
    let mut request = |number: usize, scope| {
        let target = Target {
            scope,
            ..target("/p", &number.to_string())
        };
        let (id, _, evicted) = list.request(&target, Duration::ZERO);
        (id, evicted.is_some())
    };
    let most = most(FolderScope::Direct);
    let ids: Vec<_> = (0..most)
        .map(|it| request(it, FolderScope::Direct))
        .collect();
    assert!(ids.iter().all(|(_, evicts)| !evicts));
    assert!(request(most, FolderScope::Direct).1);
    assert_eq!(request(1, FolderScope::Direct), ids[1]);
    assert_ne!(request(0, FolderScope::Direct).0, ids[0].0);
    // Folders that are watched with everything beneath them are counted by themselves.
    assert!(!request(1, FolderScope::Recursive).1);
    assert_eq!(request(1, FolderScope::Direct), ids[1]);
}
