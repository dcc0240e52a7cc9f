//! `/api/pages/{id}/path`: where a page stands (wiki.md §12).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use fumikura_wiki::PageId;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::rest_api::extract::ApiPath;

/// Where a page stands.
#[derive(Serialize, ToSchema)]
#[schema(as = PagePath)]
struct PagePathDto {
    path: String,
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(get))
}

/// Where a page, or a draft, stands now.
#[utoipa::path(get, path = "/api/pages/{id}/path", tag = "pages", params(("id" = String, Path)), responses(
    (status = 200, body = PagePathDto),
    (status = 404, description = "`page_not_found`", body = ErrorBody),
    (status = 410, description = "`deleted`", body = ErrorBody),
))]
async fn get(
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<PageId>,
) -> Result<Json<PagePathDto>, ApiError> {
    let path = blocking(&app, move |app| Ok(app.wiki.page_path(id)?)).await?;
    Ok(Json(PagePathDto {
        path: path.to_string(),
    }))
}
