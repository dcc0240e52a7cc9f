//! The availability of roots' folders. All are checked at once, so that a disk that never answers delays
//! neither the others nor the caller.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

use super::{Root, RootId};

/// The time within which a disk has to answer. A slower one counts as unavailable until it does.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);
/// The time for which a late answer counts. All clients notified of it query again at once; a disk that is
/// always slow would be late for them again, and be reported again, endlessly.
const BELIEVED: Duration = Duration::from_secs(10);
/// The time after which a call may never return, though another disk may meanwhile be mounted in that place.
const HANGS: Duration = Duration::from_secs(60);
/// The largest number of unfinished calls on one root. Each takes a thread.
const MOST_OUT: usize = 3;

type Opens = Box<dyn Fn(&Root) -> bool + Send + Sync>;
type Listener = Box<dyn Fn(RootId) + Send + Sync>;

/// Calls on roots, each in its own thread.
pub(super) struct Reachability(Arc<Shared>);

/// The durations that tests change.
#[derive(Clone, Copy)]
struct Times {
    patience: Duration,
    believed: Duration,
}

struct Shared {
    /// The origin of all times.
    began: Instant,
    times: Times,
    opens: Opens,
    calls: Mutex<Calls>,
    has_answered: Condvar,
    listener: OnceLock<Listener>,
}

/// The unfinished calls, and those that finished too late and still count.
#[derive(Default)]
struct Calls(HashMap<RootId, OfRoot>);

/// The calls of one root.
#[derive(Default)]
struct OfRoot {
    /// The call that decides the root's availability.
    last: Option<Arc<Call>>,
    /// The number of unfinished calls.
    out: usize,
}

/// A check of a root's folder.
struct Call {
    since: Duration,
    /// True if the folder was reported as unavailable because no answer had come. Changes while the calls are locked.
    is_given_up: AtomicBool,
    answer: OnceLock<Answer>,
}

#[derive(Clone, Copy)]
struct Answer {
    at: Duration,
    is_there: bool,
}

impl Calls {
    /// Returns the call that decides the availability of a root, and true if it is new and has to be started.
    fn ask(&mut self, root: RootId, now: Duration, believed: Duration) -> (Arc<Call>, bool) {
        let of_root = self.0.entry(root).or_default();
        let is_full = of_root.out >= MOST_OUT;
        let counts = |call: &&Arc<Call>| match call.answer.get() {
            Some(answer) => now.saturating_sub(answer.at) < believed,
            None => is_full || now.saturating_sub(call.since) < HANGS,
        };
        if let Some(call) = of_root.last.as_ref().filter(counts) {
            return (Arc::clone(call), false);
        }
        let call = Arc::new(Call {
            since: now,
            is_given_up: AtomicBool::new(false),
            answer: OnceLock::new(),
        });
        of_root.last = Some(Arc::clone(&call));
        of_root.out += 1;
        (call, true)
    }

    /// Records the end of a call. Returns true if the opposite was reported before.
    fn answer(&mut self, root: RootId, call: &Arc<Call>, answer: Answer) -> bool {
        call.answer.get_or_init(|| answer);
        let is_news = answer.is_there && call.is_given_up.load(Ordering::Relaxed);
        let of_root = self.0.entry(root).or_default();
        of_root.out = of_root.out.saturating_sub(1);
        if is_news {
            of_root.last = Some(Arc::clone(call));
        } else {
            // Another call may have been started meanwhile.
            of_root.last.take_if(|last| Arc::ptr_eq(last, call));
        }
        if of_root.last.is_none() && of_root.out == 0 {
            self.0.remove(&root);
        }
        is_news
    }
}

impl Reachability {
    pub(super) fn new() -> Self {
        let times = Times {
            patience: PATIENCE,
            believed: BELIEVED,
        };
        Self::with(times, Box::new(|root| root.open().is_ok()))
    }

