//! Watching folders while somebody looks at them, so that what they see is true.
//!
//! The disk decides: what is heard of a folder is only a hint to look at it again, much that happens at once is one
//! hint, and a folder of which nothing can be heard is looked at from time to time. A folder that goes is waited for.

mod board;
mod burst;
mod ears;
mod look;
#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::access::{AccessError, Source};
use crate::path::RelPath;
use crate::roots::RootId;
use board::{Board, Errand, Found, Look};
use ears::{Ears, SystemEars};
use look::There;

/// How often folders are looked at: whether they are still there, and the same.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// How a folder is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watching {
    /// The file system tells of every change.
    Events,
    /// It is looked at every few seconds: it lies on another machine, or the system can't tell.
    Polling,
    /// It is not there; when it comes, that is told.
    Waiting,
}

/// A folder that is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// How.
    pub watching: Watching,
    /// Whether it has been since before: then nothing of it was missed.
    pub is_renewed: bool,
}

impl Lease {
    /// How long a folder is watched after it was last asked for.
    pub const TIME: Duration = board::LEASE;
}

/// A folder in which something is another now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The root.
    pub root: RootId,
    /// The folder.
    pub path: RelPath,
}

/// The folders that are watched, and who is told of them. Dropping the value ends the watch.
pub struct Watcher {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    /// None where the system has none.
    ears: Option<Box<dyn Ears>>,
    /// Held while it changes what is listened to, so that this and the board change as one. Never while a disk is
    /// asked.
    listening: Mutex<()>,
    heard: Arc<Heard>,
}

/// Tells the board how a folder was found.
type Settle = fn(&mut Board, &Source, Found, Duration) -> Vec<PathBuf>;

/// What the watcher's threads wait for.
struct Heard {
    /// What all times are counted from: threads wait by the machine's own clock.
    began: Instant,
    state: Mutex<State>,
    /// Something is to be told, or the end has come.
    to_tell: Condvar,
    /// There are folders to look at, or the end has come.
    to_look: Condvar,
}

#[derive(Default)]
struct State {
    board: Board,
    is_over: bool,
}

impl Heard {
    fn new() -> Self {
        Self {
            began: Instant::now(),
            state: Mutex::default(),
            to_tell: Condvar::new(),
            to_look: Condvar::new(),
        }
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hint(&self, paths: &[PathBuf]) {
        self.state().board.hint(paths, self.now());
        self.to_tell.notify_one();
    }
}

impl Watcher {
    /// `tell` hears of every change, in a thread of the watcher's.
    ///
    /// # Errors
    /// When the system gives no more threads.
    pub fn start(tell: impl Fn(Changed) + Send + 'static) -> io::Result<Self> {
        let heard = Arc::new(Heard::new());
        let hints = Arc::clone(&heard);
        let ears = SystemEars::new(move |paths| hints.hint(paths));
        let ears = match ears {
            Ok(ears) => Some(Box::new(ears) as Box<dyn Ears>),
            Err(error) => {
                tracing::warn!("the system does not tell of changes in folders: {error}");
                None
            }
        };
        Self::start_with(heard, ears, LOOK_EVERY, tell)
    }

    fn start_with(
        heard: Arc<Heard>,
        ears: Option<Box<dyn Ears>>,
        look_every: Duration,
        tell: impl Fn(Changed) + Send + 'static,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            ears,
            listening: Mutex::default(),
            heard,
        });
        let mut watcher = Self {
            shared: Arc::clone(&shared),
            threads: Vec::new(),
        };
        let teller = Arc::clone(&shared);
        let tellers = thread::Builder::new().name("folders-tell".into());
        let tellers = tellers.spawn(move || teller.tell_all(&tell))?;
        watcher.threads.push(tellers);
        let lookers = thread::Builder::new().name("folders-look".into());
        let lookers = lookers.spawn(move || shared.look_around(look_every))?;
        watcher.threads.push(lookers);
        Ok(watcher)
    }

    /// Watches a folder for [`Lease::TIME`] from now on. What happens in it after this returns is told; one that
    /// is not there is waited for. Asks the disk, unless the folder is watched already.
    #[must_use]
    pub fn watch(&self, source: &Source) -> Lease {
        let shared = &self.shared;
        let now = shared.heard.now();
        if let Some(watching) = shared.heard.state().board.renew(source, now) {
            return Lease {
                watching,
                is_renewed: true,
            };
        }
        shared.sweep();
        let watching = shared.attend(source, look::find(source), Board::begin);
        shared.heard.to_look.notify_one();
        Lease {
            watching,
            is_renewed: false,
        }
    }

    /// Watches nothing beneath a root any more.
    pub fn forget(&self, root: RootId) {
        let shared = &self.shared;
        let _listening = shared.listening();
        let left = shared.heard.state().board.forget(root);
        shared.leave(left);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let heard = &self.shared.heard;
        heard.state().is_over = true;
        heard.to_tell.notify_all();
        heard.to_look.notify_all();
        let mut threads = self.threads.drain(..);
        // Only the first: the other one may wait for a disk that never answers.
        if let Some(Err(_panic)) = threads.next().map(JoinHandle::join) {
            tracing::error!("the thread that tells of changed folders panicked");
        }
    }
}

