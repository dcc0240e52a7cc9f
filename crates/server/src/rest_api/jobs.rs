//! `/api/jobs`: work that takes a while, watched, paused and cancelled.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::jobs::{JobRow, announce};
use crate::rest_api::extract::{ApiJson, ApiPath};

/// What is to become of a job.
#[derive(Deserialize, ToSchema)]
struct JobChange {
    /// Whether it is to wait.
    paused: bool,
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(get, patch, delete))
}

/// The jobs of this launch, the newest first: those at work, and the last that ended.
#[utoipa::path(get, path = "/api/jobs", tag = "jobs",
    responses((status = 200, body = Vec<JobRow>)))]
async fn list(State(app): State<Arc<App>>) -> Json<Vec<JobRow>> {
    Json(app.jobs.all())
}

/// A job.
#[utoipa::path(get, path = "/api/jobs/{id}", tag = "jobs", params(("id" = String, Path)),
    responses((status = 200, body = JobRow), (status = 404, body = ErrorBody)))]
async fn get(
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<String>,
) -> Result<Json<JobRow>, ApiError> {
    app.jobs.get(&id).map(Json).ok_or_else(unknown)
}

/// Lets a job wait, or go on. One that ended stays as it is.
#[utoipa::path(patch, path = "/api/jobs/{id}", tag = "jobs", params(("id" = String, Path)),
    request_body = JobChange,
    responses((status = 200, body = JobRow), (status = 404, body = ErrorBody)))]
async fn patch(
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<String>,
    ApiJson(change): ApiJson<JobChange>,
) -> Result<Json<JobRow>, ApiError> {
    let row = app.jobs.pause(&id, change.paused).ok_or_else(unknown)?;
    announce(&app, &id);
    Ok(Json(row))
}

/// Has a job end as soon as it can. What it did already stays done.
#[utoipa::path(delete, path = "/api/jobs/{id}", tag = "jobs", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
async fn delete(
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<String>,
) -> Result<StatusCode, ApiError> {
    app.jobs.cancel(&id).ok_or_else(unknown)?;
    Ok(StatusCode::NO_CONTENT)
}

fn unknown() -> ApiError {
    ApiError::new(ErrorCode::JobNotFound, "there is no such job")
}
