//! The page repository: the only writer of the rows that belong to a page, and of the index rows derived from
//! them. Revisions and files have tables of their own.
//!
//! [`put`] compares a row with its stored value and writes the difference only. Every index row is derived by
//! [`PageRow::index_rows`], which the integrity check uses too.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use crate::id::PageId;
use crate::model::history::{Deletion, FormerPaths};
use crate::model::link::{LinkTarget, PageLinks};
use crate::model::page::{PageIndex, PageInfo, PagePathState, RenameInfo};
use crate::path::PagePath;
use crate::store::{
    BACKLINK, DELETED_PAGE_PATH, DELETION, Direction, FORMER_PATHS, IdKey, LEFT_PATH, PAGE_INDEX,
    PAGE_LINKS, PAGE_PATH, PAGE_TITLE, Read, Record, StorageError, Table, UNRECORDED_MOVE,
    WAITING_LINK, WriteTxn,
};

/// Everything that is stored of a page, except its revisions and files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PageRecord {
    /// The page or draft; `None` if it was erased.
    pub(crate) index: Option<PageIndex>,
    pub(crate) title: Option<String>,
    /// The link targets of its latest text.
    pub(crate) links: Option<PageLinks>,
    pub(crate) former_paths: Option<FormerPaths>,
    /// The move that no revision records yet.
    pub(crate) unrecorded_move: Option<RenameInfo>,
    /// The deletion of a page in the trash.
    pub(crate) deletion: Option<Deletion>,
}

impl PageRecord {
    /// Puts all rows of a page.
    pub(crate) fn put(&self, txn: &WriteTxn, page: PageId) -> Result<(), StorageError> {
        put(txn, PAGE_INDEX, page, self.index.as_ref())?;
        put(txn, PAGE_TITLE, page, self.title.as_ref())?;
        put(txn, PAGE_LINKS, page, self.links.as_ref())?;
        put(txn, FORMER_PATHS, page, self.former_paths.as_ref())?;
        put(txn, UNRECORDED_MOVE, page, self.unrecorded_move.as_ref())?;
        put(txn, DELETION, page, self.deletion.as_ref())
    }

    /// Returns the index rows of a page.
    pub(crate) fn index_rows(&self) -> BTreeSet<IndexRow> {
        let mut rows = index_rows(self.index.as_ref());
        rows.append(&mut index_rows(self.title.as_ref()));
        rows.append(&mut index_rows(self.links.as_ref()));
        rows.append(&mut index_rows(self.former_paths.as_ref()));
        rows.append(&mut index_rows(self.unrecorded_move.as_ref()));
        rows.append(&mut index_rows(self.deletion.as_ref()));
        rows
    }
}

/// An entry of an index that leads to a page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IndexRow {
    /// The current path of the page or draft.
    Path(PagePath),
    /// The last path of the deleted page.
    DeletedPath(PagePath),
    LeftPath(PagePath),
    /// A page to which the page links.
    Backlink(PageId),
    WaitingLink(PagePath),
}

/// A row of a page, in a table by page id.
pub(crate) trait PageRow: Record + PartialEq {
    /// True if a row may imply index rows.
    const IS_INDEXED: bool = false;
    /// True if a row can be derived from other rows.
    const IS_DERIVED: bool = false;

    /// Returns the index rows that the row implies.
    fn index_rows(&self) -> BTreeSet<IndexRow> {
        BTreeSet::new()
    }
}

impl PageRow for PageIndex {
    const IS_INDEXED: bool = true;

    fn index_rows(&self) -> BTreeSet<IndexRow> {
        let row = match self {
            Self::Page(info) => match &info.path_state {
                PagePathState::Current(path) => IndexRow::Path(path.clone()),
                PagePathState::LastDeleted(path) => IndexRow::DeletedPath(path.clone()),
            },
            Self::Draft(draft) => IndexRow::Path(draft.path.clone()),
        };
        BTreeSet::from([row])
    }
}

