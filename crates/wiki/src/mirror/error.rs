//! Errors of the mirror, sorted by what a person can do about them.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::pages::SaveError;
use crate::store::StorageError;

/// The mirror was not brought up to date, or a file of it was not read. Nothing that was edited outside has changed.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    #[error("the mirror was interrupted")]
    Cancelled,
    #[error("there is no mirror")]
    NotSet,
    /// The folder is missing, or another one is in its place, such as an empty mount point.
    #[error("{} is not connected, or no longer the folder of the mirror", .0.display())]
    NotConnected(PathBuf),
    /// The folder has files that are not the mirror's.
    #[error("{} has other files; choose an empty folder", .0.display())]
    NotEmpty(PathBuf),
    /// The folder, or a file in it, can't be read or written.
    #[error("{} can't be used: {source}", .path.display())]
    Folder { path: PathBuf, source: io::Error },
    /// There is no such file to settle.
    #[error("{0} is not a file of the mirror that was edited outside")]
    NoSuchEntry(String),
    /// The file is no text of a page.
    #[error("{0} is not a text in UTF-8 of at most 10 MiB")]
    NotAText(String),
    /// The file was changed after it was shown.
    #[error("{0} was changed meanwhile")]
    Changed(String),
    /// The text was not saved.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The wiki, or the record of the mirror in the data folder, failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// The reason why the mirror is not up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MirrorFailure {
    /// The folder is missing, or does not have the mark of the mirror.
    NotConnected,
    /// Its disk is full.
    DiskFull,
    /// Its disk is read-only.
    ReadOnly,
    /// The system denies permission.
    NotPermitted,
    /// Reading or writing failed in another way.
    Failed,
}

impl MirrorError {
    /// Returns an error of the file system about something in the folder.
    pub(super) fn at(path: &Path, source: io::Error) -> Self {
        Self::Folder {
            path: path.to_owned(),
            source,
        }
    }

    /// Returns the reason, for programs.
    #[must_use]
    pub fn failure(&self) -> MirrorFailure {
        match self {
            Self::NotConnected(_) => MirrorFailure::NotConnected,
            Self::Folder { source, .. } => of_folder(source),
            Self::Cancelled
            | Self::NotSet
            | Self::NotEmpty(_)
            | Self::NoSuchEntry(_)
            | Self::NotAText(_)
            | Self::Changed(_)
            | Self::Save(_)
            | Self::Storage(_) => MirrorFailure::Failed,
        }
    }
}

fn of_folder(error: &io::Error) -> MirrorFailure {
    use io::ErrorKind as Kind;
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "io::ErrorKind is open; the rest is a failing disk"
    )]
    match error.kind() {
        Kind::StorageFull | Kind::QuotaExceeded => MirrorFailure::DiskFull,
        Kind::ReadOnlyFilesystem => MirrorFailure::ReadOnly,
        Kind::PermissionDenied => MirrorFailure::NotPermitted,
        _ => MirrorFailure::Failed,
    }
}
