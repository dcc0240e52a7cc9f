//! What keeps something that was done with a file from being undone.

use std::io;

use crate::access::AccessError;
use crate::files::error::FileError;

/// Why something that was done with a file can't be undone.
#[derive(Debug, thiserror::Error)]
pub enum Obstacle {
    /// What was done to it since would be lost.
    #[error("it has changed since")]
    Changed,
    /// It is nowhere.
    #[error("it no longer exists")]
    Gone,
    /// Something else stands where it was.
    #[error("another file is in its place")]
    Taken,
    /// A root's own folder is not moved, and none in which one lies.
    #[error("it, or a folder in it, has since been opened")]
    Opened,
    /// It was taken out of the bin, or the bin was emptied.
    #[error("it is no longer in Trash")]
    LeftBin,
    /// No root has it any more.
    #[error("its folder is no longer open")]
    FolderClosed,
    /// It lay, or lies, in a folder that is gone, or on a disk that is away.
    #[error("its folder no longer exists")]
    FolderGone,
    /// A sidecar that came since would go along, and something else stands where it would go.
    #[error("another file is where what is noted beside it would go")]
    SidecarInTheWay,
    /// A sidecar stays, and no picture goes without it.
    #[error("its XMP file can't be restored with it")]
    SidecarStays,
    /// It is a sidecar, whose picture stays.
    #[error("its picture can't be restored with it")]
    PictureStays,
    /// The system does not let it be looked at.
    #[error("{0}")]
    Unreadable(Box<FileError>),
}

/// What can't be undone, and why.
pub type Stuck = (Vec<u8>, Obstacle);

impl Obstacle {
    /// That a folder can't be opened.
    pub(super) fn of_folder(error: FileError) -> Self {
        let FileError::Access { error: why, .. } = &error else {
            return Self::unreadable(error);
        };
        match why {
            AccessError::RootNotFound(_) => Self::FolderClosed,
            AccessError::NotFound | AccessError::NotAFolder => Self::FolderGone,
            AccessError::FolderUnavailable { source, .. }
                if source.kind() != io::ErrorKind::PermissionDenied =>
            {
                Self::FolderGone
            }
            AccessError::FolderUnavailable { .. }
            | AccessError::InvalidPath(_)
            | AccessError::OutsideRoots
            | AccessError::NotAFile(_)
            | AccessError::PermissionDenied
            | AccessError::Io(_) => Self::unreadable(error),
        }
    }

    pub(super) fn unreadable(error: FileError) -> Self {
        Self::Unreadable(Box::new(error))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[track_caller]
    fn check(error: AccessError, expected: &str) {
        let obstacle = Obstacle::of_folder(FileError::access(b"a", error));
        assert!(
            format!("{obstacle:?}").starts_with(expected),
            "{obstacle:?}"
        );
    }

    #[test]
    fn a_folder_is_gone_closed_or_can_not_be_read() {
        let unavailable = |kind: io::ErrorKind| AccessError::FolderUnavailable {
            path: "/pictures".to_owned(),
            source: Arc::new(kind.into()),
        };
        check(AccessError::NotFound, "FolderGone");
        check(AccessError::NotAFolder, "FolderGone");
        check(unavailable(io::ErrorKind::NotFound), "FolderGone");
        check(unavailable(io::ErrorKind::PermissionDenied), "Unreadable");
        check(AccessError::PermissionDenied, "Unreadable");
        check(io::Error::other("broken").into(), "Unreadable");
        let full = FileError::io(b"a", io::ErrorKind::StorageFull);
        assert!(matches!(Obstacle::of_folder(full), Obstacle::Unreadable(_)));
    }
}
