//! Files get other names and other pages, are deleted, come back, and go for good.

use crate::assets::rows::{AssetRow, asset, named, present};
use crate::assets::{Asset, AssetError};
use crate::file_name::FileName;
use crate::id::{AssetId, PageId};
use crate::model::asset::AssetState;
use crate::model::change::AssetChange;
use crate::model::page::PageIndex;
use crate::store::WriteTxn;
use crate::wiki::Wiki;

impl Wiki {
    /// Gives a live file another name.
    ///
    /// # Errors
    /// [`AssetError::NameTaken`] when another live file of the page has it.
    pub fn rename_asset(&self, id: AssetId, name: FileName) -> Result<Asset, AssetError> {
        self.store.write(|txn| {
            let mut row = live(txn, id)?;
            let page = row.page()?;
            if named(txn, page, &name)?.is_some_and(|other| other != id) {
                return Err(AssetError::NameTaken(name));
            }
            row.free_name(txn)?;
            row.info.file_name = name;
            row.enter(txn, page, AssetChange::Renamed)?;
            Asset::read(txn, id)
        })
    }

    /// Deletes a live file softly: its name is free, and it can be restored.
    ///
    /// # Errors
    /// [`AssetError::Deleted`] when it is deleted already, also with its page.
    pub fn delete_asset(&self, id: AssetId) -> Result<Asset, AssetError> {
        self.store.write(|txn| {
            let state = AssetState::Deleted {
                at: self.clock.now(),
                with_page: false,
            };
            live(txn, id)?.put_away(txn, state)?;
            Asset::read(txn, id)
        })
    }

    /// Deletes a file for good, in whatever state it is: the row first, then its contents.
    ///
    /// # Errors
    /// [`AssetError::NotFound`] for an unknown id.
    pub fn purge_asset(&self, id: AssetId) -> Result<Asset, AssetError> {
        self.store.write(|txn| {
            let purged = Asset::read(txn, id)?;
            asset(txn, id)?.remove(txn)?;
            Ok(purged)
        })
    }

    /// Brings a deleted file back to its page, under its name.
    ///
    /// # Errors
    /// [`AssetError::NameTaken`] when a live file has the name; [`AssetError::PageDeleted`] when its
    /// page is deleted, which must come back first; [`AssetError::Orphaned`] for a zombie.
    pub fn restore_asset(&self, id: AssetId) -> Result<Asset, AssetError> {
        self.store.write(|txn| {
            let row = asset(txn, id)?;
            let page = row.page()?;
            present(txn, page, self.moment())?;
            match row.info.state {
                AssetState::Live => return Err(AssetError::NotDeleted),
                AssetState::Deleted { .. } => row.enter(txn, page, AssetChange::Restored)?,
                AssetState::Orphaned { .. } => return Err(AssetError::Orphaned),
            }
            Asset::read(txn, id)
        })
    }

    /// Gives a zombie a page, which makes it live again, or a live file another page. Says what the
    /// file was, and what it is.
    ///
    /// # Errors
    /// [`AssetError::NameTaken`] when a live file of that page has its name. A draft can't be the
    /// page: what it has may go with it.
    pub fn set_asset_owner(&self, id: AssetId, page: PageId) -> Result<(Asset, Asset), AssetError> {
        self.store.write(|txn| {
            if let PageIndex::Draft(_) = present(txn, page, self.moment())? {
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
                row.tell(txn, AssetChange::Moved);
            }
            row.leave(txn)?.enter(txn, page, AssetChange::Moved)?;
            Ok((before, Asset::read(txn, id)?))
        })
    }
}

/// The file, which must be live.
fn live(txn: &WriteTxn, id: AssetId) -> Result<AssetRow, AssetError> {
    let row = asset(txn, id)?;
    match row.info.state {
        AssetState::Live => Ok(row),
        AssetState::Deleted { .. } => Err(AssetError::Deleted),
        AssetState::Orphaned { .. } => Err(AssetError::Orphaned),
    }
}
