//! Watches folders while clients show them, so that what they show is true.
//!
//! The disk decides: an event is only a hint to check the folder again, a burst of events is one hint, and a folder
//! without events is polled. A folder that vanishes is waited for. A disk that never answers holds up only its own
//! callers: no lock is held during disk access.

mod check;
mod debouncer;
mod folder_watch;
mod probe;
mod registry;
mod system_watches;
mod walk;
mod watcher;

pub use watcher::{FolderChange, Lease, WatchMode, Watcher};
