//! Limits, and errors of storing and removing autosave entries.

use crate::model::page::MAX_SOURCE_BYTES;
use crate::store::StorageError;

/// The longest name of a tab, in bytes.
pub(super) const MAX_TAB_BYTES: usize = 64;
/// The maximum number of entries per user.
pub(super) const MAX_ENTRIES: usize = 1_000;
/// The maximum total size of the texts of one user, in bytes.
pub(super) const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// An autosave entry was not stored or not removed. The stored entries are unchanged.
#[derive(Debug, thiserror::Error)]
pub enum AutosaveError {
    /// A message with a higher count arrived before this one.
    #[error("newer text of this tab is already stored (its count is {seq})")]
    Stale {
        /// The highest count that arrived.
        seq: u64,
    },
    /// The tab has saved the page since, and the text is older.
    #[error("this tab has saved revision {revision} since")]
    Saved {
        /// The saved revision.
        revision: u64,
    },
    /// The user has reached the limit of autosave entries. No entry is dropped for the new one,
    /// because only the user can choose which.
    #[error(
        "there is too much unsaved text ({entries} texts, {bytes} bytes): at most {MAX_ENTRIES} texts \
         and {MAX_BYTES} bytes are kept; discard what you don't need"
    )]
    Full {
        /// The number of entries that there would be.
        entries: usize,
        /// Their total size in bytes.
        bytes: u64,
    },
    /// The tab's name is empty or longer than 64 bytes.
    #[error("a tab's name has 1 to {MAX_TAB_BYTES} bytes")]
    InvalidTab,
    /// The text is longer than a page can be.
    #[error("the text is {0} bytes long; at most {MAX_SOURCE_BYTES} are kept")]
    TooLarge(usize),
    /// The user has no such entry.
    #[error("there is no such draft")]
    NotFound,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
