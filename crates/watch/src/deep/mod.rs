//! Watches everything beneath a folder, with a thread for each, so that a disk that never answers holds up no other.

mod doubts;
mod how;
mod listening;
#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use fumikura_fs::{Reach, RootId, Source};
use parking_lot::{Condvar, Mutex, MutexGuard};

use super::change_hint::ChangeHint;
use super::debouncer::Debouncer;
use super::event_source::MakeEventSource;
use super::probe::FsProbe;
use super::registry::LEASE;
use super::watcher::{Changed, Lease, Watching, rest};
use doubts::Doubts;
use how::How;

/// The maximum number of folders that are watched with everything beneath them. Beyond that, the folder requested
/// longest ago is dropped.
const MOST: usize = 8;
/// The rest after new folders were watched, as a multiple of the time that this took: if folders appear all the time,
/// other work is done as well.
const REST: u32 = 4;

/// The listener for changes.
pub(super) type Notify = Arc<dyn Fn(Changed) + Send + Sync>;

/// The folders that are watched with everything beneath them. Dropping the value ends the watch.
pub(super) struct DeepWatcher {
    /// The folder requested last is at the end.
    watches: Mutex<Vec<Arc<DeepWatch>>>,
    look_every: Duration,
    make_events: MakeEventSource,
    probe: Arc<dyn FsProbe>,
    tell: Notify,
}

/// A watch of one folder.
struct DeepWatch {
    source: Source,
    probe: Arc<dyn FsProbe>,
    began: Instant,
    state: Mutex<State>,
    /// Signals an event, the first result, or the end.
    call: Condvar,
}

#[derive(Default)]
struct State {
    until: Duration,
    /// None until the first check.
    how: Option<Watching>,
    /// The path at which the folder was found.
    place: PathBuf,
    debouncer: Option<Debouncer>,
    doubts: Doubts,
    /// The time until which the doubts are left alone.
    rested: Duration,
    /// True if the doubts were checked since the last report.
    is_caught_up: bool,
    is_over: bool,
}

impl DeepWatcher {
    pub(super) fn new(
        look_every: Duration,
        make_events: MakeEventSource,
        probe: Arc<dyn FsProbe>,
        tell: Notify,
    ) -> Self {
        Self {
            watches: Mutex::default(),
            look_every,
            make_events,
            probe,
            tell,
        }
    }

    /// Watches a folder and everything beneath it for [`LEASE`] from now on. Waits until the disk has answered.
    ///
    /// # Errors
    /// If the system cannot create more threads.
    pub(super) fn watch(&self, source: &Source) -> io::Result<Lease> {
        let (watch, is_new) = self.take(source)?;
        let mut state = watch.state();
        // Changes may have been missed if the folder has not been found yet, or its watch was just evicted.
        let is_renewed = !is_new && state.how.is_some() && !state.is_over;
        let watching = loop {
            match state.how {
                Some(watching) => break watching,
                // The watch has ended before its first check.
                None if state.is_over => break Watching::Waiting,
                None => watch.wait(&mut state, None),
            }
        };
        Ok(Lease {
            watching,
            is_renewed,
        })
    }

    /// Returns the existing watch or a new one, which becomes the latest, and true if it is new.
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
        let watch = Arc::new(DeepWatch::new(source, &self.probe));
        let (own, tell) = (Arc::clone(&watch), Arc::clone(&self.tell));
        let (look_every, make_events) = (self.look_every, Arc::clone(&self.make_events));
        let threads = thread::Builder::new().name("folders-beneath".into());
        threads.spawn(move || own.run(look_every, &make_events, &tell))?;
        if watches.len() == MOST {
            watches.remove(0).end();
        }
        watches.push(Arc::clone(&watch));
        Ok((watch, true))
    }

    /// EndGuard all watches beneath a root.
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
        self.watches.lock()
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

/// A guard that ends a watch with its thread, also if that panics: callers that wait for it, or request it again, must
/// know.
struct EndGuard<'a>(&'a DeepWatch);

