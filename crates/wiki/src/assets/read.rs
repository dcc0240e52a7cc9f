//! Finds files, and reads their rows and contents.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::assets::AssetError;
use crate::assets::rows::{AssetRow, asset, find_by_name, of_page};
use crate::file_name::FileName;
use crate::id::{AssetId, DeletionId, PageId};
use crate::locks::{Moment, existing_page, name_of};
use crate::model::asset::{AssetInfo, AssetState};
use crate::parts::Assets;
use crate::path::PagePath;
use crate::store::{
    ASSET, DELETED_PAGE_PATH, DELETION, Direction, FORMER_PATHS, LEFT_PATH, PAGE_PATH, Read,
    ReadSets, ReadTxn, StorageError,
};

/// A file that belongs or belonged to a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// The file's id, for its whole life.
    pub id: AssetId,
    /// Its page; `None` if it is orphaned.
    pub page_id: Option<PageId>,
    /// Its current name.
    pub file_name: FileName,
    /// The name under which it was uploaded.
    pub original_name: FileName,
    /// Its media type, sniffed from the contents.
    pub mime: String,
    /// Its size in bytes.
    pub size: u64,
    /// SHA-256 of the contents.
    pub sha256: [u8; 32],
    /// The time of the upload.
    pub created_at: Timestamp,
    /// The current name of the user who uploaded it.
    pub user_name: String,
    /// Its state: live, deleted or orphaned.
    pub state: AssetState,
}

/// A file, open for reading from its start.
#[derive(Debug)]
pub struct AssetContents {
    /// The contents.
    pub file: File,
    /// The file's row.
    pub asset: Asset,
}

