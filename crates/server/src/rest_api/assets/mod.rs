//! Files that belong to pages, and the operations on them (docs/spec/wiki.md, Files).

mod asset;
mod by_id;
mod contents;
mod owner;
mod restore;
mod zombies;

pub(crate) use contents::picture as asset_picture;

use fumikura_wiki::Asset;

use crate::error::{ApiError, ErrorCode};
use crate::operations::AssetEntry;
use crate::rest_api::Routes;

/// The maximum number of files in a part of a list.
const MAX_LIMIT: usize = 1000;

pub(super) fn routes() -> Routes {
    Routes::new()
        .merge(asset::routes())
        .merge(zombies::routes())
        .merge(by_id::routes())
        .merge(restore::routes())
        .merge(owner::routes())
}

/// Returns the number of files in a part of a list; all by default.
pub(super) fn checked_limit(limit: Option<usize>) -> Result<usize, ApiError> {
    match limit {
        None => Ok(usize::MAX),
        Some(limit @ 1..=MAX_LIMIT) => Ok(limit),
        Some(_) => {
            let message = format!("limit must be from 1 to {MAX_LIMIT}");
            Err(ApiError::new(ErrorCode::BadRequest, message))
        }
    }
}

pub(super) fn entries(assets: Vec<Asset>, offset: usize, limit: usize) -> Vec<AssetEntry> {
    let part = assets.into_iter().skip(offset).take(limit);
    part.map(AssetEntry::from).collect()
}
