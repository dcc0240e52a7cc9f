//! Files that belong to pages (docs/spec/wiki.md, Files): listed, renamed, deleted, restored, given away.

use std::sync::Arc;

use fumikura_wiki::{Asset, AssetId, AssetState, FileName, PageId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};

/// How many files a part of a list has at most.
const MAX_LIMIT: usize = 1000;

/// Which page's files to list.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssetList {
    /// The page or draft.
    pub page_id: PageId,
    /// Whether deleted ones are listed too.
    #[serde(default)]
    pub with_deleted: bool,
    /// How many to leave out at the beginning.
    #[serde(default)]
    pub offset: usize,
    /// How many at most, 1 to 1000; all unless told.
    pub limit: Option<usize>,
}

/// Which of the files without a page to list.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssetZombies {
    /// How many to leave out at the beginning.
    #[serde(default)]
    pub offset: usize,
    /// How many at most, 1 to 1000; all unless told.
    pub limit: Option<usize>,
}

/// A file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfAsset {
    /// The file.
    pub asset_id: AssetId,
}

/// A file, and the name that it is to have.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssetRename {
    /// The file.
    pub asset_id: AssetId,
    /// The name.
    pub file_name: String,
}

/// A file that is to be deleted.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssetRemove {
    /// The file.
    pub asset_id: AssetId,
    /// Whether it is to be gone for good.
    #[serde(default)]
    pub hard: bool,
}

/// A file, and the page whose it is to be.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssetMove {
    /// The file.
    pub asset_id: AssetId,
    /// The page.
    pub page_id: PageId,
}

/// A file that belongs to a page, or did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Asset)]
pub struct AssetEntry {
    /// The file's id, a ULID.
    id: String,
    /// Its page; null for a zombie.
    page_id: Option<String>,
    /// The name that it has now.
    file_name: String,
    /// The name that it came with.
    original_name: String,
    /// What its contents are, as they tell.
    mime: String,
    /// Bytes.
    size: u64,
    /// SHA-256 of the contents, in hexadecimal digits.
    sha256: String,
    /// When it came.
    created_at: Timestamp,
    /// Who brought it.
    user_name: String,
    state: AssetEntryState,
    /// When it was deleted, or lost its page.
    deleted_at: Option<Timestamp>,
    /// Where the page of a zombie last stood.
    last_path: Option<String>,
}

/// Whether a file is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AssetEntryState {
    /// It is its page's.
    Live,
    /// It was deleted and can be restored.
    Deleted,
    /// It was deleted with its page, and comes back with it.
    DeletedWithPage,
    /// Its page was deleted for good.
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
    /// A page's files, by name.
    ///
    /// # Errors
    /// `page_not_found`; `bad_request` for a limit that is not allowed.
    pub async fn asset_list(
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
            let assets = app.wiki.assets(page_id, with_deleted)?;
            Ok(entries(assets, offset, limit))
        };
        Ok(blocking(self, work).await?)
    }

    /// What a file is.
    ///
    /// # Errors
    /// `asset_not_found`.
    pub async fn asset_meta(self: &Arc<Self>, request: OfAsset) -> Result<AssetEntry, ErrorBody> {
        let work = move |app: &App| Ok(app.wiki.asset(request.asset_id)?.into());
        Ok(blocking(self, work).await?)
    }

    /// Gives a file another name.
    ///
    /// # Errors
    /// `asset_not_found`, `deleted`, `asset_orphaned`, `file_name_taken`, `invalid_file_name`.
    pub async fn asset_rename(
        self: &Arc<Self>,
        request: AssetRename,
    ) -> Result<AssetEntry, ErrorBody> {
        let work = move |app: &App| {
            let name = FileName::new(&request.file_name)?;
            Ok(app.wiki.rename_asset(request.asset_id, name)?.into())
        };
        Ok(blocking(self, work).await?)
    }

    /// Deletes a file; unless it is for good, it can be restored.
    ///
    /// # Errors
    /// `asset_not_found`; `deleted` and `asset_orphaned` when it is not for good.
    pub async fn asset_remove(self: &Arc<Self>, request: AssetRemove) -> Result<(), ErrorBody> {
        let AssetRemove { asset_id, hard } = request;
        let work = move |app: &App| {
            if hard {
                app.wiki.purge_asset(asset_id)?;
            } else {
                app.wiki.delete_asset(asset_id)?;
            }
            Ok(())
        };
        Ok(blocking(self, work).await?)
    }

    /// Brings a deleted file back.
    ///
    /// # Errors
    /// `asset_not_found`, `not_deleted`, `asset_orphaned`, `file_name_taken`; `deleted` while its
    /// page is.
    pub async fn asset_restore(self: &Arc<Self>, request: OfAsset) -> Result<(), ErrorBody> {
        let work = move |app: &App| {
            app.wiki.restore_asset(request.asset_id)?;
            Ok(())
        };
        Ok(blocking(self, work).await?)
    }

    /// The files whose pages were deleted for good, oldest first.
    ///
    /// # Errors
    /// `bad_request` for a limit that is not allowed.
    pub async fn asset_zombies(
        self: &Arc<Self>,
        request: AssetZombies,
    ) -> Result<Vec<AssetEntry>, ErrorBody> {
        let AssetZombies { offset, limit } = request;
        let limit = checked(limit)?;
        let work = move |app: &App| Ok(entries(app.wiki.zombies()?, offset, limit));
        Ok(blocking(self, work).await?)
    }

    /// Gives a zombie a page, or a file another page.
    ///
    /// # Errors
    /// `asset_not_found`, `page_not_found`, `draft`, `deleted`, `file_name_taken`.
    pub async fn asset_set_owner(self: &Arc<Self>, request: AssetMove) -> Result<(), ErrorBody> {
        let work = move |app: &App| {
            app.wiki
                .set_asset_owner(request.asset_id, request.page_id)?;
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
