//! Which roots' folders can be opened at the moment: asked of all at once, so that a disk that never answers holds up
//! no other one, nor whoever asks.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Root, RootId};
use crate::access::Beneath;

/// How long a disk may take to answer. One that takes longer counts as not there until it does.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long it counts that a disk was there which answered too late: all that are told of it ask again at once, and a
/// disk that is always slow would be late for them again, and be told of again, without an end.
const BELIEVED: Duration = Duration::from_secs(10);

type Opens = Box<dyn Fn(&Root) -> bool + Send + Sync>;
type Listener = Box<dyn Fn(RootId) + Send + Sync>;

/// Looks at roots, by a thread for each.
pub(super) struct Looks(Arc<Shared>);

/// How long things last.
#[derive(Clone, Copy)]
struct Times {
    patience: Duration,
    believed: Duration,
}

struct Shared {
    /// What all times are counted from.
    began: Instant,
    times: Times,
    opens: Opens,
    board: Mutex<Board>,
    has_answered: Condvar,
    listener: OnceLock<Listener>,
}

/// The looks that have not come back, and those that came back too late and still count.
#[derive(Default)]
struct Board(HashMap<RootId, Arc<Look>>);

/// One look at a root's folder.
struct Look {
    since: Duration,
    /// Whether somebody was told that the folder is not there, as no answer had come.
    is_given_up: OnceLock<()>,
    answer: OnceLock<Answer>,
}

#[derive(Clone, Copy)]
struct Answer {
    at: Duration,
    is_there: bool,
}

impl Board {
    /// The look that tells of a root, and whether it is a new one, which is to be begun.
    fn ask(&mut self, root: RootId, now: Duration, believed: Duration) -> (Arc<Look>, bool) {
        let counts = |look: &&Arc<Look>| match look.answer.get() {
            Some(answer) => now.saturating_sub(answer.at) < believed,
            None => true,
        };
        if let Some(look) = self.0.get(&root).filter(counts) {
            return (Arc::clone(look), false);
        }
        let look = Arc::new(Look {
            since: now,
            is_given_up: OnceLock::new(),
            answer: OnceLock::new(),
        });
        self.0.insert(root, Arc::clone(&look));
        (look, true)
    }

    /// A look has come back; whether somebody was told otherwise.
    fn answer(&mut self, root: RootId, look: &Look, answer: Answer) -> bool {
        look.answer.get_or_init(|| answer);
        let is_news = answer.is_there && look.is_given_up.get().is_some();
        if !is_news {
            self.0.remove(&root);
        }
        is_news
    }
}

impl Looks {
    pub(super) fn new() -> Self {
        let times = Times {
            patience: PATIENCE,
            believed: BELIEVED,
        };
        Self::with(times, Box::new(|root| Beneath::open(&root.path).is_ok()))
    }

    fn with(times: Times, opens: Opens) -> Self {
        Self(Arc::new(Shared {
            began: Instant::now(),
            times,
            opens,
            board: Mutex::default(),
            has_answered: Condvar::new(),
            listener: OnceLock::new(),
        }))
    }

    /// Has `listener` called when a root is there after all. The first one stays.
    pub(super) fn listen(&self, listener: impl Fn(RootId) + Send + Sync + 'static) {
        self.0.listener.get_or_init(|| Box::new(listener));
    }

    /// Whether each can be opened now.
    pub(super) fn available(&self, roots: &[Arc<Root>]) -> Vec<bool> {
        let shared = &self.0;
        let now = shared.now();
        let asked: Vec<_> = {
            let mut board = shared.board();
            let believed = shared.times.believed;
            let ask = |root: &Arc<Root>| board.ask(root.id, now, believed);
            roots.iter().map(ask).collect()
        };
        for (root, (look, is_new)) in roots.iter().zip(&asked) {
            if *is_new {
                shared.begin(root, look);
            }
        }
        let looks: Vec<_> = asked.into_iter().map(|(look, _)| look).collect();
        shared.answers(&looks)
    }
}

impl Shared {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(self: &Arc<Self>, root: &Arc<Root>, look: &Arc<Look>) {
        let begun = thread::Builder::new().name("look".to_owned()).spawn({
            let (shared, root, look) = (Arc::clone(self), Arc::clone(root), Arc::clone(look));
            move || shared.answer(root.id, &look, (shared.opens)(&root))
        });
        // The thread is not waited for: it may look at a disk that never answers.
        if let Err(error) = begun {
            tracing::warn!(%error, "a root can't be looked at");
            self.answer(root.id, look, false);
        }
    }

