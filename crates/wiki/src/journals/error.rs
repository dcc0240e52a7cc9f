//! Why unsaved text was not put away, or not taken out.

use crate::journals::{MAX_BYTES, MAX_ENTRIES, MAX_TAB_BYTES};
use crate::pages::MAX_SOURCE_BYTES;
use crate::store::StorageError;

/// Unsaved text was not put away, or not taken out. What was there is still there.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A message with a higher count came before this one.
    #[error("newer text of this tab is there already (its count is {kept})")]
    Stale {
        /// The highest count that came.
        kept: u64,
    },
    /// The tab has saved the page since, and the text is from before.
    #[error("this tab has saved revision {revision} since")]
    Saved {
        /// What it saved.
        revision: u64,
    },
    /// The person has as much unsaved text as is kept. None of it is given up for the new one, as
    /// nobody but they can say which.
    #[error(
        "there is too much unsaved text ({entries} texts, {bytes} bytes): at most {MAX_ENTRIES} texts \
         and {MAX_BYTES} bytes are kept; discard what you don't need"
    )]
    Full {
        /// How many texts there would be.
        entries: usize,
        /// How long they would be together.
        bytes: u64,
    },
    /// The tab's name is empty or longer than 64 bytes.
    #[error("a tab's name has 1 to {MAX_TAB_BYTES} bytes")]
    InvalidTab,
    /// The text is longer than a page can be.
    #[error("the text is {0} bytes long; at most {MAX_SOURCE_BYTES} are kept")]
    TooLarge(usize),
    /// There is no such entry of this person.
    #[error("there is no such draft")]
    NotFound,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
