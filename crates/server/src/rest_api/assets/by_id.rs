//! `/api/assets/{asset_id}`: describes, renames and deletes a file.

use axum::Json;
use axum::http::StatusCode;
use fumikura_wiki::{AssetId, FileName, FileRename, Wiki};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::operations::AssetEntry;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiPath, ApiQuery};

/// A file's new name.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewFileName {
    file_name: String,
}

/// A renamed file.
#[derive(Serialize, ToSchema)]
struct RenamedFile {
    asset: AssetEntry,
    /// The new revision of the page; null if its text does not name the file.
    revision: Option<u64>,
}

#[derive(Deserialize)]
struct DeleteQuery {
    #[serde(default)]
    hard: bool,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(asset_get))
        .routes(routes!(asset_rename, asset_remove))
        .routes(routes!(asset_rename_in_text))
}

/// Returns the description of a file, in any state.
#[utoipa::path(get, path = "/api/assets/{asset_id}/meta", tag = "assets", params(("asset_id" = String, Path)), responses(
    (status = 200, body = AssetEntry),
    (status = 404, description = "`asset_not_found`", body = ErrorBody),
))]
async fn asset_get(
    Part(wiki): Part<Wiki>,
    ApiPath(asset_id): ApiPath<AssetId>,
) -> Result<Json<AssetEntry>, ApiError> {
    let get = move |wiki: &Wiki| Ok(wiki.assets().get(asset_id)?.into());
    Ok(Json(blocking(&wiki, get).await?))
}

/// Renames a file.
#[utoipa::path(patch, path = "/api/assets/{asset_id}", tag = "assets", params(("asset_id" = String, Path)),
    request_body = NewFileName, responses(
        (status = 200, body = AssetEntry),
        (status = 404, description = "`asset_not_found`", body = ErrorBody),
        (status = 409, description = "`file_name_taken`; `asset_orphaned`", body = ErrorBody),
        (status = 410, description = "`deleted`", body = ErrorBody),
        (status = 422, description = "`invalid_file_name`", body = ErrorBody),
    ))]
async fn asset_rename(
    Part(wiki): Part<Wiki>,
    ApiPath(asset_id): ApiPath<AssetId>,
    ApiJson(NewFileName { file_name }): ApiJson<NewFileName>,
) -> Result<Json<AssetEntry>, ApiError> {
    let rename = move |wiki: &Wiki| {
        let name = FileName::new(&file_name)?;
        Ok(wiki.assets().rename(asset_id, name)?.into())
    };
    Ok(Json(blocking(&wiki, rename).await?))
}

/// Renames a file, and the uses of its name in the newest text of its page, in one transaction.
///
/// The page gets a revision if its text names the file. A page that is being edited is not changed.
#[utoipa::path(post, path = "/api/assets/{asset_id}/rename", tag = "assets", params(("asset_id" = String, Path)),
    request_body = NewFileName, responses(
        (status = 200, body = RenamedFile),
        (status = 404, description = "`asset_not_found`", body = ErrorBody),
        (status = 409, description = "`file_name_taken`; `asset_orphaned`", body = ErrorBody),
        (status = 410, description = "`deleted`", body = ErrorBody),
        (status = 413, description = "`too_large`", body = ErrorBody),
        (status = 422, description = "`invalid_file_name`", body = ErrorBody),
        (status = 423, description = "`lock_required`: the page is being edited", body = ErrorBody),
    ))]
async fn asset_rename_in_text(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(asset_id): ApiPath<AssetId>,
    ApiJson(NewFileName { file_name }): ApiJson<NewFileName>,
) -> Result<Json<RenamedFile>, ApiError> {
    let rename = move |wiki: &Wiki| {
        let renamed = wiki.reorganize().rename_file(&FileRename {
            asset: asset_id,
            name: FileName::new(&file_name)?,
            user: acting.get()?.id,
        })?;
        Ok(RenamedFile {
            asset: renamed.asset.into(),
            revision: renamed.revision,
        })
    };
    Ok(Json(blocking(&wiki, rename).await?))
}

/// Deletes a file.
///
/// The file can be restored, unless it is deleted permanently (`hard`). An orphaned file can only be deleted
/// permanently.
#[utoipa::path(delete, path = "/api/assets/{asset_id}", tag = "assets",
    params(("asset_id" = String, Path), ("hard" = Option<bool>, Query, description = "For good")), responses(
        (status = 204),
        (status = 404, description = "`asset_not_found`", body = ErrorBody),
        (status = 409, description = "`asset_orphaned`: an orphaned asset can only be deleted permanently", body = ErrorBody),
        (status = 410, description = "`deleted`", body = ErrorBody),
    ))]
async fn asset_remove(
    Part(wiki): Part<Wiki>,
    ApiPath(asset_id): ApiPath<AssetId>,
    ApiQuery(DeleteQuery { hard }): ApiQuery<DeleteQuery>,
) -> Result<StatusCode, ApiError> {
    let remove = move |wiki: &Wiki| {
        match hard {
            true => wiki.assets().purge(asset_id)?,
            false => wiki.assets().delete(asset_id)?,
        };
        Ok(StatusCode::NO_CONTENT)
    };
    blocking(&wiki, remove).await
}
