//! Moves that no revision tells of yet. A restore to another path makes no revision (docs/spec/wiki.md, Deleting and restoring), and
//! the path at each revision is stored with those that changed it: so the next one has it.

use crate::id::PageId;
use crate::model::page::RenameInfo;
use crate::store::{Read, StorageError, UNTOLD_MOVE, WriteTxn};

/// Notes that the page has moved without a revision. Of several moves one is left: from where the
/// newest revision was made; and none when the page is back there.
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

/// What the revision that is about to be made has to tell, if there is something.
pub(crate) fn take(txn: &WriteTxn, page: PageId) -> Result<Option<RenameInfo>, StorageError> {
    let untold = txn.get(UNTOLD_MOVE, &page.to_bytes())?;
    if untold.is_some() {
        forget(txn, page)?;
    }
    Ok(untold)
}

/// Takes away what is noted of a page that goes for good.
pub(crate) fn forget(txn: &WriteTxn, page: PageId) -> Result<(), StorageError> {
    txn.remove(UNTOLD_MOVE, &page.to_bytes())
}
