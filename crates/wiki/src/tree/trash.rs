//! The trash: deleted pages, by their former path or all of them.

use std::cmp::Reverse;
use std::ops::{Bound, ControlFlow};

use jiff::Timestamp;

use crate::id::{DeletionId, PageId};
use crate::links::TrashPath;
use crate::model::history::Deletion;
use crate::model::page::{PageIndex, PageInfo, PagePathState};
use crate::pages;
use crate::parts::Tree;
use crate::path::PagePath;
use crate::store::{
    DELETED_PAGE_PATH, DELETION, Direction, PAGE_INDEX, Read, ReadSets, ReadTxn, StorageError,
};
use crate::tree::subtree;

/// A page in the trash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeletedPage {
    pub page_id: PageId,
    /// Its path when it was deleted.
    pub path: PagePath,
    /// The time of the deletion.
    pub deleted_at: Timestamp,
    /// The name that the user who deleted it had at that time.
    pub user_name: String,
    /// Shared by the pages that were deleted together.
    pub deletion: DeletionId,
    /// Its latest revision.
    pub revision: u64,
    pub title: Option<String>,
    /// The number of its subpages that were deleted along with it. A recursive restore restores them too.
    pub subpages: usize,
}

/// A position in the trash: after a page that is, or was, there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrashCursor {
    /// The time of the page's deletion.
    pub deleted_at: Timestamp,
    pub deletion: DeletionId,
    /// The page's path when it was deleted.
    pub path: PagePath,
    pub page_id: PageId,
}

impl DeletedPage {
    /// The position after this page.
    #[must_use]
    pub fn cursor(&self) -> TrashCursor {
        TrashCursor {
            deleted_at: self.deleted_at,
            deletion: self.deletion,
            path: self.path.clone(),
            page_id: self.page_id,
        }
    }
}

/// The sort key of a deletion in the trash: the latest comes first.
type TrashOrder = (Reverse<Timestamp>, Reverse<DeletionId>);

impl Tree<'_> {
    /// The deleted pages that were at `path` and can be restored there, the latest first. If there are none, the page
    /// that `path` names as one in the trash.
    ///
    /// # Errors
    /// If the database fails.
    pub fn deleted_pages_at(&self, path: &PagePath) -> Result<Vec<DeletedPage>, StorageError> {
        self.store.read(|txn| {
            let mut ids = txn.ids(DELETED_PAGE_PATH, path.as_str())?;
            if ids.is_empty()
                && let Some(name) = TrashPath::parse(path)
            {
                ids.extend(name.page(txn, |_| true)?.map(|page| page.to_bytes()));
            }
            let mut pages = Vec::with_capacity(ids.len());
            for id in ids {
                let mut all = with_subpages(txn, deleted_info(txn, id)?)?;
                let subpages = all.len() - 1;
                let (info, deletion) = all.swap_remove(0);
                pages.push(deleted_page(txn, info, deletion, subpages)?);
            }
            pages.sort_by_key(|page| Reverse((page.deleted_at, page.page_id)));
            Ok(pages)
        })
    }

    /// A part of the trash after a position: the latest deletion first, and the pages of one deletion
    /// by their paths. Consecutive parts return each page that stays in the trash once, regardless of
    /// concurrent changes.
    ///
    /// # Errors
    /// If the database fails.
    pub fn trash(
        &self,
        after: Option<&TrashCursor>,
        limit: usize,
    ) -> Result<Vec<DeletedPage>, StorageError> {
        self.store.read(|txn| {
            let mut listed = Vec::new();
            for deleted in deletions(txn, after)?.chunk_by(|a, b| order(&a.1) == order(&b.1)) {
                let mut pages = Vec::with_capacity(deleted.len());
                for (id, deletion) in deleted {
                    pages.push((deleted_info(txn, *id)?, deletion.clone()));
                }
                pages.sort_by(|(a, _), (b, _)| sort_key(a).cmp(&sort_key(b)));
                let paths: Vec<_> = pages.iter().map(|(info, _)| path_of(info)).collect();
                for (info, deletion) in pages {
                    if after.is_some_and(|after| !follows(&info, &deletion, after)) {
                        continue;
                    }
                    if listed.len() == limit {
                        return Ok(listed);
                    }
                    let subpages = count_descendants(&paths, info.path_state.path());
                    listed.push(deleted_page(txn, info, deletion, subpages)?);
                }
            }
            Ok(listed)
        })
    }
}

