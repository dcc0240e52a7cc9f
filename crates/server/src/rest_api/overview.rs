//! `/api/tags`, `/api/pages/wanted`, `/api/pages/orphans` and `/api/pages/{page_id}/mentions`: the wiki as a whole.

use std::collections::BTreeSet;

use axum::Json;
use axum::http::StatusCode;
use fumikura_searcher::Search;
use fumikura_wiki::{MergedLinks, OrphanPage, PageId, TagRename, WantedPage, Wiki};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::search::{SearchAnswer, answer_of};
use crate::acting_user::ActingUser;
use crate::blocking::{blocking, cancellable};
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiPath};
use crate::services::SearchedParts;

/// A tag.
#[derive(Serialize, ToSchema)]
struct TagCount {
    tag: String,
    /// The number of pages that have it.
    pages: usize,
}

/// A property.
#[derive(Serialize, ToSchema)]
struct PropertyCount {
    name: String,
    /// The number of pages that have it.
    pages: usize,
}

/// A tag and its new name.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TagRename)]
struct TagRenameDto {
    from: String,
    to: String,
}

/// A rename of a tag. Undoing it requires these fields.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RenamedTag {
    /// The pages that have changed.
    pages: Vec<RevisedPage>,
}

/// A page with its new revision.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RevisedPage {
    #[schema(value_type = String)]
    page_id: PageId,
    revision: u64,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(tag_list))
        .routes(routes!(property_list))
        .routes(routes!(tag_rename))
        .routes(routes!(tag_rename_undo))
        .routes(routes!(page_wanted))
        .routes(routes!(page_orphans))
        .routes(routes!(page_mentions))
}

/// Lists the tags of all pages, by name.
///
/// Tags come from the front matter and from `#tag` in the texts. Those that differ in case or width only are one, as the
/// oldest page writes it.
#[utoipa::path(get, path = "/api/tags", tag = "search",
    responses((status = 200, body = Vec<TagCount>)))]
async fn tag_list(Part(wiki): Part<Wiki>) -> Result<Json<Vec<TagCount>>, ApiError> {
    let tags = blocking(&wiki, |wiki| Ok(wiki.catalogue().tags()?)).await?;
    let tags = tags.into_iter().map(|count| TagCount {
        tag: count.tag,
        pages: count.pages,
    });
    Ok(Json(tags.collect()))
}

/// Lists the properties of all pages, by name; without tags.
#[utoipa::path(get, path = "/api/properties", tag = "search",
    responses((status = 200, body = Vec<PropertyCount>)))]
async fn property_list(Part(wiki): Part<Wiki>) -> Result<Json<Vec<PropertyCount>>, ApiError> {
    let names = blocking(&wiki, |wiki| Ok(wiki.catalogue().properties()?)).await?;
    let names = names.into_iter();
    let names = names.map(|(name, pages)| PropertyCount { name, pages });
    Ok(Json(names.collect()))
}

/// Renames a tag, and those below it, in all pages, in one transaction.
///
/// Each changed page gets a revision. The new tag may exist.
#[utoipa::path(post, path = "/api/tags/rename", tag = "pages", request_body = TagRenameDto, responses(
    (status = 200, body = RenamedTag),
    (status = 413, description = "`too_large`", body = ErrorBody),
    (status = 422, description = "`invalid_tag`", body = ErrorBody),
    (status = 423, description = "`lock_required`: a page with the tag is being edited", body = ErrorBody),
))]
async fn tag_rename(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiJson(TagRenameDto { from, to }): ApiJson<TagRenameDto>,
) -> Result<Json<RenamedTag>, ApiError> {
    let changed = blocking(&wiki, move |wiki| {
        let user = acting.get()?.id;
        Ok(wiki
            .reorganize()
            .rename_tag(&TagRename { from, to, user })?)
    });
    let pages = changed.await?.into_iter();
    let pages = pages.map(|MergedLinks { page_id, revision }| RevisedPage { page_id, revision });
    Ok(Json(RenamedTag {
        pages: pages.collect(),
    }))
}

/// Undoes a rename of a tag. A page that was written since keeps its text.
#[utoipa::path(post, path = "/api/tags/rename/undo", tag = "pages", request_body = RenamedTag, responses(
    (status = 204),
    (status = 423, description = "`lock_required`: one of the pages is being edited", body = ErrorBody),
))]
async fn tag_rename_undo(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiJson(RenamedTag { pages }): ApiJson<RenamedTag>,
) -> Result<StatusCode, ApiError> {
    let undo = blocking(&wiki, move |wiki| {
        let user = acting.get()?.id;
        let pages = pages.into_iter();
        let pages =
            pages.map(|RevisedPage { page_id, revision }| MergedLinks { page_id, revision });
        Ok(wiki
            .reorganize()
            .undo_tag_rename(&pages.collect::<Vec<_>>(), user)?)
    });
    undo.await?;
    Ok(StatusCode::NO_CONTENT)
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
