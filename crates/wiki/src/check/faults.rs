//! What a check found, in words.

use std::cell::RefCell;
use std::fmt;
use std::io;

use crate::check::Counted;
use crate::store::StorageError;

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The table, or the folder, that it concerns.
    pub place: &'static str,
    /// What is wrong, in a sentence.
    pub words: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.words)
    }
}

/// A check was not brought to its end.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// It was broken off.
    #[error("the check was cancelled")]
    BrokenOff,
    /// The disk failed while it was looked at.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<io::Error> for CheckError {
    fn from(error: io::Error) -> Self {
        Self::Storage(error.into())
    }
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckReport {
    /// How many pages there are, deleted ones included.
    pub pages: u64,
    /// How many revisions they have.
    pub revisions: u64,
    /// What is wrong; empty if nothing is.
    pub faults: Vec<Fault>,
}

/// Faults as they are found.
#[derive(Default)]
pub(super) struct Faults(RefCell<Vec<Fault>>);

impl Faults {
    pub(super) fn add(&self, place: &'static str, words: impl Into<String>) {
        self.0.borrow_mut().push(Fault {
            place,
            words: words.into(),
        });
    }

    /// Tells a fault unless `holds`.
    pub(super) fn expect(&self, holds: bool, place: &'static str, words: impl FnOnce() -> String) {
        if !holds {
            self.add(place, words());
        }
    }

    pub(super) fn into_report(self, counted: Counted) -> CheckReport {
        CheckReport {
            pages: counted.pages,
            revisions: counted.revisions,
            faults: self.0.into_inner(),
        }
    }
}
