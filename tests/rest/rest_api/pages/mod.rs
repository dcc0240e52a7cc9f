//! Pages: creating, listing, finding, reading, saving, locking.

mod children;
mod deletion;
mod diff;
mod drafts;
mod expired_drafts;
mod history;
mod html;
mod limits;
mod links;
mod listing;
mod lock;
mod meta;
mod past;
mod properties;
mod rename;
mod reorganize;
mod resolve;
mod revision;
mod revisions;
mod save;
mod search;
mod source;
mod takeover;

/// A page id that does not exist.
pub(super) const UNKNOWN_ID: &str = "01JD0000000000000000000000";
