//! `/readyz`: the state of the services on which the server depends.

use axum::Json;
use fumikura_limits::BackendKind;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::ApiError;
use crate::limiters::Limiters;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::vision::Vision;

/// The state of the server.
#[derive(Serialize, ToSchema)]
struct Readiness {
    /// `ok`, or `degraded` if a check fails and the server continues without the checked service.
    status: &'static str,
    /// The checks (docs/spec/rate-limiter.md).
    checks: Checks,
}

/// The checks, by name.
#[derive(Serialize, ToSchema)]
struct Checks {
    /// A key for the service that describes pictures is configured.
    api_key_configured: bool,
    /// The backend that counts requests.
    rate_limiter_backend: BackendKind,
    /// `false` when Redis is configured and requests are counted in memory.
    rate_limiter_ok: bool,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(server_readiness))
}

/// Checks the services on which the server depends.
///
/// Requires no session.
#[utoipa::path(get, path = "/readyz", tag = "about", responses((status = 200, body = Readiness)))]
async fn server_readiness(
    Part(vision): Part<Vision>,
    Part(limiters): Part<Limiters>,
) -> Result<Json<Readiness>, ApiError> {
    let checks = move |vision: &Vision| Ok((limiters.requests.status(), vision.has_key()));
    let (limiter, key) = blocking(&vision, checks).await?;
    Ok(Json(Readiness {
        status: match limiter.is_ok {
            true => "ok",
            false => "degraded",
        },
        checks: Checks {
            api_key_configured: key,
            rate_limiter_backend: limiter.backend,
            rate_limiter_ok: limiter.is_ok,
        },
    }))
}
