//! `GET /api/hashes/record`: one record with all its details.

use axum::Json;
use axum::extract::Extension;
use utoipa_axum::routes;

use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::Caller;
use crate::operations::{self, HashDetail, HashDetailRequest};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::pictures::ByteQuery;
use crate::services::Hashes;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(hash_detail))
}

/// Returns the record of a file, with its history and the location of the file in the open folders.
#[utoipa::path(get, path = "/api/hashes/record", tag = "hashes", params(
    ("dir" = Option<String>, Query, description = "The hash folder: `own`, or a grant"),
    ("path" = String, Query, description = "The recorded file"),
), responses(
    (status = 200, body = HashDetail),
    (status = 404, description = "`record_not_found`", body = ErrorBody),
    (status = 422, description = "`invalid_path`, `unsafe_folder`", body = ErrorBody),
))]
async fn hash_detail(
    Part(hashes): Part<Hashes>,
    Extension(caller): Extension<Caller>,
    query: ByteQuery,
) -> Result<Json<HashDetail>, ApiError> {
    let missing = || ApiError::new(ErrorCode::BadRequest, "path is missing");
    let of = HashDetailRequest {
        dir: query.text("dir")?.map(std::borrow::Cow::into_owned),
        path: query.bytes("path").ok_or_else(missing)?.into_owned(),
    };
    Ok(Json(operations::hash_detail(&hashes, of, caller).await?))
}
