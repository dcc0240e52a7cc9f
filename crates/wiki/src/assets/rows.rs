//! The rows of files. Every change to a row, its name and its page goes through this module, which
//! keeps them consistent (docs/spec/wiki.md, Files).

use crate::assets::{AssetError, NameConflict};
use crate::file_name::FileName;
use crate::id::{AssetId, PageId};
use crate::model::asset::{AssetInfo, AssetState};
use crate::model::change::{AssetChange, Change};
use crate::store::{
    ASSET, ASSET_NAME, ASSET_PAGE, PAGE_ASSETS, Read, ReadSets, StorageError, WriteTxn,
};

/// A file and the page that it belongs to, if that still exists.
pub(super) struct AssetRow {
    pub(super) id: AssetId,
    pub(super) info: AssetInfo,
    pub(super) page: Option<PageId>,
}

/// Returns the file with this id.
pub(super) fn asset(txn: &impl Read, id: AssetId) -> Result<AssetRow, AssetError> {
    let info = txn
        .get(ASSET, &id.to_bytes())?
        .ok_or(AssetError::NotFound)?;
    let page = txn.get(ASSET_PAGE, &id.to_bytes())?;
    Ok(AssetRow {
        id,
        info,
        page: page.map(PageId::from_bytes),
    })
}

/// The files of a page, live and deleted.
pub(super) fn of_page<R: Read + ReadSets>(
    txn: &R,
    page: PageId,
) -> Result<Vec<AssetRow>, StorageError> {
    let ids = txn.ids(PAGE_ASSETS, &page.to_bytes())?;
    let row = |id: [u8; 16]| {
        let info = txn.get(ASSET, &id)?;
        let id = AssetId::from_bytes(id);
        let info = info.ok_or_else(|| StorageError::Damaged {
            table: "page_assets",
            reason: format!("the file {id} has no row"),
        })?;
        Ok(AssetRow {
            id,
            info,
            page: Some(page),
        })
    };
    ids.into_iter().map(row).collect()
}

/// The live file of a page with this name.
pub(super) fn find_by_name(
    txn: &impl Read,
    page: PageId,
    name: &FileName,
) -> Result<Option<AssetId>, StorageError> {
    let id = txn.get(ASSET_NAME, (&page.to_bytes(), name.as_str()))?;
    Ok(id.map(AssetId::from_bytes))
}

impl AssetRow {
    /// The page of the file. An orphaned file has none.
    pub(super) fn page(&self) -> Result<PageId, AssetError> {
        self.page.ok_or(AssetError::Orphaned)
    }

    /// Makes the file a live one of the page, under its name, and reports this as `kind`.
    pub(super) fn attach(
        mut self,
        txn: &WriteTxn,
        page: PageId,
        kind: AssetChange,
    ) -> Result<(), NameConflict> {
        let key = (&page.to_bytes(), self.info.file_name.as_str());
        if txn.get(ASSET_NAME, key)?.is_some() {
            return Err(NameConflict::Taken(self.info.file_name));
        }
        txn.put(ASSET_NAME, key, &self.id.to_bytes())?;
        txn.insert_id(PAGE_ASSETS, &page.to_bytes(), &self.id.to_bytes())?;
        txn.put(ASSET_PAGE, &self.id.to_bytes(), &page.to_bytes())?;
        self.info.state = AssetState::Live;
        self.page = Some(page);
        self.report(txn, kind);
        Ok(txn.put(ASSET, &self.id.to_bytes(), &self.info)?)
    }

    /// Records a change of the file, to be reported for its page.
    pub(super) fn report(&self, txn: &WriteTxn, kind: AssetChange) {
        txn.report(Change::Asset {
            page_id: self.page,
            asset_id: self.id,
            kind,
        });
    }

    /// Frees the file's name, if it is live.
    pub(super) fn free_name(&self, txn: &WriteTxn) -> Result<(), StorageError> {
        match (self.page, &self.info.state) {
            (Some(page), AssetState::Live) => {
                txn.remove(ASSET_NAME, (&page.to_bytes(), self.info.file_name.as_str()))
            }
            (None, _) | (_, AssetState::Deleted { .. } | AssetState::Orphaned { .. }) => Ok(()),
        }
    }

    /// Deletes the file softly. It keeps its page, if it has one.
    pub(super) fn delete(mut self, txn: &WriteTxn, state: AssetState) -> Result<(), StorageError> {
        self.free_name(txn)?;
        self.info.state = state;
        self.report(txn, AssetChange::Deleted);
        txn.put(ASSET, &self.id.to_bytes(), &self.info)
    }

    /// Detaches the file from its page, if it has one. It must then enter another page, be put or be removed.
    pub(super) fn detach(mut self, txn: &WriteTxn) -> Result<Self, StorageError> {
        self.free_name(txn)?;
        if let Some(page) = self.page.take() {
            txn.remove_id(PAGE_ASSETS, &page.to_bytes(), &self.id.to_bytes())?;
            txn.remove(ASSET_PAGE, &self.id.to_bytes())?;
        }
        Ok(self)
    }

    /// Permanently removes the file's row. Its contents are unlinked after the commit.
    pub(super) fn remove(self, txn: &WriteTxn) -> Result<(), StorageError> {
        self.report(txn, AssetChange::Purged);
        let detached = self.detach(txn)?;
        txn.remove(ASSET, &detached.id.to_bytes())?;
        txn.discard_file(&detached.id.to_bytes());
        Ok(())
    }
}
