//! `/api/jobs`: long-running work that can be watched, paused and cancelled.

use axum::Json;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::job_runner::JobRunner;
use crate::jobs::JobRow;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiPath};

/// The requested state of a job.
#[derive(Deserialize, ToSchema)]
struct JobChange {
    /// True to pause the job, false to resume it.
    paused: bool,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(job_list))
        .routes(routes!(job_get, job_pause, job_cancel))
}

/// Lists the jobs of this launch, the newest first.
///
/// The list holds running jobs and the latest ended ones.
#[utoipa::path(get, path = "/api/jobs", tag = "jobs",
    responses((status = 200, body = Vec<JobRow>)))]
async fn job_list(Part(runner): Part<JobRunner>) -> Json<Vec<JobRow>> {
    Json(runner.jobs.all())
}

/// Returns a job.
#[utoipa::path(get, path = "/api/jobs/{id}", tag = "jobs", params(("id" = String, Path)),
    responses((status = 200, body = JobRow), (status = 404, body = ErrorBody)))]
async fn job_get(
    Part(runner): Part<JobRunner>,
    ApiPath(id): ApiPath<String>,
) -> Result<Json<JobRow>, ApiError> {
    runner.jobs.get(&id).map(Json).ok_or_else(unknown)
}

/// Pauses or resumes a job.
///
/// An ended job is unchanged.
#[utoipa::path(patch, path = "/api/jobs/{id}", tag = "jobs", params(("id" = String, Path)),
    request_body = JobChange,
    responses((status = 200, body = JobRow), (status = 404, body = ErrorBody)))]
async fn job_pause(
    Part(runner): Part<JobRunner>,
    ApiPath(id): ApiPath<String>,
    ApiJson(change): ApiJson<JobChange>,
) -> Result<Json<JobRow>, ApiError> {
    let row = runner.jobs.pause(&id, change.paused).ok_or_else(unknown)?;
    runner.announce(&id);
    Ok(Json(row))
}

/// Cancels a job as soon as possible.
///
/// Work that is done already is kept.
#[utoipa::path(delete, path = "/api/jobs/{id}", tag = "jobs", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
async fn job_cancel(
    Part(runner): Part<JobRunner>,
    ApiPath(id): ApiPath<String>,
) -> Result<StatusCode, ApiError> {
    runner.jobs.cancel(&id).ok_or_else(unknown)?;
    Ok(StatusCode::NO_CONTENT)
}

fn unknown() -> ApiError {
    ApiError::new(ErrorCode::JobNotFound, "there is no such job")
}
