//! Files that belong to pages (docs/spec/wiki.md, Files): list, rename, delete, restore, move.

use std::sync::Arc;

use fumikura_wiki::{Asset, AssetId, AssetState, FileName, PageId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};

/// The maximum number of files in a part of a list.
const MAX_LIMIT: usize = 1000;

/// A request for the files of a page.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AssetList {
    /// The page or draft.
    pub page_id: PageId,
    /// True if deleted files are listed as well.
    #[serde(default)]
    pub with_deleted: bool,
    /// The number of files to skip.
    #[serde(default)]
    pub offset: usize,
    /// The maximum number of files, 1 to 1000; all by default.
    pub limit: Option<usize>,
}

/// A request for orphaned files.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AssetZombies {
    /// The number of files to skip.
    #[serde(default)]
    pub offset: usize,
    /// The maximum number of files, 1 to 1000; all by default.
    pub limit: Option<usize>,
}

/// A request for a file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AssetRequest {
    /// The file.
    pub asset_id: AssetId,
}

/// A request to rename a file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AssetRename {
    /// The file.
    pub asset_id: AssetId,
    /// The new name.
    pub file_name: String,
}

/// A request to delete a file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AssetRemove {
    /// The file.
    pub asset_id: AssetId,
    /// True if the file is deleted permanently.
    #[serde(default)]
    pub hard: bool,
}

/// A request to give a file to a page.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AssetMove {
    /// The file.
    pub asset_id: AssetId,
    /// The new page.
    pub page_id: PageId,
}

/// A file that belongs to a page, or did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Asset)]
pub struct AssetEntry {
    /// The file's id, a ULID.
    id: String,
    /// The page's id; null for an orphaned file.
    page_id: Option<String>,
    /// The current name.
    file_name: String,
    /// The name at upload.
    original_name: String,
    /// The media type, detected from the contents.
    mime: String,
    /// The size in bytes.
    size: u64,
    /// SHA-256 of the contents, in hexadecimal digits.
    sha256: String,
    /// The time of upload.
    created_at: Timestamp,
    /// The name of the user who uploaded it.
    user_name: String,
    state: AssetEntryState,
    /// The time at which it was deleted or orphaned.
    deleted_at: Option<Timestamp>,
    /// The last path of an orphaned file's page.
    last_path: Option<String>,
}

/// The state of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AssetEntryState {
    /// It belongs to a page.
    Live,
    /// It was deleted and can be restored.
    Deleted,
    /// It was deleted with its page, and is restored with it.
    DeletedWithPage,
    /// It is orphaned: its page was deleted permanently.
    Zombie,
}

impl From<Asset> for AssetEntry {
    fn from(asset: Asset) -> Self {
        let (state, deleted_at, last_path) = match asset.state {
            AssetState::Live => (AssetEntryState::Live, None, None),
            AssetState::Deleted { at, with_page } => {
                let state = if with_page {
                    AssetEntryState::DeletedWithPage
                } else {
                    AssetEntryState::Deleted
                };
                (state, Some(at), None)
            }
            AssetState::Orphaned { at, last_path } => {
                (AssetEntryState::Zombie, Some(at), Some(last_path))
            }
        };
        Self {
            id: asset.id.to_string(),
            page_id: asset.page_id.map(|id| id.to_string()),
            file_name: asset.file_name.to_string(),
            original_name: asset.original_name.to_string(),
            mime: asset.mime,
            size: asset.size,
            sha256: hex::encode(asset.sha256),
            created_at: asset.created_at,
            user_name: asset.user_name,
            state,
            deleted_at,
            last_path: last_path.map(|path| path.to_string()),
        }
    }
}

impl App {
    /// Returns a page's files, by name.
    ///
    /// # Errors
    /// `page_not_found`; `bad_request` for an invalid limit.
    pub(crate) async fn asset_list(
        self: &Arc<Self>,
        request: AssetList,
    ) -> Result<Vec<AssetEntry>, ErrorBody> {
        let AssetList {
            page_id,
            with_deleted,
            offset,
            limit,
        } = request;
        let limit = checked(limit)?;
        let work = move |app: &App| {
            let assets = app.wiki.assets().of_page(page_id, with_deleted)?;
            Ok(entries(assets, offset, limit))
        };
        Ok(blocking(self, work).await?)
    }

