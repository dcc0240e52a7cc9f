//! What a check found, in words.

use std::fmt;

use crate::check::Counted;

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
pub(super) struct Faults(Vec<Fault>);

impl Faults {
    pub(super) fn add(&mut self, place: &'static str, words: impl Into<String>) {
        self.0.push(Fault {
            place,
            words: words.into(),
        });
    }

    /// Tells a fault unless `holds`.
    pub(super) fn expect(
        &mut self,
        holds: bool,
        place: &'static str,
        words: impl FnOnce() -> String,
    ) {
        if !holds {
            self.add(place, words());
        }
    }

    pub(super) fn into_report(self, counted: Counted) -> CheckReport {
        CheckReport {
            pages: counted.pages,
            revisions: counted.revisions,
            faults: self.0,
        }
    }
}
