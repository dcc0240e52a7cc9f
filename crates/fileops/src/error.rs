//! The errors of renaming, moving, copying, deleting and restoring files.

use std::io;

use fumikura_fs::{AccessError, NodeKind, path::display_path};
use fumikura_xmp::SidecarError;

use super::OperationId;
use super::conflict::UndoConflict;
use super::name::NameError;

/// A reason why an operation failed or stopped.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// A file or folder in the request can't be reached.
    #[error("{}: {error}", display_path(.name))]
    Access {
        name: Vec<u8>,
        /// The cause.
        error: AccessError,
    },
    /// The requested name is invalid.
    #[error("“{name}”: {error}")]
    InvalidName {
        /// The name as requested.
        name: String,
        /// The fault of the name.
        error: NameError,
    },
    /// An item is requested twice.
    #[error("{} is named twice", display_path(.0))]
    Duplicate(Vec<u8>),
    /// The names are taken, or two items would get the same one. Nothing was changed.
    #[error("{}", describe_taken(.0))]
    Taken(Vec<Vec<u8>>),
    /// The destination folder has files of these names, about which the user decides. Nothing was changed.
    #[error("{}", describe_taken(.names))]
    TakenInDestination {
        names: Vec<Vec<u8>>,
        /// The number of files whose contents are identical to those of that name; unknown if they are too large to
        /// be compared while the user waits.
        identical: Option<usize>,
    },
    /// A root's own folder, and a folder that contains a root, is neither renamed nor moved.
    #[error(
        "an opened folder, or one that contains an opened folder, can't be renamed, moved or deleted here"
    )]
    Root,
    /// A folder would be moved into itself.
    #[error("the folder {} can't be moved into itself", display_path(.0))]
    IntoItself(Vec<u8>),
    /// An entry of a folder can't be copied, so the folder is not copied. Nothing was done with it.
    #[error("couldn't copy {} with its folder: {why}", display_path(.inner))]
    FolderNotCopied {
        /// The entry that can't be copied: its path, beginning with the folder's name.
        inner: Vec<u8>,
        /// The cause.
        why: NotCopied,
    },
    /// A folder was copied completely to another disk, but a part of the original could not be deleted.
    #[error("{} was copied completely, but part of it is still in the original location: {why}", display_path(.name))]
    OriginalRemains {
        name: Vec<u8>,
        /// The cause.
        why: Box<FileError>,
    },
    /// The entry is neither a file nor a folder.
    #[error("{} isn't a regular file and can't be copied", display_path(.0))]
    NotAFile(Vec<u8>),
    /// The file was changed while it was copied. It is untouched, and there is no copy.
    #[error("{} was changed while it was copied", display_path(.0))]
    Changing(Vec<u8>),
    /// The system has no trash for it.
    #[error("couldn't move {} to Trash: {reason}", display_path(.name))]
    NoTrash {
        name: Vec<u8>,
        /// The system's message.
        reason: String,
    },
    /// The operation does not exist, was undone, or is too old.
    #[error("there is nothing to undo with the id {0}")]
    UnknownOperation(OperationId),
    /// The operation can't be undone, since something has changed. Nothing was undone.
    #[error("{}", describe_conflicts(.conflicts, *.total))]
    UndoConflicts {
        /// The entries that can't be undone, with their reasons.
        conflicts: Vec<UndoConflict>,
        /// The number of entries to undo.
        total: usize,
    },
    /// The operation, or its undo, is still running.
    #[error("this hasn't finished yet")]
    OperationRunning,
    /// The record of the operation is damaged, so it is unknown what to undo.
    #[error("the file history can't be read: {0}")]
    Damaged(String),
    /// The sidecar of a picture can't be read or written.
    #[error("{}: {error}", display_path(.name))]
    Sidecar {
        name: Vec<u8>,
        /// The cause.
        error: SidecarError,
    },
    /// The operation was cancelled.
    #[error("this was cancelled")]
    Cancelled,
    /// The file system failed.
    #[error("{}: {error}", display_path(.name))]
    Io {
        /// The name of the file.
        name: Vec<u8>,
        /// The cause.
        error: io::Error,
    },
}

/// A reason why an entry of a folder can't be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotCopied {
    /// The entry is neither a file nor a folder nor a symbolic link.
    #[error("it is {0}")]
    Kind(NodeKind),
    /// The entry is the mount point of another file system.
    #[error("it is on another disk")]
    OtherDisk,
    /// Its folders are nested too deeply to be scanned.
    #[error("it is nested too deeply")]
    TooDeep,
    /// Two names of a folder are the same on the other disk, for example because it ignores case.
    #[error("another file has its name there")]
    SameName,
}

impl FileError {
    pub(super) fn access(name: &[u8], error: impl Into<AccessError>) -> Self {
        Self::Access {
            name: name.to_vec(),
            error: error.into(),
        }
    }

    /// Returns the failure of reading or writing a file of this name.
    #[must_use]
    pub fn io(name: &[u8], error: impl Into<io::Error>) -> Self {
        Self::Io {
            name: name.to_vec(),
            error: error.into(),
        }
    }

    /// Returns the reason why `from` can't have the name `to`.
    pub(super) fn rename_error(error: io::Error, from: &[u8], to: &[u8]) -> Self {
        if error.kind() == io::ErrorKind::AlreadyExists {
            Self::Taken(vec![to.to_vec()])
        } else {
            Self::io(from, error)
        }
    }

    /// Returns true if all remaining work would fail in the same way.
    #[must_use]
    pub fn is_final(&self) -> bool {
        use io::ErrorKind as Kind;
        let is_full = |error: &io::Error| {
            matches!(
                error.kind(),
                Kind::StorageFull | Kind::QuotaExceeded | Kind::ReadOnlyFilesystem
            )
        };
        matches!(self, Self::Cancelled) || matches!(self, Self::Io { error, .. } if is_full(error))
    }
}

fn describe_taken(names: &[Vec<u8>]) -> String {
    match names {
        [one] => format!("there is a file named {} already", display_path(one)),
        [first, rest @ ..] => format!(
            "there are files named {} and {} more already",
            display_path(first),
            rest.len()
        ),
        [] => "there is such a file already".to_owned(),
    }
}

fn describe_conflicts(conflicts: &[UndoConflict], total: usize) -> String {
    match conflicts {
        [(name, why)] if total == 1 => format!("{}: {why}", display_path(name)),
        [(name, why), ..] => format!(
            "{} of {total} can't be undone; {}: {why}",
            conflicts.len(),
            display_path(name)
        ),
        [] => "this can't be undone".to_owned(),
    }
}
