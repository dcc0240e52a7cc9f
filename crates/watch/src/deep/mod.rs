//! Watches everything beneath a folder. The watcher's thread takes the due steps of all such watches; the checks run in
//! the disk pool.

mod doubts;
mod how;
mod listening;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use fumikura_fs::{Device, DiskPool, Reach, RootId, Source};
use parking_lot::{Condvar, Mutex, MutexGuard};

use super::change_hint::ChangeHint;
use super::debouncer::Debouncer;
use super::event_source::{EventSource, MakeEventSource};
use super::probe::FsProbe;
use super::registry::LEASE;
use super::watcher::{Changed, Lease, Watching};
use doubts::Doubts;
use how::How;

/// The maximum number of folders that are watched with everything beneath them. Beyond that, the folder requested
/// longest ago is dropped.
const MOST: usize = 8;
/// The rest after new folders were watched, as a multiple of the time that this took: if folders appear all the time,
/// other work is done as well.
const REST: u32 = 4;

/// The folders that are watched with everything beneath them.
pub(super) struct DeepWatcher {
    pool: Arc<DiskPool>,
    /// The folder requested last is at the end.
    watches: Mutex<Vec<Arc<DeepWatch>>>,
    look_every: Duration,
    make_events: MakeEventSource,
    probe: Arc<dyn FsProbe>,
    /// Has the watcher's thread take the due steps.
    wake: Wake,
}

/// A callback for the state of a watch that changed.
pub(super) type Wake = Arc<dyn Fn() + Send + Sync>;

/// A watch of one folder.
struct DeepWatch {
    source: Source,
    probe: Arc<dyn FsProbe>,
    wake: Wake,
    began: Instant,
    state: Mutex<State>,
    /// Signals the first result, or the end.
    call: Condvar,
    /// Held by the check.
    how: Mutex<How>,
    /// Its own event source, if the system has one.
    events: OnceLock<Box<dyn EventSource>>,
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
    /// The time of the next check.
    next: Duration,
    is_checking: bool,
    is_over: bool,
}

/// The next step of a watch.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    /// Reports a change.
    Report,
    /// Checks the folder.
    Check,
    /// Waits for that time, or until the state changes.
    Wait(Option<Duration>),
    /// Ends: the lease has expired, or the check failed.
    End,
}

impl DeepWatcher {
    pub(super) fn new(
        pool: Arc<DiskPool>,
        look_every: Duration,
        make_events: MakeEventSource,
        probe: Arc<dyn FsProbe>,
        wake: Wake,
    ) -> Self {
        Self {
            pool,
            watches: Mutex::default(),
            look_every,
            make_events,
            probe,
            wake,
        }
    }

    /// Watches a folder and everything beneath it for [`LEASE`] from now on. Waits until the disk has answered.
    pub(super) fn watch(&self, source: &Source) -> Lease {
        let (watch, is_new) = self.take(source);
        (self.wake)();
        let mut state = watch.state();
        // Changes may have been missed if the folder has not been found yet, or its watch was just evicted.
        let is_renewed = !is_new && state.how.is_some() && !state.is_over;
        let watching = loop {
            match state.how {
                Some(watching) => break watching,
                // The watch has ended before its first check.
                None if state.is_over => break Watching::Waiting,
                None => watch.call.wait(&mut state),
            }
        };
        Lease {
            watching,
            is_renewed,
        }
    }

    /// Returns the existing watch or a new one, which becomes the latest, and true if it is new.
    fn take(&self, source: &Source) -> (Arc<DeepWatch>, bool) {
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
            return (found, false);
        }
        let watch = Arc::new(DeepWatch::new(source, &self.probe, &self.wake));
        watch.hear(&self.make_events);
        if watches.len() == MOST {
            watches.remove(0).end();
        }
        watches.push(Arc::clone(&watch));
        (watch, true)
    }

    /// Takes the due steps of all watches, and returns the changes to report. If there is none, also returns the time of
    /// the next step.
    pub(super) fn step(&self) -> (Vec<Changed>, Option<Duration>) {
        let (mut due, mut next) = (Vec::new(), None::<Duration>);
        let mut to_check = Vec::new();
        self.watches().retain(|watch| {
            match watch.step() {
                Step::Report => due.push(Changed {
                    root: watch.source.root(),
                    path: watch.source.path().clone(),
                }),
                Step::Check => to_check.push(Arc::clone(watch)),
                Step::Wait(time) => next = next.into_iter().chain(time).min(),
                Step::End => return false,
            }
            true
        });
        for watch in to_check {
            self.submit(watch);
        }
        (due, next)
    }

    fn submit(&self, watch: Arc<DeepWatch>) {
        let device = Device::Root(watch.source.root());
        let check = Check {
            watch,
            is_done: false,
        };
        let look_every = self.look_every;
        if let Err(error) = self.pool.submit(device, move || check.run(look_every)) {
            tracing::warn!(%error, "everything beneath a folder is not watched");
        }
    }

    /// Ends all watches beneath a root.
    pub(super) fn forget(&self, root: RootId) {
        self.watches().retain(|watch| {
            let stays = watch.source.root() != root;
            if !stays {
                watch.end();
            }
            stays
        });
    }

    /// Ends all watches. Their checks are not waited for: a disk may never answer.
    pub(super) fn end(&self) {
        self.watches().drain(..).for_each(|watch| watch.end());
    }

    fn watches(&self) -> MutexGuard<'_, Vec<Arc<DeepWatch>>> {
        self.watches.lock()
    }
}

