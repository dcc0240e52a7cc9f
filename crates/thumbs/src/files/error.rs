//! Why files can't be renamed, moved, copied, put into the bin, or brought back.

use std::io;

use super::OperationId;
use super::name::NameError;
use super::undo::Stuck;
use crate::access::AccessError;
use crate::path::shown;
use crate::stat::NodeKind;

/// Why nothing was done, or no more.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// A file or folder that was named can't be reached.
    #[error("{}: {error}", shown(.name))]
    Access {
        /// Its name.
        name: Vec<u8>,
        /// Why.
        error: AccessError,
    },
    /// What a file is to be called can't be a name.
    #[error("“{name}”: {error}")]
    InvalidName {
        /// As it was given.
        name: String,
        /// What is wrong with it.
        error: NameError,
    },
    /// The same file was named twice.
    #[error("{} is named twice", shown(.0))]
    Twice(Vec<u8>),
    /// Others have the names already, or two are to have the same one. Nothing was changed.
    #[error("{}", told_taken(.0))]
    Taken(Vec<Vec<u8>>),
    /// A root's own folder, and one in which a root lies, is neither renamed nor moved.
    #[error(
        "a folder that was opened, or in which one lies, can't be renamed, moved or deleted here"
    )]
    Root,
    /// A folder would come to lie in itself.
    #[error("the folder {} can't be moved into itself", shown(.0))]
    IntoItself(Vec<u8>),
    /// Something in a folder can't be copied, and so the folder is not. Nothing was done with it.
    #[error("couldn't copy {} with its folder: {why}", shown(.inner))]
    FolderNotCopied {
        /// What can't be copied: its path from the folder on, with the folder's name.
        inner: Vec<u8>,
        /// Why.
        why: NotCopied,
    },
    /// A folder was copied whole to another disk, and only then not all of it could be deleted at its old place.
    #[error("{} was copied completely, but part of it is still in the original location: {why}", shown(.name))]
    Remains {
        /// Its name.
        name: Vec<u8>,
        /// Why.
        why: Box<FileError>,
    },
    /// It is neither a file nor a folder.
    #[error("{} isn't a regular file and can't be copied", shown(.0))]
    NotAFile(Vec<u8>),
    /// The file was changed while it was copied. It is untouched, and there is no copy.
    #[error("{} was changed while it was copied", shown(.0))]
    Changing(Vec<u8>),
    /// The system has no bin for it.
    #[error("couldn't move {} to Trash: {reason}", shown(.name))]
    NoBin {
        /// Its name.
        name: Vec<u8>,
        /// What was said.
        reason: String,
    },
    /// There is no such operation, or it was undone, or is too long ago.
    #[error("there is nothing to undo with the id {0}")]
    UnknownOperation(OperationId),
    /// What was done can't be undone, since something has changed. Nothing was undone.
    #[error("{}", told_stuck(.stuck, *.all))]
    Stuck {
        /// What can't be undone, and why.
        stuck: Vec<Stuck>,
        /// How much there is to undo.
        all: usize,
    },
    /// It is still being done, or undone.
    #[error("this hasn't finished yet")]
    AtWork,
    /// It is not known what to undo: the file in which that was kept is damaged.
    #[error("the file history can't be read: {0}")]
    Damaged(String),
    /// Somebody cancelled it.
    #[error("this was cancelled")]
    Cancelled,
    /// The file system failed.
    #[error("{}: {error}", shown(.name))]
    Io {
        /// Of the file.
        name: Vec<u8>,
        /// Why.
        error: io::Error,
    },
}

/// Why something that lies in a folder can't be copied along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotCopied {
    /// It is neither a file nor a folder nor a symbolic link.
    #[error("it is {0}")]
    Kind(NodeKind),
    /// Another file system begins there.
    #[error("it is on another disk")]
    OtherDisk,
    /// So many folders lie in each other that it is not looked at.
    #[error("it is nested too deeply")]
    TooDeep,
    /// Two names of a folder are one on the other disk, which tells no case apart, say.
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

    pub(super) fn io(name: &[u8], error: impl Into<io::Error>) -> Self {
        Self::Io {
            name: name.to_vec(),
            error: error.into(),
        }
    }

    /// Why what was called `from` can't have the name `to`.
    pub(super) fn taken_or_io(error: io::Error, from: &[u8], to: &[u8]) -> Self {
        if error.kind() == io::ErrorKind::AlreadyExists {
            Self::Taken(vec![to.to_vec()])
        } else {
            Self::io(from, error)
        }
    }

    /// Whether all that is still to be done would fail alike.
    pub(super) fn is_final(&self) -> bool {
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

fn told_taken(names: &[Vec<u8>]) -> String {
    match names {
        [one] => format!("there is a file named {} already", shown(one)),
        [first, rest @ ..] => format!(
            "there are files named {} and {} more already",
            shown(first),
            rest.len()
        ),
        [] => "there is such a file already".to_owned(),
    }
}

fn told_stuck(stuck: &[Stuck], all: usize) -> String {
    match stuck {
        [(name, why)] if all == 1 => format!("{}: {why}", shown(name)),
        [(name, why), ..] => format!(
            "{} of {all} can't be undone; {}: {why}",
            stuck.len(),
            shown(name)
        ),
        [] => "this can't be undone".to_owned(),
    }
}
