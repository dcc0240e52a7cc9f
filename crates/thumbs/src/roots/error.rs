//! What can go wrong with the list of roots.

use std::io;

use super::RootId;

/// The file of the roots can't be used. It is never overwritten because of that.
#[derive(Debug, thiserror::Error)]
pub enum RootsFileError {
    /// The file is there but can't be read.
    #[error("the list of folders {path} can't be read: {source}")]
    Read {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The file is no list of roots.
    #[error("the list of folders {path} is damaged: {reason}")]
    Malformed {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A later version of the program wrote the file.
    #[error("the list of folders {path} has version {found}; this program knows version {known}")]
    Version {
        /// The file.
        path: String,
        /// The version in the file.
        found: u32,
        /// The version of this program.
        known: u32,
    },
}

/// A folder can't become a root.
#[derive(Debug, thiserror::Error)]
pub enum AddRootError {
    /// It is no absolute path.
    #[error("a folder is named by its absolute path")]
    NotAbsolute,
    /// There is nothing at the path.
    #[error("there is no such folder")]
    NotFound,
    /// There is something else at the path.
    #[error("this is not a folder")]
    NotAFolder,
    /// The folder may not be read by this program.
    #[error("the folder may not be read")]
    PermissionDenied,
    /// The folder lies beneath none of those that this launch allows.
    #[error("the folder is outside the allowed folders")]
    OutsideAllowed,
    /// The file system failed.
    #[error("the folder can't be opened: {0}")]
    Folder(#[source] io::Error),
    /// The list of roots can't be written; it stays as it was.
    #[error("the list of folders can't be written: {0}")]
    Storage(#[source] io::Error),
}

/// A root can't be taken away.
#[derive(Debug, thiserror::Error)]
pub enum RemoveRootError {
    /// There is no such root.
    #[error("there is no folder with the id {0}")]
    Unknown(RootId),
    /// The list of roots can't be written; it stays as it was.
    #[error("the list of folders can't be written: {0}")]
    Storage(#[source] io::Error),
}
