//! `/api/hashes/reports`, `reports/{job}`: the reports of jobs.

use axum::Json;
use utoipa_axum::routes;

use crate::error::{ApiError, ErrorBody};
use crate::operations::{self, HashReport, HashReportQuery, HashReports};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery};
use crate::services::Hashes;

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(hash_reports))
        .routes(routes!(hash_report))
}

/// Lists the reports of this launch, the latest first.
///
/// The last 20 are kept.
#[utoipa::path(get, path = "/api/hashes/reports", tag = "hashes", responses((status = 200, body = HashReports)))]
async fn hash_reports(Part(hashes): Part<Hashes>) -> Json<HashReports> {
    Json(operations::hash_reports(&hashes))
}

/// Returns the report of a job of this launch.
#[utoipa::path(get, path = "/api/hashes/reports/{job}", tag = "hashes",
    params(("job" = String, Path, description = "The job's id"), HashReportQuery), responses(
    (status = 200, body = HashReport),
    (status = 404, description = "`job_not_found`: this launch has no such job, or it has not ended", body = ErrorBody),
))]
async fn hash_report(
    Part(hashes): Part<Hashes>,
    ApiPath(job): ApiPath<String>,
    ApiQuery(part): ApiQuery<HashReportQuery>,
) -> Result<Json<HashReport>, ApiError> {
    let report = operations::hash_report(&hashes, &job, &part);
    Ok(Json(report.map_err(|error| *error)?))
}
