//! `/api/files/rotate`: rotates the files of pictures themselves, without loss.

use axum::Json;
use fumikura_image::Turn;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::outcome::FilesDone;
use super::place::FilePlace;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::jobs::JobKind;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiJson;
use crate::services::FileOperations;

/// A picture file to rotate.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RotateFile {
    item: FilePlace,
    /// The turn of the picture as it is shown, numbered as the EXIF orientation with the same effect: 6 rotates to the
    /// right, 8 to the left, 3 by half a turn; 1 makes the file look as it is shown.
    #[schema(minimum = 1, maximum = 8)]
    turn: u8,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(file_rotate))
}

/// Rotates the file of a picture without loss.
///
/// A copy with another EXIF orientation takes the place of the file, which goes to the trash; the compressed picture is the
/// same, byte for byte. It is undone like a copy. An orientation in the sidecar is removed.
#[utoipa::path(post, path = "/api/files/rotate", tag = "pictures", request_body = RotateFile, responses(
    (status = 200, body = FilesDone),
    (status = 400, description = "`bad_request`", body = ErrorBody),
    (status = 403, description = "`outside_roots`, `not_permitted`", body = ErrorBody),
    (status = 404, description = "`root_not_found`, `folder_unavailable`, `not_found`", body = ErrorBody),
    (status = 409, description = "`file_name_taken`: its sidecar belongs to other pictures, too; `sidecar_contended`", body = ErrorBody),
    (status = 415, description = "`not_a_picture`", body = ErrorBody),
    (status = 422, description = "`not_rotatable`: not a JPEG, or its metadata can't be changed; `invalid_value`, \
        `sidecar_damaged`, `sidecar_too_large`, `bin_unavailable`", body = ErrorBody),
    (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
))]
async fn file_rotate(
    Part(operations): Part<FileOperations>,
    ApiJson(request): ApiJson<RotateFile>,
) -> Result<Json<FilesDone>, ApiError> {
    let unknown = || ApiError::new(ErrorCode::InvalidValue, "a turn is a number from 1 to 8");
    let turn = Turn::of_number(request.turn).ok_or_else(unknown)?;
    let done = operations.run(JobKind::CopyFiles, move |pictures, _| {
        let picture = request.item.source(pictures)?;
        Ok(pictures.rotate_file(&picture, turn)?)
    });
    Ok(Json(done.await?))
}
