//! `/api/assets/{asset_id}/restore`: restores a deleted file.

use axum::http::StatusCode;
use fumikura_wiki::{AssetId, Wiki};
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiPath;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(asset_restore))
}

/// Restores a deleted file to its page, under its name.
#[utoipa::path(post, path = "/api/assets/{asset_id}/restore", tag = "assets", params(("asset_id" = String, Path)), responses(
    (status = 204),
    (status = 404, description = "`asset_not_found`", body = ErrorBody),
    (status = 409, description = "`file_name_taken`, `not_deleted`; `asset_orphaned`: assign it to a page", body = ErrorBody),
    (status = 410, description = "`deleted`: its page is deleted, and must be restored first", body = ErrorBody),
))]
async fn asset_restore(
    Part(wiki): Part<Wiki>,
    ApiPath(asset_id): ApiPath<AssetId>,
) -> Result<StatusCode, ApiError> {
    blocking(&wiki, move |wiki| {
        wiki.assets().restore(asset_id)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}
