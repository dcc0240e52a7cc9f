//! `/api/pages/{page_id}/parent`: the nearest page above.

use axum::Json;
use fumikura_wiki::{PageId, Wiki};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiPath;

/// The nearest page above another.
#[derive(Serialize, ToSchema)]
struct ParentPage {
    page_id: String,
    path: String,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(page_parent))
}

/// Returns the nearest page above a page or a draft.
#[utoipa::path(get, path = "/api/pages/{page_id}/parent", tag = "pages", params(("page_id" = String, Path)), responses(
    (status = 200, body = ParentPage),
    (status = 404, description = "`page_not_found`: there is no such page, or it is the root page", body = ErrorBody),
    (status = 410, description = "`deleted`", body = ErrorBody),
))]
async fn page_parent(
    Part(wiki): Part<Wiki>,
    ApiPath(id): ApiPath<PageId>,
) -> Result<Json<ParentPage>, ApiError> {
    let parent = blocking(&wiki, move |wiki| Ok(wiki.tree().parent(id)?)).await?;
    let parent = parent.ok_or_else(|| {
        ApiError::new(
            ErrorCode::PageNotFound,
            "there is no page above the root page",
        )
    })?;
    Ok(Json(ParentPage {
        page_id: parent.page_id.to_string(),
        path: parent.path.to_string(),
    }))
}
