//! Errors of reorganizing pages.

use crate::assets::{AssetError, NameConflict};
use crate::locks::GateError;
use crate::model::page::MAX_SOURCE_BYTES;
use crate::pages::PageError;
use crate::path::{InvalidPath, PagePath};
use crate::revisions::HistoryError;
use crate::store::StorageError;
use crate::tree::{PathTaken, RestoreError};

/// A page was not duplicated, extracted or merged, and nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum ReorganizeError {
    /// There is no such page, or it is a draft or deleted.
    #[error(transparent)]
    Page(#[from] PageError),
    /// No user has the id of the requesting user.
    #[error("no user has this id")]
    NoUser,
    /// The root page can't be duplicated or merged into another.
    #[error("the root page can't be duplicated or merged into another page")]
    RootProtected,
    /// A tag can't have this name.
    #[error("“{0}” can't be a tag: a tag has letters, digits, - _ and /, and at least one letter")]
    InvalidTag(String),
    /// A page can't be merged into itself.
    #[error("a page can't be merged into itself")]
    IntoItself,
    /// The new page has a text that is too long.
    #[error("the text is {0} bytes long; at most {MAX_SOURCE_BYTES} are allowed")]
    TooLarge(usize),
    /// A page has changed since the merge, which can't be undone any more.
    #[error("{0} has changed since; its history has the earlier text")]
    Changed(PagePath),
    /// The path of the new page is invalid.
    #[error(transparent)]
    Path(#[from] InvalidPath),
    /// The path of the new page is taken.
    #[error(transparent)]
    Taken(#[from] PathTaken),
    /// The merged page can't be restored.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// Another user holds a page that would change.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// A file can't be copied or moved.
    #[error(transparent)]
    Asset(#[from] AssetError),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<NameConflict> for ReorganizeError {
    fn from(error: NameConflict) -> Self {
        Self::Asset(error.into())
    }
}

impl From<HistoryError> for ReorganizeError {
    fn from(error: HistoryError) -> Self {
        match error {
            HistoryError::Page(error) => error.into(),
            HistoryError::Gate(error) => error.into(),
            HistoryError::NoUser => Self::NoUser,
            HistoryError::NothingLeft { keep_from, .. } => {
                PageError::NoSuchRevision(keep_from).into()
            }
            HistoryError::Storage(error) => error.into(),
        }
    }
}
