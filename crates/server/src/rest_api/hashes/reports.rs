//! `/api/hashes/reports`, `reports/{job}`: the reports of jobs.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::operations::{HashReport, HashReportQuery, HashReports};
use crate::rest_api::extract::{ApiPath, ApiQuery};

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(hash_reports))
        .routes(routes!(hash_report))
}

/// Lists the reports of this launch, the latest first.
///
/// The last 20 are kept.
#[utoipa::path(get, path = "/api/hashes/reports", tag = "hashes", responses((status = 200, body = HashReports)))]
async fn hash_reports(State(app): State<Arc<App>>) -> Json<HashReports> {
    Json(app.hash_reports())
}

/// Returns the report of a job of this launch.
#[utoipa::path(get, path = "/api/hashes/reports/{job}", tag = "hashes",
    params(("job" = String, Path, description = "The job's id"), HashReportQuery), responses(
    (status = 200, body = HashReport),
    (status = 404, description = "`job_not_found`: this launch has no such job, or it has not ended", body = ErrorBody),
))]
async fn hash_report(
    State(app): State<Arc<App>>,
    ApiPath(job): ApiPath<String>,
    ApiQuery(part): ApiQuery<HashReportQuery>,
) -> Result<Json<HashReport>, ApiError> {
    let report = app.hash_report(&job, &part);
    Ok(Json(report.map_err(|error| *error)?))
}
