//! The reasons why an operation on files can't be undone, as responses.

use fumikura_fileops::Conflict;
use serde::Serialize;
use utoipa::ToSchema;

/// The reason why an operation on a file can't be undone, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = UndoObstacle)]
pub enum UndoConflict {
    /// The file has changed since.
    Changed,
    /// The file no longer exists.
    Gone,
    /// Another file has its old path.
    Taken,
    /// The folder was opened since, or contains a folder that was.
    Opened,
    /// It is no longer in the trash.
    LeftBin,
    /// Its current or former folder is no longer open.
    FolderClosed,
    /// Its current or former folder no longer exists.
    FolderGone,
    /// Another file has the path to which its new sidecar would move.
    SidecarInTheWay,
    /// Its sidecar can't be moved with it.
    SidecarStays,
    /// It is a sidecar whose picture can't be moved with it.
    PictureStays,
    /// It can't be read.
    Unreadable,
}

impl From<&Conflict> for UndoConflict {
    fn from(conflict: &Conflict) -> Self {
        match conflict {
            Conflict::Changed => Self::Changed,
            Conflict::Gone => Self::Gone,
            Conflict::Taken => Self::Taken,
            Conflict::Opened => Self::Opened,
            Conflict::NotInTrash => Self::LeftBin,
            Conflict::FolderClosed => Self::FolderClosed,
            Conflict::FolderGone => Self::FolderGone,
            Conflict::SidecarPathTaken => Self::SidecarInTheWay,
            Conflict::SidecarStays => Self::SidecarStays,
            Conflict::PictureStays => Self::PictureStays,
            Conflict::Unreadable(_) => Self::Unreadable,
        }
    }
}