    /// Returns a file's metadata.
    ///
    /// # Errors
    /// `asset_not_found`.
    pub(crate) async fn asset_meta(
        self: &Arc<Self>,
        request: AssetRequest,
    ) -> Result<AssetEntry, ErrorBody> {
        let work = move |app: &App| Ok(app.wiki.assets().get(request.asset_id)?.into());
        Ok(blocking(self, work).await?)
    }

    /// Renames a file.
    ///
    /// # Errors
    /// `asset_not_found`, `deleted`, `asset_orphaned`, `file_name_taken`, `invalid_file_name`.
    pub(crate) async fn asset_rename(
        self: &Arc<Self>,
        request: AssetRename,
    ) -> Result<AssetEntry, ErrorBody> {
        let work = move |app: &App| {
            let name = FileName::new(&request.file_name)?;
            Ok(app.wiki.assets().rename(request.asset_id, name)?.into())
        };
        Ok(blocking(self, work).await?)
    }

    /// Deletes a file. It can be restored unless it is deleted permanently.
    ///
    /// # Errors
    /// `asset_not_found`; `deleted` and `asset_orphaned` if it is not deleted permanently.
    pub(crate) async fn asset_remove(
        self: &Arc<Self>,
        request: AssetRemove,
    ) -> Result<(), ErrorBody> {
        let AssetRemove { asset_id, hard } = request;
        let work = move |app: &App| {
            if hard {
                app.wiki.assets().purge(asset_id)?;
            } else {
                app.wiki.assets().delete(asset_id)?;
            }
            Ok(())
        };
        Ok(blocking(self, work).await?)
    }

    /// Restores a deleted file.
    ///
    /// # Errors
    /// `asset_not_found`, `not_deleted`, `asset_orphaned`, `file_name_taken`; `deleted` if its page is
    /// deleted.
    pub(crate) async fn asset_restore(
        self: &Arc<Self>,
        request: AssetRequest,
    ) -> Result<(), ErrorBody> {
        let work = move |app: &App| {
            app.wiki.assets().restore(request.asset_id)?;
            Ok(())
        };
        Ok(blocking(self, work).await?)
    }

    /// Returns orphaned files, oldest first.
    ///
    /// # Errors
    /// `bad_request` for an invalid limit.
    pub(crate) async fn asset_zombies(
        self: &Arc<Self>,
        request: AssetZombies,
    ) -> Result<Vec<AssetEntry>, ErrorBody> {
        let AssetZombies { offset, limit } = request;
        let limit = checked(limit)?;
        let work = move |app: &App| Ok(entries(app.wiki.assets().orphaned()?, offset, limit));
        Ok(blocking(self, work).await?)
    }

    /// Gives an orphaned file a page, or a file another page.
    ///
    /// # Errors
    /// `asset_not_found`, `page_not_found`, `draft`, `deleted`, `file_name_taken`.
    pub(crate) async fn asset_set_owner(
        self: &Arc<Self>,
        request: AssetMove,
    ) -> Result<(), ErrorBody> {
        let work = move |app: &App| {
            app.wiki
                .assets()
                .set_owner(request.asset_id, request.page_id)?;
            Ok(())
        };
        Ok(blocking(self, work).await?)
    }
}

fn checked(limit: Option<usize>) -> Result<usize, ApiError> {
    match limit {
        None => Ok(usize::MAX),
        Some(limit @ 1..=MAX_LIMIT) => Ok(limit),
        Some(_) => {
            let message = format!("limit must be from 1 to {MAX_LIMIT}");
            Err(ApiError::new(ErrorCode::BadRequest, message))
        }
    }
}

fn entries(assets: Vec<Asset>, offset: usize, limit: usize) -> Vec<AssetEntry> {
    let part = assets.into_iter().skip(offset).take(limit);
    part.map(AssetEntry::from).collect()
}
