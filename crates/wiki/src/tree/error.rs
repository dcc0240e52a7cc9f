//! Why a page was not moved, deleted or restored.

use crate::file_name::FileName;
use crate::locks::GateError;
use crate::path::{InvalidPath, PagePath};
use crate::store::StorageError;
use crate::tree::PathTaken;

/// Nothing was renamed, and nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum RenameError {
    /// No page has this id.
    #[error("no page has this id")]
    NotFound,
    /// Nobody has the id of the person who renames.
    #[error("no user has this id")]
    NoUser,
    /// The page has not been saved yet.
    #[error("the page has not been saved yet")]
    Draft,
    /// The page is deleted; it can be restored to another path.
    #[error("the page is deleted")]
    Deleted,
    /// The root page stays where it is (docs/spec/wiki.md, Deleting and restoring).
    #[error("the root page can't be renamed")]
    RootProtected,
    /// A subtree can't be moved beneath itself.
    #[error("{from} and its subpages can't be moved to {to}, which is one of its subpages")]
    IntoItself {
        /// Where the subtree stands.
        from: PagePath,
        /// Where it was to go.
        to: PagePath,
    },
    /// A page's new path is none.
    #[error("{path} can't be moved along: {reason}")]
    InvalidPath {
        /// The page's path.
        path: PagePath,
        /// What is wrong with its new one.
        reason: InvalidPath,
    },
    /// Something stands at a new path already.
    #[error(transparent)]
    Taken(#[from] PathTaken),
    /// Someone holds a page that would be renamed.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Nothing was deleted, and nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum DeleteError {
    /// No page has this id.
    #[error("no page has this id")]
    NotFound,
    /// Nobody has the id of the person who deletes.
    #[error("no user has this id")]
    NoUser,
    /// The page is deleted already.
    #[error("the page is deleted already")]
    Deleted,
    /// The root page stays (docs/spec/wiki.md, Deleting and restoring).
    #[error("the root page can't be deleted")]
    RootProtected,
    /// Someone holds a page that would be deleted.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Nothing was restored, and nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// No page has this id.
    #[error("no page has this id")]
    NotFound,
    /// The page has not been saved yet.
    #[error("the page has not been saved yet")]
    Draft,
    /// The page is not deleted.
    #[error("the page is not deleted")]
    NotDeleted,
    /// A page's new path is none.
    #[error("{path} can't be restored along: {reason}")]
    InvalidPath {
        /// The path that the page had.
        path: PagePath,
        /// What is wrong with its new one.
        reason: InvalidPath,
    },
    /// Something stands at a path already.
    #[error(transparent)]
    Taken(#[from] PathTaken),
    /// A file that would come back with its page has a name that another one has there.
    #[error("the page already has a file named {0}")]
    FileNameTaken(FileName),
    /// A token came along, but nobody holds a deleted page.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
