//! Conflicts that prevent the undo of a file operation.

use std::io;

use fumikura_fs::AccessError;

use crate::error::FileError;

/// A reason why a step of a file operation can't be undone.
#[derive(Debug, thiserror::Error)]
pub enum Conflict {
    /// Changes that were made since would be lost.
    #[error("it has changed since")]
    Changed,
    /// The entry no longer exists.
    #[error("it no longer exists")]
    Gone,
    /// Another entry is in its original place.
    #[error("another file is in its place")]
    Taken,
    /// A root's own folder is not moved, nor is a folder that contains one.
    #[error("it, or a folder in it, has since been opened")]
    Opened,
    /// The entry was taken out of the trash, or the trash was emptied.
    #[error("it is no longer in Trash")]
    NotInTrash,
    /// The entry is in no root any more.
    #[error("its folder is no longer open")]
    FolderClosed,
    /// Its original or current folder is gone, or is on a disk that is not mounted.
    #[error("its folder no longer exists")]
    FolderGone,
    /// A sidecar that was added since would be moved too, but another entry is in its target place.
    #[error("another file is at the new path of its XMP file")]
    SidecarPathTaken,
    /// A sidecar can't be restored, and a picture is not restored without it.
    #[error("its XMP file can't be restored with it")]
    SidecarStays,
    /// The picture of a sidecar can't be restored.
    #[error("its picture can't be restored with it")]
    PictureStays,
    /// The system does not allow it to be read.
    #[error("{0}")]
    Unreadable(Box<FileError>),
}

/// An entry that can't be undone, and the reason.
pub type UndoConflict = (Vec<u8>, Conflict);

impl Conflict {
    /// Converts the error of a folder that can't be opened.
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
        let conflict = Conflict::of_folder(FileError::access(b"a", error));
        assert!(
            format!("{conflict:?}").starts_with(expected),
            "{conflict:?}"
        );
    }

    #[test]
    fn folder_errors_map_to_conflicts() {
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
        assert!(matches!(Conflict::of_folder(full), Conflict::Unreadable(_)));
    }
}
