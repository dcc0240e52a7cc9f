//! `/api/folders/covers`: the pictures that stand for a folder.

use axum::Json;
use fumikura_pictures::Pictures;
use utoipa_axum::routes;

use super::folders::FolderEntry;
use super::query::ByteQuery;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(folder_covers))
}

/// Returns the pictures that stand for a folder, at most four.
///
/// They are its best rated pictures, as far as ratings are known, then its first. A folder without pictures has those of
/// the folders below it, one of each first. `folder` is relative to the folder. Videos are never among them.
#[utoipa::path(get, path = "/api/folders/covers", tag = "pictures",
    params(
        ("root" = String, Query),
        ("path" = Option<String>, Query, description = "Relative to the root, as percent-encoded bytes"),
    ), responses(
        (status = 200, body = Vec<FolderEntry>),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`root_not_found`, `folder_unavailable` or `not_found`", body = ErrorBody),
        (status = 422, description = "`not_a_folder`", body = ErrorBody),
    ))]
async fn folder_covers(
    Part(pictures): Part<Pictures>,
    query: ByteQuery,
) -> Result<Json<Vec<FolderEntry>>, ApiError> {
    let root = query.root()?;
    let path = query.bytes("path").unwrap_or_default().into_owned();
    let covers = blocking(&pictures, move |pictures| Ok(pictures.covers(root, &path)?));
    let covers = covers.await?.into_iter().map(FolderEntry::from);
    Ok(Json(covers.collect()))
}
