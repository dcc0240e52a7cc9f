//! What is known of a picture beside its `stat`, and of which state of a file.

use std::sync::Arc;

use super::facts::Facts;
use crate::decode::ThumbHash;
use crate::fingerprint::Fingerprint;
use crate::sidecar::Marks;
use crate::stat::{Ctime, Mtime, Stat};

/// Which state of a file something is known of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    pub(super) size: u64,
    pub(super) mtime: Mtime,
    pub(super) ctime: Ctime,
}

impl State {
    pub(super) fn fingerprint(&self, path: Vec<u8>) -> Fingerprint {
        Fingerprint {
            path,
            size: self.size,
            mtime_seconds: self.mtime.seconds,
            mtime_nanoseconds: self.mtime.nanoseconds,
        }
    }
}

impl From<Stat> for State {
    fn from(stat: Stat) -> Self {
        Self {
            size: stat.size,
            mtime: stat.mtime,
            ctime: stat.ctime,
        }
    }
}

/// What came of asking for the `stat` of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    NotYet,
    /// Somebody asks for it just now.
    Now,
    /// It had gone when it was asked for.
    Gone,
    Is(Stat),
}

impl Asked {
    /// Whoever is told that it has not been asked for is to ask.
    pub(super) fn begin(&mut self) -> bool {
        let is_new = *self == Self::NotYet;
        if is_new {
            *self = Self::Now;
        }
        is_new
    }

    pub(super) fn stat(self) -> Option<Stat> {
        match self {
            Self::Is(stat) => Some(stat),
            Self::NotYet | Self::Now | Self::Gone => None,
        }
    }
}

/// What is known by reading a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Known<T> {
    NotYet,
    /// It could not be read, in this state if it is known which; in another it is tried again.
    Failed(Option<State>),
    Is(State, T),
}

impl<T> Known<T> {
    /// Of which state of the file this is known.
    pub(super) fn of(&self) -> Option<State> {
        match self {
            Self::Is(of, _) => Some(*of),
            Self::Failed(of) => *of,
            Self::NotYet => None,
        }
    }

    pub(super) fn get(&self) -> Option<&T> {
        match self {
            Self::Is(_, known) => Some(known),
            Self::NotYet | Self::Failed(_) => None,
        }
    }

    pub(super) fn is_unread(&self) -> bool {
        matches!(self, Self::NotYet)
    }

    /// What is known of another state of the file is not known of this one.
    pub(super) fn doubt(&mut self, asked: Asked) {
        if let (Asked::Is(stat), Some(of)) = (asked, self.of())
            && of != State::from(stat)
        {
            *self = Self::NotYet;
        }
    }

    /// What is known already stays.
    pub(super) fn learn(&mut self, known: Self) {
        if self.is_unread() {
            *self = known;
        }
    }
}

/// All that was found out about one picture by reading files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Of the picture itself.
    pub(super) facts: Known<Facts>,
    /// Of the sidecar beside it.
    pub(super) marks: Known<Arc<Marks>>,
    /// What stands for the picture, once a thumbnail of it was made.
    pub(super) hash: Known<ThumbHash>,
}

impl Outcome {
    /// Of a picture that nobody has looked into.
    pub(super) const NOTHING: Self = Self {
        facts: Known::NotYet,
        marks: Known::NotYet,
        hash: Known::NotYet,
    };

    /// This, and what it lacks from what was known earlier.
    pub(super) fn or(mut self, earlier: Self) -> Self {
        self.facts.learn(earlier.facts);
        self.marks.learn(earlier.marks);
        self.hash.learn(earlier.hash);
        self
    }

    /// Whether there is anything that could be of use for the next reading of the folder.
    pub(super) fn is_worth_telling(&self) -> bool {
        self.facts.of().is_some() || self.marks.of().is_some() || self.hash.of().is_some()
    }

    /// Whether there is anything to be kept for later launches: what failed is tried again then.
    pub(super) fn is_worth_keeping(&self) -> bool {
        self.facts.get().is_some() || self.marks.get().is_some() || self.hash.get().is_some()
    }
}
