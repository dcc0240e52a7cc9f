//! `/api/hashes`: the records of a hash folder.

use axum::Json;
use axum::extract::Extension;
use utoipa_axum::routes;

use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::operations::{self, HashList, HashPage};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;
use crate::services::Hashes;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(hash_list))
}

/// Lists the records of a hash folder, by path.
#[utoipa::path(get, path = "/api/hashes", tag = "hashes", params(HashList), responses(
    (status = 200, body = HashPage),
    (status = 403, description = "`grant_invalid`", body = ErrorBody),
    (status = 404, description = "`folder_unavailable`, `root_not_found`", body = ErrorBody),
    (status = 422, description = "`unsafe_folder`, `not_a_folder`", body = ErrorBody),
))]
async fn hash_list(
    Part(hashes): Part<Hashes>,
    Extension(caller): Extension<Caller>,
    ApiQuery(request): ApiQuery<HashList>,
) -> Result<Json<HashPage>, ApiError> {
    Ok(Json(operations::hash_list(&hashes, request, caller).await?))
}
