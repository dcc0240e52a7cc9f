//! `/api/page`: a page's source by its id, as the frame requests it (docs/spec/wiki.md, Reading).

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use fumikura_wiki::PageId;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::ApiQuery;
use super::pages::source::serve;
use crate::app::App;
use crate::error::{ApiError, ErrorBody};

#[derive(Deserialize)]
struct PageQuery {
    id: PageId,
    rev: Option<u64>,
    #[serde(default)]
    raw: bool,
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(page_show))
}

/// Returns a page's source.
///
/// The same as `/api/pages/{page_id}/source`.
#[utoipa::path(get, path = "/api/page", tag = "pages",
    params(("id" = String, Query), ("rev" = Option<u64>, Query),
        ("raw" = Option<bool>, Query, description = "The stored text, with the ids of pages")), responses(
        (status = 200, body = String, content_type = "text/markdown"),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
        (status = 410, description = "`gone`: the revision was removed", body = ErrorBody),
    ))]
async fn page_show(
    State(app): State<Arc<App>>,
    ApiQuery(query): ApiQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    serve(&app, query.id, query.rev, query.raw, &headers).await
}
