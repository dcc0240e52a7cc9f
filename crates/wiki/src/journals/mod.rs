//! Unsaved text: put away while someone types, offered back when they return. It outlives the lock,
//! the draft and the process.

mod ended;
mod error;
mod read;
mod write;

pub use error::JournalError;
pub use read::JournalEntry;
pub use write::UnsavedText;

pub(crate) use ended::{NextLook, end_of_tab};
pub(crate) use write::put_from_upgrade;

/// The longest name of a tab, in bytes.
const MAX_TAB_BYTES: usize = 64;
/// How many entries of one person are kept.
const MAX_ENTRIES: usize = 1_000;
/// How long the texts of one person are together, at most, in bytes.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
