//! The registry of watched folders: it decides which are watched, for how long, and which changes are reported. Other
//! modules carry this out.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;

use fumikura_fs::{Device, Reach, RelPath, RootId, Source, platform::Identity};

use super::change_hint::ChangeHint;
use super::debouncer::Debouncer;
use super::probe::{Observation, Signature};
use super::watcher::{Changed, Watching};

/// The time that a folder is watched after a request.
pub(super) const LEASE: Duration = Duration::from_secs(120);
/// The maximum number of watched folders. Beyond that, the folder requested longest ago is dropped.
const MOST: usize = 128;
/// The minimum interval between polls of a folder without events, and the rest after a poll as a multiple of its
/// duration.
const POLL: Duration = Duration::from_secs(3);
const POLL_REST: u32 = 20;

/// A watched folder.
#[derive(Debug)]
struct WatchEntry {
    source: Source,
    until: Duration,
    how: How,
    /// The disk that a check of it waits for.
    device: Device,
    /// The time of the last check.
    looked: Duration,
    debouncer: Option<Debouncer>,
    /// True if the system watch may have been lost, with the folder or a part of the path to it.
    is_unsure: bool,
    /// True if the system watch may have been removed, with another place of the same folder.
    is_doubted: bool,
}

/// The source of a folder's changes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum How {
    /// The folder did not exist at the last check.
    Waiting,
    /// Events of the file system.
    Events(Observation),
    /// Polls.
    Polling {
        there: Observation,
        /// The signature at the last poll.
        signature: Signature,
        next: Duration,
    },
}

/// The result of finding a folder.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The folder does not exist.
    Nothing,
    /// The folder exists, and the file system reports its changes.
    Told(Observation),
    /// The folder exists, and its changes are not reported.
    Untold(Observation, Look),
}

/// A poll of a folder's contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) signature: Signature,
    pub(super) took: Duration,
}

/// A job: the folder to check.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CheckJob {
    pub(super) source: Source,
    /// The disk that the check waits for, as far as is known before it.
    pub(super) device: Device,
    /// The folder as it was found last; `None` if it did not exist.
    pub(super) known: Option<Observation>,
    /// True if the contents are to be polled, too.
    pub(super) contents: bool,
    /// True if the system watch is to be removed and added anew, even if the folder is the same.
    pub(super) is_unsure: bool,
    /// True if the system watch is to be added anew.
    pub(super) is_doubted: bool,
}

/// The registry of watched folders.
#[derive(Debug)]
pub(super) struct WatchRegistry {
    folders: HashMap<(RootId, RelPath), WatchEntry>,
    /// The interval between checks of a folder.
    look_every: Duration,
    /// The disks that are being checked, by one check each.
    busy: HashSet<Device>,
}

impl WatchRegistry {
    /// Returns the number of watched folders.
    pub(super) fn count(&self) -> usize {
        self.folders.len()
    }

    pub(super) fn new(look_every: Duration) -> Self {
        Self {
            folders: HashMap::new(),
            look_every,
            busy: HashSet::new(),
        }
    }

    /// Renews the lease on a watched folder. Returns `None` for one that is not watched, and must be found first.
    pub(super) fn renew(&mut self, source: &Source, now: Duration) -> Option<Watching> {
        let watched = self.folders.get_mut(&key(source))?;
        watched.until = now + LEASE;
        Some(watched.how.told())
    }

    /// Watches a folder from now on, as it was found. Returns the places whose system watches are no longer needed.
    pub(super) fn begin(&mut self, source: &Source, found: Found, now: Duration) -> Vec<PathBuf> {
        if self.renew(source, now).is_some() {
            // Another caller has requested it meanwhile.
            return self.change(source, found, now);
        }
        let before = self.places();
        self.make_room();
        let how = How::new(found, now);
        let watched = WatchEntry {
            source: source.clone(),
            until: now + LEASE,
            device: how.device().unwrap_or(Device::Root(source.root())),
            how,
            looked: now,
            debouncer: None,
            is_unsure: false,
            is_doubted: false,
        };
        self.folders.insert(key(source), watched);
        self.left_of(before)
    }