impl Shared {
    /// Listens to a folder that is there, or looks into it, and says so to the board.
    fn attend(
        &self,
        source: &Source,
        there: Result<There, AccessError>,
        settle: Settle,
    ) -> Watching {
        let found = match there {
            Err(_) => Found::Nothing,
            Ok(there) if there.is_remote => self.looked_into(source, there),
            Ok(there) => match self.listen(source, there, settle) {
                Ok(()) => return Watching::Events,
                Err(there) => self.looked_into(source, there),
            },
        };
        let watching = found.watching();
        let _listening = self.listening();
        self.settle(source, found, settle);
        watching
    }

    /// Gives the folder back where nobody tells of its changes.
    fn listen(&self, source: &Source, there: There, settle: Settle) -> Result<(), There> {
        let Some(ears) = &self.ears else {
            return Err(there);
        };
        let _listening = self.listening();
        self.heard.state().board.trust(source);
        if let Err(error) = ears.listen(&there.place) {
            let place = there.place.display();
            tracing::warn!("nobody tells of changes in {place}: {error}");
            return Err(there);
        }
        self.settle(source, Found::Told(there), settle);
        Ok(())
    }

    fn settle(&self, source: &Source, found: Found, settle: Settle) {
        let now = self.heard.now();
        let left = settle(&mut self.heard.state().board, source, found, now);
        self.leave(left);
        self.heard.to_tell.notify_one();
    }

    fn listening(&self) -> MutexGuard<'_, ()> {
        self.listening
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches no longer what nobody has asked for in time.
    fn sweep(&self) {
        let _listening = self.listening();
        let now = self.heard.now();
        let left = self.heard.state().board.sweep(now);
        self.leave(left);
    }

    fn looked_into(&self, source: &Source, there: There) -> Found {
        match self.look_into(source) {
            Ok(look) => Found::Untold(there, look),
            Err(_) => Found::Nothing,
        }
    }

    fn look_into(&self, source: &Source) -> Result<Look, AccessError> {
        let began = self.heard.now();
        let signature = look::signature(source)?;
        let took = self.heard.now().saturating_sub(began);
        Ok(Look { signature, took })
    }

    /// Listens no longer to places that nobody watches.
    fn leave(&self, places: Vec<PathBuf>) {
        if let Some(ears) = &self.ears {
            for place in places {
                ears.forget(&place);
            }
        }
    }

    /// Tells what is to be told, when its time has come, until the end.
    fn tell_all(&self, tell: &impl Fn(Changed)) {
        let heard = &self.heard;
        let mut state = heard.state();
        while !state.is_over {
            let now = self.heard.now();
            let due = state.board.take_due(now);
            if !due.is_empty() {
                drop(state);
                for changed in due {
                    tell(changed);
                }
                state = heard.state();
                continue;
            }
            state = match state.board.next_due() {
                Some(at) => {
                    let rest = at.saturating_sub(now);
                    let waited = heard.to_tell.wait_timeout(state, rest);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => {
                    let waited = heard.to_tell.wait(state);
                    waited.unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
    }

    /// Looks at every folder that is watched from time to time, until the end.
    fn look_around(&self, every: Duration) {
        loop {
            let errands = {
                let heard = &self.heard;
                let idle = heard.to_look.wait_while(heard.state(), |state| {
                    !state.is_over && state.board.is_empty()
                });
                let idle = idle.unwrap_or_else(PoisonError::into_inner);
                let rested = heard
                    .to_look
                    .wait_timeout_while(idle, every, |state| !state.is_over);
                let (state, _) = rested.unwrap_or_else(PoisonError::into_inner);
                if state.is_over {
                    return;
                }
                state.board.errands(self.heard.now())
            };
            self.sweep();
            for errand in errands {
                self.run(&errand);
            }
        }
    }

    /// Looks at a folder that is watched.
    fn run(&self, errand: &Errand) {
        let Errand { source, known, .. } = errand;
        let there = look::find(source);
        let is_another = errand.is_unsure || there.as_ref().ok() != known.as_ref();
        if is_another && let Some(before) = known {
            self.hear_no_more_of(before);
        }
        if is_another || errand.is_doubted {
            self.attend(source, there, Board::change);
        } else if errand.contents
            && let Ok(look) = self.look_into(source)
        {
            let now = self.heard.now();
            self.heard.state().board.compare(source, look, now);
            self.heard.to_tell.notify_one();
        }
    }

    /// Another folder may stand in the place of this one, or it itself again: it is listened to anew, also by whoever
    /// looks at it by another way.
    fn hear_no_more_of(&self, before: &There) {
        if let Some(ears) = &self.ears {
            let _listening = self.listening();
            ears.forget(&before.place);
            self.heard.state().board.doubt(before.identity);
        }
    }
}
