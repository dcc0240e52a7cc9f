//! Errors of the list of roots.

use std::io;

use super::RootId;
use crate::path::PathError;

/// The file of the roots can't be used. It is not overwritten.
#[derive(Debug, thiserror::Error)]
pub enum RootsFileError {
    /// The file exists but can't be read.
    #[error("the list of folders {path} can't be read: {source}")]
    Read {
        /// The file.
        path: String,
        /// The cause.
        source: io::Error,
    },
    /// The file is not a list of roots.
    #[error("the list of folders {path} is damaged: {reason}")]
    Malformed {
        /// The file.
        path: String,
        /// The fault in the file.
        reason: String,
    },
    /// A later version of the program wrote the file.
    #[error(
        "the list of folders {path} has version {version}; this program supports version {supported}"
    )]
    Version {
        /// The file.
        path: String,
        /// The version in the file.
        version: u32,
        /// The version of this program.
        supported: u32,
    },
}

/// A folder can't become a root.
#[derive(Debug, thiserror::Error)]
pub enum AddRootError {
    /// The path is not absolute, or malformed.
    #[error(transparent)]
    InvalidPath(#[from] PathError),
    /// Nothing exists at the path.
    #[error("there is no such folder")]
    NotFound,
    /// The path is not a folder.
    #[error("this is not a folder")]
    NotAFolder,
    /// This program may not read the folder.
    #[error("the folder may not be read")]
    PermissionDenied,
    /// The folder is beneath none of those that this launch allows.
    #[error("the folder is outside the allowed folders")]
    OutsideAllowed,
    /// The file system failed.
    #[error("the folder can't be opened: {0}")]
    Folder(#[source] io::Error),
    /// The list of roots can't be written; it stays as it was.
    #[error("the list of folders can't be written: {0}")]
    Storage(#[source] io::Error),
}

/// A root can't be removed.
#[derive(Debug, thiserror::Error)]
pub enum RemoveRootError {
    /// There is no such root.
    #[error("there is no folder with the id {0}")]
    Unknown(RootId),
    /// The list of roots can't be written; it stays as it was.
    #[error("the list of folders can't be written: {0}")]
    Storage(#[source] io::Error),
}
