//! `/api/ttl`: expiry of the cache.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use fumikura_fs::RootId;
use fumikura_ttl::{Amount, UncheckedPolicy};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{ApiJson, ApiPath, ApiQuery};
use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::jobs::{self, StartedJob};
use crate::operations::{RootTtlPolicy, TtlState};

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
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
async fn ttl_state(State(app): State<Arc<App>>) -> Result<Json<TtlState>, ApiError> {
    Ok(Json(app.ttl_state().await?))
}

/// Starts a job that marks expired artifacts and removes them.
///
/// The job's result is `{marked_blobs, marked_manifests, marked_gone, artifacts, bytes, counts}`: the marked artifacts,
/// the removed ones, and the pending removals. The job fails with `clock_jumped` within an hour after a jump of the
/// clock.
#[utoipa::path(post, path = "/api/ttl/run", tag = "ttl", responses((status = 202, body = StartedJob,
    headers(("Location" = String, description = "The job")))))]
async fn ttl_run(State(app): State<Arc<App>>) -> Response {
    jobs::accepted(app.ttl_run().id)
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
    State(app): State<Arc<App>>,
    ApiQuery(query): ApiQuery<PreviewQuery>,
) -> Result<Json<Amount>, ApiError> {
    Ok(Json(app.ttl_preview(query.root, query.ttl_days).await?))
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
    State(app): State<Arc<App>>,
    ApiJson(retry): ApiJson<TtlRetry>,
) -> Result<StatusCode, ApiError> {
    app.ttl_retry(retry.key.as_deref())?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the default policy, which applies to groups without one of their own.
#[utoipa::path(get, path = "/api/ttl/default", tag = "ttl", responses((status = 200, body = RootTtlPolicy)))]
async fn ttl_default_get(State(app): State<Arc<App>>) -> Result<Json<RootTtlPolicy>, ApiError> {
    Ok(Json(app.ttl_policy(None).await?))
}

/// Changes the default policy, which applies to groups without one of their own.
///
/// Nothing is removed before the next run.
#[utoipa::path(put, path = "/api/ttl/default", tag = "ttl", request_body = UncheckedPolicy, responses(
    (status = 200, body = RootTtlPolicy),
    (status = 422, description = "`invalid_value`", body = ErrorBody),
))]
async fn ttl_default_set(
    State(app): State<Arc<App>>,
    ApiJson(policy): ApiJson<UncheckedPolicy>,
) -> Result<Json<RootTtlPolicy>, ApiError> {
    Ok(Json(app.set_ttl_policy(None, policy).await?))
}

/// Returns the policy of a root.
#[utoipa::path(get, path = "/api/roots/{root}/ttl-policy", tag = "ttl", params(("root" = String, Path)), responses(
    (status = 200, body = RootTtlPolicy),
    (status = 404, description = "`root_not_found`", body = ErrorBody),
))]
async fn ttl_policy_get(
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<RootId>,
) -> Result<Json<RootTtlPolicy>, ApiError> {
    Ok(Json(app.ttl_policy(Some(id)).await?))
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
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<RootId>,
    ApiJson(policy): ApiJson<UncheckedPolicy>,
) -> Result<Json<RootTtlPolicy>, ApiError> {
    Ok(Json(app.set_ttl_policy(Some(id), policy).await?))
}

/// Makes a root follow the default policy again.
#[utoipa::path(delete, path = "/api/roots/{root}/ttl-policy", tag = "ttl", params(("root" = String, Path)), responses(
    (status = 204),
    (status = 404, description = "`root_not_found`", body = ErrorBody),
))]
async fn ttl_policy_remove(
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<RootId>,
) -> Result<StatusCode, ApiError> {
    app.reset_ttl_policy(id).await?;
    Ok(StatusCode::NO_CONTENT)
}
