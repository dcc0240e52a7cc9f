//! `/api/pages/{page_id}/history`: the history of a page as readable text (docs/spec/wiki.md, History and differences).

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName};
use fumikura_wiki::{Language, PageId, Wiki, Wording};
use serde::Deserialize;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::guard::prefers_japanese;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery};

const HEADERS: [(HeaderName, &str); 2] = [
    (CONTENT_TYPE, "text/markdown; charset=utf-8"),
    (CACHE_CONTROL, "no-cache"),
];

#[derive(Deserialize)]
struct HistoryQuery {
    before: Option<u64>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(revision_history))
}

/// Returns the history of a page as Markdown, the newest revision first.
///
/// Renames are explained. The language is that of the settings, else of `Accept-Language`. An answer covers at most a
/// thousand revisions, and fewer if they had very many links. Deleted pages have a history too.
#[utoipa::path(get, path = "/api/pages/{page_id}/history", tag = "revisions", params(
    ("page_id" = String, Path),
    ("before" = Option<u64>, Query, description = "Only the revisions before this one"),
), responses(
    (status = 200, body = String, content_type = "text/markdown"),
    (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
))]
async fn revision_history(
    Part(wiki): Part<Wiki>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiQuery(query): ApiQuery<HistoryQuery>,
    headers: HeaderMap,
) -> Result<([(HeaderName, &'static str); 2], String), ApiError> {
    let japanese = prefers_japanese(&headers);
    let answer = blocking(&wiki, move |wiki| {
        let wording = match wiki.settings()?.language {
            Language::En => Wording::En,
            Language::Ja => Wording::Ja,
            Language::System if japanese => Wording::Ja,
            Language::System => Wording::En,
        };
        Ok(wiki.revisions().history(page_id, wording, query.before)?)
    })
    .await?;
    Ok((HEADERS, answer))
}
