//! Errors of imports from other programs.

use crate::migration::ContentError;
use crate::model::page::MAX_SOURCE_BYTES;
use crate::path::PagePath;
use crate::revisions::HistoryError;
use crate::store::StorageError;

/// Nothing was imported or undone, and nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum MigrationError {
    /// No import has the id.
    #[error("no import has this id")]
    NotFound,
    /// The import was undone already.
    #[error("this import was undone already")]
    Undone,
    /// No user has the id of the requesting user.
    #[error("no user has this id")]
    NoUser,
    #[error("the import was cancelled")]
    Cancelled,
    /// The wiki has changed since the plan was made.
    #[error("pages were changed meanwhile; start the import again")]
    Changed,
    /// No offered text has the id.
    #[error("this imported text no longer waits for a decision")]
    NoSuchText,
    /// The page of an offered text has changed since it was compared.
    #[error("the page was changed meanwhile; compare it again")]
    PageChanged,
    /// The page of an offered text is being edited.
    #[error("the page is being edited")]
    Locked,
    /// The text of a page is too long.
    #[error("the text of {path} is {bytes} bytes long; at most {MAX_SOURCE_BYTES} are allowed")]
    TooLong { path: PagePath, bytes: usize },
    /// A text or file of the source can't be read.
    #[error("{origin} can't be read: {reason}")]
    Content {
        origin: String,
        reason: ContentError,
    },
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<std::io::Error> for MigrationError {
    fn from(error: std::io::Error) -> Self {
        Self::Storage(error.into())
    }
}

impl From<HistoryError> for MigrationError {
    fn from(error: HistoryError) -> Self {
        match error {
            HistoryError::Storage(error) => Self::Storage(error),
            HistoryError::NoUser => Self::NoUser,
            HistoryError::Page(_) | HistoryError::Gate(_) | HistoryError::NothingLeft { .. } => {
                Self::Changed
            }
        }
    }
}
