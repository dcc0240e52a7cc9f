//! Autosave entries: unsaved text, stored while a user types and offered back later. They outlive
//! the lock, the draft and the process.

mod error;
mod next_scan;
mod read;
mod tombstones;
mod write;

pub use error::AutosaveError;
pub use read::AutosaveEntry;
pub use write::UnsavedText;

pub(crate) use next_scan::NextScan;
pub(crate) use tombstones::end_entry_of_tab;

/// The longest name of a tab, in bytes.
const MAX_TAB_BYTES: usize = 64;
/// The maximum number of entries per user.
const MAX_ENTRIES: usize = 1_000;
/// The maximum total size of the texts of one user, in bytes.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
