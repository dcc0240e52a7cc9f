//! `/api/hashes/badges`: the states of the files of one folder.

use axum::Json;
use utoipa_axum::routes;

use crate::error::{ApiError, ErrorBody};
use crate::operations::{self, HashBadges, RecordedPlace};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::pictures::ByteQuery;
use crate::services::Hashes;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(hash_badges))
}

/// Returns the states of a folder's files, as far as they are known without reading the files.
#[utoipa::path(get, path = "/api/hashes/badges", tag = "hashes", params(
    ("root" = String, Query, description = "The root's id"),
    ("path" = Option<String>, Query, description = "The folder, relative to the root"),
), responses(
    (status = 200, body = HashBadges),
    (status = 404, description = "`root_not_found`, `not_found`", body = ErrorBody),
))]
async fn hash_badges(
    Part(hashes): Part<Hashes>,
    query: ByteQuery,
) -> Result<Json<HashBadges>, ApiError> {
    let place = RecordedPlace::in_root(query.root()?, query.bytes("path").as_deref());
    Ok(Json(operations::hash_badges(&hashes, place).await?))
}
