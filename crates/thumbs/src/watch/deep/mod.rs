//! Watching all that lies beneath a folder: by a thread for each, so that a disk that never answers holds up no other.

mod doubts;
mod how;
mod listening;
#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::board::LEASE;
use super::burst::Burst;
use super::ears::MakeEars;
use super::hint::Hint;
use super::look::Eyes;
use super::{Changed, Lease, Watching, rest};
use crate::access::Source;
use crate::listing::Reach;
use crate::roots::RootId;
use doubts::Doubts;
use how::How;

/// So many folders are watched with all that lies beneath them. Beyond that, whichever was asked for longest ago no
/// longer is.
const MOST: usize = 8;
/// How many times longer than it took to listen to folders that came, more of them are left alone: where they come all
/// the time, that is not all that is done.
const REST: u32 = 4;

/// Who is told of what happens.
pub(super) type Tell = Arc<dyn Fn(Changed) + Send + Sync>;

/// The folders that are watched with all that lies beneath them. Dropping the value ends the watch.
pub(super) struct DeepWatcher {
    /// The one that was asked for last at the end.
    watches: Mutex<Vec<Arc<DeepWatch>>>,
    look_every: Duration,
    make_ears: MakeEars,
    eyes: Arc<dyn Eyes>,
    tell: Tell,
}

/// One of them.
struct DeepWatch {
    source: Source,
    eyes: Arc<dyn Eyes>,
    began: Instant,
    state: Mutex<State>,
    /// Something was heard, is known for the first time, or the end has come.
    call: Condvar,
}

#[derive(Default)]
struct State {
    until: Duration,
    /// None until it was found for the first time.
    how: Option<Watching>,
    /// Where it was found.
    place: PathBuf,
    burst: Option<Burst>,
    doubts: Doubts,
    /// Until when these are left alone.
    rested: Duration,
    /// Whether they were looked at since something was told last.
    is_caught_up: bool,
    is_over: bool,
}

impl DeepWatcher {
    pub(super) fn new(
        look_every: Duration,
        make_ears: MakeEars,
        eyes: Arc<dyn Eyes>,
        tell: Tell,
    ) -> Self {
        Self {
            watches: Mutex::default(),
            look_every,
            make_ears,
            eyes,
            tell,
        }
    }

    /// Watches a folder and all that lies beneath it for [`LEASE`] from now on. Waits until the disk has answered.
    ///
    /// # Errors
    /// When the system gives no more threads.
    pub(super) fn watch(&self, source: &Source) -> io::Result<Lease> {
        let (watch, is_new) = self.take(source)?;
        let mut state = watch.state();
        // Of one that has not been found yet, or has just been pushed out, something may have been missed.
        let is_renewed = !is_new && state.how.is_some() && !state.is_over;
        let watching = loop {
            match state.how {
                Some(watching) => break watching,
                // Another one has taken its place already.
                None if state.is_over => break Watching::Waiting,
                None => state = watch.wait(state, None),
            }
        };
        Ok(Lease {
            watching,
            is_renewed,
        })
    }

    /// The one that is there, or a new one: the last from now on. And whether it is new.
    fn take(&self, source: &Source) -> io::Result<(Arc<DeepWatch>, bool)> {
        let mut watches = self.watches();
        watches.retain(|watch| {
            let mut state = watch.state();
            if watch.source == *source {
                state.until = watch.began.elapsed() + LEASE;
            }
            !state.is_over
        });
        if let Some(at) = watches.iter().position(|watch| watch.source == *source) {
            let found = watches.remove(at);
            watches.push(Arc::clone(&found));
            return Ok((found, false));
        }
        let watch = Arc::new(DeepWatch::new(source, &self.eyes));
        let (own, tell) = (Arc::clone(&watch), Arc::clone(&self.tell));
        let (look_every, make_ears) = (self.look_every, Arc::clone(&self.make_ears));
        let threads = thread::Builder::new().name("folders-beneath".into());
        threads.spawn(move || own.run(look_every, &make_ears, &tell))?;
        if watches.len() == MOST {
            watches.remove(0).end();
        }
        watches.push(Arc::clone(&watch));
        Ok((watch, true))
    }

    /// Watches nothing beneath a root any more.
    pub(super) fn forget(&self, root: RootId) {
        self.watches().retain(|watch| {
            let stays = watch.source.root() != root;
            if !stays {
                watch.end();
            }
            stays
        });
    }

