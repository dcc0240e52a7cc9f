//! Which folders are watched, for how long, and what of them is to be told: decided here, done elsewhere.

mod links;
mod looks;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use super::burst::Burst;
use super::hint::Hint;
use super::look::{Signature, There};
use super::{Changed, Watching};
use crate::access::Source;
use crate::listing::Reach;
use crate::path::RelPath;
use crate::platform::Identity;
use crate::roots::RootId;
pub(super) use links::Following;
use links::Links;
use looks::{Disk, Looks};

/// How long a folder is watched after somebody has asked for it.
pub(super) const LEASE: Duration = Duration::from_secs(120);
/// So many folders are watched. Beyond that, whichever was asked for longest ago no longer is.
const MOST: usize = 128;
/// How often a folder is looked into that tells nothing by itself, at most; and how many times longer than a look
/// it is left alone.
const POLL: Duration = Duration::from_secs(3);
const POLL_REST: u32 = 20;

/// A folder that somebody looks at.
#[derive(Debug)]
struct Watched {
    source: Source,
    until: Duration,
    how: How,
    /// Which a look at it waits for.
    disk: Disk,
    /// When somebody looked at it last.
    looked: Duration,
    links: Links,
    burst: Option<Burst>,
    /// Whether whoever told of it may have gone, with the folder or a part of the way to it.
    is_unsure: bool,
    /// Whether whoever told of it may have been let go, with another place of the same folder.
    is_doubted: bool,
}

/// How its changes are heard of.
#[derive(Debug, Clone, PartialEq, Eq)]
enum How {
    /// It was not there when it was looked for.
    Waiting,
    /// By events of the file system.
    Events(There),
    /// By looking into it from time to time.
    Polling {
        there: There,
        /// What the last look saw.
        signature: Signature,
        next: Duration,
    },
}

/// How a folder was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It is not there.
    Nothing,
    /// It is there, and its changes are told by the file system.
    Told(There),
    /// It is there, and nobody tells of its changes.
    Untold(There, Look),
}

/// A look at what a folder holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) signature: Signature,
    pub(super) took: Duration,
}

/// What is to be looked at.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Errand {
    pub(super) source: Source,
    /// Which the look waits for, as far as is known before it.
    disk: Disk,
    /// As it was found last; none if it was not there.
    pub(super) known: Option<There>,
    /// Whether to look into it, too.
    pub(super) contents: bool,
    /// Whether to let go whoever tells of it, and to listen to it anew, even if it is the same.
    pub(super) is_unsure: bool,
    /// Whether to listen to it anew.
    pub(super) is_doubted: bool,
}

/// The folders that are watched.
#[derive(Debug)]
pub(super) struct Board {
    folders: HashMap<(RootId, RelPath), Watched>,
    /// How often each is looked at.
    look_every: Duration,
    /// The looks that have not come back.
    looks: Looks,
}

impl Board {
    /// How many folders are watched.
    pub(super) fn count(&self) -> usize {
        self.folders.len()
    }

    pub(super) fn new(look_every: Duration) -> Self {
        Self {
            folders: HashMap::new(),
            look_every,
            looks: Looks::default(),
        }
    }

    /// Goes on with a folder that is watched; none for one that is not, and must be looked at first.
    pub(super) fn renew(&mut self, source: &Source, now: Duration) -> Option<Watching> {
        let watched = self.folders.get_mut(&key(source))?;
        watched.until = now + LEASE;
        Some(watched.how.told())
    }

    /// Watches a folder from now on, as it was found. Gives the places that need not be listened to any more.
    pub(super) fn begin(&mut self, source: &Source, found: Found, now: Duration) -> Vec<PathBuf> {
        if self.renew(source, now).is_some() {
            // Somebody else has asked for it meanwhile.
            return self.change(source, found, now);
        }
        let before = self.places();
        self.make_room();
        let how = How::new(found, now);
        let watched = Watched {
            source: source.clone(),
            until: now + LEASE,
            disk: how.disk().unwrap_or(Disk::Beneath(source.root())),
            how,
            looked: now,
            links: Links::new(now),
            burst: None,
            is_unsure: false,
            is_doubted: false,
        };
        self.folders.insert(key(source), watched);
        self.left_of(before)
    }

    /// Goes on with a folder that was found to be another, or gone, or back. As [`begin`](Self::begin), unless
    /// nobody watches it any more.
    pub(super) fn change(&mut self, source: &Source, found: Found, now: Duration) -> Vec<PathBuf> {
        let mut before = self.places();
        let how = How::new(found, now);
        // It is listened to by now.
        before.extend(how.listened().cloned());
        if let Some(watched) = self.folders.get_mut(&key(source)) {
            let is_absent_still = watched.how == How::Waiting && how == How::Waiting;
            if how.listened().is_none() {
                (watched.is_unsure, watched.is_doubted) = (false, false);
            }
            // Of one that went it is remembered where it lay: a look at it may wait for that once more.
            watched.disk = how.disk().unwrap_or(watched.disk);
            watched.how = how;
            if !is_absent_still {
                watched.touch(now);
            }
        }
        self.left_of(before)
    }