impl PageRow for PageLinks {
    const IS_INDEXED: bool = true;

    fn index_rows(&self) -> BTreeSet<IndexRow> {
        let row = |target: &LinkTarget| match target {
            LinkTarget::Page(id)
            | LinkTarget::Path {
                path: _,
                bound: Some(id),
            } => IndexRow::Backlink(*id),
            LinkTarget::Path { path, bound: None } => IndexRow::WaitingLink(path.clone()),
        };
        self.targets.iter().map(row).collect()
    }
}

impl PageRow for FormerPaths {
    const IS_INDEXED: bool = true;

    fn index_rows(&self) -> BTreeSet<IndexRow> {
        let paths = self.paths.iter();
        paths
            .map(|former| IndexRow::LeftPath(former.path.clone()))
            .collect()
    }
}

/// A title.
impl PageRow for String {
    const IS_DERIVED: bool = true;
}

/// An unrecorded move.
impl PageRow for RenameInfo {}
impl PageRow for Deletion {}

/// Puts a row of a page in place of the stored one, or removes it, with its index rows. Writes the difference
/// only.
pub(crate) fn put<V: PageRow>(
    txn: &WriteTxn,
    table: Table<IdKey, V>,
    page: PageId,
    new: Option<&V>,
) -> Result<(), StorageError> {
    let id = page.to_bytes();
    let old: Option<V> = match txn.get(table, &id) {
        Ok(old) if old.as_ref() == new => return Ok(()),
        Ok(old) => old,
        // A damaged row is replaced if nothing in it can be lost, and removed if no index depends on it.
        Err(StorageError::Damaged { .. }) if V::IS_DERIVED || (new.is_none() && !V::IS_INDEXED) => {
            None
        }
        Err(error) => return Err(error),
    };
    let (old_rows, new_rows) = (index_rows(old.as_ref()), index_rows(new));
    for row in old_rows.difference(&new_rows) {
        row.remove(txn, &id)?;
    }
    for row in new_rows.difference(&old_rows) {
        row.insert(txn, &id)?;
    }
    match new {
        Some(new) => txn.put(table, &id, new),
        None => txn.remove(table, &id),
    }
}

/// Puts the index rows of all pages in place of the stored ones. Of two pages at the same path, the one that is found
/// there stays.
pub(crate) fn rebuild_indexes(
    txn: &WriteTxn,
    records: &BTreeMap<[u8; 16], PageRecord>,
) -> Result<(), StorageError> {
    let mut found = BTreeMap::new();
    txn.try_scan(PAGE_PATH, |row| {
        if let Ok((path, id)) = row {
            found.insert(path.to_owned(), id);
        }
        ControlFlow::Continue(())
    })?;
    txn.clear(PAGE_PATH)?;
    for sets in [DELETED_PAGE_PATH, LEFT_PATH, WAITING_LINK] {
        txn.clear_sets(sets)?;
    }
    txn.clear_sets(BACKLINK)?;
    for (id, record) in records {
        for row in record.index_rows() {
            if let IndexRow::Path(path) = &row
                && txn.get(PAGE_PATH, path.as_str())?.is_some()
                && found.get(path.as_str()) != Some(id)
            {
                continue;
            }
            row.insert(txn, id)?;
        }
    }
    Ok(())
}

/// Puts the row of a page or draft.
pub(crate) fn put_index(txn: &WriteTxn, index: &PageIndex) -> Result<(), StorageError> {
    put(txn, PAGE_INDEX, index.page_id(), Some(index))
}

/// Returns a saved page, deleted or not.
pub(crate) fn saved(txn: &impl Read, page: PageId) -> Result<Option<PageInfo>, StorageError> {
    Ok(match txn.get(PAGE_INDEX, &page.to_bytes())? {
        Some(PageIndex::Page(info)) => Some(info),
        Some(PageIndex::Draft(_)) | None => None,
    })
}

