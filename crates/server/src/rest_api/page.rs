//! `/api/page`: a page's source by its id, as the frame requests it (docs/spec/wiki.md, Reading).

use axum::http::HeaderMap;
use axum::response::Response;
use fumikura_wiki::{PageId, Wiki};
use serde::Deserialize;
use utoipa_axum::routes;

use super::extract::ApiQuery;
use super::pages::source::serve;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;

#[derive(Deserialize)]
struct PageQuery {
    id: PageId,
    rev: Option<u64>,
    #[serde(default)]
    raw: bool,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(page_show))
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
    Part(wiki): Part<Wiki>,
    ApiQuery(query): ApiQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    serve(&wiki, query.id, query.rev, query.raw, &headers).await
}
