//! `/api/pages/{id}/assets`: copies pictures of open folders to a page.

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

/// Pictures to copy to a page.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AssetsFromFiles {
    items: Vec<FilePlace>,
    /// True to use a free name (`a-2.jpg`) if a picture's own name is taken.
    #[serde(default)]
    free_names: bool,
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(post))
}

/// Copies pictures of open folders to a page or a draft, in their order.
///
/// Each picture is copied completely or not at all. A failure does not stop the others: the error takes the place of
/// the result.
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
