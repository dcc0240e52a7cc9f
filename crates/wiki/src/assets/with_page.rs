//! Deletes, restores and orphans files with their page (docs/spec/wiki.md, Files).

use jiff::Timestamp;

use crate::assets::NameConflict;
use crate::assets::rows::of_page;
use crate::id::PageId;
use crate::model::asset::AssetState;
use crate::model::change::AssetChange;
use crate::path::PagePath;
use crate::store::{StorageError, WriteTxn};

/// Deletes the live files of a page that is being deleted, so that they are restored with it.
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
            asset.delete(txn, deleted.clone())?;
        }
    }
    Ok(())
}

/// Restores the files that were deleted with a page that is being restored. Files that a user had
/// deleted before stay deleted.
///
/// # Errors
/// [`NameConflict::Taken`]; the transaction must then be aborted.
pub(crate) fn restore_with_page(txn: &WriteTxn, page: PageId) -> Result<(), NameConflict> {
    for asset in of_page(txn, page)? {
        match asset.info.state {
            AssetState::Deleted {
                with_page: true, ..
            } => asset.attach(txn, page, AssetChange::Restored)?,
            AssetState::Live | AssetState::Deleted { .. } | AssetState::Orphaned { .. } => {}
        }
    }
    Ok(())
}

/// Orphans all files of a page that is being permanently deleted, including deleted ones.
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
        asset.detach(txn)?.delete(txn, orphaned.clone())?;
    }
    Ok(())
}

/// Permanently removes the files of a draft with it. Their contents are unlinked after the commit.
pub(crate) fn remove_of_draft(txn: &WriteTxn, page: PageId) -> Result<(), StorageError> {
    for asset in of_page(txn, page)? {
        asset.remove(txn)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::rows::find_by_name;
    use crate::file_name::FileName;
    use crate::fixture::TestWiki;

    /// No user action leads to this: a deleted page accepts no files.
    #[test]
    fn taken_file_name_blocks_restoring_the_page() {
        let test = TestWiki::new();
        let wiki = &test.wiki;
        let page = wiki.pages().resolve(&PagePath::root()).unwrap().id;
        let name = FileName::new("a.txt").unwrap();
        let bring = || {
            let writer = wiki.assets().begin(page, name.clone(), None).unwrap();
            wiki.assets().finish(writer, test.user).unwrap().id
        };
        bring();
        let now = Timestamp::now();
        wiki.store
            .write(|txn| delete_with_page(txn, page, now))
            .unwrap();
        let other = bring();
        let outcome = wiki.store.write(|txn| restore_with_page(txn, page));
        assert!(matches!(outcome, Err(NameConflict::Taken(taken)) if taken == name));
        let found = wiki
            .store
            .read(|txn| find_by_name(txn, page, &name))
            .unwrap();
        assert_eq!(found, Some(other));
    }
}
