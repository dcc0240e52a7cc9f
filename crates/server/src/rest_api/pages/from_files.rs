//! `/api/pages/{id}/assets`: pictures of open folders come to a page.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use fumikura_wiki::PageId;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::operations::AddedFile;
use crate::rest_api::extract::{ApiJson, ApiPath};
use crate::rest_api::files::place::FilePlace;

/// Pictures that are to become files of a page.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AssetsFromFiles {
    items: Vec<FilePlace>,
    /// Under a free name like it (`a-2.jpg`) where a picture's own is taken.
    #[serde(default)]
    free_names: bool,
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(post))
}

/// Copies pictures of open folders to the page, or to a draft, in their order. Each comes whole or not at all, and one
/// that does not come keeps no other from coming: its error stands in its place.
#[utoipa::path(post, path = "/api/pages/{id}/assets", tag = "assets",
    params(("id" = String, Path)), request_body = AssetsFromFiles, responses(
        (status = 200, body = Vec<AddedFile>),
        (status = 400, description = "`invalid_body`", body = ErrorBody),
    ))]
async fn post(
    State(app): State<Arc<App>>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiJson(AssetsFromFiles { items, free_names }): ApiJson<AssetsFromFiles>,
) -> Result<Json<Vec<AddedFile>>, ApiError> {
    let mut added = Vec::with_capacity(items.len());
    for item in items {
        let bring = move |app: &App| Ok(app.add_picture_at(page_id, item.source(app), free_names));
        added.push(blocking(&app, bring).await?);
    }
    Ok(Json(added))
}
