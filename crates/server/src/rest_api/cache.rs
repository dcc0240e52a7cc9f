//! `/api/cache`: the size of the thumbnail cache, eviction and clearing.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::ApiJson;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::jobs::{self, StartedJob};
use crate::operations::CacheState;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(cache_stats))
        .routes(routes!(cache_gc))
        .routes(routes!(cache_set_limit))
        .routes(routes!(cache_clear))
        .routes(routes!(cache_set_folder))
}

/// Returns the size and the limits of the thumbnail cache.
#[utoipa::path(get, path = "/api/cache", tag = "pictures",
    responses((status = 200, body = CacheState)))]
async fn cache_stats(State(app): State<Arc<App>>) -> Json<CacheState> {
    Json(app.cache_stats())
}

/// Starts a job that evicts the least recently used thumbnails, approximately, until `low` is reached.
///
/// The job's result is `{files, bytes}`: the number and the size of the evicted thumbnails. The id of a running
/// eviction is returned if there is one.
#[utoipa::path(post, path = "/api/cache/gc", tag = "pictures", responses((status = 202, body = StartedJob,
    headers(("Location" = String, description = "The job")))))]
async fn cache_gc(State(app): State<Arc<App>>) -> Response {
    jobs::accepted(app.cache_gc().id)
}

/// The limit of the cache.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CacheLimit {
    /// The limit in bytes, from 1 MiB to 1 PiB.
    limit_bytes: u64,
}

/// Changes the limit of the thumbnail cache.
///
/// It takes effect at once and is written to the configuration file.
#[utoipa::path(put, path = "/api/cache/limit", tag = "pictures", request_body = CacheLimit, responses(
    (status = 200, body = CacheState),
    (status = 409, description = "`set_by_environment`", body = ErrorBody),
    (status = 422, description = "`invalid_value`", body = ErrorBody),
))]
async fn cache_set_limit(
    State(app): State<Arc<App>>,
    ApiJson(limit): ApiJson<CacheLimit>,
) -> Result<Json<CacheState>, ApiError> {
    Ok(Json(app.set_cache_limit(limit.limit_bytes).await?))
}

/// The group to clear.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CacheClear {
    /// A group of `GET /api/ttl`; all groups if absent.
    group: Option<String>,
}

/// Starts a job that deletes the thumbnails and folder indexes of a group, or of all groups.
///
/// The job's result is `{files, bytes, failed}`.
#[utoipa::path(post, path = "/api/cache/clear", tag = "pictures", request_body = CacheClear, responses((status = 202,
    body = StartedJob, headers(("Location" = String, description = "The job")))))]
async fn cache_clear(
    State(app): State<Arc<App>>,
    ApiJson(clear): ApiJson<CacheClear>,
) -> Result<Response, ApiError> {
    Ok(jobs::accepted(app.cache_clear(clear.group)?.id))
}

/// A folder for the thumbnails.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CacheFolder {
    /// The grant of a folder that the user chose.
    grant: String,
}

/// Moves the thumbnail cache to another folder at the next launch.
///
/// The folder itself is used if it is empty or already a thumbnail cache of this program. Otherwise a folder
/// `fumikura-thumbnails` in it is used.
#[utoipa::path(put, path = "/api/cache/folder", tag = "pictures", request_body = CacheFolder, responses(
    (status = 200, body = CacheState),
    (status = 403, description = "`grant_invalid`", body = ErrorBody),
    (status = 409, description = "`set_by_environment`", body = ErrorBody),
    (status = 422, description = "`invalid_value`: both folders contain other files", body = ErrorBody),
))]
async fn cache_set_folder(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    ApiJson(folder): ApiJson<CacheFolder>,
) -> Result<Json<CacheState>, ApiError> {
    let set = move |app: &App| {
        let chosen = app.grants.take_by(&folder.grant, caller)?;
        app.choose_cache_folder(&chosen)
    };
    Ok(Json(blocking(&app, set).await?))
}
