//! `/api/vision`: descriptions of pictures by the service that the user configured (docs/VISION.md).

use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use fumikura_vision::{Call, Model};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::ApiJson;
use crate::blocking::{blocking, queued};
use crate::config::VisionDialect;
use crate::error::{ApiError, ErrorBody};
use crate::guard::{Authority, Requester};
use crate::jobs::{self, StartedJob};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::services::Describer;
use crate::shares::{Shares, WorkKind};
use crate::vision::{
    DescribeRequest, ScanRequest, ScanResult, Vision, VisionSettings, VisionState,
};

/// The models that the service offers.
#[derive(Serialize, ToSchema)]
struct VisionModels {
    models: Vec<Model>,
}

/// A key for the system's keyring.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct VisionKey {
    /// The kind of service.
    dialect: VisionDialect,
    /// The key; null deletes it.
    key: Option<String>,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(vision_scan))
        .routes(routes!(vision_describe))
        .routes(routes!(vision_models))
        .routes(routes!(vision_settings_get, vision_settings_set))
        .routes(routes!(vision_key_set))
}

/// Asks one question about one picture.
///
/// A stored answer costs nothing. Any other request is counted by the rate limiter; the count is released if the
/// service fails.
#[utoipa::path(post, path = "/api/vision/scan", tag = "vision", request_body = ScanRequest, responses(
    (status = 200, body = ScanResult),
    (status = 403, description = "`consent_required`", body = ErrorBody),
    (status = 404, description = "`root_not_found`, `not_found`, `asset_not_found`", body = ErrorBody),
    (status = 409, description = "`model_gone`", body = ErrorBody),
    (status = 415, description = "`not_a_picture`", body = ErrorBody),
    (status = 422, description = "`picture_undecodable`, `vision_refused`, `mode_not_supported`, `invalid_value`", body = ErrorBody),
    (status = 429, description = "`rate_limited`, `daily_limit_reached`, `vision_limited`", body = ErrorBody),
    (status = 502, description = "`vision_failed`, `vision_unreachable`; `reason` is the cause", body = ErrorBody),
    (status = 503, description = "`not_configured`, `limiter_busy`", body = ErrorBody),
))]
async fn vision_scan(
    Part(describer): Part<Describer>,
    Requester(client): Requester,
    ApiJson(request): ApiJson<ScanRequest>,
) -> Result<Json<ScanResult>, ApiError> {
    Ok(Json(
        describer.scan(request, client, Call::default()).await?,
    ))
}

/// Starts a job that asks one question about many pictures.
///
/// The job waits while the limit per minute is exhausted. Its result is `{described, cached, failed, failures: [{path,
/// error}]}`, with the first hundred failures.
#[utoipa::path(post, path = "/api/vision/describe", tag = "vision", request_body = DescribeRequest, responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
    (status = 403, description = "`consent_required`", body = ErrorBody),
    (status = 422, description = "`invalid_value`: 1 to 10,000 pictures", body = ErrorBody),
    (status = 503, description = "`not_configured`", body = ErrorBody),
))]
async fn vision_describe(
    Part(describer): Part<Describer>,
    Requester(client): Requester,
    ApiJson(request): ApiJson<DescribeRequest>,
) -> Result<Response, ApiError> {
    Ok(jobs::accepted(
        describer.describe(request, client).await?.id,
    ))
}

/// Lists the models that the configured service offers.
#[utoipa::path(get, path = "/api/vision/models", tag = "vision", responses(
    (status = 200, body = VisionModels),
    (status = 502, description = "`vision_failed`, `vision_unreachable`", body = ErrorBody),
    (status = 503, description = "`not_configured`", body = ErrorBody),
))]
async fn vision_models(
    Part(vision): Part<Vision>,
    Part(shares): Part<Shares>,
) -> Result<Json<VisionModels>, ApiError> {
    let models = queued(&shares, WorkKind::Question, &vision, Vision::models).await?;
    Ok(Json(VisionModels { models }))
}

/// Returns the settings of the service, and their effect.
#[utoipa::path(get, path = "/api/vision/settings", tag = "vision",
    responses((status = 200, body = VisionState)))]
async fn vision_settings_get(
    Part(vision): Part<Vision>,
    authority: Authority,
) -> Result<Json<VisionState>, ApiError> {
    let state = blocking(&vision, move |vision| vision.state(authority));
    Ok(Json(state.await?))
}

/// Changes the settings of the service.
///
/// A browser with a session chooses among the programs and addresses that the desktop window, the Bearer token or the
/// configuration file has set. It can agree to send pictures to the chosen service, and withdraw any permission.
#[utoipa::path(put, path = "/api/vision/settings", tag = "vision",
    request_body = VisionSettings, responses(
    (status = 200, body = VisionState),
    (status = 403, description = "`window_required`; `reason` is the setting", body = ErrorBody),
    (status = 422, description = "`invalid_value`", body = ErrorBody),
))]
async fn vision_settings_set(
    Part(vision): Part<Vision>,
    authority: Authority,
    ApiJson(settings): ApiJson<VisionSettings>,
) -> Result<Json<VisionState>, ApiError> {
    let changed = blocking(&vision, move |vision| {
        vision.set(settings, authority)?;
        vision.state(authority)
    });
    Ok(Json(changed.await?))
}

/// Stores the key of a kind of service in the system's keyring, or deletes it.
///
/// The key is for the present origin of that service: at another address, it has to be entered again.
#[utoipa::path(put, path = "/api/vision/key", tag = "vision",
    request_body = VisionKey, responses(
    (status = 204),
    (status = 403, description = "`window_required`: a browser's session is not enough", body = ErrorBody),
    (status = 422, description = "`invalid_value`", body = ErrorBody),
    (status = 503, description = "`keyring_unavailable`: only the environment can provide a key", body = ErrorBody),
))]
async fn vision_key_set(
    Part(vision): Part<Vision>,
    authority: Authority,
    ApiJson(key): ApiJson<VisionKey>,
) -> Result<StatusCode, ApiError> {
    blocking(&vision, move |vision| {
        vision.set_key(key.dialect, key.key.as_deref(), authority)
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}
