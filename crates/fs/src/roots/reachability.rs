//! The availability of roots' folders. All are checked at once, so that a disk that never answers delays
//! neither the others nor the caller.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

use super::{Root, RootId};
use crate::{Device, DiskPool};

/// The time within which a disk has to answer. A slower one counts as unavailable until it does.
pub(super) const DISK_TIMEOUT: Duration = Duration::from_secs(1);
/// The time for which a late answer is reused. All clients notified of it query again at once. Without this, a
/// disk that is always slow would answer them late again, and cause notifications endlessly.
const LATE_ANSWER_TTL: Duration = Duration::from_secs(10);

type RootProbe = Box<dyn Fn(&Root) -> bool + Send + Sync>;
type Listener = Box<dyn Fn(RootId) + Send + Sync>;

/// Checks of roots.
pub(super) struct Reachability(Arc<SharedChecks>);

/// The durations that tests change.
#[derive(Clone, Copy)]
struct Durations {
    disk_timeout: Duration,
    late_answer_ttl: Duration,
}

struct SharedChecks {
    pool: Arc<DiskPool>,
    /// The origin of all times.
    epoch: Instant,
    durations: Durations,
    probe: RootProbe,
    checks: Mutex<Checks>,
    has_answered: Condvar,
    listener: OnceLock<Listener>,
}

/// The check that decides each root's availability: an unfinished one, or one that finished too late and still counts.
#[derive(Default)]
struct Checks(HashMap<RootId, Arc<Check>>);

/// A check of a root's folder.
struct Check {
    since: Duration,
    /// True if the folder was reported as unavailable because no answer had come. Changes while the checks are locked.
    was_reported_absent: AtomicBool,
    answer: OnceLock<CheckAnswer>,
}

#[derive(Clone, Copy)]
struct CheckAnswer {
    at: Duration,
    is_available: bool,
}

impl Check {
    fn new(now: Duration) -> Arc<Self> {
        Arc::new(Self {
            since: now,
            was_reported_absent: AtomicBool::new(false),
            answer: OnceLock::new(),
        })
    }

    /// True if no other check is needed. A check that exceeds the pool's limit may never end, and another disk
    /// may meanwhile be mounted at that path.
    fn is_current(&self, now: Duration, late_answer_ttl: Duration) -> bool {
        match self.answer.get() {
            Some(answer) => now.saturating_sub(answer.at) < late_answer_ttl,
            None => now.saturating_sub(self.since) < DiskPool::HANG,
        }
    }
}

impl Checks {
    /// Returns the check that decides the availability of a root. `submit` starts a new one, if it can.
    fn ask(
        &mut self,
        root: RootId,
        now: Duration,
        late_answer_ttl: Duration,
        submit: impl FnOnce(&Arc<Check>) -> bool,
    ) -> Arc<Check> {
        let before = self.0.get(&root);
        if let Some(check) = before.filter(|check| check.is_current(now, late_answer_ttl)) {
            return Arc::clone(check);
        }
        let check = Check::new(now);
        if submit(&check) {
            self.0.insert(root, Arc::clone(&check));
            return check;
        }
        let unfinished = before.filter(|before| before.answer.get().is_none());
        unfinished.map_or_else(
            || {
                let is_available = false;
                check.answer.get_or_init(|| CheckAnswer {
                    at: now,
                    is_available,
                });
                Arc::clone(&check)
            },
            Arc::clone,
        )
    }

    /// Records the end of a check. Returns true if clients were told the opposite.
    fn answer(&mut self, root: RootId, check: &Arc<Check>, answer: CheckAnswer) -> bool {
        check.answer.get_or_init(|| answer);
        let is_late = answer.is_available && check.was_reported_absent.load(Ordering::Relaxed);
        if is_late {
            self.0.insert(root, Arc::clone(check));
        } else if self
            .0
            .get(&root)
            .is_some_and(|last| Arc::ptr_eq(last, check))
        {
            // Another check may have been started meanwhile; that one stays.
            self.0.remove(&root);
        }
        is_late
    }
}

impl Reachability {
    pub(super) fn new(pool: Arc<DiskPool>) -> Self {
        let durations = Durations {
            disk_timeout: DISK_TIMEOUT,
            late_answer_ttl: LATE_ANSWER_TTL,
        };
        Self::with(pool, durations, Box::new(|root| root.open().is_ok()))
    }

    fn with(pool: Arc<DiskPool>, durations: Durations, probe: RootProbe) -> Self {
        Self(Arc::new(SharedChecks {
            pool,
            epoch: Instant::now(),
            durations,
            probe,
            checks: Mutex::default(),
            has_answered: Condvar::new(),
            listener: OnceLock::new(),
        }))
    }

