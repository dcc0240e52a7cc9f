//! Finding files, and reading what they are and hold.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::assets::AssetError;
use crate::assets::rows::{AssetRow, asset, named, of_page};
use crate::file_name::FileName;
use crate::id::{AssetId, PageId};
use crate::locks::{Moment, living, name_of};
use crate::model::asset::{AssetInfo, AssetState};
use crate::path::PagePath;
use crate::store::{
    ASSET, Direction, FORMER_PATHS, LEFT_PATH, PAGE_PATH, Read, ReadSets, ReadTxn, StorageError,
};
use crate::wiki::Wiki;

/// A file that belongs to a page, or did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// The file's id, for its whole life.
    pub id: AssetId,
    /// Its page; none for a zombie.
    pub page_id: Option<PageId>,
    /// The name that it has now.
    pub file_name: FileName,
    /// The name that it came with.
    pub original_name: FileName,
    /// What its contents are, as they tell.
    pub mime: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256 of the contents.
    pub sha256: [u8; 32],
    /// When it came.
    pub created_at: Timestamp,
    /// The present name of whoever brought it.
    pub user_name: String,
    /// Whether it is there, deleted, or a zombie.
    pub state: AssetState,
}

/// A file, open for reading from its start.
#[derive(Debug)]
pub struct AssetContents {
    /// The contents.
    pub file: File,
    /// What they are.
    pub asset: Asset,
}

impl Asset {
    pub(super) fn read(txn: &impl Read, id: AssetId) -> Result<Self, AssetError> {
        Ok(Self::of_row(txn, asset(txn, id)?)?)
    }

    fn of_row(txn: &impl Read, row: AssetRow) -> Result<Self, StorageError> {
        let AssetInfo {
            original_name,
            file_name,
            mime,
            size,
            created_at,
            sha256,
            user,
            state,
        } = row.info;
        Ok(Self {
            id: row.id,
            page_id: row.page,
            file_name,
            original_name,
            mime,
            size,
            sha256,
            created_at,
            user_name: name_of(txn, user)?,
            state,
        })
    }
}

impl Wiki {
    /// The files of a page or draft by name, with those that are deleted if they are asked for.
    ///
    /// # Errors
    /// [`AssetError::PageNotFound`] for an unknown id.
    pub fn assets(&self, page: PageId, with_deleted: bool) -> Result<Vec<Asset>, AssetError> {
        self.store.read(|txn| {
            living(txn, page, self.moment())?.ok_or(AssetError::PageNotFound)?;
            Ok(by_name(txn, page, with_deleted)?)
        })
    }

    /// The files whose pages were deleted for good, oldest first (wiki.md §11.5).
    ///
    /// # Errors
    /// When the database fails.
    pub fn zombies(&self) -> Result<Vec<Asset>, StorageError> {
        self.store.read(|txn| {
            let mut rows = Vec::new();
            txn.scan::<_, AssetInfo, &[u8; 16]>(ASSET, .., Direction::Ascending, |id, info| {
                if matches!(info.state, AssetState::Orphaned { .. }) {
                    rows.push(AssetRow {
                        id: AssetId::from_bytes(*id),
                        info,
                        page: None,
                    });
                }
                ControlFlow::Continue(())
            })?;
            let assets = rows.into_iter().map(|row| Asset::of_row(txn, row));
            assets.collect()
        })
    }

    /// What a file is, whatever state it is in.
    ///
    /// # Errors
    /// [`AssetError::NotFound`] for an unknown id.
    pub fn asset(&self, id: AssetId) -> Result<Asset, AssetError> {
        self.store.read(|txn| Asset::read(txn, id))
    }

    /// Opens a file, whatever state it is in.
    ///
    /// # Errors
    /// [`AssetError::FileMissing`] when the row is there and the contents are not.
    pub fn open_asset(&self, id: AssetId) -> Result<AssetContents, AssetError> {
        let asset = self.asset(id)?;
        let file = match self.asset_files.open(id) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // It may have gone for good just now.
                self.asset(id)?;
                return Err(AssetError::FileMissing);
            }
            Err(error) => return Err(error.into()),
        };
        let size = file.metadata()?.len();
        if size != asset.size {
            let reason = format!("the file {id} has {size} bytes instead of {}", asset.size);
            return Err(StorageError::Damaged {
                table: "asset",
                reason,
            }
            .into());
        }
        Ok(AssetContents { file, asset })
    }

    /// The live file that a text means by a page's path and a file's name (wiki.md §15.3): of the
    /// page that stands there, or else of one that stood there once, the last one first.
    ///
    /// # Errors
    /// [`AssetError::NoSuchName`] when none of them has such a file, [`AssetError::PageNotFound`]
    /// when there is none.
    pub fn find_asset(&self, path: &PagePath, name: &FileName) -> Result<AssetId, AssetError> {
        self.store.read(|txn| {
            let pages = candidates(txn, path, self.moment())?;
            if pages.is_empty() {
                return Err(AssetError::PageNotFound);
            }
            for page in pages {
                if let Some(id) = named(txn, page, name)? {
                    return Ok(id);
                }
            }
            Err(AssetError::NoSuchName(name.clone()))
        })
    }

    /// Where a file's contents lie: the asset folder, and the path beneath it.
    #[must_use]
    pub fn asset_place(&self, id: AssetId) -> (&Path, PathBuf) {
        self.asset_files.place(id)
    }
}

/// The live files of a page or draft by name.
pub(crate) fn live_files<R: Read + ReadSets>(
    txn: &R,
    page: PageId,
) -> Result<Vec<Asset>, StorageError> {
    by_name(txn, page, false)
}

fn by_name<R: Read + ReadSets>(
    txn: &R,
    page: PageId,
    with_deleted: bool,
) -> Result<Vec<Asset>, StorageError> {
    let mut rows = of_page(txn, page)?;
    rows.retain(|row| with_deleted || row.info.state == AssetState::Live);
    rows.sort_by(|a, b| (&a.info.file_name, a.id).cmp(&(&b.info.file_name, b.id)));
    rows.into_iter()
        .map(|row| Asset::of_row(txn, row))
        .collect()
}

/// The page at a path, and those that have left it, the last one first.
fn candidates(txn: &ReadTxn, path: &PagePath, moment: Moment) -> Result<Vec<PageId>, StorageError> {
    let mut left = Vec::new();
    for id in txn.ids(LEFT_PATH, path.as_str())? {
        let former = txn.get(FORMER_PATHS, &id)?.unwrap_or_default();
        let at = former
            .paths
            .into_iter()
            .filter(|former| former.path == *path);
        left.extend(at.map(|former| (former.left_at, PageId::from_bytes(id))));
    }
    left.sort_by(|a, b| b.cmp(a));
    let present = match txn.get(PAGE_PATH, path.as_str())?.map(PageId::from_bytes) {
        Some(page) if living(txn, page, moment)?.is_some() => Some(page),
        Some(_) | None => None,
    };
    Ok(present
        .into_iter()
        .chain(left.into_iter().map(|(_, page)| page))
        .collect())
}
