//! Errors of operations on files that belong to pages.

use crate::file_name::FileName;
use crate::store::StorageError;

/// An operation on a file that belongs to a page failed. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum AssetError {
    /// No file has this id.
    #[error("no file has this id")]
    NotFound,
    /// The page has no file of this name.
    #[error("the page has no file named {0}")]
    NoSuchName(FileName),
    /// No page has this id, or has or had this path.
    #[error("there is no such page")]
    PageNotFound,
    /// The page has not been saved yet. Its files are removed if it is never saved.
    #[error("the page has not been saved yet")]
    PageDraft,
    #[error("the page is deleted")]
    PageDeleted,
    /// The file is deleted.
    #[error("the file is deleted")]
    Deleted,
    /// The file is not deleted.
    #[error("the file is not deleted")]
    NotDeleted,
    /// The file's page was permanently deleted: the file needs another one.
    #[error("the file's page was permanently deleted; assign the file to another page first")]
    Orphaned,
    /// The page has a file of this name.
    #[error("the page already has a file named {0}")]
    NameTaken(FileName),
    /// The file is too large.
    #[error("the file is too large: at most {0} bytes are allowed")]
    TooLarge(u64),
    /// The file has a row, and its contents are missing.
    #[error("the file's contents are missing from the asset folder")]
    FileMissing,
    /// The database or the disk failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<std::io::Error> for AssetError {
    fn from(error: std::io::Error) -> Self {
        Self::Storage(error.into())
    }
}

/// A file can't become a live file of a page.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NameConflict {
    /// A live file of the page has its name.
    #[error("the page already has a file named {0}")]
    Taken(FileName),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<NameConflict> for AssetError {
    fn from(error: NameConflict) -> Self {
        match error {
            NameConflict::Taken(name) => Self::NameTaken(name),
            NameConflict::Storage(error) => Self::Storage(error),
        }
    }
}
