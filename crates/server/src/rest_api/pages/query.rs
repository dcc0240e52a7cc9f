//! `/api/pages/query`: lists of pages by place, tag, property, link and text.

use std::collections::BTreeSet;

use axum::Json;
use fumikura_base::budget::Budget;
use fumikura_searcher::{HitItem, Kind, Search, SearchRequest, Sources, TypedQuery};
use fumikura_wiki::{
    CataloguedPage, Condition, PageAnswer, PageId, PagePath, PageQuery, PageSort, Property,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::collection::checked_limit;
use crate::blocking::cancellable;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiJson;
use crate::services::SearchedParts;

/// A query for pages; every part must fit. Without any part, all pages fit.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PageQuery)]
struct PageQueryDto {
    /// The path above the pages.
    below: Option<String>,
    /// Only the pages directly below it.
    #[serde(default)]
    children: bool,
    /// A tag, or one below it, without differences of case and width.
    tag: Option<String>,
    /// The conditions on properties.
    #[serde(default, rename = "where")]
    conditions: Vec<Condition>,
    /// The pages that link to this one.
    #[schema(value_type = Option<String>)]
    linked_to: Option<PageId>,
    /// The pages that a search for this query finds (docs/SEARCH.md).
    text: Option<String>,
    /// By path if it is missing.
    sort: Option<PageSort>,
    #[serde(default)]
    offset: usize,
    /// 50 by default, at most 1,000.
    limit: Option<usize>,
}

/// The pages that fit a query.
#[derive(Serialize, ToSchema)]
struct QueriedPages {
    items: Vec<QueriedPage>,
    /// The number of all that fit.
    total: usize,
}

/// A page with its properties.
#[derive(Serialize, ToSchema)]
struct QueriedPage {
    page_id: String,
    path: String,
    title: Option<String>,
    /// The time of its newest revision.
    updated: Timestamp,
    /// The author of its newest revision.
    user_name: String,
    /// The tags of the front matter and of the text.
    tags: Vec<String>,
    properties: Vec<Property>,
}

impl From<CataloguedPage> for QueriedPage {
    fn from(page: CataloguedPage) -> Self {
        Self {
            page_id: page.page_id.to_string(),
            path: page.path.to_string(),
            title: page.title,
            updated: page.updated,
            user_name: page.user_name,
            tags: page.tags,
            properties: page.properties,
        }
    }
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(page_query))
}

/// Returns the pages that fit a query.
#[utoipa::path(post, path = "/api/pages/query", tag = "pages", request_body = PageQueryDto, responses(
    (status = 200, body = QueriedPages),
    (status = 400, description = "`bad_request`: an invalid limit or search", body = ErrorBody),
    (status = 422, description = "`invalid_path`", body = ErrorBody),
))]
async fn page_query(
    Part(search): Part<Search>,
    Part(searched): Part<SearchedParts>,
    ApiJson(query): ApiJson<PageQueryDto>,
) -> Result<Json<QueriedPages>, ApiError> {
    let below = query.below.as_deref().map(PagePath::new).transpose()?;
    let limit = checked_limit(query.limit)?;
    let PageAnswer { items, total } = cancellable(&search, move |search, budget| {
        let wiki = &searched.wiki;
        let mut among: Option<BTreeSet<PageId>> = None;
        if let Some(target) = query.linked_to {
            let linking = wiki.links().backlinks(target, None, usize::MAX)?;
            among = Some(linking.into_iter().map(|link| link.page_id).collect());
        }
        if let Some(text) = query.text {
            let found = pages_with_text(search, &searched.sources(), &text, budget)?;
            among = Some(match among {
                Some(linking) => linking.intersection(&found).copied().collect(),
                None => found,
            });
        }
        Ok(wiki.catalogue().query(&PageQuery {
            below,
            children: query.children,
            tag: query.tag,
            conditions: query.conditions,
            among,
            sort: query.sort,
            offset: query.offset,
            limit,
        })?)
    })
    .await?;
    let items = items.into_iter().map(QueriedPage::from).collect();
    Ok(Json(QueriedPages { items, total }))
}

fn pages_with_text(
    search: &Search,
    sources: &Sources<'_>,
    text: &str,
    budget: Budget,
) -> Result<BTreeSet<PageId>, ApiError> {
    let typed = TypedQuery {
        text: text.to_owned(),
        prefix: None,
    };
    let request = SearchRequest {
        query: typed.query(text)?,
        typed: None,
        kind: Some(Kind::Page),
        deleted: false,
        revisions: false,
        offset: 0,
        limit: usize::MAX,
        budget,
    };
    let found = search.ask(sources, &request)?.hits.into_iter();
    let mut pages = BTreeSet::new();
    for hit in found {
        if let HitItem::Page(page) = hit.item {
            pages.insert(PageId::from_bytes(page.facts.key));
        }
    }
    Ok(pages)
}
