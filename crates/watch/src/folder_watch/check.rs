//! The check of a watched folder, and the method by which its changes are found.

use std::sync::Arc;
use std::time::Duration;

use fumikura_fs::{AccessError, Device, Reach};

use super::FolderWatch;
use super::doubts::Doubts;
use super::listener::{Listened, Listener};
use crate::probe::{Observation, Signature, signature};
use crate::system_watches::SystemWatches;
use crate::watcher::Watching;

/// The minimum interval between polls of a folder without events, and the rest after a poll as a multiple of its
/// duration.
const POLL: Duration = Duration::from_secs(3);
const POLL_REST: u32 = 20;

/// The method by which a folder is watched.
#[derive(Debug)]
pub(super) enum Method {
    /// The folder did not exist at the last check.
    Waiting,
    /// Events of the file system.
    Events { found: Found, folders: Listened },
    /// Polls.
    Polling {
        found: Found,
        /// The signature at the last poll.
        signature: Signature,
        /// The time of the next poll.
        next: Duration,
    },
}

/// A folder as it was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    there: Observation,
    /// The signature of the mounts beneath it: a disk that is mounted there causes no event.
    mounts: Signature,
}

impl FolderWatch {
    /// Checks the folder. Returns true if it is another, or contains something else, than was known.
    pub(super) fn update(&self, method: &mut Method) -> bool {
        let found = self.find();
        let is_same = found.is_some() && method.found() == found.as_ref();
        if is_same && let Some(is_news) = self.update_same(method) {
            return is_news;
        }
        // From here on everything is checked.
        self.state().doubts = Doubts::None;
        let was_there = method.found().is_some();
        // The system watches of the folder before end first.
        *method = Method::Waiting;
        if let Some(found) = found {
            *method = self.attend(found);
        }
        let is_absent_still = !was_there && method.found().is_none();
        !is_same && !is_absent_still
    }

    fn find(&self) -> Option<Found> {
        let there = self.probe.find(&self.source).ok()?;
        // Mounts are read before the contents.
        let mounts = match self.reach {
            Reach::Folder => Signature::NOTHING,
            Reach::Beneath => self.probe.mounts(&there.place),
        };
        Some(Found { there, mounts })
    }

    /// Continues with the same folder; `None` if it must be treated as if it were another.
    fn update_same(&self, method: &mut Method) -> Option<bool> {
        match method {
            Method::Waiting => None,
            Method::Events { found, folders } => {
                let began = self.now();
                let doubts = self.take_doubts();
                if doubts.is_none() {
                    return Some(false);
                }
                let listener = self.listener(found, self.events.as_ref()?);
                let is_told = listener.listen_again(doubts, folders);
                self.caught_up(began);
                is_told.then_some(false)
            }
            Method::Polling {
                signature, next, ..
            } => {
                self.state().doubts = Doubts::None;
                if self.now() < *next {
                    return Some(false);
                }
                let Ok((now, next_poll)) = self.poll() else {
                    return Some(false);
                };
                let is_news = *signature != now;
                (*signature, *next) = (now, next_poll);
                Some(is_news)
            }
        }
    }

    /// Watches, by events or otherwise by polling, a folder that was found.
    fn attend(&self, found: Found) -> Method {
        let events = self.events.as_ref();
        let events = events.filter(|_| !found.there.is_remote);
        // Changes from now on are events.
        self.state().place = events.map(|_| found.there.place.clone());
        match events.and_then(|events| self.listener(&found, events).listen()) {
            Some(folders) => Method::Events { found, folders },
            None => match self.poll() {
                Ok((signature, next)) => Method::Polling {
                    found,
                    signature,
                    next,
                },
                Err(_) => Method::Waiting,
            },
        }
    }

    fn listener<'a>(&'a self, found: &'a Found, events: &'a Arc<SystemWatches>) -> Listener<'a> {
        Listener {
            events,
            probe: &*self.probe,
            source: &self.source,
            place: &found.there.place,
            reach: self.reach,
        }
    }

    /// Returns the signature of the contents, and the time of the next poll.
    fn poll(&self) -> Result<(Signature, Duration), AccessError> {
        let began = self.now();
        let signature = signature(&*self.probe, &self.source, self.reach)?;
        let now = self.now();
        let took = now.saturating_sub(began);
        Ok((signature, now + POLL.max(took * POLL_REST)))
    }
}

impl Method {
    pub(super) fn watching(&self) -> Watching {
        match self {
            Self::Waiting => Watching::Waiting,
            Self::Events { .. } => Watching::Events,
            Self::Polling { .. } => Watching::Polling,
        }
    }

    pub(super) fn device(&self) -> Option<Device> {
        let identity = self.found()?.there.identity;
        Some(Device::FileSystem(identity.device()))
    }

    fn found(&self) -> Option<&Found> {
        match self {
            Self::Waiting => None,
            Self::Events { found, .. } | Self::Polling { found, .. } => Some(found),
        }
    }
}