impl Drop for EndGuard<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl DeepWatch {
    fn new(source: &Source, probe: &Arc<dyn FsProbe>) -> Self {
        Self {
            source: source.clone(),
            probe: Arc::clone(probe),
            began: Instant::now(),
            state: Mutex::new(State {
                until: LEASE,
                ..State::default()
            }),
            call: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    fn end(&self) {
        self.state().is_over = true;
        self.call.notify_all();
    }

    /// Waits for a signal, or until that moment.
    fn wait(&self, state: &mut MutexGuard<'_, State>, until: Option<Duration>) {
        let time = until.map(|until| until.saturating_sub(self.began.elapsed()));
        rest(&self.call, state, time);
    }

    /// Records a change of these paths, or of anything if there are none.
    fn hint(&self, paths: &[PathBuf], is_of_folders: bool) {
        let mut state = self.state();
        let Some(hint) = ChangeHint::of(paths, &state.place, Reach::Beneath) else {
            return;
        };
        let now = self.began.elapsed();
        state.debouncer = Some(Debouncer::with_hint(state.debouncer, now));
        match hint {
            ChangeHint::OfTheWay => state.doubts = Doubts::Everywhere,
            ChangeHint::OfContents if is_of_folders => {
                paths
                    .iter()
                    .cloned()
                    .for_each(|path| state.doubts.add(path));
            }
            ChangeHint::OfContents => {}
        }
        drop(state);
        self.call.notify_all();
    }

    /// Takes the places that may have other folders, unless it is too soon to check them again.
    fn take_doubts(&self) -> Doubts {
        let mut state = self.state();
        match state.rested <= self.began.elapsed() {
            true => std::mem::take(&mut state.doubts),
            false => Doubts::None,
        }
    }

    /// Records that doubts were checked, since `began`, and schedules a report: changes in new folders caused no events
    /// until then.
    fn caught_up(&self, began: Duration) {
        let mut state = self.state();
        let now = self.began.elapsed();
        state.rested = now + REST * now.saturating_sub(began);
        state.is_caught_up = true;
        state
            .debouncer
            .get_or_insert(Debouncer::with_hint(None, now));
    }

    /// Checks the folder, and reports changes, until its lease has expired.
    fn run(self: &Arc<Self>, look_every: Duration, make_events: &MakeEventSource, tell: &Notify) {
        let _ends = EndGuard(self);
        let hints = Arc::clone(self);
        let events = make_events(Box::new(move |paths, is_of_folders| {
            hints.hint(paths, is_of_folders);
        }));
        let mut how = How::Waiting;
        loop {
            let is_first = self.state().how.is_none();
            let is_news = self.look(&mut how, events.as_deref()) && !is_first;
            let mut state = self.state();
            state.how = Some(how.told());
            if is_news {
                let now = self.began.elapsed();
                state.debouncer = Some(Debouncer::with_hint(state.debouncer, now));
            }
            drop(state);
            self.call.notify_all();
            if !self.tell_until(self.began.elapsed() + look_every, tell) {
                return;
            }
        }
    }

    /// Reports changes until the next check is due; returns false at the end.
    fn tell_until(&self, next: Duration, tell: &Notify) -> bool {
        let mut state = self.state();
        loop {
            let now = self.began.elapsed();
            // A request from now on gets a new watch.
            state.is_over |= now >= state.until;
            if state.is_over {
                return false;
            }
            let due = state.debouncer.map(|debouncer| debouncer.due());
            let may_listen = !state.doubts.is_none() && state.rested <= now;
            if due.is_some_and(|due| due <= now) {
                // Changes in a new folder before it is watched are reported together with it. The report is not put off
                // forever if folders appear all the time.
                if may_listen && !state.is_caught_up {
                    return true;
                }
                state.debouncer = None;
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
            // Doubts that were left alone at a report are checked later.
            let is_left = due.is_none() && !state.doubts.is_none();
            let rested = is_left.then_some(state.rested);
            let soonest = due.into_iter().chain(rested).chain([next, state.until]);
            let soonest = soonest.min();
            self.wait(&mut state, soonest);
        }
    }
}
