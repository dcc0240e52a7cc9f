//! Errors of changes to a page's past.

use crate::locks::GateError;
use crate::pages::PageError;
use crate::store::StorageError;

/// The reason why a page was not rolled back, or its old revisions were not removed. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// There is no such page or revision, or the page is deleted.
    #[error(transparent)]
    Page(#[from] PageError),
    /// The page is locked.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// No user has the id of the requesting user.
    #[error("no user has this id")]
    NoUser,
    /// No revision would remain.
    #[error("there is no revision {keep_from} to keep; the newest one is {latest}")]
    NothingLeft {
        /// The revision from which to keep.
        keep_from: u64,
        /// The latest revision.
        latest: u64,
    },
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