    /// Updates a folder that was found to be another, or gone, or back, unless it is no longer watched. Returns places
    /// as [`begin`](Self::begin) does.
    pub(super) fn change(&mut self, source: &Source, found: Found, now: Duration) -> Vec<PathBuf> {
        let mut before = self.places();
        let how = How::new(found, now);
        // The folder has a system watch by now.
        before.extend(how.listened().cloned());
        if let Some(watched) = self.folders.get_mut(&key(source)) {
            let is_absent_still = watched.how == How::Waiting && how == How::Waiting;
            if how.listened().is_none() {
                (watched.is_unsure, watched.is_doubted) = (false, false);
            }
            // The disk of a folder that vanished is remembered: a check may wait for it once more.
            watched.device = how.device().unwrap_or(watched.device);
            watched.how = how;
            if !is_absent_still {
                watched.touch(now);
            }
        }
        self.left_of(before)
    }

    /// Removes the folders whose leases have expired. Returns places as [`begin`](Self::begin) does.
    pub(super) fn sweep(&mut self, now: Duration) -> Vec<PathBuf> {
        self.keep(|watched| now < watched.until)
    }

    /// Removes the folders of a root. Returns places as [`begin`](Self::begin) does.
    pub(super) fn forget(&mut self, root: RootId) -> Vec<PathBuf> {
        self.keep(|watched| watched.source.root() != root)
    }

    /// Records a change of these paths, or of anything if there are none.
    pub(super) fn hint(&mut self, paths: &[PathBuf], now: Duration) {
        let mut concerned = Vec::new();
        for watched in self.folders.values_mut() {
            let Some(there) = watched.how.listened() else {
                continue;
            };
            let Some(hint) = ChangeHint::of(paths, &there.place, Reach::Folder) else {
                continue;
            };
            concerned.push(there.identity);
            watched.is_unsure |= hint == ChangeHint::OfTheWay;
        }
        // A folder may have several places, of which only one is reported.
        for watched in self.folders.values_mut() {
            let there = watched.how.listened();
            if there.is_some_and(|there| concerned.contains(&there.identity)) {
                watched.touch(now);
            }
        }
    }

    /// Records that the system watch of a folder was removed: if the folder has another place, that is watched anew.
    pub(super) fn doubt(&mut self, identity: Identity) {
        for watched in self.folders.values_mut() {
            let there = watched.how.listened();
            watched.is_doubted |= there.is_some_and(|there| there.identity == identity);
        }
    }

    /// Records that a folder is about to be watched: changes from now on are reported.
    pub(super) fn trust(&mut self, source: &Source) {
        if let Some(watched) = self.folders.get_mut(&key(source)) {
            (watched.is_unsure, watched.is_doubted) = (false, false);
        }
    }

    /// Takes the folders whose changes are to be reported now.
    pub(super) fn take_due(&mut self, now: Duration) -> Vec<Changed> {
        let mut due = Vec::new();
        for ((root, path), watched) in &mut self.folders {
            if watched
                .debouncer
                .is_some_and(|debouncer| debouncer.due() <= now)
            {
                watched.debouncer = None;
                due.push(Changed {
                    root: *root,
                    path: path.clone(),
                });
            }
        }
        due
    }

    /// Returns the time of the next report.
    pub(super) fn next_due(&self) -> Option<Duration> {
        let bursts = self
            .folders
            .values()
            .filter_map(|watched| watched.debouncer);
        bursts.map(|debouncer| debouncer.due()).min()
    }

    /// Takes the folder to check now. Until [`looked`](Self::looked) is called for it, no other folder on the same disk
    /// is checked.
    pub(super) fn take(&mut self, now: Duration) -> Option<CheckJob> {
        // A thread that is awake also checks folders that are due soon, and need not be woken again for them.
        let is_due = |watched: &&WatchEntry| watched.looked + self.look_every / 2 <= now;
        let due = self.lookable().filter(is_due);
        let errand = due.min_by_key(|watched| watched.looked)?.errand(now);
        self.busy.insert(errand.device);
        Some(errand)
    }

    /// Returns the time of the next check, if no check returns until then.
    pub(super) fn next_look(&self) -> Option<Duration> {
        let looked = self.lookable().map(|watched| watched.looked);
        looked.min().map(|looked| looked + self.look_every)
    }

