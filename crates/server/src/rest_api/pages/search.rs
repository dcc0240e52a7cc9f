//! `/api/pages/search`: finds pages by their titles and paths.

use axum::Json;
use fumikura_wiki::{MatchSpan, SearchHit, Wiki};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;

/// The default number of results.
const LIMIT: usize = 20;
/// The maximum number of results.
const MAX_LIMIT: usize = 100;

/// A matching page.
#[derive(Serialize, ToSchema)]
#[schema(as = FoundPage)]
struct FoundPageDto {
    page_id: String,
    path: String,
    /// The first heading of the page, if it has one.
    title: Option<String>,
    /// The score: the greatest is the best within one answer. 0 for an empty query.
    score: u32,
    /// The path, split into matched and other parts.
    path_spans: Vec<MatchSpan>,
    /// The title, split into matched and other parts; empty if there is no title.
    title_spans: Vec<MatchSpan>,
}

impl From<SearchHit> for FoundPageDto {
    fn from(page: SearchHit) -> Self {
        let text = |spans: &[MatchSpan]| spans.iter().map(|span| &*span.text).collect();
        Self {
            page_id: page.page_id.to_string(),
            path: text(&page.path),
            title: page.title.as_deref().map(text),
            score: page.score,
            path_spans: page.path,
            title_spans: page.title.unwrap_or_default(),
        }
    }
}

#[derive(Deserialize)]
struct SearchQuery {
    q: String,
    limit: Option<usize>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(page_search))
}

/// Finds pages by their titles and paths, the best first.
///
/// Width, case and kind of kana are ignored; several words match in any order. An empty query returns all pages, by
/// path.
#[utoipa::path(get, path = "/api/pages/search", tag = "pages",
    params(
        ("q" = String, Query, description = "At most 256 characters"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 100),
    ), responses(
        (status = 200, body = Vec<FoundPageDto>),
        (status = 422, description = "`invalid_value`: the query is too long", body = ErrorBody),
    ))]
async fn page_search(
    Part(wiki): Part<Wiki>,
    ApiQuery(SearchQuery { q, limit }): ApiQuery<SearchQuery>,
) -> Result<Json<Vec<FoundPageDto>>, ApiError> {
    let limit = limit.unwrap_or(LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        let message = format!("limit must be from 1 to {MAX_LIMIT}");
        return Err(ApiError::new(ErrorCode::BadRequest, message));
    }
    let found = blocking(&wiki, move |wiki| Ok(wiki.search().find(&q, limit)?)).await?;
    Ok(Json(found.into_iter().map(FoundPageDto::from).collect()))
}
