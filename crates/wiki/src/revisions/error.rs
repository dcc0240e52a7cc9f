//! Why a page's past was not changed.

use crate::locks::GateError;
use crate::pages::PageError;
use crate::store::StorageError;

/// A page was not rolled back, or its old revisions were not removed. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum PastError {
    /// There is no such page or revision, or the page is deleted.
    #[error(transparent)]
    Page(#[from] PageError),
    /// Someone holds the page.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// Nobody has the id of whoever asked for it.
    #[error("no user has this id")]
    Nobody,
    /// All revisions would go.
    #[error("the newest revision is {latest}; the page can't be kept from {keep_from}")]
    NothingKept {
        /// The revision from which to keep.
        keep_from: u64,
        /// The newest one.
        latest: u64,
    },
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
