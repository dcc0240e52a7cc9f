//! Finds the pages that have a file with the same contents as another one. Sizes are compared first, so that hardly any
//! file has to be hashed.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::PathBuf;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::file_name::FileName;
use crate::id::{AssetId, PageId};
use crate::links::{Backlink, present_path};
use crate::model::asset::{AssetInfo, AssetState};
use crate::search;
use crate::store::{ASSET, ASSET_PAGE, Direction, Read, ReadTxn, StorageError, Table};
use crate::wiki::Wiki;

/// The sizes of all files, in memory. They are read again after a file was added, changed or removed. A hundred
/// thousand files take 2.4 MB. A lookup then reads no row of the database.
#[derive(Default)]
pub(crate) struct Sizes(Mutex<Option<Known>>);

struct Known {
    /// The number of writes to rows of files at the time of this read.
    written: u64,
    /// Sorted by size, then id.
    sorted: Vec<(u64, AssetId)>,
}

/// The leading fields of [`AssetInfo`].
#[derive(Serialize, Deserialize)]
struct Size {
    original_name: FileName,
    file_name: FileName,
    mime: String,
    size: u64,
}

impl Known {
    fn read(txn: &ReadTxn, written: u64) -> Result<Self, StorageError> {
        let rows: Table<_, Size> = ASSET.read_as();
        let mut sorted = Vec::new();
        txn.scan::<_, _, &[u8; 16]>(rows, .., Direction::Ascending, |id, row| {
            sorted.push((row.size, AssetId::from_bytes(*id)));
            ControlFlow::Continue(())
        })?;
        sorted.sort_unstable();
        Ok(Self { written, sorted })
    }

    fn of(&self, size: u64) -> Vec<AssetId> {
        let from = self.sorted.partition_point(|(other, _)| *other < size);
        let same = self.sorted[from..]
            .iter()
            .take_while(|(other, _)| *other == size);
        same.map(|(_, id)| *id).collect()
    }
}

impl Wiki {
    /// True if any file, in any state, has this number of bytes.
    ///
    /// # Errors
    /// If the database fails.
    pub fn has_asset_of_size(&self, size: u64) -> Result<bool, StorageError> {
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
                    let title = search::title(txn, page_id)?;
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
    pub fn files_with_contents(
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
                    files.push(self.asset_files.path(id));
                }
            }
            Ok(files)
        })
    }

    fn assets_of_size(&self, size: u64) -> Result<Vec<AssetId>, StorageError> {
        let mut known = self.asset_sizes.0.lock();
        // Read before the rows: rows that are written in between are read once more and never missed.
        let written = self.store.files_written();
        if known.as_ref().is_none_or(|known| known.written != written) {
            *known = Some(self.store.read(|txn| Known::read(txn, written))?);
        }
        Ok(known
            .as_ref()
            .map(|known| known.of(size))
            .unwrap_or_default())
    }
}
