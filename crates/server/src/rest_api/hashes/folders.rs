//! `/api/hashes/folders`: the folders of recorded files.

use axum::Json;
use axum::extract::Extension;
use utoipa_axum::routes;

use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::operations::{self, RecordedFolders, RecordedFoldersRequest};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;
use crate::services::Hashes;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(hash_folders))
}

/// Lists the folders of recorded files, with the number of files in each state.
#[utoipa::path(get, path = "/api/hashes/folders", tag = "hashes", params(RecordedFoldersRequest), responses(
    (status = 200, body = RecordedFolders),
    (status = 403, description = "`grant_invalid`", body = ErrorBody),
    (status = 404, description = "`folder_unavailable`", body = ErrorBody),
    (status = 422, description = "`unsafe_folder`, `not_a_folder`", body = ErrorBody),
))]
async fn hash_folders(
    Part(hashes): Part<Hashes>,
    Extension(caller): Extension<Caller>,
    ApiQuery(request): ApiQuery<RecordedFoldersRequest>,
) -> Result<Json<RecordedFolders>, ApiError> {
    let folders = operations::recorded_folders(&hashes, request, caller).await?;
    Ok(Json(folders))
}
