//! The metadata of pages for the full-text search.

use jiff::Timestamp;

use crate::id::PageId;
use crate::latest_text::{newest, revision_row};
use crate::links;
use crate::model::page::{PageInfo, PageSource, SourceHead};
use crate::pages::VersionTag;
use crate::pages::{resolve_row, title, title_row};
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

/// The text of a revision for the full-text search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchableText {
    /// The Markdown source, as it is displayed.
    pub source: String,
    /// The title, by the same grammar as that of the latest revision.
    pub title: Option<String>,
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

    /// The text of a revision of a saved page, or of the latest one; `None` if the page has no such revision.
    ///
    /// # Errors
    /// If the database fails.
    pub fn text(
        &self,
        page_id: PageId,
        revision: Option<u64>,
    ) -> Result<Option<SearchableText>, StorageError> {
        self.store.read(|txn| {
            let Some(info) = repository::saved(txn, page_id)? else {
                return Ok(None);
            };
            let number = revision.unwrap_or(info.latest);
            if !(info.gc_min..=info.latest).contains(&number) {
                return Ok(None);
            }
            let PageSource { source, .. } = revision_row(txn, &info, number)?;
            let title = title_row(&source).map(|row| resolve_row(txn, page_id, row));
            let base = info.path_state.path();
            let is_latest = number == info.latest;
            Ok(Some(SearchableText {
                source: links::display_text(txn, page_id, base, &source, is_latest)?,
                title: title.transpose()?.map(|title| title.text),
            }))
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
