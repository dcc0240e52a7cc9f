//! `/api/hashes/removed`, `reinstate`: records that tidying set aside.

use axum::Json;
use axum::extract::Extension;
use utoipa_axum::routes;

use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::operations::{self, HashReinstate, ReinstatedHashes, RemovedHashList, RemovedHashPage};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiQuery};
use crate::services::Hashes;

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(hash_removed))
        .routes(routes!(hash_reinstate))
}

/// Lists the records that tidying set aside.
#[utoipa::path(get, path = "/api/hashes/removed", tag = "hashes", params(RemovedHashList), responses(
    (status = 200, body = RemovedHashPage),
    (status = 422, description = "`unsafe_folder`", body = ErrorBody),
))]
async fn hash_removed(
    Part(hashes): Part<Hashes>,
    Extension(caller): Extension<Caller>,
    ApiQuery(query): ApiQuery<RemovedHashList>,
) -> Result<Json<RemovedHashPage>, ApiError> {
    Ok(Json(
        operations::removed_hashes(&hashes, query, caller).await?,
    ))
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
    Part(hashes): Part<Hashes>,
    Extension(caller): Extension<Caller>,
    ApiJson(request): ApiJson<HashReinstate>,
) -> Result<Json<ReinstatedHashes>, ApiError> {
    Ok(Json(
        operations::hash_reinstate(&hashes, request, caller).await?,
    ))
}
