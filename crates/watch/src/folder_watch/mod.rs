//! A watch of one folder, or of everything beneath it: what is due, and what was found.

mod check;
mod doubts;
mod listener;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fumikura_fs::platform::path_of;
use fumikura_fs::{Device, Reach, Source};
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::change_hint::ChangeHint;
use crate::debouncer::Debouncer;
use crate::probe::FsProbe;
use crate::system_watches::SystemWatches;
use crate::watcher::{Changed, Watching};
use check::Method;
use doubts::Doubts;

/// The time that a folder is watched after a request.
pub(super) const LEASE: Duration = Duration::from_secs(120);
/// The rest after new folders were watched, as a multiple of the time that this took: if folders appear all the time,
/// other work is done as well.
const REST: u32 = 4;

/// A watch of a folder.
pub(super) struct FolderWatch {
    source: Source,
    reach: Reach,
    probe: Arc<dyn FsProbe>,
    /// None if the system has no event source.
    events: Option<Arc<SystemWatches>>,
    began: Instant,
    state: Mutex<State>,
    /// Signals the end of the first check, or of the watch.
    call: Condvar,
    /// Held by the check.
    method: Mutex<Method>,
}

#[derive(Default)]
struct State {
    until: Duration,
    /// None until the first check.
    watching: Option<Watching>,
    /// The disk that a check waits for, as far as is known. That of a folder that vanished is remembered: a check may
    /// wait for it once more.
    device: Option<Device>,
    /// The path at which the folder was found, if events are reported.
    place: Option<PathBuf>,
    debouncer: Option<Debouncer>,
    doubts: Doubts,
    /// The time until which the doubts are left alone.
    rested: Duration,
    /// True if the doubts were checked since the last report.
    is_caught_up: bool,
    /// The time of the next check.
    next: Duration,
    is_checking: bool,
    /// True if changes may have been missed since the last request, as a check failed.
    has_gap: bool,
    is_over: bool,
}

/// The next step of a watch.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Reports a change.
    Report,
    /// Checks the folder.
    Check,
    /// Waits for that time, or until the state changes.
    Wait(Duration),
    /// Ends: the lease has expired.
    End,
}

impl FolderWatch {
    pub(super) fn new(
        source: &Source,
        reach: Reach,
        probe: Arc<dyn FsProbe>,
        events: Option<Arc<SystemWatches>>,
    ) -> Self {
        Self {
            source: source.clone(),
            reach,
            probe,
            events,
            began: Instant::now(),
            state: Mutex::new(State {
                until: LEASE,
                ..State::default()
            }),
            call: Condvar::new(),
            method: Mutex::new(Method::Waiting),
        }
    }

    pub(super) fn is_of(&self, source: &Source, reach: Reach) -> bool {
        self.reach == reach && self.source == *source
    }

    pub(super) fn reach(&self) -> Reach {
        self.reach
    }

    pub(super) fn changed(&self) -> Changed {
        Changed {
            root: self.source.root(),
            path: self.source.path().clone(),
        }
    }

    /// Returns the disk that a check waits for; `None` before the first check.
    pub(super) fn device(&self) -> Option<Device> {
        self.state().device
    }

    /// Returns the time of the next check.
    pub(super) fn next_check(&self) -> Instant {
        self.began + self.state().next
    }

    /// Extends the lease. Returns false if the watch is over.
    pub(super) fn extend(&self) -> bool {
        let mut state = self.state();
        state.until = self.now() + LEASE;
        !state.is_over
    }

    /// Waits for the first check. Returns the way in which the folder is watched, or `None` if the watch has ended, and
    /// true if no change was missed since the last call.
    pub(super) fn renew(&self) -> (Option<Watching>, bool) {
        let mut state = self.state();
        let is_gapless = state.watching.is_some() && !state.has_gap && !state.is_over;
        while state.watching.is_none() && !state.is_over {
            self.call.wait(&mut state);
        }
        state.has_gap = false;
        (state.watching, is_gapless)
    }

    /// Checks the folder.
    pub(super) fn check(&self, check_every: Duration) {
        let mut method = self.method.lock();
        let is_first = self.state().watching.is_none();
        let is_news = self.update(&mut method) && !is_first;
        let now = self.now();
        let mut state = self.state();
        state.watching = Some(method.watching());
        let root = Device::Root(self.source.root());
        state.device = method.device().or(state.device).or(Some(root));
        if is_news {
            state.touch(now);
        }
        if state.watching != Some(Watching::Events) {
            state.place = None;
        }
        state.next = now + check_every;
        state.is_checking = false;
        drop(state);
        drop(method);
        self.call.notify_all();
        // The watch may have ended meanwhile.
        if self.state().is_over {
            self.release();
        }
    }