/// Returns all saved pages, deleted ones included.
pub(crate) fn all_saved(txn: &impl Read) -> Result<Vec<PageInfo>, StorageError> {
    let mut pages = Vec::new();
    txn.scan::<_, PageIndex, &[u8; 16]>(PAGE_INDEX, .., Direction::Ascending, |_, page| {
        if let PageIndex::Page(info) = page {
            pages.push(info);
        }
        ControlFlow::Continue(())
    })?;
    Ok(pages)
}

/// Returns the saved page at a path. A draft does not count.
pub(crate) fn page_at(txn: &impl Read, path: &PagePath) -> Result<Option<PageId>, StorageError> {
    let Some(id) = txn.get(PAGE_PATH, path.as_str())? else {
        return Ok(None);
    };
    Ok(saved(txn, PageId::from_bytes(id))?.map(|info| info.page_id))
}

/// Returns the current or last path of a page, or `None` for a draft or an erased page.
pub(crate) fn path_state(
    txn: &impl Read,
    page: PageId,
) -> Result<Option<PagePathState>, StorageError> {
    Ok(saved(txn, page)?.map(|info| info.path_state))
}

/// Returns the path of a page that exists.
pub(crate) fn present_path(
    txn: &impl Read,
    page: PageId,
) -> Result<Option<PagePath>, StorageError> {
    let index = txn.get(PAGE_INDEX, &page.to_bytes())?;
    Ok(index.and_then(|index| index.present_path().cloned()))
}

fn index_rows<V: PageRow>(row: Option<&V>) -> BTreeSet<IndexRow> {
    row.map(V::index_rows).unwrap_or_default()
}

impl IndexRow {
    /// Returns the name of the table.
    pub(crate) fn table(&self) -> &'static str {
        match self {
            Self::Path(_) => PAGE_PATH.name,
            Self::DeletedPath(_) => DELETED_PAGE_PATH.name,
            Self::LeftPath(_) => LEFT_PATH.name,
            Self::Backlink(_) => BACKLINK.name,
            Self::WaitingLink(_) => WAITING_LINK.name,
        }
    }

    /// Returns the key in the table, for comparison and messages.
    pub(crate) fn key(&self) -> String {
        match self {
            Self::Path(path)
            | Self::DeletedPath(path)
            | Self::LeftPath(path)
            | Self::WaitingLink(path) => path.to_string(),
            Self::Backlink(page) => page.to_string(),
        }
    }

    fn insert(&self, txn: &WriteTxn, id: &[u8; 16]) -> Result<(), StorageError> {
        match self {
            Self::Path(path) => txn.put(PAGE_PATH, path.as_str(), id),
            Self::DeletedPath(path) => txn.insert_id(DELETED_PAGE_PATH, path.as_str(), id),
            Self::LeftPath(path) => txn.insert_id(LEFT_PATH, path.as_str(), id),
            Self::Backlink(page) => txn.insert_id(BACKLINK, &page.to_bytes(), id),
            Self::WaitingLink(path) => txn.insert_id(WAITING_LINK, path.as_str(), id),
        }
    }

    fn remove(&self, txn: &WriteTxn, id: &[u8; 16]) -> Result<(), StorageError> {
        match self {
            // Another page that moves along may have come to the path already.
            Self::Path(path) if txn.get(PAGE_PATH, path.as_str())? != Some(*id) => Ok(()),
            Self::Path(path) => txn.remove(PAGE_PATH, path.as_str()),
            Self::DeletedPath(path) => txn.remove_id(DELETED_PAGE_PATH, path.as_str(), id),
            Self::LeftPath(path) => txn.remove_id(LEFT_PATH, path.as_str(), id),
            Self::Backlink(page) => txn.remove_id(BACKLINK, &page.to_bytes(), id),
            Self::WaitingLink(path) => txn.remove_id(WAITING_LINK, path.as_str(), id),
        }
    }
}

#[cfg(test)]
#[path = "repository_tests.rs"]
mod tests;
