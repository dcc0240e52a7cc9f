//! Pages: begun, listed, found, read, saved, locked.

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

/// A page's id that nobody has.
pub(super) const NOBODY: &str = "01JD0000000000000000000000";
