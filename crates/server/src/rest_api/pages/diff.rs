//! `/api/pages/{page_id}/diff`: the differences between two revisions (docs/spec/wiki.md, History and differences).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use fumikura_wiki::PageId;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::operations::{Difference, RevisionDiff};
use crate::rest_api::extract::{ApiPath, ApiQuery};

#[derive(Deserialize)]
struct DiffQuery {
    from: u64,
    to: u64,
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(revision_diff))
}

/// Returns the differences between two revisions, in either direction.
///
/// The differences are by line, with the changed words inside the lines. Renames are listed separately.
#[utoipa::path(get, path = "/api/pages/{page_id}/diff", tag = "revisions",
    params(("page_id" = String, Path), ("from" = u64, Query), ("to" = u64, Query)), responses(
        (status = 200, body = Difference),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
        (status = 410, description = "`gone`: one of the revisions was removed", body = ErrorBody),
    ))]
async fn revision_diff(
    State(app): State<Arc<App>>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiQuery(DiffQuery { from, to }): ApiQuery<DiffQuery>,
) -> Result<Json<Difference>, ApiError> {
    let request = RevisionDiff { page_id, from, to };
    Ok(Json(app.revision_diff(request).await?))
}
