//! What becomes of files when their page is deleted, comes back, or goes for good (wiki.md §11.5).

use jiff::Timestamp;

use crate::assets::NameInTheWay;
use crate::assets::rows::of_page;
use crate::id::PageId;
use crate::model::asset::AssetState;
use crate::path::PagePath;
use crate::store::{StorageError, WriteTxn};

/// Deletes the live files of a page that is being deleted, so that they come back with it.
pub(crate) fn delete_with_page(
    txn: &WriteTxn,
    page: PageId,
    now: Timestamp,
) -> Result<(), StorageError> {
    let deleted = AssetState::Deleted {
        at: now,
        with_page: true,
    };
    for asset in of_page(txn, page)? {
        if asset.info.state == AssetState::Live {
            asset.put_away(txn, deleted.clone())?;
        }
    }
    Ok(())
}

/// Brings back the files that were deleted with a page that comes back. Those that a person had
/// deleted before stay deleted.
///
/// # Errors
/// [`NameInTheWay::Taken`]; the transaction must then be given up.
pub(crate) fn restore_with_page(txn: &WriteTxn, page: PageId) -> Result<(), NameInTheWay> {
    for asset in of_page(txn, page)? {
        match asset.info.state {
            AssetState::Deleted {
                with_page: true, ..
            } => asset.enter(txn, page)?,
            AssetState::Live | AssetState::Deleted { .. } | AssetState::Orphaned { .. } => {}
        }
    }
    Ok(())
}

/// Makes zombies of all files of a page that goes for good, deleted ones too.
pub(crate) fn orphan(
    txn: &WriteTxn,
    page: PageId,
    last_path: &PagePath,
    now: Timestamp,
) -> Result<(), StorageError> {
    let orphaned = AssetState::Orphaned {
        at: now,
        last_path: last_path.clone(),
    };
    for asset in of_page(txn, page)? {
        asset.leave(txn)?.put_away(txn, orphaned.clone())?;
    }
    Ok(())
}

/// Takes the files of a draft away with it, for good: their contents go after the commit.
pub(crate) fn remove_of_draft(txn: &WriteTxn, page: PageId) -> Result<(), StorageError> {
    for asset in of_page(txn, page)? {
        asset.remove(txn)?;
    }
    Ok(())
}
