//! Imports files with their pages from an archive.

use std::collections::HashSet;

use jiff::Timestamp;

use crate::assets::incoming::ReceivedFile;
use crate::assets::rows::{AssetRow, asset, find_by_name};
use crate::assets::upload::live;
use crate::assets::{Asset, AssetError, AssetFiles, NameConflict};
use crate::file_name::FileName;
use crate::id::{AssetId, PageId, UserId};
use crate::model::asset::{AssetInfo, AssetState};
use crate::model::change::AssetChange;
use crate::store::{StorageError, WriteTxn};

/// A file whose contents are in their place, and which has no row yet.
pub(crate) struct ImportedFile {
    pub(crate) id: AssetId,
    info: AssetInfo,
}

impl ImportedFile {
    /// Moves contents to the place of the first id, or of the other one, which is new, if the first place
    /// is taken.
    pub(crate) fn place(
        files: &AssetFiles,
        written: ReceivedFile,
        name: FileName,
        (user, now): (UserId, Timestamp),
        [id, other]: [AssetId; 2],
    ) -> std::io::Result<Self> {
        let info = live(&written, name, user, now);
        match files.keep_new(written.path, id)? {
            Ok(()) => Ok(Self { id, info }),
            Err(unfinished) => {
                files.keep(unfinished, other)?;
                Ok(Self { id: other, info })
            }
        }
    }

    pub(crate) fn name(&self) -> &FileName {
        &self.info.file_name
    }

    /// True if a file has the same name and contents.
    pub(crate) fn is_same(&self, other: &Asset) -> bool {
        self.info.file_name == other.file_name && self.info.sha256 == other.sha256
    }
}

/// Makes the file a live one of the page. A live file of its name is deleted, and can be restored.
/// Returns the file, and the one that it replaced.
pub(crate) fn add_imported(
    txn: &WriteTxn,
    page: PageId,
    file: ImportedFile,
    now: Timestamp,
) -> Result<(Asset, Option<Asset>), StorageError> {
    let ImportedFile { id, info } = file;
    let old = find_by_name(txn, page, &info.file_name)?;
    if let Some(old) = old {
        let deleted = AssetState::Deleted {
            at: now,
            with_page: false,
        };
        asset(txn, old).map_err(row_error)?.delete(txn, deleted)?;
    }
    let row = AssetRow {
        id,
        info,
        page: None,
    };
    row.attach(txn, page, AssetChange::Added)
        .map_err(|error| match error {
            NameConflict::Taken(name) => damaged(&name),
            NameConflict::Storage(error) => error,
        })?;
    let old = old.map(|old| Asset::read(txn, old)).transpose();
    let old = old.map_err(row_error)?;
    Ok((Asset::read(txn, id).map_err(row_error)?, old))
}

/// Deletes a file that an import attached, and restores the one that it replaced. Returns false, without a change, if
/// the file was deleted or moved to another page since, or if its page is one of `kept`.
pub(crate) fn take_back(
    txn: &WriteTxn,
    id: AssetId,
    replaced: Option<AssetId>,
    now: Timestamp,
    kept: &HashSet<PageId>,
) -> Result<bool, StorageError> {
    let row = match asset(txn, id) {
        Ok(row) => row,
        Err(AssetError::NotFound) => return Ok(true),
        Err(error) => return Err(row_error(error)),
    };
    let Some(page) = row.page.filter(|page| !kept.contains(page)) else {
        return Ok(false);
    };
    if row.info.state != AssetState::Live {
        return Ok(true);
    }
    let deleted = AssetState::Deleted {
        at: now,
        with_page: false,
    };
    row.delete(txn, deleted)?;
    let Some(replaced) = replaced else {
        return Ok(true);
    };
    match asset(txn, replaced) {
        Ok(row) if row.page == Some(page) && row.info.state != AssetState::Live => row
            .attach(txn, page, AssetChange::Restored)
            .map_err(|error| match error {
                NameConflict::Taken(name) => damaged(&name),
                NameConflict::Storage(error) => error,
            })?,
        Ok(_) | Err(AssetError::NotFound) => {}
        Err(error) => return Err(row_error(error)),
    }
    Ok(true)
}

/// Converts the error for a file that has a row.
fn row_error(error: AssetError) -> StorageError {
    match error {
        AssetError::Storage(error) => error,
        AssetError::NotFound
        | AssetError::NoSuchName(_)
        | AssetError::PageNotFound
        | AssetError::PageDraft
        | AssetError::PageDeleted
        | AssetError::Deleted
        | AssetError::NotDeleted
        | AssetError::Orphaned
        | AssetError::NameTaken(_)
        | AssetError::TooLarge(_)
        | AssetError::FileMissing => damaged(&error),
    }
}

fn damaged(reason: &dyn std::fmt::Display) -> StorageError {
    StorageError::Damaged {
        table: "asset_name",
        reason: reason.to_string(),
    }
}
