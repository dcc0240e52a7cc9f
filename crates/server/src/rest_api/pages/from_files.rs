//! `/api/pages/{page_id}/assets`: copies local files to a page.

use axum::Json;
use axum::extract::Extension;
use fumikura_wiki::PageId;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::operations::AddedFile;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiPath};
use crate::rest_api::files::place::FilePlace;
use crate::services::PageFiles;

/// Files to copy to a page.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AssetsFromFiles {
    /// Pictures of open folders.
    #[serde(default)]
    items: Vec<FilePlace>,
    /// Grants of files that the user chose or dropped, each for one file.
    #[serde(default)]
    grants: Vec<String>,
    /// True to use a free name (`a-2.jpg`) if a file's own name is taken.
    #[serde(default)]
    free_names: bool,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(asset_add_files))
}

/// Copies files to a page or a draft, in their order: pictures of open folders, and then files that the user chose.
///
/// Each file is copied completely or not at all. A failure does not stop the others: the error takes the place of the
/// result. A grant is valid once, in its window (`grant_invalid`).
#[utoipa::path(post, path = "/api/pages/{page_id}/assets", tag = "assets",
    params(("page_id" = String, Path)), request_body = AssetsFromFiles, responses(
        (status = 200, body = Vec<AddedFile>),
        (status = 400, description = "`invalid_body`", body = ErrorBody),
    ))]
async fn asset_add_files(
    Part(page_files): Part<PageFiles>,
    Extension(caller): Extension<Caller>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiJson(files): ApiJson<AssetsFromFiles>,
) -> Result<Json<Vec<AddedFile>>, ApiError> {
    let AssetsFromFiles {
        items,
        grants,
        free_names,
    } = files;
    let mut added = Vec::with_capacity(items.len() + grants.len());
    for item in items {
        let add = move |page_files: &PageFiles| {
            let source = item.source(&page_files.pictures);
            Ok(page_files.add_picture_at(page_id, source, free_names))
        };
        added.push(blocking(&page_files, add).await?);
    }
    for grant in grants {
        let add = move |page_files: &PageFiles| {
            Ok(page_files.add_granted(page_id, &grant, caller, free_names))
        };
        added.push(blocking(&page_files, add).await?);
    }
    Ok(Json(added))
}
