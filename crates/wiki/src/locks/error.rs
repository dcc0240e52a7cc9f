//! Errors of lock operations.

use jiff::Timestamp;

use crate::store::StorageError;

/// A lock operation failed. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// No page or draft has this id.
    #[error("no page has this id")]
    PageNotFound,
    /// The page is deleted and can't be edited.
    #[error("the page is deleted")]
    Deleted,
    /// A user holds the page.
    #[error("{user_name} is editing this page")]
    Held {
        /// The name of the holder.
        user_name: String,
        /// The time at which the lock ends unless it is renewed.
        expire: Timestamp,
    },
    /// No user holds the page.
    #[error("no one is editing this page")]
    NotHeld,
    /// The token is wrong, was replaced by a newer one, or has expired.
    #[error("the lock has ended, or another one took its place")]
    Invalid,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
