//! Moves that no revision records yet.
//!
//! A restore to another path makes no revision (docs/spec/wiki.md, Deleting and restoring), and the path at
//! each revision is stored with the revision that changed it. So the next revision records the move.

use crate::id::PageId;
use crate::model::page::RenameInfo;
use crate::repository;
use crate::store::{Read, StorageError, UNRECORDED_MOVE, WriteTxn};

/// Records that the page has moved without a revision. Several moves are merged into one that
/// starts at the path of the latest revision. The record is removed if the page is back at that
/// path.
pub(crate) fn record(txn: &WriteTxn, page: PageId, moved: RenameInfo) -> Result<(), StorageError> {
    let merged = match txn.get(UNRECORDED_MOVE, &page.to_bytes())? {
        Some(first) => RenameInfo {
            to: moved.to,
            ..first
        },
        None => moved,
    };
    let is_back = merged.from.as_ref() == Some(&merged.to);
    repository::put(txn, UNRECORDED_MOVE, page, (!is_back).then_some(&merged))
}

/// Removes and returns the unrecorded move, for the revision that is about to be made.
pub(crate) fn take(txn: &WriteTxn, page: PageId) -> Result<Option<RenameInfo>, StorageError> {
    let unrecorded = txn.get(UNRECORDED_MOVE, &page.to_bytes())?;
    repository::put(txn, UNRECORDED_MOVE, page, None)?;
    Ok(unrecorded)
}
