//! `/api/hashes/name`: the conversion between the path of a file and the name of its record.

use axum::Json;
use axum::extract::Extension;
use std::borrow::Cow;
use utoipa_axum::routes;

use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::Caller;
use crate::operations::{self, HashName, HashNameRequest, HashNameSteps};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::pictures::ByteQuery;
use crate::services::Hashes;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(hash_name))
}

/// Explains the conversion of a name step by step.
///
/// No file is read. A name is shorter than usual if the file system of the hash folder requires it.
#[utoipa::path(get, path = "/api/hashes/name", tag = "hashes", params(
    ("path" = Option<String>, Query, description = "The path of a file"),
    ("name" = Option<String>, Query, description = "The name of a record"),
    ("dir" = Option<String>, Query, description = "The hash folder: `own`, or a grant"),
), responses(
    (status = 200, body = HashNameSteps),
    (status = 422, description = "`invalid_path`, `malformed_name`", body = ErrorBody),
))]
async fn hash_name(
    Part(hashes): Part<Hashes>,
    Extension(caller): Extension<Caller>,
    query: ByteQuery,
) -> Result<Json<HashNameSteps>, ApiError> {
    let name = match (query.bytes("path"), query.bytes("name")) {
        (Some(path), None) => HashName::Path(path.into_owned()),
        (None, Some(name)) => HashName::Name(name.into_owned()),
        (Some(_), Some(_)) | (None, None) => {
            let message = "either path or name is explained";
            return Err(ApiError::new(ErrorCode::BadRequest, message));
        }
    };
    let dir = query.text("dir")?.map(Cow::into_owned);
    let request = HashNameRequest { name, dir };
    Ok(Json(operations::hash_name(&hashes, request, caller).await?))
}
