//! Finds the pages that have a file with the same contents as another one. Sizes are compared first, so that hardly any
//! file has to be hashed.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::id::{AssetId, PageId};
use crate::links::Backlink;
use crate::model::asset::{AssetInfo, AssetState};
use crate::pages;
use crate::parts::Assets;
use crate::repository::present_path;
use crate::store::{ASSET, ASSET_PAGE, Read, StorageError};

impl Assets<'_> {
    /// True if any file, in any state, has this number of bytes.
    ///
    /// # Errors
    /// If the database fails.
    pub fn has_size(&self, size: u64) -> Result<bool, StorageError> {
        Ok(!self.assets_of_size(size)?.is_empty())
    }

    /// The pages that have a live file with these contents, in the order of their creation. Drafts and deleted
    /// pages are left out.
    ///
    /// # Errors
    /// If the database fails.
    pub fn pages_with_contents(
        &self,
        size: u64,
        sha256: &[u8; 32],
    ) -> Result<Vec<Backlink>, StorageError> {
        let candidates = self.assets_of_size(size)?;
        self.store.read(|txn| {
            let mut pages = BTreeSet::new();
            for id in candidates {
                let info: Option<AssetInfo> = txn.get(ASSET, &id.to_bytes())?;
                let is_same =
                    |info: AssetInfo| info.state == AssetState::Live && info.sha256 == *sha256;
                if info.is_some_and(is_same) {
                    pages.extend(txn.get(ASSET_PAGE, &id.to_bytes())?);
                }
            }
            let mut found = Vec::new();
            for page_id in pages.into_iter().map(PageId::from_bytes) {
                if let Some(path) = present_path(txn, page_id)? {
                    let title = pages::title(txn, page_id)?;
                    found.push(Backlink {
                        page_id,
                        path,
                        title,
                    });
                }
            }
            Ok(found)
        })
    }

    /// The paths of the files with these contents, in any state. `size` avoids reading the rows of
    /// others.
    ///
    /// # Errors
    /// If the database fails.
    pub fn with_contents(
        &self,
        size: u64,
        sha256: &[u8; 32],
    ) -> Result<Vec<PathBuf>, StorageError> {
        let candidates = self.assets_of_size(size)?;
        self.store.read(|txn| {
            let mut files = Vec::new();
            for id in candidates {
                let info: Option<AssetInfo> = txn.get(ASSET, &id.to_bytes())?;
                if info.is_some_and(|info| info.sha256 == *sha256) {
                    files.push(self.files.path(id));
                }
            }
            Ok(files)
        })
    }

    fn assets_of_size(&self, size: u64) -> Result<Vec<AssetId>, StorageError> {
        self.sizes.of(self.store, size)
    }
}
