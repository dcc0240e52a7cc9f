//! Watching folders while somebody looks at them, so that what they see is true.
//!
//! The disk decides: what is heard of a folder is only a hint to look at it again, much that happens at once is one
//! hint, and a folder of which nothing can be heard is looked at from time to time. A folder that goes is waited for. A
//! disk that never answers holds up only those who asked it: no lock is held while one is asked.

mod around;
mod board;
mod burst;
mod deep;
mod ears;
mod hint;
mod look;
#[cfg(test)]
mod tests;
mod walk;

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::access::{AccessError, Source};
use crate::listing::Reach;
use crate::path::RelPath;
use crate::roots::RootId;
use board::{Board, Found, Look};
use deep::{DeepWatcher, Tell};
use ears::{Ears, Hear, MakeEars, SystemEars};
use look::{Eyes, SystemEyes, There};

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
    teller: Option<JoinHandle<()>>,
    deep: DeepWatcher,
}

struct Shared {
    /// None where the system has none.
    ears: Option<Box<dyn Ears>>,
    eyes: Arc<dyn Eyes>,
    /// Held while it changes what is listened to, so that this and the board change as one. Never while a disk is
    /// asked: a folder is listened to only when it has just been found, by a way on which nothing is far, so that the
    /// system has all that it takes in memory.
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
    /// There are other folders to look at, or the end has come.
    to_look: Condvar,
}

struct State {
    board: Board,
    /// How many of the threads that look at folders have nothing to look at just now.
    idle: usize,
    is_over: bool,
}

/// Until somebody calls, or that much time has gone.
fn rest<'a, T>(
    call: &Condvar,
    state: MutexGuard<'a, T>,
    time: Option<Duration>,
) -> MutexGuard<'a, T> {
    match time {
        Some(time) => {
            let waited = call.wait_timeout(state, time);
            waited.unwrap_or_else(PoisonError::into_inner).0
        }
        None => call.wait(state).unwrap_or_else(PoisonError::into_inner),
    }
}

impl Heard {
    fn new(look_every: Duration) -> Self {
        Self {
            began: Instant::now(),
            state: Mutex::new(State {
                board: Board::new(look_every),
                idle: 0,
                is_over: false,
            }),
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

    /// Until somebody calls, or that moment has come.
    fn wait<'a>(
        &self,
        call: &Condvar,
        state: MutexGuard<'a, State>,
        until: Option<Duration>,
    ) -> MutexGuard<'a, State> {
        rest(
            call,
            state,
            until.map(|until| until.saturating_sub(self.now())),
        )
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
    pub fn start(tell: impl Fn(Changed) + Send + Sync + 'static) -> io::Result<Self> {
        let ears: MakeEars = Arc::new(SystemEars::make);
        Self::start_with(LOOK_EVERY, ears, Arc::new(SystemEyes), tell)
    }

    fn start_with(
        look_every: Duration,
        make_ears: MakeEars,
        eyes: Arc<dyn Eyes>,
        tell: impl Fn(Changed) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let tell: Tell = Arc::new(tell);
        let heard = Arc::new(Heard::new(look_every));
        let hints = Arc::clone(&heard);
        let hear: Hear = Box::new(move |paths, _| hints.hint(paths));
        let shared = Arc::new(Shared {
            ears: make_ears(hear),
            eyes: Arc::clone(&eyes),
            listening: Mutex::default(),
            heard,
        });
        let mut watcher = Self {
            shared: Arc::clone(&shared),
            teller: None,
            deep: DeepWatcher::new(look_every, make_ears, eyes, Arc::clone(&tell)),
        };
        let tellers = thread::Builder::new().name("folders-tell".into());
        let teller = Arc::clone(&shared);
        watcher.teller = Some(tellers.spawn(move || teller.tell_all(&tell))?);
        shared.heard.state().idle = 1;
        shared.start_to_look()?;
        Ok(watcher)
    }

    /// Watches a folder for [`Lease::TIME`] from now on. What happens in it after this returns is told; one that
    /// is not there is waited for. Asks the disk, and waits for its answer, unless the folder is watched already. What
    /// happens in the folders beneath it is told as if it were of the folder, where they are to be watched, too.
    #[must_use]
    pub fn watch(&self, source: &Source, reach: Reach) -> Lease {
        match reach {
            Reach::Folder => self.watch_folder(source),
            Reach::Beneath => self.deep.watch(source).unwrap_or_else(|error| {
                tracing::warn!("the folders beneath one are not watched: {error}");
                self.watch_folder(source)
            }),
        }
    }

    fn watch_folder(&self, source: &Source) -> Lease {
        let shared = &self.shared;
        let now = shared.heard.now();
        if let Some(watching) = shared.heard.state().board.renew(source, now) {
            return Lease {
                watching,
                is_renewed: true,
            };
        }
        shared.sweep();
        let watching = shared.attend(source, shared.eyes.find(source), Board::begin);
        // Whoever waits for the next look may now have to look sooner.
        shared.heard.to_look.notify_all();
        Lease {
            watching,
            is_renewed: false,
        }
    }

    /// How many folders are watched by themselves, those of which all beneath is watched not counted.
    #[must_use]
    pub fn count(&self) -> usize {
        self.shared.heard.state().board.count()
    }

    /// Watches nothing beneath a root any more.
    pub fn forget(&self, root: RootId) {
        self.deep.forget(root);
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
        // The others may wait for a disk that never answers.
        if let Some(Err(_panic)) = self.teller.take().map(JoinHandle::join) {
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
        let signature = self.eyes.signature(source)?;
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
    fn tell_all(&self, tell: &Tell) {
        let heard = &self.heard;
        let mut state = heard.state();
        while !state.is_over {
            let due = state.board.take_due(heard.now());
            if !due.is_empty() {
                drop(state);
                for changed in due {
                    tell(changed);
                }
                state = heard.state();
                continue;
            }
            let next = state.board.next_due();
            state = heard.wait(&heard.to_tell, state, next);
        }
    }
}
