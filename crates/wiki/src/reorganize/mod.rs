//! Reorganizing pages: duplicating one, making a part of one a page of its own, merging one into another
//! (docs/spec/wiki.md, Reorganizing), and renaming a file or a tag in texts.

mod duplicate;
mod error;
mod extract;
mod file;
mod merge;
mod tag;
mod unmerge;

pub use error::ReorganizeError;
pub use file::{FileRename, RenamedFile};
pub use merge::{MergeOutcome, MergeRequest, MergedFile, MergedLinks};
pub use tag::TagRename;
pub use unmerge::UnmergeRequest;

use crate::id::PageId;
use crate::path::PagePath;

/// A page that was created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPage {
    pub page_id: PageId,
    pub path: PagePath,
}

#[cfg(test)]
mod tests;
