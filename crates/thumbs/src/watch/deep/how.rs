//! How a folder with all that lies beneath it is heard of, and looking at it.

use std::time::Duration;

use super::DeepWatch;
use super::doubts::Doubts;
use super::listening::{Listened, Listener};
use crate::access::AccessError;
use crate::watch::Watching;
use crate::watch::board::Look;
use crate::watch::ears::Ears;
use crate::watch::look::{There, deep_signature};

/// How it is heard of.
#[derive(Debug)]
pub(super) enum How {
    Waiting,
    Events {
        there: There,
        folders: Listened,
    },
    Polling {
        there: There,
        look: Look,
        next: Duration,
    },
}

impl DeepWatch {
    /// Whether the folder is another, or holds something else, than was known.
    pub(super) fn look(&self, how: &mut How, ears: Option<&dyn Ears>) -> bool {
        let found = self.eyes.find(&self.source).ok();
        let is_same = found.is_some() && how.there() == found.as_ref();
        if is_same && let Some(is_news) = self.look_again(how, ears) {
            return is_news;
        }
        // From here on all is looked at.
        self.state().doubts = Doubts::None;
        if let (How::Events { there, folders }, Some(ears)) = (&mut *how, ears) {
            let folders = std::mem::take(folders);
            self.listener(there, ears).forget(folders);
        }
        let now = found.map_or(How::Waiting, |there| self.attend(there, ears));
        let before = std::mem::replace(how, now);
        let is_absent_still = before.there().is_none() && how.there().is_none();
        !is_same && !is_absent_still
    }

    /// Goes on with a folder that is the same; none where it is to be gone through as if it were another.
    fn look_again(&self, how: &mut How, ears: Option<&dyn Ears>) -> Option<bool> {
        match how {
            How::Waiting => None,
            How::Events { there, folders } => {
                let began = self.began.elapsed();
                let doubts = self.take_doubts();
                if doubts.is_none() {
                    return Some(false);
                }
                let listener = self.listener(there, ears?);
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

    /// Listens to a folder that was found, or looks into it.
    fn attend(&self, there: There, ears: Option<&dyn Ears>) -> How {
        self.state().place.clone_from(&there.place);
        let listened = ears
            .filter(|_| !there.is_remote)
            .and_then(|ears| self.listener(&there, ears).listen());
        match listened {
            Some(folders) => How::Events { there, folders },
            None => match self.look_into() {
                Ok(look) => How::Polling {
                    there,
                    look,
                    next: look.next(self.began.elapsed()),
                },
                Err(_) => How::Waiting,
            },
        }
    }

    fn listener<'a>(&'a self, there: &'a There, ears: &'a dyn Ears) -> Listener<'a> {
        Listener {
            ears,
            eyes: &*self.eyes,
            source: &self.source,
            place: &there.place,
        }
    }

    fn look_into(&self) -> Result<Look, AccessError> {
        let began = self.began.elapsed();
        let signature = deep_signature(&*self.eyes, &self.source)?;
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

    fn there(&self) -> Option<&There> {
        match self {
            Self::Waiting => None,
            Self::Events { there, .. } | Self::Polling { there, .. } => Some(there),
        }
    }
}
