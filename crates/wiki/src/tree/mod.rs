//! The tree of pages: current paths, the trash, and the path history. An operation on many pages is
//! planned completely before the first page changes.

mod children;
mod delete;
mod error;
mod path_at;
pub(crate) mod path_history;
pub(crate) mod path_status;
mod rename;
mod restore;
pub(crate) mod subtree;
pub(crate) mod trash;
pub(crate) mod unrecorded_moves;

pub use children::{Child, Children, Parent};
pub use delete::{DeleteOutcome, DeleteRequest};
pub use error::{DeleteError, RenameError, RestoreError};
pub use path_status::PathTaken;
pub use rename::{PageWarning, RenameOutcome, RenameRequest};
pub use restore::{RestoreOutcome, RestoreRequest};
pub use trash::{DeletedPage, TrashCursor};

pub(crate) use children::child_list;
pub(crate) use delete::trash_page;
pub(crate) use path_at::path_at;
pub(crate) use restore::restore_in;

use crate::id::PageId;
use crate::model::change::{Change, PageChange};
use crate::path::PagePath;

/// A page that was renamed, deleted or restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPage {
    pub page_id: PageId,
    /// Its current path; for a deleted page, its last one.
    pub path: PagePath,
    /// Its latest revision.
    pub revision: u64,
}

impl ChangedPage {
    /// The change to report for it.
    fn change(&self, kind: PageChange) -> Change {
        Change::Page {
            page_id: self.page_id,
            path: self.path.clone(),
            revision: self.revision,
            kind,
        }
    }
}

#[cfg(test)]
#[path = "bulk_tests.rs"]
mod tests;
