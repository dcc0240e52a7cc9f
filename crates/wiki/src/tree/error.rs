//! Errors of renaming, deleting and restoring pages.

use crate::file_name::FileName;
use crate::locks::GateError;
use crate::path::{InvalidPath, PagePath};
use crate::store::StorageError;
use crate::tree::PathTaken;

/// A page was not renamed, and nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum RenameError {
    /// No page has this id.
    #[error("no page has this id")]
    NotFound,
    /// The user who renames does not exist.
    #[error("no user has this id")]
    NoUser,
    /// The page has not been saved yet.
    #[error("the page has not been saved yet")]
    Draft,
    /// The page is deleted; it can be restored to another path.
    #[error("the page is deleted")]
    Deleted,
    /// The root page can't be renamed (docs/spec/wiki.md, Deleting and restoring).
    #[error("the root page can't be renamed")]
    RootProtected,
    /// A subtree can't be moved beneath itself.
    #[error("{from} and its subpages can't be moved to {to}, which is one of its subpages")]
    IntoItself {
        /// The path of the subtree.
        from: PagePath,
        /// The requested path.
        to: PagePath,
    },
    /// The new path of a page is invalid.
    #[error("{path} can't be moved along: {reason}")]
    InvalidPath {
        /// The page's path.
        path: PagePath,
        /// The error of the new path.
        reason: InvalidPath,
    },
    /// A new path is already taken.
    #[error(transparent)]
    Taken(#[from] PathTaken),
    /// Another user holds a page that would be renamed.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// A page was not deleted, and nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum DeleteError {
    /// No page has this id.
    #[error("no page has this id")]
    NotFound,
    /// The user who deletes does not exist.
    #[error("no user has this id")]
    NoUser,
    /// The page is already deleted.
    #[error("the page is deleted already")]
    Deleted,
    /// The root page can't be deleted (docs/spec/wiki.md, Deleting and restoring).
    #[error("the root page can't be deleted")]
    RootProtected,
    /// Another user holds a page that would be deleted.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// A page was not restored, and nothing changed.
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
    /// The new path of a page is invalid.
    #[error("{path} can't be restored along: {reason}")]
    InvalidPath {
        /// The path that the page had.
        path: PagePath,
        /// The error of the new path.
        reason: InvalidPath,
    },
    /// A path is already taken.
    #[error(transparent)]
    Taken(#[from] PathTaken),
    /// A file that would be restored with its page has the name of a live file of the page.
    #[error("the page already has a file named {0}")]
    FileNameTaken(FileName),
    /// The request has a token, but a deleted page has no lock.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
