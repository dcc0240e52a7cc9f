//! `/api/hashes/removed`, `reinstate`: records that tidying set aside.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::operations::{HashReinstate, ReinstatedHashes, RemovedHashList, RemovedHashPage};
use crate::rest_api::extract::{ApiJson, ApiQuery};

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(hash_removed))
        .routes(routes!(hash_reinstate))
}

/// Lists the records that tidying set aside.
#[utoipa::path(get, path = "/api/hashes/removed", tag = "hashes", params(RemovedHashList), responses(
    (status = 200, body = RemovedHashPage),
    (status = 422, description = "`unsafe_folder`", body = ErrorBody),
))]
async fn hash_removed(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    ApiQuery(query): ApiQuery<RemovedHashList>,
) -> Result<Json<RemovedHashPage>, ApiError> {
    Ok(Json(app.removed_hashes(query, caller).await?))
}

/// Brings back records that tidying set aside.
///
/// Of several records of a file, the one set aside last is brought back. A file that has a record keeps it.
#[utoipa::path(post, path = "/api/hashes/reinstate", tag = "hashes", request_body = HashReinstate, responses(
    (status = 200, body = ReinstatedHashes),
    (status = 409, description = "`foreign_folder`, `hashes_busy`", body = ErrorBody),
    (status = 422, description = "`invalid_path`", body = ErrorBody),
))]
async fn hash_reinstate(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    ApiJson(request): ApiJson<HashReinstate>,
) -> Result<Json<ReinstatedHashes>, ApiError> {
    Ok(Json(app.hash_reinstate(request, caller).await?))
}
