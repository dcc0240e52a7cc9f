//! The wiki: pages and drafts with their revisions, edit locks, unsaved text, people, settings and
//! sessions, all in one redb database. Synchronous; knows nothing of HTTP or windows.
//!
//! [`Wiki`] is the door. Each of its methods is one transaction: when it returns, what it did is on
//! the disk, whole, or nothing happened.

mod id;
mod model;
mod path;
mod store;

