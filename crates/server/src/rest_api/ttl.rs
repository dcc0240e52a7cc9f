//! `/api/ttl`: expiry of the cache.

use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use fumikura_expiry::Expiry;
use fumikura_fs::RootId;
use fumikura_ttl::{Amount, UncheckedPolicy};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::extract::{ApiJson, ApiPath, ApiQuery};
use crate::error::{ApiError, ErrorBody};
use crate::job_runner::JobRunner;
use crate::jobs::{self, StartedJob};
use crate::operations::{self, RootTtlPolicy, TtlState};
use crate::part::Part;
use crate::rest_api::Routes;

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(ttl_state))
        .routes(routes!(ttl_run))
        .routes(routes!(ttl_preview))
        .routes(routes!(ttl_retry))
        .routes(routes!(ttl_default_get, ttl_default_set))
        .routes(routes!(ttl_policy_get, ttl_policy_set, ttl_policy_remove))
}

/// Returns the expiry state of the cache: policies, pending removals, and the contents by group and age.
#[utoipa::path(get, path = "/api/ttl", tag = "ttl", responses(
    (status = 200, body = TtlState),
    (status = 500, description = "`settings_damaged`: the policies can't be read", body = ErrorBody),
))]
async fn ttl_state(Part(expiry): Part<Expiry>) -> Result<Json<TtlState>, ApiError> {
    Ok(Json(operations::ttl_state(&expiry).await?))
}

/// Starts a job that marks expired artifacts and removes them.
///
/// The job's result is `{marked_blobs, marked_manifests, marked_gone, artifacts, bytes, counts}`: the marked artifacts,
/// the removed ones, and the pending removals. The job fails with `clock_jumped` within an hour after a jump of the
/// clock.
#[utoipa::path(post, path = "/api/ttl/run", tag = "ttl", responses((status = 202, body = StartedJob,
    headers(("Location" = String, description = "The job")))))]
async fn ttl_run(Part(expiry): Part<Expiry>, Part(runner): Part<JobRunner>) -> Response {
    jobs::accepted(operations::ttl_run(&expiry, &runner).id)
}

/// The subject of a preview.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct PreviewQuery {
    /// The age in days, 1 to 3650; absent for the artifacts that a run would mark now under the present policies.
    ttl_days: Option<u32>,
    /// A root; absent for all groups that follow the default policy.
    #[param(value_type = Option<String>)]
    root: Option<RootId>,
}

/// Returns the artifacts that would expire now.
#[utoipa::path(get, path = "/api/ttl/preview", tag = "ttl", params(PreviewQuery), responses(
    (status = 200, body = Amount),
    (status = 400, description = "`bad_request`: `root` without `ttl_days`", body = ErrorBody),
    (status = 404, description = "`root_not_found`", body = ErrorBody),
    (status = 422, description = "`invalid_value`", body = ErrorBody),
))]
async fn ttl_preview(
    Part(expiry): Part<Expiry>,
    ApiQuery(query): ApiQuery<PreviewQuery>,
) -> Result<Json<Amount>, ApiError> {
    Ok(Json(
        operations::ttl_preview(&expiry, query.root, query.ttl_days).await?,
    ))
}

/// The failures to retry.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TtlRetry {
    /// The `key` of a failure; all failures if absent.
    key: Option<String>,
}

/// Retries failed removals immediately.
#[utoipa::path(post, path = "/api/ttl/retry", tag = "ttl", request_body = TtlRetry, responses(
    (status = 204),
    (status = 400, description = "`bad_request`", body = ErrorBody),
))]
async fn ttl_retry(
    Part(expiry): Part<Expiry>,
    ApiJson(retry): ApiJson<TtlRetry>,
) -> Result<StatusCode, ApiError> {
    operations::ttl_retry(&expiry, retry.key.as_deref())?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the default policy, which applies to groups without one of their own.
#[utoipa::path(get, path = "/api/ttl/default", tag = "ttl", responses((status = 200, body = RootTtlPolicy)))]
async fn ttl_default_get(Part(expiry): Part<Expiry>) -> Result<Json<RootTtlPolicy>, ApiError> {
    Ok(Json(operations::ttl_policy(&expiry, None).await?))
}

/// Changes the default policy, which applies to groups without one of their own.
///
/// Nothing is removed before the next run.
#[utoipa::path(put, path = "/api/ttl/default", tag = "ttl", request_body = UncheckedPolicy, responses(
    (status = 200, body = RootTtlPolicy),
    (status = 422, description = "`invalid_value`", body = ErrorBody),
))]
async fn ttl_default_set(
    Part(expiry): Part<Expiry>,
    ApiJson(policy): ApiJson<UncheckedPolicy>,
) -> Result<Json<RootTtlPolicy>, ApiError> {
    Ok(Json(
        operations::set_ttl_policy(&expiry, None, policy).await?,
    ))
}

/// Returns the policy of a root.
#[utoipa::path(get, path = "/api/roots/{root}/ttl-policy", tag = "ttl", params(("root" = String, Path)), responses(
    (status = 200, body = RootTtlPolicy),
    (status = 404, description = "`root_not_found`", body = ErrorBody),
))]
async fn ttl_policy_get(
    Part(expiry): Part<Expiry>,
    ApiPath(id): ApiPath<RootId>,
) -> Result<Json<RootTtlPolicy>, ApiError> {
    Ok(Json(operations::ttl_policy(&expiry, Some(id)).await?))
}

/// Sets the policy of a root.
///
/// Nothing is removed before the next run.
#[utoipa::path(put, path = "/api/roots/{root}/ttl-policy", tag = "ttl", params(("root" = String, Path)),
    request_body = UncheckedPolicy, responses(
    (status = 200, body = RootTtlPolicy),
    (status = 404, description = "`root_not_found`", body = ErrorBody),
    (status = 422, description = "`invalid_value`", body = ErrorBody),
))]
async fn ttl_policy_set(
    Part(expiry): Part<Expiry>,
    ApiPath(id): ApiPath<RootId>,
    ApiJson(policy): ApiJson<UncheckedPolicy>,
) -> Result<Json<RootTtlPolicy>, ApiError> {
    Ok(Json(
        operations::set_ttl_policy(&expiry, Some(id), policy).await?,
    ))
}

/// Makes a root follow the default policy again.
#[utoipa::path(delete, path = "/api/roots/{root}/ttl-policy", tag = "ttl", params(("root" = String, Path)), responses(
    (status = 204),
    (status = 404, description = "`root_not_found`", body = ErrorBody),
))]
async fn ttl_policy_remove(
    Part(expiry): Part<Expiry>,
    ApiPath(id): ApiPath<RootId>,
) -> Result<StatusCode, ApiError> {
    operations::reset_ttl_policy(&expiry, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
