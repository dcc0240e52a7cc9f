//! The reasons why an operation on files can't be undone, as responses.

use fumikura_fileops::Obstacle;
use serde::Serialize;
use utoipa::ToSchema;

/// The reason why an operation on a file can't be undone, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UndoObstacle {
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

impl From<&Obstacle> for UndoObstacle {
    fn from(obstacle: &Obstacle) -> Self {
        match obstacle {
            Obstacle::Changed => Self::Changed,
            Obstacle::Gone => Self::Gone,
            Obstacle::Taken => Self::Taken,
            Obstacle::Opened => Self::Opened,
            Obstacle::LeftBin => Self::LeftBin,
            Obstacle::FolderClosed => Self::FolderClosed,
            Obstacle::FolderGone => Self::FolderGone,
            Obstacle::SidecarInTheWay => Self::SidecarInTheWay,
            Obstacle::SidecarStays => Self::SidecarStays,
            Obstacle::PictureStays => Self::PictureStays,
            Obstacle::Unreadable(_) => Self::Unreadable,
        }
    }
}
