//! The paths, titles and late-bound links of pages: those of the present, or of a moment in the past
//! ([`PastView`](crate::past::PastView)).

use crate::id::PageId;
use crate::links::{self, Bindings};
use crate::model::page::PagePathState;
use crate::path::PagePath;
use crate::repository;
use crate::store::{PAGE_TITLE, Read, StorageError};

/// A reader of the names of pages.
pub(crate) trait PageNames {
    /// Returns the current or last path of a page; `None` for a draft or an erased page.
    fn path_state(&self, page: PageId) -> Result<Option<PagePathState>, StorageError>;

    /// Returns the last path of an erased page.
    fn erased_path(&self, page: PageId) -> Result<Option<PagePath>, StorageError>;

    /// Returns the row of a page's title.
    fn title_row(&self, page: PageId) -> Result<Option<String>, StorageError>;

    /// Returns the bound paths in a page's text.
    fn bindings(&self, page: PageId) -> Result<Bindings, StorageError>;

    /// Returns the page at a path.
    fn page_at(&self, path: &PagePath) -> Result<Option<PageId>, StorageError>;
}

impl<T: Read> PageNames for T {
    fn path_state(&self, page: PageId) -> Result<Option<PagePathState>, StorageError> {
        repository::path_state(self, page)
    }

    fn erased_path(&self, page: PageId) -> Result<Option<PagePath>, StorageError> {
        links::erased_path(self, page)
    }

    fn title_row(&self, page: PageId) -> Result<Option<String>, StorageError> {
        self.get(PAGE_TITLE, &page.to_bytes())
    }

    fn bindings(&self, page: PageId) -> Result<Bindings, StorageError> {
        links::bindings(self, page)
    }

    fn page_at(&self, path: &PagePath) -> Result<Option<PageId>, StorageError> {
        repository::page_at(self, path)
    }
}