    /// Records that a check panicked, or was refused: it is repeated later. A caller that waits for the first one is
    /// told that the folder was not found, and its appearance is reported. One that renews the watch must know as well.
    pub(super) fn fail(&self, check_every: Duration) {
        let mut state = self.state();
        state.watching.get_or_insert(Watching::Waiting);
        state.has_gap = true;
        state.doubts = Doubts::Everywhere;
        state.next = self.now() + check_every;
        // Neither are the doubts checked before that.
        state.rested = state.next;
        state.is_checking = false;
        drop(state);
        self.call.notify_all();
    }

    /// Returns the disk of the folder by the table of mounts, for a folder that was not checked yet.
    pub(super) fn device_by_mount(&self) -> Device {
        let place = self.source.absolute();
        Device::at(self.source.root(), path_of(&place))
    }

    /// Ends the watch. A running check is not waited for: its disk may never answer.
    pub(super) fn end(&self) {
        self.state().is_over = true;
        self.call.notify_all();
        self.release();
    }

    /// Ends the system watches, unless a check is running, which does so at its end. Not called by an event, since the
    /// event source may wait for the end of that.
    fn release(&self) {
        let method = self.method.try_lock();
        let method = method.map(|mut method| std::mem::replace(&mut *method, Method::Waiting));
        drop(method);
    }

    /// Records a change of these paths, or of anything if there are none. Returns true if it concerns the folder.
    pub(super) fn hint(&self, paths: &[PathBuf], is_of_folders: bool) -> bool {
        let mut state = self.state();
        let place = state.place.as_ref();
        let Some(hint) = place.and_then(|place| ChangeHint::of(paths, place, self.reach)) else {
            return false;
        };
        let now = self.now();
        state.touch(now);
        match hint {
            ChangeHint::OfTheWay => state.doubts = Doubts::Everywhere,
            ChangeHint::OfContents if is_of_folders && self.reach == Reach::Beneath => {
                paths
                    .iter()
                    .cloned()
                    .for_each(|path| state.doubts.add(path));
            }
            ChangeHint::OfContents => {}
        }
        true
    }

    /// Takes the next step. No check begins while another folder of the same disk is checked.
    pub(super) fn step(&self, is_disk_busy: bool) -> Step {
        let mut state = self.state();
        let now = self.now();
        // A request from now on gets a new watch.
        state.is_over |= now >= state.until;
        if state.is_over {
            return Step::End;
        }
        let left = state.until.saturating_sub(now);
        if state.is_checking {
            return Step::Wait(left);
        }
        let due = state.debouncer.map(|debouncer| debouncer.due());
        let is_due = due.is_some_and(|due| due <= now);
        let may_listen = !state.doubts.is_none() && state.rested <= now;
        // Changes in a new folder before it is watched are reported together with it. The report is not put off forever
        // if folders appear all the time.
        let is_first_checked = may_listen && !state.is_caught_up && !is_disk_busy;
        if is_due && !is_first_checked {
            state.debouncer = None;
            state.is_caught_up = false;
            return Step::Report;
        }
        if is_due || now >= state.next || may_listen && due.is_none() {
            if is_disk_busy {
                let due = due.map(|due| due.saturating_sub(now));
                return Step::Wait(due.map_or(left, |due| due.min(left)));
            }
            state.is_checking = true;
            return Step::Check;
        }
        // Doubts that were left alone at a report are checked later.
        let is_left = due.is_none() && !state.doubts.is_none();
        let rested = is_left.then_some(state.rested);
        let times = due.into_iter().chain(rested);
        let soonest = times.chain([state.next]).min();
        let soonest = soonest.map(|time| time.saturating_sub(now));
        Step::Wait(soonest.map_or(left, |time| time.min(left)))
    }

    /// Takes the places that may have other folders, unless it is too soon to check them again.
    fn take_doubts(&self) -> Doubts {
        let mut state = self.state();
        match state.rested <= self.now() {
            true => std::mem::take(&mut state.doubts),
            false => Doubts::None,
        }
    }

    /// Records that doubts were checked, since `began`, and schedules a report: changes in new folders caused no events
    /// until then.
    fn caught_up(&self, began: Duration) {
        let mut state = self.state();
        let now = self.now();
        state.rested = now + REST * now.saturating_sub(began);
        state.is_caught_up = true;
        state
            .debouncer
            .get_or_insert(Debouncer::with_hint(None, now));
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

impl State {
    fn touch(&mut self, now: Duration) {
        self.debouncer = Some(Debouncer::with_hint(self.debouncer, now));
    }
}