    fn watches(&self) -> MutexGuard<'_, Vec<Arc<DeepWatch>>> {
        self.watches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for DeepWatcher {
    fn drop(&mut self) {
        for watch in self.watches().drain(..) {
            // The thread is not waited for: its disk may never answer.
            watch.end();
        }
    }
}

/// A watch ends with its thread, also if that panics: whoever waits for it, or asks for it again, must know.
struct Ends<'a>(&'a DeepWatch);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl DeepWatch {
    fn new(source: &Source, eyes: &Arc<dyn Eyes>) -> Self {
        Self {
            source: source.clone(),
            eyes: Arc::clone(eyes),
            began: Instant::now(),
            state: Mutex::new(State {
                until: LEASE,
                ..State::default()
            }),
            call: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) {
        self.state().is_over = true;
        self.call.notify_all();
    }

    /// Until somebody calls, or that moment has come.
    fn wait<'a>(
        &self,
        state: MutexGuard<'a, State>,
        until: Option<Duration>,
    ) -> MutexGuard<'a, State> {
        let until = until.map(|until| until.saturating_sub(self.began.elapsed()));
        rest(&self.call, state, until)
    }

    /// Something has happened to one of these; to whatever is watched, if they are none.
    fn hint(&self, paths: &[PathBuf], is_of_folders: bool) {
        let mut state = self.state();
        let Some(hint) = Hint::of(paths, &state.place, Reach::Beneath) else {
            return;
        };
        let now = self.began.elapsed();
        state.burst = Some(Burst::with_hint(state.burst, now));
        match hint {
            Hint::OfTheWay => state.doubts = Doubts::Everywhere,
            Hint::OfContents if is_of_folders => {
                paths
                    .iter()
                    .cloned()
                    .for_each(|path| state.doubts.add(path));
            }
            Hint::OfContents => {}
        }
        drop(state);
        self.call.notify_all();
    }

    /// Where there may be other folders, unless it is too soon to look for them again.
    fn take_doubts(&self) -> Doubts {
        let mut state = self.state();
        match state.rested <= self.began.elapsed() {
            true => std::mem::take(&mut state.doubts),
            false => Doubts::None,
        }
    }

    /// Doubts were looked at, since `began`: that is told, as what came with new folders was not heard of until then.
    fn caught_up(&self, began: Duration) {
        let mut state = self.state();
        let now = self.began.elapsed();
        state.rested = now + REST * now.saturating_sub(began);
        state.is_caught_up = true;
        state.burst.get_or_insert(Burst::with_hint(None, now));
    }

    /// Looks at the folder, and tells what happens, until nobody asks for it any more.
    fn run(self: &Arc<Self>, look_every: Duration, make_ears: &MakeEars, tell: &Tell) {
        let _ends = Ends(self);
        let hints = Arc::clone(self);
        let ears = make_ears(Box::new(move |paths, is_of_folders| {
            hints.hint(paths, is_of_folders);
        }));
        let mut how = How::Waiting;
        loop {
            let is_first = self.state().how.is_none();
            let is_news = self.look(&mut how, ears.as_deref()) && !is_first;
            let mut state = self.state();
            state.how = Some(how.told());
            if is_news {
                let now = self.began.elapsed();
                state.burst = Some(Burst::with_hint(state.burst, now));
            }
            drop(state);
            self.call.notify_all();
            if !self.tell_until(self.began.elapsed() + look_every, tell) {
                return;
            }
        }
    }

    /// Tells what is to be told until it is time to look again; false at the end.
    fn tell_until(&self, next: Duration, tell: &Tell) -> bool {
        let mut state = self.state();
        loop {
            let now = self.began.elapsed();
            // Whoever asks for it from now on gets another one.
            state.is_over |= now >= state.until;
            if state.is_over {
                return false;
            }
            let due = state.burst.map(|burst| burst.due());
            let may_listen = !state.doubts.is_none() && state.rested <= now;
            if due.is_some_and(|due| due <= now) {
                // What has come with a new folder, until that is listened to, is told with it; but not never, where
                // they come all the time.
                if may_listen && !state.is_caught_up {
                    return true;
                }
                state.burst = None;
                state.is_caught_up = false;
                drop(state);
                tell(Changed {
                    root: self.source.root(),
                    path: self.source.path().clone(),
                });
                state = self.state();
                continue;
            }
            if now >= next || may_listen && due.is_none() {
                return true;
            }
            // What is left alone when something is told is looked at later.
            let is_left = due.is_none() && !state.doubts.is_none();
            let rested = is_left.then_some(state.rested);
            let soonest = due.into_iter().chain(rested).chain([next, state.until]);
            let soonest = soonest.min();
            state = self.wait(state, soonest);
        }
    }
}
