//! `/api/hashes/record`, `verify`, `migrate`, `tidy`: jobs over files and their records.

use axum::extract::Extension;
use axum::response::Response;
use utoipa_axum::routes;

use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::jobs::{self, StartedJob};
use crate::operations::{self, HashMigrate, HashRecord, HashTidy, HashVerify};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiJson;
use crate::services::Hashes;

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(hash_record))
        .routes(routes!(hash_verify))
        .routes(routes!(hash_migrate))
        .routes(routes!(hash_tidy))
}

/// Starts a job that records a file, or a folder with everything below it.
#[utoipa::path(post, path = "/api/hashes/record", tag = "hashes", request_body = HashRecord, responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
    (status = 404, description = "`root_not_found`", body = ErrorBody),
    (status = 409, description = "`foreign_folder`", body = ErrorBody),
    (status = 422, description = "`unsafe_folder`, `invalid_path`", body = ErrorBody),
))]
async fn hash_record(
    Part(hashes): Part<Hashes>,
    Extension(caller): Extension<Caller>,
    ApiJson(request): ApiJson<HashRecord>,
) -> Result<Response, ApiError> {
    Ok(jobs::accepted(
        operations::hash_record(&hashes, request, caller).await?.id,
    ))
}

/// Starts a job that compares files with their records.
///
/// All recorded files are compared, unless a root is named.
#[utoipa::path(post, path = "/api/hashes/verify", tag = "hashes", request_body = HashVerify, responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
    (status = 404, description = "`root_not_found`", body = ErrorBody),
    (status = 422, description = "`unsafe_folder`", body = ErrorBody),
))]
async fn hash_verify(
    Part(hashes): Part<Hashes>,
    Extension(caller): Extension<Caller>,
    ApiJson(request): ApiJson<HashVerify>,
) -> Result<Response, ApiError> {
    Ok(jobs::accepted(
        operations::hash_verify(&hashes, request, caller).await?.id,
    ))
}

/// Starts a job that renames records with older names to the encoded form.
#[utoipa::path(post, path = "/api/hashes/migrate", tag = "hashes", request_body = HashMigrate, responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
    (status = 409, description = "`foreign_folder`", body = ErrorBody),
))]
async fn hash_migrate(
    Part(hashes): Part<Hashes>,
    Extension(caller): Extension<Caller>,
    ApiJson(request): ApiJson<HashMigrate>,
) -> Result<Response, ApiError> {
    Ok(jobs::accepted(
        operations::hash_migrate(&hashes, request, caller).await?.id,
    ))
}

/// Starts a job that sets aside the records of files that no longer exist.
#[utoipa::path(post, path = "/api/hashes/tidy", tag = "hashes", request_body = HashTidy, responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
    (status = 409, description = "`foreign_folder`", body = ErrorBody),
))]
async fn hash_tidy(
    Part(hashes): Part<Hashes>,
    Extension(caller): Extension<Caller>,
    ApiJson(request): ApiJson<HashTidy>,
) -> Result<Response, ApiError> {
    Ok(jobs::accepted(
        operations::hash_tidy(&hashes, request, caller).await?.id,
    ))
}