    fn with(times: Times, opens: Opens) -> Self {
        Self(Arc::new(Shared {
            began: Instant::now(),
            times,
            opens,
            calls: Mutex::default(),
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
        let now = shared.now();
        let asked: Vec<_> = {
            let mut calls = shared.calls();
            let believed = shared.times.believed;
            let ask = |root: &Arc<Root>| calls.ask(root.id, now, believed);
            roots.iter().map(ask).collect()
        };
        for (root, (call, is_new)) in roots.iter().zip(&asked) {
            if *is_new {
                shared.begin(root, call);
            }
        }
        let calls: Vec<_> = asked.into_iter().map(|(call, _)| call).collect();
        shared.answers(&calls)
    }
}

impl Shared {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock()
    }

    fn begin(self: &Arc<Self>, root: &Arc<Root>, call: &Arc<Call>) {
        let begun = thread::Builder::new().name("look".to_owned()).spawn({
            let (shared, root, call) = (Arc::clone(self), Arc::clone(root), Arc::clone(call));
            move || shared.answer(root.id, &call, (shared.opens)(&root))
        });
        // The thread is not joined: its disk may never answer.
        if let Err(error) = begun {
            tracing::warn!(%error, "a root can't be looked at");
            self.answer(root.id, call, false);
        }
    }

    fn answer(&self, root: RootId, call: &Arc<Call>, is_there: bool) {
        let at = self.now();
        let is_news = self.calls().answer(root, call, Answer { at, is_there });
        self.has_answered.notify_all();
        if let Some(listener) = self.listener.get().filter(|_| is_news) {
            listener(root);
        }
    }

    /// Waits until all calls have returned, or their time is up.
    fn answers(&self, asked: &[Arc<Call>]) -> Vec<bool> {
        let mut calls = self.calls();
        loop {
            let now = self.now();
            let waits = asked.iter().filter(|call| call.answer.get().is_none());
            let left = waits.map(|call| (call.since + self.times.patience).saturating_sub(now));
            match left.max() {
                None | Some(Duration::ZERO) => break,
                Some(left) => {
                    self.has_answered.wait_for(&mut calls, left);
                }
            }
        }
        // No call can return while the calls are locked.
        let answers = asked.iter().map(|call| {
            let answer = call.answer.get();
            if answer.is_none() {
                call.is_given_up.store(true, Ordering::Relaxed);
            }
            answer.is_some_and(|answer| answer.is_there)
        });
        let answers = answers.collect();
        drop(calls);
        answers
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver, Sender};

    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    fn root(path: &str) -> Arc<Root> {
        Arc::new(Root::own(path.as_bytes().to_vec()))
    }

    /// Disks that answer when the test tells them to.
    struct Disks {
        reachability: Reachability,
        /// The roots of which a check was started.
        begun: Receiver<RootId>,
        /// The roots that were reported as available after all.
        told: Receiver<RootId>,
        answers: HashMap<RootId, Sender<bool>>,
    }

    impl Disks {
        fn new(roots: &[Arc<Root>], patience: Duration) -> Self {
            let mut answers = HashMap::new();
            let mut waiting = HashMap::new();
            for root in roots {
                let (answer, comes) = mpsc::channel();
                answers.insert(root.id, answer);
                waiting.insert(root.id, Mutex::new(comes));
            }
            let (begin, begun) = mpsc::channel();
            let times = Times {
                patience,
                believed: LONG,
            };
            let reachability = Reachability::with(
                times,
                Box::new(move |root| {
                    begin.send(root.id).unwrap();
                    waiting[&root.id].lock().recv().unwrap_or(false)
                }),
            );
            let (tell, told) = mpsc::channel();
            reachability.listen(move |root| tell.send(root).unwrap());
            Self {
                reachability,
                begun,
                told,
                answers,
            }
        }

        fn answer(&self, root: &Root, is_there: bool) {
            self.answers[&root.id].send(is_there).unwrap();
        }
    }

    #[test]
    fn all_are_looked_at_at_once() {
        let roots = [root("/a"), root("/b")];
        let disks = Disks::new(&roots, LONG);
        thread::scope(|scope| {
            let available = scope.spawn(|| disks.reachability.available(&roots));
            // Neither disk has answered yet.
            let mut begun = [(); 2].map(|()| disks.begun.recv().unwrap());
            let mut all = [roots[0].id, roots[1].id];
            begun.sort();
            all.sort();
            assert_eq!(begun, all);
            disks.answer(&roots[0], true);
            disks.answer(&roots[1], false);
            assert_eq!(available.join().unwrap(), [true, false]);
        });
        // A disk that answered in time is checked again each time, and is not reported.
        disks.answer(&roots[0], false);
        assert_eq!(disks.reachability.available(&roots[..1]), [false]);
        assert!(disks.told.try_recv().is_err());
    }

    #[test]
    fn one_that_does_not_answer_holds_up_nobody_and_is_told_when_it_does() {
        let roots = [root("/dead"), root("/slow")];
        let disks = Disks::new(&roots, Duration::ZERO);
        for _ in 0..3 {
            assert_eq!(disks.reachability.available(&roots), [false, false]);
        }
        disks.answer(&roots[1], true);
        assert_eq!(disks.told.recv(), Ok(roots[1].id));
        // All later queries get this answer, though the disk would be late again.
        for _ in 0..3 {
            assert_eq!(disks.reachability.available(&roots), [false, true]);
        }
        // The absence was already reported.
        disks.answer(&roots[0], false);
        let mut begun = vec![disks.begun.recv().unwrap(), disks.begun.recv().unwrap()];
        // The disk is checked again once it has answered.
        while begun.len() < 3 {
            assert_eq!(disks.reachability.available(&roots), [false, true]);
            begun.extend(disks.begun.try_recv());
            thread::yield_now();
        }
        let of_slow = begun.iter().filter(|&&root| root == roots[1].id);
        assert_eq!(of_slow.count(), 1);
        disks.answer(&roots[0], true);
        assert_eq!(disks.told.recv(), Ok(roots[0].id));
        assert_eq!(disks.reachability.available(&roots), [true, true]);
        assert!(disks.told.try_recv().is_err());
    }

    #[test]
    fn a_late_answer_counts_for_a_while() {
        let mut calls = Calls::default();
        let id = root("/a").id;
        let (call, is_new) = calls.ask(id, Duration::ZERO, BELIEVED);
        assert!(is_new);
        assert!(
            !calls.ask(id, HANGS / 2, BELIEVED).1,
            "it has not come back yet"
        );
        call.is_given_up.store(true, Ordering::Relaxed);
        let answer = Answer {
            at: LONG,
            is_there: true,
        };
        assert!(calls.answer(id, &call, answer));
        let (same, is_new) = calls.ask(id, LONG + BELIEVED / 2, BELIEVED);
        assert!(!is_new && same.answer.get().is_some());
        assert!(calls.ask(id, LONG + BELIEVED, BELIEVED).1);
    }

    #[test]
    fn a_call_that_may_never_come_back_is_followed_by_a_few_others() {
        let mut calls = Calls::default();
        let id = root("/a").id;
        let ask = |calls: &mut Calls, now| calls.ask(id, now, BELIEVED);
        let (first, _) = ask(&mut calls, Duration::ZERO);
        assert!(!ask(&mut calls, HANGS / 2).1);
        let (second, is_new) = ask(&mut calls, HANGS);
        assert!(is_new, "another disk may be there");
        assert!(!ask(&mut calls, HANGS + HANGS / 2).1);
        let answer = |at, is_there| Answer { at, is_there };
        // A late answer of the first call does not affect the second.
        assert!(!calls.answer(id, &first, answer(HANGS, false)));
        let (same, is_new) = ask(&mut calls, HANGS);
        assert!(!is_new && Arc::ptr_eq(&same, &second));
        for number in 2..=MOST_OUT {
            assert!(ask(&mut calls, HANGS * u32::try_from(number).unwrap()).1);
        }
        assert!(!ask(&mut calls, LONG).1, "there are enough");
        second.is_given_up.store(true, Ordering::Relaxed);
        assert!(calls.answer(id, &second, answer(LONG, true)));
        let (told, is_new) = ask(&mut calls, LONG);
        assert!(!is_new && told.answer.get().is_some());
        assert!(ask(&mut calls, LONG + BELIEVED).1);
    }
}
