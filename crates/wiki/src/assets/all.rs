//! All files of the wiki with the pages that own them.

use std::ops::ControlFlow;

use jiff::Timestamp;

use crate::file_name::FileName;
use crate::id::{AssetId, PageId};
use crate::model::asset::{AssetInfo, AssetState};
use crate::parts::Assets;
use crate::path::PagePath;
use crate::store::{ASSET, ASSET_PAGE, Direction, PAGE_INDEX, Read, ReadTxn, StorageError};

/// A file in any state, and its page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedAsset {
    /// The file's id.
    pub id: AssetId,
    /// Its current name.
    pub file_name: FileName,
    /// Its size in bytes.
    pub size: u64,
    /// SHA-256 of the contents.
    pub sha256: [u8; 32],
    /// The time of its upload.
    pub created_at: Timestamp,
    /// Its page.
    pub owner: AssetOwner,
    /// True if it is in the trash, by itself or with its page.
    pub is_deleted: bool,
}

/// The page of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssetOwner {
    /// A page, a deleted one included, or a draft.
    Page {
        page_id: PageId,
        /// Its path, or the last one if it is deleted.
        path: PagePath,
    },
    /// A page that was permanently deleted.
    Erased { last_path: PagePath },
}

impl AssetOwner {
    /// The page's path, or its last one.
    #[must_use]
    pub fn path(&self) -> &PagePath {
        match self {
            Self::Page { path, .. } | Self::Erased { last_path: path } => path,
        }
    }
}

impl Assets<'_> {
    /// All files, sorted by their pages' paths and their names. Deleted files are included.
    ///
    /// # Errors
    /// If the database fails.
    pub fn all(&self) -> Result<Vec<OwnedAsset>, StorageError> {
        self.store.read(|txn| {
            let mut rows = Vec::new();
            txn.scan::<_, AssetInfo, &[u8; 16]>(ASSET, .., Direction::Ascending, |id, info| {
                rows.push((*id, info));
                ControlFlow::Continue(())
            })?;
            let mut assets = Vec::with_capacity(rows.len());
            for (id, info) in rows {
                assets.push(owned_asset(txn, id, info)?);
            }
            let key = |asset: &OwnedAsset| {
                (
                    asset.owner.path().clone(),
                    asset.file_name.clone(),
                    asset.id,
                )
            };
            assets.sort_by_cached_key(key);
            Ok(assets)
        })
    }

    /// Returns true if a file has a row.
    ///
    /// # Errors
    /// If the database fails.
    pub fn exists(&self, id: AssetId) -> Result<bool, StorageError> {
        let row: Option<AssetInfo> = self.store.read(|txn| txn.get(ASSET, &id.to_bytes()))?;
        Ok(row.is_some())
    }
}

fn owned_asset(txn: &ReadTxn, id: [u8; 16], info: AssetInfo) -> Result<OwnedAsset, StorageError> {
    let is_deleted = matches!(info.state, AssetState::Deleted { .. });
    let owner = match info.state {
        AssetState::Orphaned { last_path, .. } => AssetOwner::Erased { last_path },
        AssetState::Live | AssetState::Deleted { .. } => page_of(txn, &id)?,
    };
    Ok(OwnedAsset {
        id: AssetId::from_bytes(id),
        file_name: info.file_name,
        size: info.size,
        sha256: info.sha256,
        created_at: info.created_at,
        owner,
        is_deleted,
    })
}

fn page_of(txn: &ReadTxn, id: &[u8; 16]) -> Result<AssetOwner, StorageError> {
    let page: Option<[u8; 16]> = txn.get(ASSET_PAGE, id)?;
    let index = match page {
        Some(page) => txn.get(PAGE_INDEX, &page)?.map(|index| (page, index)),
        None => None,
    };
    let (page, index) = index.ok_or_else(|| StorageError::Damaged {
        table: "asset_page",
        reason: format!("the file {} has no page", AssetId::from_bytes(*id)),
    })?;
    Ok(AssetOwner::Page {
        page_id: PageId::from_bytes(page),
        path: index.path().clone(),
    })
}
