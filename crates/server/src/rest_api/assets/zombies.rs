//! `/api/assets/zombies`: lists orphaned assets, whose pages were permanently deleted (docs/spec/wiki.md, Files).

use axum::Json;
use fumikura_wiki::Wiki;
use serde::Deserialize;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::ApiError;
use crate::operations::AssetEntry;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::assets::{checked_limit, entries};
use crate::rest_api::extract::ApiQuery;

#[derive(Deserialize)]
struct OrphanQuery {
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(asset_zombies))
}

/// Lists orphaned files, oldest first.
///
/// The pages of these files were permanently deleted. Each file can be permanently deleted too, or assigned to another
/// page.
#[utoipa::path(get, path = "/api/assets/zombies", tag = "assets",
    params(
        ("offset" = Option<usize>, Query, description = "The number of items to skip"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1000, description = "All by default"),
    ),
    responses((status = 200, body = Vec<AssetEntry>)))]
async fn asset_zombies(
    Part(wiki): Part<Wiki>,
    ApiQuery(OrphanQuery { offset, limit }): ApiQuery<OrphanQuery>,
) -> Result<Json<Vec<AssetEntry>>, ApiError> {
    let limit = checked_limit(limit)?;
    let list = move |wiki: &Wiki| Ok(entries(wiki.assets().orphaned()?, offset, limit));
    Ok(Json(blocking(&wiki, list).await?))
}
