//! `/api/assets/{asset_id}/owner`: assigns an orphaned asset, or a live one, to a page (docs/spec/wiki.md, Files).

use axum::http::StatusCode;
use fumikura_wiki::{AssetId, PageId, Wiki};
use serde::Deserialize;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery};

#[derive(Deserialize)]
struct OwnerQuery {
    page_id: PageId,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(asset_set_owner))
}

/// Assigns a file to a page.
///
/// An orphaned file becomes live again. A live file moves to the other page.
#[utoipa::path(post, path = "/api/assets/{asset_id}/owner", tag = "assets",
    params(("asset_id" = String, Path), ("page_id" = String, Query)), responses(
        (status = 204),
        (status = 404, description = "`asset_not_found`, `page_not_found`, `draft`", body = ErrorBody),
        (status = 409, description = "`file_name_taken`", body = ErrorBody),
        (status = 410, description = "`deleted`: the page or the file", body = ErrorBody),
    ))]
async fn asset_set_owner(
    Part(wiki): Part<Wiki>,
    ApiPath(asset_id): ApiPath<AssetId>,
    ApiQuery(OwnerQuery { page_id }): ApiQuery<OwnerQuery>,
) -> Result<StatusCode, ApiError> {
    blocking(&wiki, move |wiki| {
        wiki.assets().set_owner(asset_id, page_id)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}
