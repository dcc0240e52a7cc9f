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
pub(crate) use write::beginning;
