//! `/api/tags`, `/api/pages/wanted`, `/api/pages/orphans` and `/api/pages/{page_id}/mentions`: the wiki as a whole.

use std::collections::BTreeSet;

use axum::Json;
use fumikura_searcher::Search;
use fumikura_wiki::{OrphanPage, PageId, WantedPage, Wiki};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::search::{SearchAnswer, answer_of};
use crate::blocking::{blocking, cancellable};
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiPath;
use crate::services::SearchedParts;

/// A tag.
#[derive(Serialize, ToSchema)]
struct TagCount {
    tag: String,
    /// The number of pages that have it.
    pages: usize,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(tag_list))
        .routes(routes!(page_wanted))
        .routes(routes!(page_orphans))
        .routes(routes!(page_mentions))
}

/// Lists the tags of all pages, by name.
///
/// Tags come from the front matter and from `#tag` in the texts.
#[utoipa::path(get, path = "/api/tags", tag = "search",
    responses((status = 200, body = Vec<TagCount>)))]
async fn tag_list(
    Part(wiki): Part<Wiki>,
    Part(search): Part<Search>,
) -> Result<Json<Vec<TagCount>>, ApiError> {
    let tags = blocking(&wiki, move |wiki| Ok(search.tags(wiki)?)).await?;
    let tags = tags.into_iter().map(|(tag, pages)| TagCount { tag, pages });
    Ok(Json(tags.collect()))
}

/// Lists the paths of missing pages that other pages link to, those with most links first.
#[utoipa::path(get, path = "/api/pages/wanted", tag = "pages",
    responses((status = 200, body = Vec<WantedPage>)))]
async fn page_wanted(Part(wiki): Part<Wiki>) -> Result<Json<Vec<WantedPage>>, ApiError> {
    let wanted = blocking(&wiki, |wiki| Ok(wiki.links().wanted_pages()?)).await?;
    Ok(Json(wanted))
}

/// Lists the pages that no other page links to, by path.
///
/// The root page is excluded.
#[utoipa::path(get, path = "/api/pages/orphans", tag = "pages",
    responses((status = 200, body = Vec<OrphanPage>)))]
async fn page_orphans(Part(wiki): Part<Wiki>) -> Result<Json<Vec<OrphanPage>>, ApiError> {
    let orphans = blocking(&wiki, |wiki| Ok(wiki.links().orphan_pages()?)).await?;
    Ok(Json(orphans))
}

/// Lists the pages that mention the title of a page without a link to it.
///
/// The list is empty for a page without a title.
#[utoipa::path(get, path = "/api/pages/{page_id}/mentions", tag = "pages",
    params(("page_id" = String, Path)),
    responses(
        (status = 200, body = SearchAnswer),
        (status = 404, description = "`page_not_found`, `draft`", body = ErrorBody),
    ))]
async fn page_mentions(
    Part(search): Part<Search>,
    Part(searched): Part<SearchedParts>,
    ApiPath(id): ApiPath<PageId>,
) -> Result<Json<SearchAnswer>, ApiError> {
    let answer = cancellable(&search, move |search, budget| {
        let meta = searched.wiki.pages().meta(id, None)?;
        let linking = searched.wiki.links().backlinks(id, None, usize::MAX)?;
        let linking: BTreeSet<PageId> = linking.into_iter().map(|link| link.page_id).collect();
        let Some(title) = meta.title else {
            return Ok(None);
        };
        let sources = searched.sources();
        Ok(search.mentions(&sources, id, &title, &linking, budget)?)
    });
    Ok(Json(answer_of(answer.await?.unwrap_or_default(), 0)))
}