    /// Records the return of a check, whatever its result.
    pub(super) fn looked(&mut self, errand: &CheckJob, now: Duration) {
        self.busy.remove(&errand.device);
        if let Some(watched) = self.folders.get_mut(&key(&errand.source)) {
            watched.looked = now;
        }
    }

    fn lookable(&self) -> impl Iterator<Item = &WatchEntry> {
        let folders = self.folders.values();
        folders.filter(|watched| !self.busy.contains(&watched.device))
    }

    /// Records the result of a poll.
    pub(super) fn compare(&mut self, source: &Source, look: Look, now: Duration) {
        let Some(watched) = self.folders.get_mut(&key(source)) else {
            return;
        };
        if let How::Polling {
            signature, next, ..
        } = &mut watched.how
        {
            *next = look.next(now);
            if *signature != look.signature {
                *signature = look.signature;
                watched.touch(now);
            }
        }
    }

    fn keep(&mut self, stays: impl Fn(&WatchEntry) -> bool) -> Vec<PathBuf> {
        let before = self.places();
        self.folders.retain(|_, watched| stays(watched));
        self.left_of(before)
    }

    fn make_room(&mut self) {
        while self.folders.len() >= MOST {
            let oldest = self.folders.iter().min_by_key(|(_, watched)| watched.until);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else {
                return;
            };
            self.folders.remove(&key);
        }
    }

    /// Returns the folders that have system watches.
    fn places(&self) -> Vec<Observation> {
        let places = self.folders.values().filter_map(|it| it.how.listened());
        places.cloned().collect()
    }

    fn left_of(&mut self, mut before: Vec<Observation>) -> Vec<PathBuf> {
        let now = self.places();
        before.retain(|there| !now.iter().any(|other| other.place == there.place));
        for there in &before {
            self.doubt(there.identity);
        }
        let mut left: Vec<_> = before.into_iter().map(|there| there.place).collect();
        left.sort_unstable();
        left.dedup();
        left
    }
}

impl WatchEntry {
    /// Records a change in the folder.
    fn touch(&mut self, now: Duration) {
        self.debouncer = Some(Debouncer::with_hint(self.debouncer, now));
    }

    fn errand(&self, now: Duration) -> CheckJob {
        CheckJob {
            source: self.source.clone(),
            device: self.device,
            known: self.how.there().cloned(),
            contents: matches!(self.how, How::Polling { next, .. } if next <= now),
            is_unsure: self.is_unsure,
            is_doubted: self.is_doubted,
        }
    }
}

impl Found {
    pub(super) fn watching(&self) -> Watching {
        match self {
            Self::Nothing => Watching::Waiting,
            Self::Told(_) => Watching::Events,
            Self::Untold(..) => Watching::Polling,
        }
    }
}

impl Look {
    /// Returns the time of the next poll.
    pub(super) fn next(self, now: Duration) -> Duration {
        now + POLL.max(self.took * POLL_REST)
    }
}

impl How {
    fn new(found: Found, now: Duration) -> Self {
        match found {
            Found::Nothing => Self::Waiting,
            Found::Told(there) => Self::Events(there),
            Found::Untold(there, look) => Self::Polling {
                there,
                signature: look.signature,
                next: look.next(now),
            },
        }
    }

    fn told(&self) -> Watching {
        match self {
            Self::Waiting => Watching::Waiting,
            Self::Events(_) => Watching::Events,
            Self::Polling { .. } => Watching::Polling,
        }
    }

    fn there(&self) -> Option<&Observation> {
        match self {
            Self::Waiting => None,
            Self::Events(there) | Self::Polling { there, .. } => Some(there),
        }
    }

    fn device(&self) -> Option<Device> {
        self.there()
            .map(|there| Device::FileSystem(there.identity.device()))
    }

    /// Returns the folder if it has a system watch.
    fn listened(&self) -> Option<&Observation> {
        match self {
            Self::Waiting | Self::Polling { .. } => None,
            Self::Events(there) => Some(there),
        }
    }
}

fn key(source: &Source) -> (RootId, RelPath) {
    (source.root(), source.path().clone())
}
