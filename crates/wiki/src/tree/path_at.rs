//! The path of a page at a revision.

use crate::model::page::{PageInfo, RenameInfo, SourceHead};
use crate::path::PagePath;
use crate::store::{PAGE_SOURCE, Read, StorageError, UNRECORDED_MOVE};

/// The path that the page had at `revision`: the target of the last rename up to it (docs/spec/wiki.md, Pages and
/// revisions). The latest revision has the current path of the page, because a restore moves a page without a revision.
/// The next revision records that move.
pub(crate) fn path_at(
    txn: &impl Read,
    info: &PageInfo,
    revision: u64,
) -> Result<PagePath, StorageError> {
    if revision >= info.latest {
        return Ok(info.path_state.path().clone());
    }
    let later = info
        .rename_revisions
        .partition_point(|rename| *rename <= revision);
    if let Some(rename) = later.checked_sub(1) {
        return Ok(rename_at(txn, info, info.rename_revisions[rename])?.to);
    }
    // The rename that gave the path was compacted away. The next rename records the path that it left.
    match info.rename_revisions.get(later) {
        Some(next) => {
            let RenameInfo { from, to, .. } = rename_at(txn, info, *next)?;
            Ok(from.unwrap_or(to))
        }
        None => {
            let unrecorded: Option<RenameInfo> =
                txn.get(UNRECORDED_MOVE, &info.page_id.to_bytes())?;
            let from = unrecorded.and_then(|moved| moved.from);
            Ok(from.unwrap_or_else(|| info.path_state.path().clone()))
        }
    }
}

fn rename_at(txn: &impl Read, info: &PageInfo, revision: u64) -> Result<RenameInfo, StorageError> {
    let key = (&info.page_id.to_bytes(), revision);
    let head = txn.get(PAGE_SOURCE.read_as::<SourceHead>(), key)?;
    head.and_then(|head| head.rename)
        .ok_or_else(|| StorageError::Damaged {
            table: "page_source",
            reason: format!("revision {revision} of {} is no rename", info.page_id),
        })
}
