//! The wiki as of a moment (docs/spec/wiki.md, The wiki as of a moment): its pages, with their paths, titles, texts and
//! links, and its files.
//!
//! A page has the text of its newest revision that is not later than the moment. Its path follows from the renames, the
//! deletions and the path history. The store keeps no trace of some events, and says so instead of guessing: removed
//! revisions, permanently deleted pages, and deletions that were undone.

mod files;
mod read;
mod tree;
mod view;

pub use read::PastError;

pub(crate) use files::files;
pub(crate) use read::present;
pub(crate) use view::{PastPage, PastView};

use jiff::Timestamp;

use crate::store::Store;

/// The wiki as of a moment.
#[derive(Clone, Copy)]
pub struct Past<'w> {
    pub(crate) store: &'w Store,
    pub(crate) at: Timestamp,
}
