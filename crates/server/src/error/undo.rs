//! Why what was done with files can't be undone, as it is answered.

use fumikura_thumbs::Obstacle;
use serde::Serialize;
use utoipa::ToSchema;

/// What keeps something that was done with a file from being undone, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UndoObstacle {
    /// It has been changed since.
    Changed,
    /// It is not there any more.
    Gone,
    /// There is another file at its old place.
    Taken,
    /// It is a folder that was opened since, or in which one lies that was opened.
    Opened,
    /// It is no longer in the bin.
    LeftBin,
    /// The folder in which it lies, or lay, is not open any more.
    FolderClosed,
    /// The folder in which it lies, or lay, is not there any more.
    FolderGone,
    /// Another file is where a sidecar that it has by now would go along.
    SidecarInTheWay,
    /// Its sidecar can't go along.
    SidecarStays,
    /// It is a sidecar whose picture can't go along.
    PictureStays,
    /// It can't be looked at.
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
