//! The metadata of pages for the full-text search.

use jiff::Timestamp;

use crate::id::PageId;
use crate::latest_text::newest;
use crate::model::page::{PageInfo, SourceHead};
use crate::pages::VersionTag;
use crate::pages::title;
use crate::parts::PageSearch;
use crate::path::PagePath;
use crate::repository;
use crate::store::{FORMER_PATHS, Read, ReadTxn, StorageError};

/// A saved page, a deleted one included, without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchablePage {
    pub page_id: PageId,
    /// Its path, or its last one.
    pub path: PagePath,
    /// Paths that it has left.
    pub former_paths: Vec<PagePath>,
    /// True if it is in the trash.
    pub deleted: bool,
    pub title: Option<String>,
    /// Its latest version.
    pub version: VersionTag,
    /// The time of its latest revision.
    pub updated: Timestamp,
    /// The name of its author.
    pub user_name: String,
}

impl PageSearch<'_> {
    /// All saved pages, deleted ones included, by id.
    ///
    /// # Errors
    /// If the database fails.
    pub fn searchable_pages(&self) -> Result<Vec<SearchablePage>, StorageError> {
        self.store.read(|txn| {
            repository::all_saved(txn)?
                .into_iter()
                .map(|info| searchable(txn, info))
                .collect()
        })
    }

    /// A saved page; `None` for a draft, and for a permanently deleted page.
    ///
    /// # Errors
    /// If the database fails.
    pub fn searchable_page(&self, page_id: PageId) -> Result<Option<SearchablePage>, StorageError> {
        self.store.read(|txn| {
            repository::saved(txn, page_id)?
                .map(|info| searchable(txn, info))
                .transpose()
        })
    }
}

fn searchable(txn: &ReadTxn, info: PageInfo) -> Result<SearchablePage, StorageError> {
    let page_id = info.page_id;
    let id = page_id.to_bytes();
    let head: SourceHead = newest(txn, &info)?;
    let former = txn.get(FORMER_PATHS, &id)?.unwrap_or_default();
    let path = info.path_state.path().clone();
    let former_paths = former.paths.into_iter().map(|former| former.path);
    Ok(SearchablePage {
        page_id,
        former_paths: former_paths.filter(|former| *former != path).collect(),
        deleted: info.path_state.is_deleted(),
        title: title(txn, page_id)?,
        version: VersionTag {
            revision: head.revision,
            amends: head.amends,
        },
        updated: head.created_at,
        user_name: head.user_name,
        path,
    })
}
