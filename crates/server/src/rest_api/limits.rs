//! The usage of the rate limiter, and its reset.

use axum::Json;
use axum::http::StatusCode;
use fumikura_limits::BackendKind;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::blocking::{blocking, cancellable};
use crate::error::{ApiError, ErrorBody};
use crate::guard::Requester;
use crate::guard::WithBearer;
use crate::limiters::Limiters;
use crate::part::Part;
use crate::rest_api::Routes;

/// The client's usage and limits (docs/spec/rate-limiter.md).
#[derive(Serialize, ToSchema)]
struct LimiterUsage {
    /// The number of requests on the current local day.
    daily_count: u64,
    /// The daily limit.
    daily_limit: u32,
    /// The number of requests in the last 60 seconds.
    minute_count: u64,
    /// The limit per minute.
    per_minute_limit: u32,
    /// The number of requests of all clients on the current local day; absent if it is not limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    total_count: Option<u64>,
    /// The daily limit of all clients together; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    total_limit: Option<u32>,
    /// Seconds until the oldest request leaves the minute; 0 if there is none.
    minute_reset: u64,
    /// Seconds until the next local day.
    daily_reset: u64,
    /// The backend that counts requests.
    backend: BackendKind,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(limit_usage))
        .routes(routes!(limit_reset))
}

/// Returns the number of the client's counted requests, and its limits.
#[utoipa::path(get, path = "/api/config/usage", tag = "limits",
    responses(
    (status = 200, body = LimiterUsage),
    (status = 503, description = "`limiter_busy`: repeat the request", body = ErrorBody),
))]
async fn limit_usage(
    Part(limiters): Part<Limiters>,
    Requester(client): Requester,
) -> Result<Json<LimiterUsage>, ApiError> {
    blocking(&limiters, move |limiters| {
        let (backend, usage) = limiters.usage(&client)?;
        let limits = limiters.requests.limits();
        Ok(Json(LimiterUsage {
            daily_count: usage.daily_count,
            daily_limit: limits.daily,
            minute_count: usage.minute_count,
            per_minute_limit: limits.per_minute,
            total_count: limits.daily_total.map(|_| usage.total_count),
            total_limit: limits.daily_total.map(std::num::NonZero::get),
            minute_reset: usage.minute_reset,
            daily_reset: usage.daily_reset,
            backend,
        }))
    })
    .await
}

/// Deletes all counts of all clients, including those of failed logins.
///
/// Requires the Bearer token.
#[utoipa::path(post, path = "/api/limits/reset", tag = "limits", responses(
    (status = 204),
    (status = 403, description = "`bearer_required`: a session is not enough", body = ErrorBody),
    (status = 503, description = "`limiter_unavailable`: Redis can't be reached, or not all counts were deleted within a minute; `limiter_busy`", body = ErrorBody),
))]
async fn limit_reset(
    Part(limiters): Part<Limiters>,
    _: WithBearer,
) -> Result<StatusCode, ApiError> {
    cancellable(&limiters, |limiters, budget| limiters.reset(&budget)).await?;
    Ok(StatusCode::NO_CONTENT)
}
