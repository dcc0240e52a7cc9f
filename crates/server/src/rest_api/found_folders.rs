//! `/api/search/folders`: the folders of all roots that hold pictures, found by their names.

use axum::Json;
use fumikura_pictures::Pictures;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::ApiError;
use crate::names::name_in_json;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;
use fumikura_searcher::{FoundFolder, Search};

/// The number of folders in an answer.
const MAX_FOLDERS: usize = 20;

/// A folder that holds pictures.
#[derive(Serialize, ToSchema)]
#[schema(as = FoundFolder)]
struct FoundFolderDto {
    /// The root's id.
    root: String,
    /// The path, relative to the root; empty for the root itself.
    path: String,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    /// The number of pictures in it and below it.
    pictures: usize,
}

impl From<FoundFolder> for FoundFolderDto {
    fn from(folder: FoundFolder) -> Self {
        let (path, path_bytes) = name_in_json(folder.path.as_bytes());
        Self {
            root: folder.root.to_string(),
            path,
            path_bytes,
            pictures: folder.pictures,
        }
    }
}

#[derive(Deserialize)]
struct FolderQuery {
    q: String,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(search_folders))
}

/// Finds folders of pictures by their names, also folders that were never visited.
///
/// The path of a folder contains each word of the query, and its name at least one; width, case and kind of kana are
/// ignored. The answer holds at most 20 folders, the best first.
#[utoipa::path(get, path = "/api/search/folders", tag = "search", params(
    ("q" = String, Query, description = "A part of the name"),
), responses((status = 200, body = Vec<FoundFolderDto>)))]
async fn search_folders(
    Part(search): Part<Search>,
    Part(pictures): Part<Pictures>,
    ApiQuery(FolderQuery { q }): ApiQuery<FolderQuery>,
) -> Result<Json<Vec<FoundFolderDto>>, ApiError> {
    let found = blocking(&search, move |search| {
        Ok(search.folders(&pictures, &q, MAX_FOLDERS))
    });
    let found = found.await?.into_iter().map(FoundFolderDto::from);
    Ok(Json(found.collect()))
}
