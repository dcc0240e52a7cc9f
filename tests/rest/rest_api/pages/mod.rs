//! Pages: creating, listing, finding, reading, saving, locking.

mod beginning;
mod children;
mod dead_drafts;
mod deleting;
mod diff;
mod history;
mod limits;
mod links;
mod listing;
mod lock;
mod meta;
mod reading;
mod renaming;
mod resolve;
mod revision;
mod revisions;
mod saving;
mod search;
mod taking_over;

/// A page id that does not exist.
pub(super) const NOBODY: &str = "01JD0000000000000000000000";
