//! Renames, moves, deletes, restores and purges files.

use crate::assets::rows::{AssetRow, asset, find_by_name};
use crate::assets::upload::present;
use crate::assets::{Asset, AssetError};
use crate::file_name::FileName;
use crate::id::{AssetId, PageId};
use crate::model::asset::AssetState;
use crate::model::change::AssetChange;
use crate::model::page::PageIndex;
use crate::parts::Assets;
use crate::store::WriteTxn;

impl Assets<'_> {
    /// Renames a live file.
    ///
    /// # Errors
    /// [`AssetError::NameTaken`] if another live file of the page has it.
    pub fn rename(&self, id: AssetId, name: FileName) -> Result<Asset, AssetError> {
        self.store.write(|txn| rename(txn, id, name))
    }

    /// Deletes a live file softly: its name becomes free, and it can be restored.
    ///
    /// # Errors
    /// [`AssetError::Deleted`] if it is already deleted, also if it was deleted with its page.
    pub fn delete(&self, id: AssetId) -> Result<Asset, AssetError> {
        self.store.write(|txn| {
            let state = AssetState::Deleted {
                at: self.clock.now(),
                with_page: false,
            };
            live(txn, id)?.delete(txn, state)?;
            Asset::read(txn, id)
        })
    }

    /// Permanently deletes a file in any state: its row first, then its contents.
    ///
    /// # Errors
    /// [`AssetError::NotFound`] for an unknown id.
    pub fn purge(&self, id: AssetId) -> Result<Asset, AssetError> {
        self.store.write(|txn| {
            let purged = Asset::read(txn, id)?;
            asset(txn, id)?.remove(txn)?;
            Ok(purged)
        })
    }

    /// Restores a deleted file to its page, under its name.
    ///
    /// # Errors
    /// [`AssetError::NameTaken`] if a live file has the name; [`AssetError::PageDeleted`] if its
    /// page is deleted, which must be restored first; [`AssetError::Orphaned`] for an orphaned file.
    pub fn restore(&self, id: AssetId) -> Result<Asset, AssetError> {
        self.store.write(|txn| {
            let row = asset(txn, id)?;
            let page = row.page()?;
            present(txn, page, self.lock_time.moment())?;
            match row.info.state {
                AssetState::Live => return Err(AssetError::NotDeleted),
                AssetState::Deleted { .. } => row.attach(txn, page, AssetChange::Restored)?,
                AssetState::Orphaned { .. } => return Err(AssetError::Orphaned),
            }
            Asset::read(txn, id)
        })
    }

    /// Gives an orphaned file a page, which makes it live again, or moves a live file to another page.
    /// Returns the file before and after.
    ///
    /// # Errors
    /// [`AssetError::NameTaken`] if a live file of that page has its name. [`AssetError::PageDraft`] if the
    /// page is a draft: the files of a draft may be removed with it.
    pub fn set_owner(&self, id: AssetId, page: PageId) -> Result<(Asset, Asset), AssetError> {
        self.store.write(|txn| {
            if let PageIndex::Draft(_) = present(txn, page, self.lock_time.moment())? {
                return Err(AssetError::PageDraft);
            }
            let before = Asset::read(txn, id)?;
            if matches!(before.state, AssetState::Deleted { .. }) {
                return Err(AssetError::Deleted);
            }
            if before.page_id == Some(page) {
                return Ok((before.clone(), before));
            }
            let row = asset(txn, id)?;
            if row.page.is_some() {
                row.report(txn, AssetChange::Moved);
            }
            row.detach(txn)?.attach(txn, page, AssetChange::Moved)?;
            Ok((before, Asset::read(txn, id)?))
        })
    }
}

/// Renames a live file.
pub(crate) fn rename(txn: &WriteTxn, id: AssetId, name: FileName) -> Result<Asset, AssetError> {
    let mut row = live(txn, id)?;
    let page = row.page()?;
    if find_by_name(txn, page, &name)?.is_some_and(|other| other != id) {
        return Err(AssetError::NameTaken(name));
    }
    row.free_name(txn)?;
    row.info.file_name = name;
    row.attach(txn, page, AssetChange::Renamed)?;
    Asset::read(txn, id)
}

/// Returns the file if it is live.
fn live(txn: &WriteTxn, id: AssetId) -> Result<AssetRow, AssetError> {
    let row = asset(txn, id)?;
    match row.info.state {
        AssetState::Live => Ok(row),
        AssetState::Deleted { .. } => Err(AssetError::Deleted),
        AssetState::Orphaned { .. } => Err(AssetError::Orphaned),
    }
}