fn order(deletion: &Deletion) -> TrashOrder {
    (Reverse(deletion.deleted_at), Reverse(deletion.group))
}

fn path_of(info: &PageInfo) -> String {
    info.path_state.path().as_str().to_owned()
}

/// Counts the paths beneath `path`. The paths must be in ascending order.
fn count_descendants(paths: &[String], path: &PagePath) -> usize {
    let range = subtree::descendants(path);
    let from = paths.partition_point(|path| match &range.low {
        Bound::Included(low) => path < low,
        Bound::Excluded(low) => path <= low,
        Bound::Unbounded => false,
    });
    let to = paths.partition_point(|path| *path < range.high);
    to.saturating_sub(from)
}

/// The sort key of a page among those that were deleted along with it.
fn sort_key(info: &PageInfo) -> (&PagePath, PageId) {
    (info.path_state.path(), info.page_id)
}

fn follows(info: &PageInfo, deletion: &Deletion, after: &TrashCursor) -> bool {
    let last = (Reverse(after.deleted_at), Reverse(after.deletion));
    (order(deletion), sort_key(info)) > (last, (&after.path, after.page_id))
}

/// The most recently deleted of the pages that were at a path, and the time of its deletion.
pub(crate) fn last_deleted_at(
    txn: &(impl Read + ReadSets),
    path: &PagePath,
) -> Result<Option<(Timestamp, PageId)>, StorageError> {
    let mut last = None;
    for id in txn.ids(DELETED_PAGE_PATH, path.as_str())? {
        let deletion = txn.get(DELETION, &id)?;
        last = last.max(deletion.map(|deletion| (deletion.deleted_at, id)));
    }
    Ok(last.map(|(deleted_at, id)| (deleted_at, PageId::from_bytes(id))))
}

/// A deleted page and its subpages that were deleted along with it, by path.
pub(super) fn with_subpages<R: Read + ReadSets>(
    txn: &R,
    info: PageInfo,
) -> Result<Vec<(PageInfo, Deletion)>, StorageError> {
    let own = deletion(txn, &info)?;
    let mut ids = Vec::new();
    let range = subtree::descendants(info.path_state.path());
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

/// The deletion of a page in the trash.
pub(super) fn deletion(txn: &impl Read, info: &PageInfo) -> Result<Deletion, StorageError> {
    let id = info.page_id.to_bytes();
    txn.get(DELETION, &id)?
        .ok_or_else(|| damaged("deletion", id))
}

/// The deleted pages of the deletion at the cursor, and of all deletions after it, in their order.
fn deletions(
    txn: &ReadTxn,
    after: Option<&TrashCursor>,
) -> Result<Vec<([u8; 16], Deletion)>, StorageError> {
    let last = after.map(|after| (Reverse(after.deleted_at), Reverse(after.deletion)));
    let mut all = Vec::new();
    txn.scan::<_, Deletion, &[u8; 16]>(DELETION, .., Direction::Ascending, |id, deletion| {
        if last.is_none_or(|last| order(&deletion) >= last) {
            all.push((*id, deletion));
        }
        ControlFlow::Continue(())
    })?;
    all.sort_by_key(|(_, deletion)| order(deletion));
    Ok(all)
}

fn deleted_info(txn: &impl Read, id: [u8; 16]) -> Result<PageInfo, StorageError> {
    match txn.get(PAGE_INDEX, &id)? {
        Some(PageIndex::Page(info)) if info.path_state.is_deleted() => Ok(info),
        Some(PageIndex::Page(_) | PageIndex::Draft(_)) | None => Err(damaged("page_index", id)),
    }
}

fn deleted_page(
    txn: &ReadTxn,
    info: PageInfo,
    deletion: Deletion,
    subpages: usize,
) -> Result<DeletedPage, StorageError> {
    let (PagePathState::Current(path) | PagePathState::LastDeleted(path)) = info.path_state;
    Ok(DeletedPage {
        page_id: info.page_id,
        path,
        deleted_at: deletion.deleted_at,
        user_name: deletion.user_name,
        deletion: deletion.group,
        revision: info.latest,
        title: pages::title(txn, info.page_id)?,
        subpages,
    })
}

fn damaged(table: &'static str, id: [u8; 16]) -> StorageError {
    StorageError::Damaged {
        table,
        reason: format!("{} is no deleted page there", PageId::from_bytes(id)),
    }
}
