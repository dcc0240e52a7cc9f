//! `/api/hashes/schedule`: rolling verification.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::operations::{HashSchedule, NewHashSchedule};
use crate::rest_api::extract::ApiJson;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(hash_schedule_get, hash_schedule_set))
}

/// Returns the settings of rolling verification.
///
/// Rolling verification reads every recorded file again within a number of days, in parts, while the program is idle.
#[utoipa::path(get, path = "/api/hashes/schedule", tag = "hashes", responses(
    (status = 200, body = HashSchedule),
    (status = 422, description = "`unsafe_folder`", body = ErrorBody),
))]
async fn hash_schedule_get(State(app): State<Arc<App>>) -> Result<Json<HashSchedule>, ApiError> {
    Ok(Json(app.hash_schedule().await?))
}

/// Changes the settings of rolling verification.
#[utoipa::path(put, path = "/api/hashes/schedule", tag = "hashes", request_body = NewHashSchedule, responses(
    (status = 200, body = HashSchedule),
    (status = 409, description = "`hashes_busy`", body = ErrorBody),
    (status = 422, description = "`invalid_value`, `unsafe_folder`", body = ErrorBody),
))]
async fn hash_schedule_set(
    State(app): State<Arc<App>>,
    ApiJson(new): ApiJson<NewHashSchedule>,
) -> Result<Json<HashSchedule>, ApiError> {
    Ok(Json(app.set_hash_schedule(new).await?))
}
