//! `/api/cache`: what the thumbnails take up, and making room.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::jobs::{self, StartedJob};
use crate::operations::CacheState;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(get))
        .routes(routes!(collect))
}

/// What the thumbnails take up.
#[utoipa::path(get, path = "/api/cache", tag = "pictures",
    responses((status = 200, body = CacheState)))]
async fn get(State(app): State<Arc<App>>) -> Json<CacheState> {
    Json(app.cache_stats())
}

/// Starts a job that deletes the thumbnails that were not used for longest, nearly, until no more is
/// left than `low` allows. Its result is `{files, bytes}`, what was deleted. While one is at work, its
/// id is given.
#[utoipa::path(post, path = "/api/cache/gc", tag = "pictures", responses((status = 202, body = StartedJob,
    headers(("Location" = String, description = "The job")))))]
async fn collect(State(app): State<Arc<App>>) -> Response {
    jobs::accepted(app.cache_gc().id)
}
