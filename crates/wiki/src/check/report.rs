//! The depth of a check, and its report: the faults that it found, in words.

use std::cell::RefCell;
use std::fmt;
use std::io;

use crate::id::AssetId;
use crate::store::StorageError;

/// The depth of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Checks the tables among themselves, and that each file exists with its size.
    Tables,
    /// Also checks the contents of each file, and the database's own structure. Writers wait during
    /// the check of the structure, at the end; readers do not.
    Everything,
}

/// A violated rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The table or folder that it concerns.
    pub place: &'static str,
    /// A description of the fault, in a sentence.
    pub words: String,
    pub remedy: Remedy,
}

/// The way in which a fault can be repaired without a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// The row is derived from others, or means nothing without them.
    Rebuild,
    /// The contents of a file, which a backup may have.
    FromBackup(AssetId),
    /// Lost or contradictory contents are in no other place of the wiki.
    None,
}

/// The tables whose rows are derived from others, and those whose rows nothing depends on.
const REBUILT: [&str; 17] = [
    "asset_name",
    "asset_page",
    "backlink",
    "deleted_page_path",
    "journal_end",
    "journal_key",
    "left_path",
    "lock",
    "page_assets",
    "page_links",
    "page_path",
    "page_title",
    "search",
    "session",
    "user",
    "user_name",
    "waiting_link",
];

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.words)
    }
}

/// A check did not complete.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error("the check was cancelled")]
    Cancelled,
    /// The disk failed during the check.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<io::Error> for CheckError {
    fn from(error: io::Error) -> Self {
        Self::Storage(error.into())
    }
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckReport {
    /// The number of pages, deleted ones included.
    pub pages: u64,
    /// The number of their revisions.
    pub revisions: u64,
    /// The faults; empty if there are none.
    pub faults: Vec<Fault>,
}

/// The counts for the report.
pub(super) struct Counts {
    pub(super) pages: u64,
    pub(super) revisions: u64,
}

/// The faults found so far.
#[derive(Default)]
pub(super) struct Faults(RefCell<Vec<Fault>>);

impl Faults {
    pub(super) fn add(&self, place: &'static str, words: impl Into<String>) {
        let remedy = match REBUILT.contains(&place) {
            true => Remedy::Rebuild,
            false => Remedy::None,
        };
        self.add_with(place, words.into(), remedy);
    }

    pub(super) fn add_with(&self, place: &'static str, words: String, remedy: Remedy) {
        self.0.borrow_mut().push(Fault {
            place,
            words,
            remedy,
        });
    }

    /// Reports a fault unless `holds`.
    pub(super) fn expect(&self, holds: bool, place: &'static str, words: impl FnOnce() -> String) {
        if !holds {
            self.add(place, words());
        }
    }

    /// Reports a fault that can be repaired unless `holds`.
    pub(super) fn expect_rebuildable(
        &self,
        holds: bool,
        place: &'static str,
        words: impl FnOnce() -> String,
    ) {
        if !holds {
            self.add_with(place, words(), Remedy::Rebuild);
        }
    }

    pub(super) fn into_report(self, counts: Counts) -> CheckReport {
        CheckReport {
            pages: counts.pages,
            revisions: counts.revisions,
            faults: self.0.into_inner(),
        }
    }
}
