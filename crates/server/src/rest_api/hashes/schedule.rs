//! `/api/hashes/schedule`: rolling verification.

use axum::Json;
use utoipa_axum::routes;

use crate::error::{ApiError, ErrorBody};
use crate::operations::{HashSchedule, NewHashSchedule};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiJson;
use crate::services::Hashes;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(hash_schedule_get, hash_schedule_set))
}

/// Returns the settings of rolling verification.
///
/// Rolling verification reads every recorded file again within a number of days, in parts, while the program is idle.
#[utoipa::path(get, path = "/api/hashes/schedule", tag = "hashes", responses(
    (status = 200, body = HashSchedule),
    (status = 422, description = "`unsafe_folder`", body = ErrorBody),
))]
async fn hash_schedule_get(Part(hashes): Part<Hashes>) -> Result<Json<HashSchedule>, ApiError> {
    Ok(Json(hashes.schedule().await?))
}

/// Changes the settings of rolling verification.
#[utoipa::path(put, path = "/api/hashes/schedule", tag = "hashes", request_body = NewHashSchedule, responses(
    (status = 200, body = HashSchedule),
    (status = 409, description = "`hashes_busy`", body = ErrorBody),
    (status = 422, description = "`invalid_value`, `unsafe_folder`", body = ErrorBody),
))]
async fn hash_schedule_set(
    Part(hashes): Part<Hashes>,
    ApiJson(new): ApiJson<NewHashSchedule>,
) -> Result<Json<HashSchedule>, ApiError> {
    Ok(Json(hashes.set_schedule(new).await?))
}