impl Asset {
    pub(crate) fn read(txn: &impl Read, id: AssetId) -> Result<Self, AssetError> {
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

impl<'w> Assets<'w> {
    /// The files of a page or draft by name, with the deleted ones if `with_deleted` is set.
    ///
    /// # Errors
    /// [`AssetError::PageNotFound`] for an unknown id.
    pub fn of_page(&self, page: PageId, with_deleted: bool) -> Result<Vec<Asset>, AssetError> {
        self.store.read(|txn| {
            existing_page(txn, page, self.lock_time.moment())?.ok_or(AssetError::PageNotFound)?;
            Ok(by_name(txn, page, with_deleted)?)
        })
    }

    /// The orphaned files, oldest first: those whose pages were permanently deleted (docs/spec/wiki.md, Files).
    ///
    /// # Errors
    /// If the database fails.
    pub fn orphaned(&self) -> Result<Vec<Asset>, StorageError> {
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

    /// Returns a file in any state.
    ///
    /// # Errors
    /// [`AssetError::NotFound`] for an unknown id.
    pub fn get(&self, id: AssetId) -> Result<Asset, AssetError> {
        self.store.read(|txn| Asset::read(txn, id))
    }

    /// Opens a file in any state.
    ///
    /// # Errors
    /// [`AssetError::FileMissing`] if the row exists and the contents do not.
    pub fn open(&self, id: AssetId) -> Result<AssetContents, AssetError> {
        let asset = self.get(id)?;
        let file = match self.files.open(id) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // It may have been purged in the meantime.
                self.get(id)?;
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

    /// The live file that a text refers to by a page's path and a file's name (docs/spec/wiki.md, Files). The
    /// page at the path comes first, then the pages that had the path, most recent first.
    ///
    /// # Errors
    /// [`AssetError::NoSuchName`] if none of them has such a file, [`AssetError::PageNotFound`]
    /// if there is no such page.
    pub fn find(&self, path: &PagePath, name: &FileName) -> Result<AssetId, AssetError> {
        self.store.read(|txn| {
            let pages = candidates(txn, path, self.lock_time.moment())?;
            first_file(pages, name, |page| find_by_name(txn, page, name))
        })
    }

    /// The file that the text of a page in the trash refers to by a path and a name. This is the file that
    /// [`Assets::find`] would find if the page, and the pages deleted along with it, were still at their
    /// paths, with the files that were deleted with them. For a page that has been restored, the current
    /// files are searched.
    ///
    /// # Errors
    /// The errors of [`Assets::find`].
    pub fn find_in_trash(
        &self,
        page: PageId,
        path: &PagePath,
        name: &FileName,
    ) -> Result<AssetId, AssetError> {
        self.store.read(|txn| {
            let deletion_id = deletion(txn, page)?;
            let mut pages = pages_deleted_at(txn, path, deletion_id)?;
            pages.extend(candidates(txn, path, self.lock_time.moment())?);
            first_file(pages, name, |page| {
                if deletion_id.is_some() && deletion(txn, page)? == deletion_id {
                    return deleted_with_page(txn, page, name);
                }
                find_by_name(txn, page, name)
            })
        })
    }

    /// The location of a file's contents: the asset folder, and the path relative to it.
    #[must_use]
    pub fn place(&self, id: AssetId) -> (&'w Path, PathBuf) {
        self.files.place(id)
    }
}

/// Returns a file in any state, or `None` if it was purged.
pub(crate) fn asset_if_present(
    txn: &impl Read,
    id: AssetId,
) -> Result<Option<Asset>, StorageError> {
    let Some(info) = txn.get(ASSET, &id.to_bytes())? else {
        return Ok(None);
    };
    let page = txn.get(crate::store::ASSET_PAGE, &id.to_bytes())?;
    let page = page.map(PageId::from_bytes);
    Asset::of_row(txn, AssetRow { id, info, page }).map(Some)
}

/// The files of a page or draft by name, with deleted ones.
pub(crate) fn all_files<R: Read + ReadSets>(
    txn: &R,
    page: PageId,
) -> Result<Vec<Asset>, StorageError> {
    by_name(txn, page, true)
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

/// Returns the file of this name from the first of the pages that has one.
fn first_file(
    pages: Vec<PageId>,
    name: &FileName,
    look: impl Fn(PageId) -> Result<Option<AssetId>, StorageError>,
) -> Result<AssetId, AssetError> {
    if pages.is_empty() {
        return Err(AssetError::PageNotFound);
    }
    for page in pages {
        if let Some(id) = look(page)? {
            return Ok(id);
        }
    }
    Err(AssetError::NoSuchName(name.clone()))
}

/// The deletion by which a page is in the trash, if it is there.
fn deletion(txn: &ReadTxn, page: PageId) -> Result<Option<DeletionId>, StorageError> {
    Ok(txn
        .get(DELETION, &page.to_bytes())?
        .map(|deletion| deletion.group))
}

/// The pages of a deletion that were at a path.
fn pages_deleted_at(
    txn: &ReadTxn,
    path: &PagePath,
    deletion_id: Option<DeletionId>,
) -> Result<Vec<PageId>, StorageError> {
    let mut pages = Vec::new();
    if deletion_id.is_some() {
        for id in txn.ids(DELETED_PAGE_PATH, path.as_str())? {
            let page = PageId::from_bytes(id);
            if deletion(txn, page)? == deletion_id {
                pages.push(page);
            }
        }
    }
    Ok(pages)
}

/// The file of this name that was deleted with its page. There is at most one: all of them had their
/// names at the same time.
fn deleted_with_page(
    txn: &ReadTxn,
    page: PageId,
    name: &FileName,
) -> Result<Option<AssetId>, StorageError> {
    let is_same = |row: &AssetRow| {
        let with_page = matches!(
            row.info.state,
            AssetState::Deleted {
                with_page: true,
                ..
            }
        );
        with_page && row.info.file_name == *name
    };
    let rows = of_page(txn, page)?;
    Ok(rows.into_iter().find(is_same).map(|row| row.id))
}

/// The page at a path, then the pages that have left it, most recent first.
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
        Some(page) if existing_page(txn, page, moment)?.is_some() => Some(page),
        Some(_) | None => None,
    };
    Ok(present
        .into_iter()
        .chain(left.into_iter().map(|(_, page)| page))
        .collect())
}
