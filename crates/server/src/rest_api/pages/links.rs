//! `/api/pages/{page_id}/links` and `/api/pages/{page_id}/backlinks`: the links from a page and to a page.

use axum::Json;
use fumikura_wiki::{Backlink, PageId, PageLink, Wiki};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::collection::checked_limit;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery};

/// The target of a link.
#[derive(Serialize, ToSchema)]
#[schema(as = PageLink)]
struct PageLinkDto {
    kind: PageLinkKind,
    /// The page's id; null if there is no page yet.
    page_id: Option<String>,
    /// The page's path, its last path if it was deleted, or the path of a missing page; null for a permanently deleted
    /// page.
    path: Option<String>,
    /// The first heading of the page, if it has one.
    title: Option<String>,
    /// True if the page is in the trash or permanently deleted.
    deleted: bool,
}

/// The kind of a link's target.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum PageLinkKind {
    /// A page, independent of its path.
    Page,
    /// A path without a page.
    Path,
}

impl PageLinkDto {
    fn new(link: PageLink, titles: &HashMap<PageId, String>) -> Self {
        match link {
            PageLink::Page {
                page_id,
                path,
                deleted,
            } => Self {
                kind: PageLinkKind::Page,
                page_id: Some(page_id.to_string()),
                path: path.map(|path| path.to_string()),
                title: titles.get(&page_id).cloned(),
                deleted,
            },
            PageLink::Waiting(path) => Self {
                kind: PageLinkKind::Path,
                page_id: None,
                path: Some(path.to_string()),
                title: None,
                deleted: false,
            },
        }
    }
}

#[derive(Deserialize)]
struct BacklinksQuery {
    after: Option<PageId>,
    limit: Option<usize>,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(page_links))
        .routes(routes!(page_backlinks))
}

/// Lists the targets of the links in a page's newest revision, each once.
#[utoipa::path(get, path = "/api/pages/{page_id}/links", tag = "pages",
    params(("page_id" = String, Path)), responses(
        (status = 200, body = Vec<PageLinkDto>),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
    ))]
async fn page_links(
    Part(wiki): Part<Wiki>,
    ApiPath(id): ApiPath<PageId>,
) -> Result<Json<Vec<PageLinkDto>>, ApiError> {
    let found = blocking(&wiki, move |wiki| {
        let links = wiki.links().of_page(id)?;
        let pages = links.iter().filter_map(|link| match link {
            PageLink::Page { page_id, .. } => Some(*page_id),
            PageLink::Waiting(_) => None,
        });
        let titles = wiki.links().titles(pages)?;
        Ok((links, titles))
    });
    let (links, titles) = found.await?;
    let links = links
        .into_iter()
        .map(|link| PageLinkDto::new(link, &titles));
    Ok(Json(links.collect()))
}

/// Lists the pages whose newest revisions link to a page, by creation order.
///
/// Deleted pages are excluded.
#[utoipa::path(get, path = "/api/pages/{page_id}/backlinks", tag = "pages",
    params(
        ("page_id" = String, Path),
        ("after" = Option<String>, Query, description = "Continue after the page with this id"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1000),
    ), responses(
        (status = 200, body = Vec<Backlink>),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
    ))]
async fn page_backlinks(
    Part(wiki): Part<Wiki>,
    ApiPath(id): ApiPath<PageId>,
    ApiQuery(query): ApiQuery<BacklinksQuery>,
) -> Result<Json<Vec<Backlink>>, ApiError> {
    let limit = checked_limit(query.limit)?;
    let found = blocking(&wiki, move |wiki| {
        Ok(wiki.links().backlinks(id, query.after, limit)?)
    });
    Ok(Json(found.await?))
}
