//! Metadata of a picture beyond its `stat`, and the state of the file that it is of.

use std::sync::Arc;

use fumikura_fs::{Ctime, Fingerprint, Mtime, Stat};
use fumikura_image::ThumbHash;
use fumikura_xmp::Marks;

use super::facts::Facts;

/// A state of a file that metadata is of.
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

/// The progress and result of requesting the `stat` of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    NotYet,
    /// A request is in progress.
    Now,
    /// The file had vanished.
    Gone,
    Is(Stat),
}

impl Asked {
    /// Starts a request if there was none yet. If this returns true, the caller must make the request.
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

/// Metadata from reading a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Known<T> {
    NotYet,
    /// The file could not be read, in this state if it is known; in another state it is tried again.
    Failed(Option<State>),
    Is(State, T),
}

impl<T> Known<T> {
    /// Returns the state of the file that this is of.
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

    /// Discards metadata of another state of the file.
    pub(super) fn doubt(&mut self, asked: Asked) {
        if let (Asked::Is(stat), Some(of)) = (asked, self.of())
            && of != State::from(stat)
        {
            *self = Self::NotYet;
        }
    }

    /// Takes metadata if there is none yet.
    pub(super) fn learn(&mut self, known: Self) {
        if self.is_unread() {
            *self = known;
        }
    }
}

/// All metadata from reading the files of one picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Metadata of the picture itself.
    pub(super) facts: Known<Facts>,
    /// Marks of the sidecar.
    pub(super) marks: Known<Arc<Marks>>,
    /// The placeholder of the picture, once a thumbnail of it was made.
    pub(super) hash: Known<ThumbHash>,
}

impl Outcome {
    /// The outcome for a picture that has not been read.
    pub(super) const NOTHING: Self = Self {
        facts: Known::NotYet,
        marks: Known::NotYet,
        hash: Known::NotYet,
    };

    /// Fills in metadata that this outcome lacks from an earlier one.
    pub(super) fn or(mut self, earlier: Self) -> Self {
        self.facts.learn(earlier.facts);
        self.marks.learn(earlier.marks);
        self.hash.learn(earlier.hash);
        self
    }

    /// True if any metadata could be of use for the next reading of the folder.
    pub(super) fn is_worth_telling(&self) -> bool {
        self.facts.of().is_some() || self.marks.of().is_some() || self.hash.of().is_some()
    }

    /// True if any metadata is worth saving for later launches: failures are tried again then.
    pub(super) fn is_worth_keeping(&self) -> bool {
        self.facts.get().is_some() || self.marks.get().is_some() || self.hash.get().is_some()
    }
}