/// A check of a watch. If it is dropped before it is done, since it panicked or the pool refused it, the watch ends:
/// callers that wait for it, or request it again, must know.
struct Check {
    watch: Arc<DeepWatch>,
    is_done: bool,
}

impl Check {
    fn run(mut self, look_every: Duration) {
        self.watch.check(look_every);
        self.is_done = true;
    }
}

impl Drop for Check {
    fn drop(&mut self) {
        if !self.is_done {
            self.watch.end();
        }
        self.watch.call.notify_all();
        (self.watch.wake)();
    }
}

impl DeepWatch {
    fn new(source: &Source, probe: &Arc<dyn FsProbe>, wake: &Wake) -> Self {
        Self {
            source: source.clone(),
            probe: Arc::clone(probe),
            wake: Arc::clone(wake),
            began: Instant::now(),
            state: Mutex::new(State {
                until: LEASE,
                ..State::default()
            }),
            call: Condvar::new(),
            how: Mutex::new(How::Waiting),
            events: OnceLock::new(),
        }
    }

    /// Creates the event source.
    fn hear(self: &Arc<Self>, make_events: &MakeEventSource) {
        let hints = Arc::downgrade(self);
        let events = make_events(Box::new(move |paths, is_of_folders| {
            if let Some(watch) = hints.upgrade() {
                watch.hint(paths, is_of_folders);
            }
        }));
        if let Some(events) = events {
            self.events.get_or_init(|| events);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    fn end(&self) {
        self.state().is_over = true;
        self.call.notify_all();
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
        (self.wake)();
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

    /// Checks the folder.
    fn check(&self, look_every: Duration) {
        let mut how = self.how.lock();
        let is_first = self.state().how.is_none();
        let is_news = self.look(&mut how, self.events.get().map(AsRef::as_ref)) && !is_first;
        let now = self.began.elapsed();
        let mut state = self.state();
        state.how = Some(how.told());
        if is_news {
            state.debouncer = Some(Debouncer::with_hint(state.debouncer, now));
        }
        state.next = now + look_every;
        state.is_checking = false;
    }

    /// Takes the next step.
    fn step(&self) -> Step {
        let mut state = self.state();
        let now = self.began.elapsed();
        // A request from now on gets a new watch.
        state.is_over |= now >= state.until;
        if state.is_over {
            return Step::End;
        }
        if state.is_checking {
            return Step::Wait(None);
        }
        let due = state.debouncer.map(|debouncer| debouncer.due());
        let may_listen = !state.doubts.is_none() && state.rested <= now;
        if due.is_some_and(|due| due <= now) {
            // Changes in a new folder before it is watched are reported together with it. The report is not put off
            // forever if folders appear all the time.
            if may_listen && !state.is_caught_up {
                state.is_checking = true;
                return Step::Check;
            }
            state.debouncer = None;
            state.is_caught_up = false;
            return Step::Report;
        }
        if now >= state.next || may_listen && due.is_none() {
            state.is_checking = true;
            return Step::Check;
        }
        // Doubts that were left alone at a report are checked later.
        let is_left = due.is_none() && !state.doubts.is_none();
        let rested = is_left.then_some(state.rested);
        let soonest = due
            .into_iter()
            .chain(rested)
            .chain([state.next, state.until]);
        let soonest = soonest.min().map(|time| time.saturating_sub(now));
        Step::Wait(soonest)
    }
}
