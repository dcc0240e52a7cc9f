//! What becomes of files when their page is deleted, comes back, or goes for good (wiki.md §11.5).

use jiff::Timestamp;

use crate::file_name::FileName;
use crate::id::{AssetId, PageId};
use crate::model::asset::{AssetInfo, AssetState};
use crate::path::PagePath;
use crate::store::{
    ASSET, ASSET_NAME, ASSET_PAGE, PAGE_ASSETS, Read, ReadSets, StorageError, WriteTxn,
};

/// A page's files don't come back. The transaction must be given up.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NameInTheWay {
    /// The page has a file of this name already.
    #[error("the page has a file named {0} already")]
    Taken(FileName),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Deletes the live files of a page that is being deleted, so that they come back with it.
pub(crate) fn delete_with_page(
    txn: &WriteTxn,
    page: PageId,
    now: Timestamp,
) -> Result<(), StorageError> {
    for (id, mut asset) in of_page(txn, page)? {
        if asset.state != AssetState::Live {
            continue;
        }
        remove_name(txn, page, &asset)?;
        asset.state = AssetState::Deleted {
            at: now,
            with_page: true,
        };
        txn.put(ASSET, &id.to_bytes(), &asset)?;
    }
    Ok(())
}

/// Brings back the files that were deleted with a page that comes back. Those that a person had
/// deleted before stay deleted.
pub(crate) fn restore_with_page(txn: &WriteTxn, page: PageId) -> Result<(), NameInTheWay> {
    for (id, mut asset) in of_page(txn, page)? {
        if !matches!(
            asset.state,
            AssetState::Deleted {
                with_page: true,
                ..
            }
        ) {
            continue;
        }
        let key = (&page.to_bytes(), asset.file_name.as_str());
        if txn.get(ASSET_NAME, key)?.is_some() {
            return Err(NameInTheWay::Taken(asset.file_name));
        }
        txn.put(ASSET_NAME, key, &id.to_bytes())?;
        asset.state = AssetState::Live;
        txn.put(ASSET, &id.to_bytes(), &asset)?;
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
    for (id, mut asset) in of_page(txn, page)? {
        leave_page(txn, page, id, &asset)?;
        asset.state = AssetState::Orphaned {
            at: now,
            last_path: last_path.clone(),
        };
        txn.put(ASSET, &id.to_bytes(), &asset)?;
    }
    Ok(())
}

/// Takes the files of a draft away with it, for good: their contents go after the commit.
pub(crate) fn remove_of_draft(txn: &WriteTxn, page: PageId) -> Result<(), StorageError> {
    for (id, asset) in of_page(txn, page)? {
        leave_page(txn, page, id, &asset)?;
        txn.remove(ASSET, &id.to_bytes())?;
        txn.discard_file(&id.to_bytes());
    }
    Ok(())
}

/// The rows of a page's files, live and deleted.
pub(super) fn of_page<R: Read + ReadSets>(
    txn: &R,
    page: PageId,
) -> Result<Vec<(AssetId, AssetInfo)>, StorageError> {
    let ids = txn.ids(PAGE_ASSETS, &page.to_bytes())?;
    let row = |id: [u8; 16]| {
        let asset = txn.get(ASSET, &id)?.ok_or_else(|| StorageError::Damaged {
            table: "page_assets",
            reason: format!("the file {} has no row", AssetId::from_bytes(id)),
        })?;
        Ok((AssetId::from_bytes(id), asset))
    };
    ids.into_iter().map(row).collect()
}

/// Parts a file from its page. The caller puts or removes the file's own row.
pub(super) fn leave_page(
    txn: &WriteTxn,
    page: PageId,
    id: AssetId,
    asset: &AssetInfo,
) -> Result<(), StorageError> {
    if asset.state == AssetState::Live {
        remove_name(txn, page, asset)?;
    }
    txn.remove_id(PAGE_ASSETS, &page.to_bytes(), &id.to_bytes())?;
    txn.remove(ASSET_PAGE, &id.to_bytes())
}

/// Frees the name of a file that is live until now.
pub(super) fn remove_name(
    txn: &WriteTxn,
    page: PageId,
    asset: &AssetInfo,
) -> Result<(), StorageError> {
    txn.remove(ASSET_NAME, (&page.to_bytes(), asset.file_name.as_str()))
}
