//! Errors of reading a file or folder.

use std::io;
use std::sync::Arc;

use crate::{NodeKind, RootId, path::PathError};

/// An error of reading a file or folder. It can be cloned, since several callers may wait for one result.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AccessError {
    #[error("no open folder has the id {0}")]
    RootNotFound(RootId),
    /// The root's own folder can't be opened: gone, not mounted, or not permitted any more.
    #[error("the folder {path} can't be reached: {source}")]
    FolderUnavailable {
        /// The root's folder.
        path: String,
        /// The error of the system.
        source: Arc<io::Error>,
    },
    /// The path is malformed.
    #[error(transparent)]
    InvalidPath(PathError),
    /// The path leads out of the folders that may be read: by `..`, by a symbolic link, or because no root
    /// contains it.
    #[error("the path is outside the folders that may be read")]
    OutsideRoots,
    /// Nothing exists at the path. Also a symbolic link to nothing, and links in a circle.
    #[error("there is no such file or folder")]
    NotFound,
    /// A folder was requested, and the path leads to something else.
    #[error("this is not a folder")]
    NotAFolder,
    /// A file was requested, and the path leads to something else, which is never opened.
    #[error("this is {0}, not a file that can be read")]
    NotAFile(NodeKind),
    /// The system doesn't permit this program to read it.
    #[error("the system does not permit reading this")]
    PermissionDenied,
    /// The file system failed.
    #[error("reading failed: {0}")]
    Io(#[source] Arc<io::Error>),
}

impl From<PathError> for AccessError {
    fn from(error: PathError) -> Self {
        match error {
            PathError::ParentFolder => Self::OutsideRoots,
            PathError::NotAbsolute
            | PathError::Absolute
            | PathError::ZeroByte
            | PathError::TooLong => Self::InvalidPath(error),
        }
    }
}

impl From<io::Error> for AccessError {
    fn from(error: io::Error) -> Self {
        if is_missing(&error) {
            Self::NotFound
        } else if error.kind() == io::ErrorKind::PermissionDenied {
            Self::PermissionDenied
        } else {
            Self::Io(Arc::new(error))
        }
    }
}

/// True if no such file exists: a part of the path is not a folder, a name is too long for the file system,
/// or links form a circle.
fn is_missing(error: &io::Error) -> bool {
    let link_loop = rustix::io::Errno::LOOP.raw_os_error();
    error.raw_os_error() == Some(link_loop)
        || matches!(
            error.kind(),
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename
        )
}