    fn answer(&self, root: RootId, look: &Look, is_there: bool) {
        let at = self.now();
        let is_news = self.board().answer(root, look, Answer { at, is_there });
        self.has_answered.notify_all();
        if let Some(listener) = self.listener.get().filter(|_| is_news) {
            listener(root);
        }
    }

    /// Waits until all have come back, or have had their time.
    fn answers(&self, looks: &[Arc<Look>]) -> Vec<bool> {
        let mut board = self.board();
        loop {
            let now = self.now();
            let waits = looks.iter().filter(|look| look.answer.get().is_none());
            let left = waits.map(|look| (look.since + self.times.patience).saturating_sub(now));
            match left.max() {
                None | Some(Duration::ZERO) => break,
                Some(left) => {
                    let woken = self.has_answered.wait_timeout(board, left);
                    board = woken.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
        // As long as the board is held, none comes back.
        let answers = looks.iter().map(|look| {
            let answer = look.answer.get();
            if answer.is_none() {
                look.is_given_up.get_or_init(|| ());
            }
            answer.is_some_and(|answer| answer.is_there)
        });
        let answers = answers.collect();
        drop(board);
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

    /// Disks that answer when they are told to.
    struct Disks {
        looks: Looks,
        /// Which of them were begun to be looked at.
        begun: Receiver<RootId>,
        /// Which were told to be there after all.
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
            let looks = Looks::with(
                times,
                Box::new(move |root| {
                    begin.send(root.id).unwrap();
                    waiting[&root.id].lock().unwrap().recv().unwrap_or(false)
                }),
            );
            let (tell, told) = mpsc::channel();
            looks.listen(move |root| tell.send(root).unwrap());
            Self {
                looks,
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
            let available = scope.spawn(|| disks.looks.available(&roots));
            // Neither has answered yet.
            let mut begun = [(); 2].map(|()| disks.begun.recv().unwrap());
            let mut all = [roots[0].id, roots[1].id];
            begun.sort();
            all.sort();
            assert_eq!(begun, all);
            disks.answer(&roots[0], true);
            disks.answer(&roots[1], false);
            assert_eq!(available.join().unwrap(), [true, false]);
        });
        // What answered in time is looked at again each time, and is no news.
        disks.answer(&roots[0], false);
        assert_eq!(disks.looks.available(&roots[..1]), [false]);
        assert!(disks.told.try_recv().is_err());
    }

    #[test]
    fn one_that_does_not_answer_holds_up_nobody_and_is_told_when_it_does() {
        let roots = [root("/dead"), root("/slow")];
        let disks = Disks::new(&roots, Duration::ZERO);
        for _ in 0..3 {
            assert_eq!(disks.looks.available(&roots), [false, false]);
        }
        disks.answer(&roots[1], true);
        assert_eq!(disks.told.recv(), Ok(roots[1].id));
        // All that ask then are told so, though it would be late again.
        for _ in 0..3 {
            assert_eq!(disks.looks.available(&roots), [false, true]);
        }
        // That it is not there was told already.
        disks.answer(&roots[0], false);
        let mut begun = vec![disks.begun.recv().unwrap(), disks.begun.recv().unwrap()];
        // It is looked at again once it has answered.
        while begun.len() < 3 {
            assert_eq!(disks.looks.available(&roots), [false, true]);
            begun.extend(disks.begun.try_recv());
            thread::yield_now();
        }
        let of_slow = begun.iter().filter(|&&root| root == roots[1].id);
        assert_eq!(of_slow.count(), 1);
        disks.answer(&roots[0], true);
        assert_eq!(disks.told.recv(), Ok(roots[0].id));
        assert_eq!(disks.looks.available(&roots), [true, true]);
        assert!(disks.told.try_recv().is_err());
    }

    #[test]
    fn a_late_answer_counts_for_a_while() {
        let mut board = Board::default();
        let id = root("/a").id;
        let (look, is_new) = board.ask(id, Duration::ZERO, BELIEVED);
        assert!(is_new);
        assert!(!board.ask(id, LONG, BELIEVED).1, "it has not come back yet");
        look.is_given_up.get_or_init(|| ());
        let answer = Answer {
            at: LONG,
            is_there: true,
        };
        assert!(board.answer(id, &look, answer));
        let (same, is_new) = board.ask(id, LONG + BELIEVED / 2, BELIEVED);
        assert!(!is_new && same.answer.get().is_some());
        assert!(board.ask(id, LONG + BELIEVED, BELIEVED).1);
    }
}
