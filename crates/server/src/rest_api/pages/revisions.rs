//! `/api/pages/{page_id}/revisions`: the revisions of a page.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use fumikura_wiki::PageId;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::operations::{RevisionList, Revisions};
use crate::rest_api::extract::{ApiPath, ApiQuery};

#[derive(Deserialize)]
struct ListQuery {
    before: Option<u64>,
    limit: Option<usize>,
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(revision_list))
}

/// Lists the revisions of a page, the newest first.
///
/// Revisions of deleted pages are listed too.
#[utoipa::path(get, path = "/api/pages/{page_id}/revisions", tag = "revisions",
    params(
        ("page_id" = String, Path),
        ("before" = Option<u64>, Query, description = "Only revisions before this one"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1000),
    ), responses(
        (status = 200, body = Revisions),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
    ))]
async fn revision_list(
    State(app): State<Arc<App>>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiQuery(ListQuery { before, limit }): ApiQuery<ListQuery>,
) -> Result<Json<Revisions>, ApiError> {
    let request = RevisionList {
        page_id,
        before,
        limit,
    };
    Ok(Json(app.revision_list(request).await?))
}
