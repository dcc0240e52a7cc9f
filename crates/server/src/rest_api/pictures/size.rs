//! `/api/folders/size`: the size of a folder, and the free space of its disk.

use axum::Json;
use fumikura_library::FolderSize;
use fumikura_pictures::Pictures;
use utoipa_axum::routes;

use super::query::ByteQuery;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(folder_size))
}

/// Returns the size of a folder's files, and the free space of its disk.
///
/// Hidden files are not counted. On a network drive the size is unknown.
#[utoipa::path(get, path = "/api/folders/size", tag = "pictures",
    params(
        ("root" = String, Query),
        ("path" = Option<String>, Query, description = "Relative to the root, as percent-encoded bytes"),
        ("beneath" = Option<bool>, Query, description = "Include the folders below it, too"),
    ), responses(
        (status = 200, body = FolderSize),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`root_not_found`, `folder_unavailable` or `not_found`", body = ErrorBody),
        (status = 422, description = "`not_a_folder`", body = ErrorBody),
    ))]
async fn folder_size(
    Part(pictures): Part<Pictures>,
    query: ByteQuery,
) -> Result<Json<FolderSize>, ApiError> {
    let (root, scope) = (query.root()?, query.scope()?);
    let path = query.bytes("path").unwrap_or_default().into_owned();
    let size = blocking(&pictures, move |pictures| {
        let folder = pictures.roots().source(root, &path)?;
        Ok(pictures.folder_size(&folder, scope)?)
    });
    Ok(Json(size.await?))
}
