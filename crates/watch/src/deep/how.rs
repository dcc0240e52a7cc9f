//! The source of changes of a folder with everything beneath it, and the checks of that folder.

use std::time::Duration;

use fumikura_fs::AccessError;

use super::DeepWatch;
use super::doubts::Doubts;
use super::listening::{Listened, Listener};
use crate::event_source::EventSource;
use crate::probe::{Observation, Signature, deep_signature};
use crate::registry::Look;
use crate::watcher::Watching;

/// The source of a folder's changes.
#[derive(Debug)]
pub(super) enum How {
    Waiting,
    Events {
        found: Found,
        folders: Listened,
    },
    Polling {
        found: Found,
        look: Look,
        next: Duration,
    },
}

/// A folder as it was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    there: Observation,
    /// The signature of the mounts beneath it.
    mounts: Signature,
}

impl DeepWatch {
    /// Checks the folder. Returns true if it is another, or contains something else, than was known.
    pub(super) fn look(&self, how: &mut How, events: Option<&dyn EventSource>) -> bool {
        let found = self.find();
        let is_same = found.is_some() && how.found() == found.as_ref();
        if is_same && let Some(is_news) = self.look_again(how, events) {
            return is_news;
        }
        // From here on everything is checked.
        self.state().doubts = Doubts::None;
        if let (How::Events { found, folders }, Some(events)) = (&mut *how, events) {
            let folders = std::mem::take(folders);
            self.listener(found, events).forget(folders);
        }
        let now = found.map_or(How::Waiting, |found| self.attend(found, events));
        let before = std::mem::replace(how, now);
        let is_absent_still = before.found().is_none() && how.found().is_none();
        !is_same && !is_absent_still
    }

    fn find(&self) -> Option<Found> {
        let there = self.probe.find(&self.source).ok()?;
        // Mounts are read before the contents.
        let mounts = self.probe.mounts(&there.place);
        Some(Found { there, mounts })
    }

    /// Continues with the same folder; `None` if it must be walked as if it were another.
    fn look_again(&self, how: &mut How, events: Option<&dyn EventSource>) -> Option<bool> {
        match how {
            How::Waiting => None,
            How::Events { found, folders } => {
                let began = self.began.elapsed();
                let doubts = self.take_doubts();
                if doubts.is_none() {
                    return Some(false);
                }
                let listener = self.listener(found, events?);
                let is_told = listener.listen_again(doubts, folders);
                self.caught_up(began);
                is_told.then_some(false)
            }
            How::Polling { look, next, .. } => {
                self.state().doubts = Doubts::None;
                if self.began.elapsed() < *next {
                    return Some(false);
                }
                let Ok(now) = self.look_into() else {
                    return Some(false);
                };
                let is_news = look.signature != now.signature;
                (*look, *next) = (now, now.next(self.began.elapsed()));
                Some(is_news)
            }
        }
    }

    /// Watches, by events or otherwise by polling, a folder that was found.
    fn attend(&self, found: Found, events: Option<&dyn EventSource>) -> How {
        self.state().place.clone_from(&found.there.place);
        let listened = events
            .filter(|_| !found.there.is_remote)
            .and_then(|events| self.listener(&found, events).listen());
        match listened {
            Some(folders) => How::Events { found, folders },
            None => match self.look_into() {
                Ok(look) => How::Polling {
                    found,
                    look,
                    next: look.next(self.began.elapsed()),
                },
                Err(_) => How::Waiting,
            },
        }
    }

    fn listener<'a>(&'a self, found: &'a Found, events: &'a dyn EventSource) -> Listener<'a> {
        Listener {
            events,
            probe: &*self.probe,
            source: &self.source,
            place: &found.there.place,
        }
    }

    fn look_into(&self) -> Result<Look, AccessError> {
        let began = self.began.elapsed();
        let signature = deep_signature(&*self.probe, &self.source)?;
        let took = self.began.elapsed().saturating_sub(began);
        Ok(Look { signature, took })
    }
}

impl How {
    pub(super) fn told(&self) -> Watching {
        match self {
            Self::Waiting => Watching::Waiting,
            Self::Events { .. } => Watching::Events,
            Self::Polling { .. } => Watching::Polling,
        }
    }

    fn found(&self) -> Option<&Found> {
        match self {
            Self::Waiting => None,
            Self::Events { found, .. } | Self::Polling { found, .. } => Some(found),
        }
    }
}
