//! The path history of pages, in both directions: the former paths of a page, and the pages that left a path.

use jiff::Timestamp;

use crate::id::PageId;
use crate::model::history::{FormerPath, FormerPaths};
use crate::path::PagePath;
use crate::repository;
use crate::store::{FORMER_PATHS, LEFT_PATH, Read, ReadSets, StorageError, WriteTxn};

/// Records that the page left `path`.
pub(crate) fn add(
    txn: &WriteTxn,
    page: PageId,
    path: PagePath,
    left_at: Timestamp,
) -> Result<(), StorageError> {
    let mut former = txn.get(FORMER_PATHS, &page.to_bytes())?.unwrap_or_default();
    former.paths.retain(|former| former.path != path);
    former.paths.push(FormerPath { path, left_at });
    repository::put(txn, FORMER_PATHS, page, Some(&former))
}

/// Forgets that the page left `path`.
pub(crate) fn remove(txn: &WriteTxn, page: PageId, path: &PagePath) -> Result<(), StorageError> {
    let mut former = txn.get(FORMER_PATHS, &page.to_bytes())?.unwrap_or_default();
    former.paths.retain(|former| former.path != *path);
    let former = Some(former).filter(|former| !former.paths.is_empty());
    repository::put(txn, FORMER_PATHS, page, former.as_ref())
}

/// The current path of the page that left `path` last, among the pages that still have a path, and the time when it
/// left.
pub(crate) fn redirect<R: Read + ReadSets>(
    txn: &R,
    path: &PagePath,
) -> Result<Option<(Timestamp, PagePath)>, StorageError> {
    let mut last: Option<(Timestamp, PagePath)> = None;
    for page in txn.ids(LEFT_PATH, path.as_str())? {
        let Some(current) = repository::present_path(txn, PageId::from_bytes(page))? else {
            continue;
        };
        let FormerPaths { paths } = txn.get(FORMER_PATHS, &page)?.unwrap_or_default();
        let left = paths.iter().find(|former| former.path == *path);
        if let Some(FormerPath { left_at, .. }) = left
            && last.as_ref().is_none_or(|(latest, _)| latest <= left_at)
        {
            last = Some((*left_at, current));
        }
    }
    Ok(last)
}