    /// Takes away the folders that nobody has asked for in time. Gives places as [`begin`](Self::begin) does.
    pub(super) fn sweep(&mut self, now: Duration) -> Vec<PathBuf> {
        self.keep(|watched| now < watched.until)
    }

    /// Takes away the folders of a root. Gives places as [`begin`](Self::begin) does.
    pub(super) fn forget(&mut self, root: RootId) -> Vec<PathBuf> {
        self.keep(|watched| watched.source.root() != root)
    }

    /// Something has happened to one of these; to whatever is watched, if they are none.
    pub(super) fn hint(&mut self, paths: &[PathBuf], now: Duration) {
        let mut concerned = Vec::new();
        for watched in self.folders.values_mut() {
            let Some(there) = watched.how.listened() else {
                continue;
            };
            let Some(hint) = Hint::of(paths, &there.place, Reach::Folder) else {
                continue;
            };
            concerned.push(there.identity);
            watched.is_unsure |= hint == Hint::OfTheWay;
        }
        // One folder may have several places, of which only one is told.
        for watched in self.folders.values_mut() {
            let there = watched.how.listened();
            if there.is_some_and(|there| concerned.contains(&there.identity)) {
                watched.touch(now);
            }
        }
    }

    /// Nobody tells of this folder any more: where it has another place, that is listened to anew.
    pub(super) fn doubt(&mut self, identity: Identity) {
        for watched in self.folders.values_mut() {
            let there = watched.how.listened();
            watched.is_doubted |= there.is_some_and(|there| there.identity == identity);
        }
    }

    /// The folder is about to be listened to: what happens to it from now on is heard.
    pub(super) fn trust(&mut self, source: &Source) {
        if let Some(watched) = self.folders.get_mut(&key(source)) {
            (watched.is_unsure, watched.is_doubted) = (false, false);
        }
    }

    /// The folders whose changes are to be told now.
    pub(super) fn take_due(&mut self, now: Duration) -> Vec<Changed> {
        let mut due = Vec::new();
        for ((root, path), watched) in &mut self.folders {
            if watched.burst.is_some_and(|burst| burst.due() <= now) {
                watched.burst = None;
                due.push(Changed {
                    root: *root,
                    path: path.clone(),
                });
            }
        }
        due
    }

    /// When the next change is to be told.
    pub(super) fn next_due(&self) -> Option<Duration> {
        let bursts = self.folders.values().filter_map(|watched| watched.burst);
        bursts.map(|burst| burst.due()).min()
    }

    /// What is to be looked at now. Until it is told that this was [`looked`](Self::looked) at, nothing else is that
    /// lies on the same disk.
    pub(super) fn take(&mut self, now: Duration) -> Option<Errand> {
        // Whoever is awake looks at what is due soon, too, and need not be woken again for that.
        let is_due = |watched: &&Watched| watched.looked + self.look_every / 2 <= now;
        let due = self.lookable().filter(is_due);
        let errand = due.min_by_key(|watched| watched.looked)?.errand(now);
        self.looks.begin(errand.disk, now);
        Some(errand)
    }

    /// When something is to be looked at, if no look comes back until then.
    pub(super) fn next_look(&self) -> Option<Duration> {
        let looked = self.lookable().map(|watched| watched.looked);
        looked.min().map(|looked| looked + self.look_every)
    }

    /// A look has come back, whatever it saw.
    pub(super) fn looked(&mut self, errand: &Errand, now: Duration) {
        self.looks.end(errand.disk, now);
        if let Some(watched) = self.folders.get_mut(&key(&errand.source)) {
            watched.looked = now;
        }
    }

    fn lookable(&self) -> impl Iterator<Item = &Watched> {
        let folders = self.folders.values();
        folders.filter(|watched| self.looks.may_begin(watched.disk))
    }

    /// What a look into a folder saw.
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

    fn keep(&mut self, stays: impl Fn(&Watched) -> bool) -> Vec<PathBuf> {
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

    /// What is listened to.
    fn places(&self) -> Vec<There> {
        let places = self.folders.values().filter_map(|it| it.how.listened());
        places.cloned().collect()
    }

    fn left_of(&mut self, mut before: Vec<There>) -> Vec<PathBuf> {
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

impl Watched {
    /// Something has happened in the folder.
    fn touch(&mut self, now: Duration) {
        self.burst = Some(Burst::with_hint(self.burst, now));
        self.links.doubt();
    }

    fn errand(&self, now: Duration) -> Errand {
        Errand {
            source: self.source.clone(),
            disk: self.disk,
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
    /// When the next one is.
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

    fn there(&self) -> Option<&There> {
        match self {
            Self::Waiting => None,
            Self::Events(there) | Self::Polling { there, .. } => Some(there),
        }
    }

    fn disk(&self) -> Option<Disk> {
        self.there().map(|there| Disk::of(there.identity))
    }

    /// What is listened to.
    fn listened(&self) -> Option<&There> {
        match self {
            Self::Waiting | Self::Polling { .. } => None,
            Self::Events(there) => Some(there),
        }
    }
}

fn key(source: &Source) -> (RootId, RelPath) {
    (source.root(), source.path().clone())
}
