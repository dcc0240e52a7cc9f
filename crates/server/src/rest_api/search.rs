//! `/api/search`: full-text search.

use std::ops::Range;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use fumikura_search::{Query, Snippet};
use fumikura_wiki::PageId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::rest_api::extract::ApiQuery;
use crate::search::{Answer, Asked, Hit, Partial, PartialReason};

/// The default number of items in an answer.
const LIMIT: usize = 20;
/// The greatest number of items in an answer.
const MAX_LIMIT: usize = 100;

/// The results, the best first.
#[derive(Serialize, ToSchema)]
pub(super) struct SearchAnswer {
    items: Vec<SearchItem>,
    /// The number of matches.
    total: usize,
    /// Asks for what follows, as `anchor`; null at the end.
    anchor: Option<String>,
    /// Null if everything was searched.
    partial: Option<PartialDto>,
}

/// Something that was found.
#[derive(Serialize, ToSchema)]
struct SearchItem {
    kind: SearchKind,
    page_id: String,
    /// The page's title, if it has one.
    title: Option<Marked>,
    /// The path of the page; for one in the trash, its last path.
    path: Marked,
    /// True if the page is in the trash.
    deleted: bool,
    /// The former path by which the page was found.
    moved_from: Option<String>,
    /// When the newest revision was made.
    updated: Timestamp,
    /// Its author.
    user_name: String,
    snippets: Vec<Marked>,
    /// The score: the greatest is the best, within one answer.
    score: f32,
}

/// The kind of a result.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum SearchKind {
    /// A page of the wiki.
    Page,
}

/// A text with highlights.
#[derive(Serialize, ToSchema)]
struct Marked {
    text: String,
    /// The start and end of each highlight, in UTF-16 code units, ascending and disjoint.
    highlights: Vec<[usize; 2]>,
}

/// An answer that may lack items.
#[derive(Serialize, ToSchema)]
#[schema(as = Partial)]
struct PartialDto {
    reason: PartialReasonDto,
    /// The number of searched pages.
    indexed: usize,
    /// The number of pages.
    of: usize,
}

/// Why an answer may lack items.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PartialReason)]
enum PartialReasonDto {
    /// The index is being built.
    Indexing,
    /// The index can't be read or written; it is tried again.
    IndexFailed,
}

impl From<Partial> for PartialDto {
    fn from(partial: Partial) -> Self {
        Self {
            reason: match partial.reason {
                PartialReason::Indexing => PartialReasonDto::Indexing,
                PartialReason::IndexFailed => PartialReasonDto::IndexFailed,
            },
            indexed: partial.indexed,
            of: partial.of,
        }
    }
}

impl From<Hit> for SearchItem {
    fn from(hit: Hit) -> Self {
        let Hit {
            facts,
            weight,
            title,
            path,
            moved_from,
            snippets,
        } = hit;
        Self {
            kind: SearchKind::Page,
            page_id: PageId::from_bytes(facts.key).to_string(),
            title: title.map(Marked::from),
            path: path.into(),
            deleted: facts.deleted,
            moved_from,
            updated: Timestamp::from_millisecond(facts.updated).unwrap_or_default(),
            user_name: facts.author,
            snippets: snippets.into_iter().map(Marked::from).collect(),
            score: weight,
        }
    }
}

impl From<Snippet> for Marked {
    fn from(Snippet { text, highlights }: Snippet) -> Self {
        let units = |part: &str| part.encode_utf16().count();
        let (mut at, mut counted) = (0, 0);
        let mut place = |to: usize| {
            counted += units(&text[at..to]);
            at = to;
            counted
        };
        let highlight = |Range { start, end }| [place(start), place(end)];
        let highlights = highlights.into_iter().map(highlight).collect();
        Self { text, highlights }
    }
}

#[derive(Deserialize)]
struct SearchQuery {
    q: String,
    prefix: Option<String>,
    deleted: Option<bool>,
    limit: Option<usize>,
    anchor: Option<String>,
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(get))
}

/// Finds pages by every word of their texts, titles and paths. docs/SEARCH.md has the grammar of
/// queries. A query without words finds nothing.
#[utoipa::path(get, path = "/api/search", tag = "search",
    params(
        ("q" = String, Query, description = "The query, at most 1,000 characters"),
        ("prefix" = Option<String>, Query, description = "Only this page and those below"),
        ("deleted" = Option<bool>, Query, description = "Find pages in the trash too"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 100),
        ("anchor" = Option<String>, Query, description = "From the answer before: what follows it"),
    ), responses(
        (status = 200, body = SearchAnswer),
        (status = 400, description = "`bad_request`: the limit or the anchor is none", body = ErrorBody),
        (status = 422, description = "`invalid_value`: the query can't be answered", body = ErrorBody),
    ))]
async fn get(
    State(app): State<Arc<App>>,
    ApiQuery(asked): ApiQuery<SearchQuery>,
) -> Result<Json<SearchAnswer>, ApiError> {
    let SearchQuery {
        q,
        prefix,
        deleted,
        limit,
        anchor,
    } = asked;
    let limit = limit.unwrap_or(LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        let message = format!("limit must be from 1 to {MAX_LIMIT}");
        return Err(ApiError::new(ErrorCode::BadRequest, message));
    }
    let offset = match anchor {
        Some(anchor) => anchor
            .parse()
            .map_err(|_| ApiError::new(ErrorCode::BadRequest, "this is no anchor of an answer"))?,
        None => 0,
    };
    let mut query = Query::parse(&q)?;
    if let Some(prefix) = prefix.filter(|prefix| prefix != "/") {
        query = query.below(&prefix);
    }
    query.check()?;
    let asked = Asked {
        query,
        deleted: deleted.unwrap_or(false),
        offset,
        limit,
    };
    let answer = blocking(&app, move |app| Ok(app.search.ask(&app.wiki, &asked)?)).await?;
    Ok(Json(answer_of(answer, offset)))
}

/// An answer whose first item has `offset` before it.
pub(super) fn answer_of(answer: Answer, offset: usize) -> SearchAnswer {
    let end = offset + answer.hits.len();
    SearchAnswer {
        anchor: (end < answer.total && end > offset).then(|| end.to_string()),
        items: answer.hits.into_iter().map(SearchItem::from).collect(),
        total: answer.total,
        partial: answer.partial.map(PartialDto::from),
    }
}
