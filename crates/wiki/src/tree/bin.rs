//! The bin: deleted pages, by the path that they had or all of them.

use std::ops::ControlFlow;

use jiff::Timestamp;

use crate::id::{DeletionId, PageId};
use crate::model::history::Deletion;
use crate::model::page::{PageIndex, PageInfo, PagePathState};
use crate::path::PagePath;
use crate::store::{
    DELETED_PAGE_PATH, DELETION, Direction, PAGE_INDEX, PAGE_TITLE, Read, ReadSets, ReadTxn,
    StorageError,
};
use crate::tree::subtree;
use crate::wiki::Wiki;

/// A page in the bin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeletedPage {
    /// The page.
    pub page_id: PageId,
    /// Where it stood when it was deleted.
    pub path: PagePath,
    /// When it was deleted.
    pub deleted_at: Timestamp,
    /// The name of whoever deleted it, as it was then.
    pub user_name: String,
    /// Shared by the pages that were deleted in one go.
    pub deletion: DeletionId,
    /// Its newest revision.
    pub revision: u64,
    /// Its title, if it has one.
    pub title: Option<String>,
}

impl Wiki {
    /// The deleted pages that stood at `path`, the latest first: what can be restored there.
    ///
    /// # Errors
    /// When the database fails.
    pub fn deleted_at(&self, path: &PagePath) -> Result<Vec<DeletedPage>, StorageError> {
        self.store.read(|txn| {
            let ids = txn.ids(DELETED_PAGE_PATH, path.as_str())?;
            let mut pages = Vec::with_capacity(ids.len());
            for id in ids {
                let info = deleted_info(txn, id)?;
                let deletion = deletion(txn, &info)?;
                pages.push(described(txn, info, deletion)?);
            }
            pages.sort_by_key(|page| std::cmp::Reverse((page.deleted_at, page.page_id)));
            Ok(pages)
        })
    }

    /// A part of the whole bin: the latest deletion first, and the pages of one deletion by their
    /// paths.
    ///
    /// # Errors
    /// When the database fails.
    pub fn bin(&self, offset: usize, limit: usize) -> Result<Vec<DeletedPage>, StorageError> {
        self.store.read(|txn| {
            let mut all = Vec::new();
            for (id, deletion) in deletions(txn)? {
                let info = deleted_info(txn, id)?;
                all.push((info, deletion));
            }
            all.sort_by(|(a, deleted_a), (b, deleted_b)| {
                let latest = deleted_b.deleted_at.cmp(&deleted_a.deleted_at);
                latest
                    .then_with(|| deleted_b.group.cmp(&deleted_a.group))
                    .then_with(|| a.path_state.path().cmp(b.path_state.path()))
            });
            let part = all.into_iter().skip(offset).take(limit);
            part.map(|(info, deletion)| described(txn, info, deletion))
                .collect()
        })
    }
}

/// A deleted page and those that were deleted along with it from beneath it, by path.
pub(super) fn with_those_beneath<R: Read + ReadSets>(
    txn: &R,
    info: PageInfo,
) -> Result<Vec<(PageInfo, Deletion)>, StorageError> {
    let own = deletion(txn, &info)?;
    let mut ids = Vec::new();
    let range = subtree::beneath(info.path_state.path());
    txn.scan_ids_in::<_, &str>(
        DELETED_PAGE_PATH,
        range.as_bounds(),
        Direction::Ascending,
        |_, here| {
            ids.extend(here);
            ControlFlow::Continue(())
        },
    )?;
    let group = own.group;
    let mut all = vec![(info, own)];
    for id in ids {
        let deletion = txn.get(DELETION, &id)?;
        let deletion = deletion.ok_or_else(|| damaged("deletion", id))?;
        if deletion.group == group {
            all.push((deleted_info(txn, id)?, deletion));
        }
    }
    Ok(all)
}

/// How a deleted page came into the bin.
pub(super) fn deletion(txn: &impl Read, info: &PageInfo) -> Result<Deletion, StorageError> {
    let id = info.page_id.to_bytes();
    txn.get(DELETION, &id)?
        .ok_or_else(|| damaged("deletion", id))
}

/// Every deleted page with its deletion.
fn deletions(txn: &ReadTxn) -> Result<Vec<([u8; 16], Deletion)>, StorageError> {
    let mut all = Vec::new();
    txn.scan::<_, Deletion, &[u8; 16]>(DELETION, .., Direction::Ascending, |id, deletion| {
        all.push((*id, deletion));
        ControlFlow::Continue(())
    })?;
    Ok(all)
}

fn deleted_info(txn: &impl Read, id: [u8; 16]) -> Result<PageInfo, StorageError> {
    match txn.get(PAGE_INDEX, &id)? {
        Some(PageIndex::Page(info)) if info.path_state.is_deleted() => Ok(info),
        Some(PageIndex::Page(_) | PageIndex::Draft(_)) | None => Err(damaged("page_index", id)),
    }
}

fn described(
    txn: &ReadTxn,
    info: PageInfo,
    deletion: Deletion,
) -> Result<DeletedPage, StorageError> {
    let (PagePathState::Current(path) | PagePathState::LastDeleted(path)) = info.path_state;
    Ok(DeletedPage {
        page_id: info.page_id,
        path,
        deleted_at: deletion.deleted_at,
        user_name: deletion.user_name,
        deletion: deletion.group,
        revision: info.latest,
        title: txn.get(PAGE_TITLE, &info.page_id.to_bytes())?,
    })
}

fn damaged(table: &'static str, id: [u8; 16]) -> StorageError {
    StorageError::Damaged {
        table,
        reason: format!("{} is no deleted page there", PageId::from_bytes(id)),
    }
}