    /// Sets the listener, which is called if a root is available after all. The first listener is kept.
    pub(super) fn listen(&self, listener: impl Fn(RootId) + Send + Sync + 'static) {
        self.0.listener.get_or_init(|| Box::new(listener));
    }

    /// Returns for each root whether it can be opened now.
    pub(super) fn available(&self, roots: &[Arc<Root>]) -> Vec<bool> {
        let shared = &self.0;
        let requested: Vec<_> = {
            let mut checks = shared.checks();
            let (now, late_answer_ttl) = (shared.now(), shared.durations.late_answer_ttl);
            let ask = |root: &Arc<Root>| {
                checks.ask(root.id, now, late_answer_ttl, |check| {
                    shared.submit(root, check)
                })
            };
            roots.iter().map(ask).collect()
        };
        shared.answers(&requested)
    }
}

impl SharedChecks {
    fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    fn checks(&self) -> MutexGuard<'_, Checks> {
        self.checks.lock()
    }

    /// Starts a check. Returns false if it was refused.
    fn submit(self: &Arc<Self>, root: &Arc<Root>, check: &Arc<Check>) -> bool {
        let (shared, own_root, check) = (Arc::clone(self), Arc::clone(root), Arc::clone(check));
        let submitted = self.pool.submit(Device::Availability(root.id), move || {
            let is_available = (shared.probe)(&own_root);
            shared.answer(own_root.id, &check, is_available);
        });
        let refused = submitted.inspect_err(|error| {
            tracing::debug!(%error, "a root can't be checked");
        });
        refused.is_ok()
    }

    fn answer(&self, root: RootId, check: &Arc<Check>, is_available: bool) {
        let at = self.now();
        let is_late = self
            .checks()
            .answer(root, check, CheckAnswer { at, is_available });
        self.has_answered.notify_all();
        if let Some(listener) = self.listener.get().filter(|_| is_late) {
            listener(root);
        }
    }

    /// Waits until all checks have ended, or their time is up.
    fn answers(&self, requested: &[Arc<Check>]) -> Vec<bool> {
        let mut checks = self.checks();
        loop {
            let now = self.now();
            let waits = requested
                .iter()
                .filter(|check| check.answer.get().is_none());
            let left =
                waits.map(|check| (check.since + self.durations.disk_timeout).saturating_sub(now));
            match left.max() {
                None | Some(Duration::ZERO) => break,
                Some(left) => {
                    self.has_answered.wait_for(&mut checks, left);
                }
            }
        }
        // No check can end while the checks are locked.
        let answers = requested.iter().map(|check| {
            let answer = check.answer.get();
            if answer.is_none() {
                check.was_reported_absent.store(true, Ordering::Relaxed);
            }
            answer.is_some_and(|answer| answer.is_available)
        });
        let answers = answers.collect();
        drop(checks);
        answers
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver, Sender};
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    fn root(path: &str) -> Arc<Root> {
        Arc::new(Root::own(path.as_bytes().to_vec()))
    }

    /// Disks that answer when the test makes them.
    struct Disks {
        reachability: Reachability,
        /// The roots of which a check was started.
        started: Receiver<RootId>,
        /// The roots that were reported as available after all.
        reported: Receiver<RootId>,
        answers: HashMap<RootId, Sender<bool>>,
    }

    impl Disks {
        fn new(roots: &[Arc<Root>], disk_timeout: Duration) -> Self {
            let mut answers = HashMap::new();
            let mut waiting = HashMap::new();
            for root in roots {
                let (answer, comes) = mpsc::channel();
                answers.insert(root.id, answer);
                waiting.insert(root.id, Mutex::new(comes));
            }
            let (begin, started) = mpsc::channel();
            let durations = Durations {
                disk_timeout,
                late_answer_ttl: LONG,
            };
            let reachability = Reachability::with(
                Arc::default(),
                durations,
                Box::new(move |root| {
                    begin.send(root.id).unwrap();
                    waiting[&root.id].lock().recv().unwrap_or(false)
                }),
            );
            let (sender, reported) = mpsc::channel();
            reachability.listen(move |root| sender.send(root).unwrap());
            Self {
                reachability,
                started,
                reported,
                answers,
            }
        }

        fn answer(&self, root: &Root, is_available: bool) {
            self.answers[&root.id].send(is_available).unwrap();
        }
    }

    #[test]
    fn roots_are_checked_concurrently() {
        let roots = [root("/a"), root("/b")];
        let disks = Disks::new(&roots, LONG);
        thread::scope(|scope| {
            let available = scope.spawn(|| disks.reachability.available(&roots));
            // Neither disk has answered yet.
            let mut started = [(); 2].map(|()| disks.started.recv().unwrap());
            let mut all = [roots[0].id, roots[1].id];
            started.sort();
            all.sort();
            assert_eq!(started, all);
            disks.answer(&roots[0], true);
            disks.answer(&roots[1], false);
            assert_eq!(available.join().unwrap(), [true, false]);
        });
        // A disk that answered in time is checked again each time, and is not reported.
        disks.answer(&roots[0], false);
        assert_eq!(disks.reachability.available(&roots[..1]), [false]);
        assert!(disks.reported.try_recv().is_err());
    }

    #[test]
    fn late_root_delays_no_caller_and_is_reported() {
        let roots = [root("/dead"), root("/slow")];
        let disks = Disks::new(&roots, Duration::ZERO);
        for _ in 0..3 {
            assert_eq!(disks.reachability.available(&roots), [false, false]);
        }
        disks.answer(&roots[1], true);
        assert_eq!(disks.reported.recv(), Ok(roots[1].id));
        // All later queries get this answer, though the disk would be late again.
        for _ in 0..3 {
            assert_eq!(disks.reachability.available(&roots), [false, true]);
        }
        // The absence was already reported.
        disks.answer(&roots[0], false);
        let mut started = vec![disks.started.recv().unwrap(), disks.started.recv().unwrap()];
        // The disk is checked again once it has answered.
        while started.len() < 3 {
            assert_eq!(disks.reachability.available(&roots), [false, true]);
            started.extend(disks.started.try_recv());
            thread::yield_now();
        }
        let of_slow = started.iter().filter(|&&root| root == roots[1].id);
        assert_eq!(of_slow.count(), 1);
        disks.answer(&roots[0], true);
        assert_eq!(disks.reported.recv(), Ok(roots[0].id));
        assert_eq!(disks.reachability.available(&roots), [true, true]);
        assert!(disks.reported.try_recv().is_err());
    }

    /// Returns the check that counts, and true if it is new.
    fn ask(checks: &mut Checks, id: RootId, now: Duration) -> (Arc<Check>, bool) {
        let mut is_new = false;
        let check = checks.ask(id, now, LATE_ANSWER_TTL, |_| {
            is_new = true;
            true
        });
        (check, is_new)
    }

    #[test]
    fn late_answer_counts_for_a_while() {
        let mut checks = Checks::default();
        let id = root("/a").id;
        let (check, is_new) = ask(&mut checks, id, Duration::ZERO);
        assert!(is_new);
        assert!(
            !ask(&mut checks, id, DiskPool::HANG / 2).1,
            "it has not come back yet"
        );
        check.was_reported_absent.store(true, Ordering::Relaxed);
        let answer = CheckAnswer {
            at: LONG,
            is_available: true,
        };
        assert!(checks.answer(id, &check, answer));
        let (same, is_new) = ask(&mut checks, id, LONG + LATE_ANSWER_TTL / 2);
        assert!(!is_new && same.answer.get().is_some());
        assert!(ask(&mut checks, id, LONG + LATE_ANSWER_TTL).1);
    }

    #[test]
    fn hung_check_is_followed_by_few_others() {
        const HANG: Duration = DiskPool::HANG;
        let mut checks = Checks::default();
        let id = root("/a").id;
        let (first, _) = ask(&mut checks, id, Duration::ZERO);
        assert!(!ask(&mut checks, id, HANG / 2).1);
        let (second, is_new) = ask(&mut checks, id, HANG);
        assert!(is_new, "another disk may be there");
        assert!(!ask(&mut checks, id, HANG + HANG / 2).1);
        let answer = |at, is_available| CheckAnswer { at, is_available };
        // A late answer of the first check does not affect the second.
        assert!(!checks.answer(id, &first, answer(HANG, false)));
        let (same, is_new) = ask(&mut checks, id, HANG);
        assert!(!is_new && Arc::ptr_eq(&same, &second));
        // The pool refuses another one.
        let same = checks.ask(id, LONG, LATE_ANSWER_TTL, |_| false);
        assert!(Arc::ptr_eq(&same, &second), "there are enough");
        second.was_reported_absent.store(true, Ordering::Relaxed);
        assert!(checks.answer(id, &second, answer(LONG, true)));
        let (reported, is_new) = ask(&mut checks, id, LONG);
        assert!(!is_new && reported.answer.get().is_some());
        let refused = checks.ask(id, LONG + LATE_ANSWER_TTL, LATE_ANSWER_TTL, |_| false);
        assert!(
            refused
                .answer
                .get()
                .is_some_and(|answer| !answer.is_available)
        );
        assert!(ask(&mut checks, id, LONG + LATE_ANSWER_TTL).1);
    }
}
