//! Why a lock was not given, kept or accepted.

use jiff::Timestamp;

use crate::store::StorageError;

/// A lock operation failed. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// No page or draft has this id.
    #[error("no page has this id")]
    PageNotFound,
    /// The page is deleted; it can't be edited.
    #[error("the page is deleted")]
    Deleted,
    /// Someone holds the page.
    #[error("{user_name} is editing this page")]
    Held {
        /// Who.
        user_name: String,
        /// Until when, unless the lock is renewed.
        expire: Timestamp,
    },
    /// Nobody holds the page.
    #[error("no one is editing this page")]
    NotHeld,
    /// The token is wrong, was replaced by a newer one, or its time is over.
    #[error("the lock has ended, or another one took its place")]
    Invalid,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
