//! `/api/hashes`: the records of a hash folder.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::operations::{HashList, HashPage};
use crate::rest_api::extract::ApiQuery;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(hash_list))
}

/// Lists the records of a hash folder, by path.
#[utoipa::path(get, path = "/api/hashes", tag = "hashes", params(HashList), responses(
    (status = 200, body = HashPage),
    (status = 403, description = "`grant_invalid`", body = ErrorBody),
    (status = 404, description = "`folder_unavailable`, `root_not_found`", body = ErrorBody),
    (status = 422, description = "`unsafe_folder`, `not_a_folder`", body = ErrorBody),
))]
async fn hash_list(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    ApiQuery(request): ApiQuery<HashList>,
) -> Result<Json<HashPage>, ApiError> {
    Ok(Json(app.hash_list(request, caller).await?))
}
