//! Moves that no revision records yet. A restore to another path makes no revision (docs/spec/wiki.md, Deleting and
//! restoring), and the path at each revision is stored with the revision that changed it. So the next revision records
//! the move.

use crate::id::PageId;
use crate::model::page::RenameInfo;
use crate::store::{Read, StorageError, UNTOLD_MOVE, WriteTxn};

/// Records that the page has moved without a revision. Several moves are merged into one that
/// starts at the path of the latest revision. The record is removed if the page is back at that
/// path.
pub(crate) fn note(txn: &WriteTxn, page: PageId, moved: RenameInfo) -> Result<(), StorageError> {
    let key = page.to_bytes();
    let whole = match txn.get(UNTOLD_MOVE, &key)? {
        Some(first) => RenameInfo {
            to: moved.to,
            ..first
        },
        None => moved,
    };
    if whole.from.as_ref() == Some(&whole.to) {
        txn.remove(UNTOLD_MOVE, &key)
    } else {
        txn.put(UNTOLD_MOVE, &key, &whole)
    }
}

/// Removes and returns the unrecorded move, for the revision that is about to be made.
pub(crate) fn take(txn: &WriteTxn, page: PageId) -> Result<Option<RenameInfo>, StorageError> {
    let untold = txn.get(UNTOLD_MOVE, &page.to_bytes())?;
    if untold.is_some() {
        forget(txn, page)?;
    }
    Ok(untold)
}

/// Removes the record of a page that is permanently deleted.
pub(crate) fn forget(txn: &WriteTxn, page: PageId) -> Result<(), StorageError> {
    txn.remove(UNTOLD_MOVE, &page.to_bytes())
}
