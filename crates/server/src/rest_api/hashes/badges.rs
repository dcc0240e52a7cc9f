//! `/api/hashes/badges`: the states of the files of one folder.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::operations::{HashBadges, RecordedPlace};
use crate::rest_api::pictures::ByteQuery;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(hash_badges))
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
    State(app): State<Arc<App>>,
    query: ByteQuery,
) -> Result<Json<HashBadges>, ApiError> {
    let place = RecordedPlace::in_root(query.root()?, query.bytes("path").as_deref());
    Ok(Json(app.hash_badges(place).await?))
}
