//! `/api/pages/{page_id}/duplicate`, `/extract` and `/merge`: reorganizes pages (docs/spec/wiki.md, Reorganizing).

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use fumikura_wiki::{
    AssetId, MergeOutcome, MergeRequest, MergedFile, MergedLinks, NewPage, PageId, PagePath,
    UnmergeRequest, Wiki,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiPath, lock_token};

/// A page that was created.
#[derive(Serialize, ToSchema)]
#[schema(as = NewPage)]
struct NewPageDto {
    #[schema(value_type = String)]
    page_id: PageId,
    path: String,
}

impl From<NewPage> for NewPageDto {
    fn from(created: NewPage) -> Self {
        Self {
            page_id: created.page_id,
            path: created.path.to_string(),
        }
    }
}

/// A part of a page that becomes a page.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ExtractedPart {
    /// The path of the new page.
    path: String,
    /// The part, as it is shown in the page.
    source: String,
}

/// The page that another one is merged into.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MergeTarget {
    #[schema(value_type = String)]
    into: PageId,
}

/// A merge of two pages. Undoing it requires these fields.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MergedPage {
    /// The page that received the text.
    #[schema(value_type = String)]
    into: PageId,
    /// Its path.
    path: String,
    /// Its revision that has both texts.
    revision: u64,
    /// The files that moved.
    files: Vec<MergedFileDto>,
    /// The pages whose links were rewritten.
    pages: Vec<MergedLinksDto>,
}

/// A file that moved with a merge.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MergedFile)]
struct MergedFileDto {
    #[schema(value_type = String)]
    id: AssetId,
    /// Its name before the merge.
    name: String,
}

/// A page whose links were rewritten by a merge.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MergedLinks)]
struct MergedLinksDto {
    #[schema(value_type = String)]
    page_id: PageId,
    /// The revision with the rewritten links.
    revision: u64,
}

impl MergedPage {
    fn new(into: PageId, merged: MergeOutcome) -> Self {
        let file = |MergedFile { id, name }| MergedFileDto { id, name };
        let links = |MergedLinks { page_id, revision }| MergedLinksDto { page_id, revision };
        Self {
            into,
            path: merged.path.to_string(),
            revision: merged.revision,
            files: merged.files.into_iter().map(file).collect(),
            pages: merged.pages.into_iter().map(links).collect(),
        }
    }
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(page_duplicate))
        .routes(routes!(page_extract))
        .routes(routes!(page_merge))
        .routes(routes!(page_unmerge))
}

/// Duplicates a page with its files, at the next free path of its name with a number.
#[utoipa::path(post, path = "/api/pages/{page_id}/duplicate", tag = "pages", params(("page_id" = String, Path)),
    responses(
        (status = 201, body = NewPageDto),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
        (status = 410, description = "`deleted`", body = ErrorBody),
        (status = 422, description = "`root_protected` or `invalid_path`", body = ErrorBody),
    ))]
async fn page_duplicate(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(page_id): ApiPath<PageId>,
) -> Result<(StatusCode, Json<NewPageDto>), ApiError> {
    let created = blocking(&wiki, move |wiki| {
        let user = acting.get()?.id;
        Ok(wiki.reorganize().duplicate(page_id, user)?)
    });
    Ok((StatusCode::CREATED, Json(created.await?.into())))
}

/// Creates a page with a part of another one, whose links keep their meaning.
#[utoipa::path(post, path = "/api/pages/{page_id}/extract", tag = "pages", params(("page_id" = String, Path)),
    request_body = ExtractedPart, responses(
        (status = 201, body = NewPageDto),
        (status = 404, description = "`page_not_found`", body = ErrorBody),
        (status = 409, description = "`path_taken`", body = ErrorBody),
        (status = 410, description = "`deleted`", body = ErrorBody),
        (status = 413, description = "`too_large`", body = ErrorBody),
        (status = 422, description = "`invalid_path`", body = ErrorBody),
    ))]
async fn page_extract(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiJson(part): ApiJson<ExtractedPart>,
) -> Result<(StatusCode, Json<NewPageDto>), ApiError> {
    let path = PagePath::for_new_place(&part.path)?;
    let created = blocking(&wiki, move |wiki| {
        let user = acting.get()?.id;
        let reorganize = wiki.reorganize();
        Ok(reorganize.extract(page_id, path, &part.source, user)?)
    });
    Ok((StatusCode::CREATED, Json(created.await?.into())))
}

/// Merges a page into another: its text is appended under its title, its files move, links to it lead to the other
/// page, and the page moves to the trash.
#[utoipa::path(post, path = "/api/pages/{page_id}/merge", tag = "pages",
    params(
        ("page_id" = String, Path),
        ("X-Lock-Authentication" = Option<String>, Header, description = "`token=…`, if one of the pages is locked"),
    ), request_body = MergeTarget, responses(
        (status = 200, body = MergedPage),
        (status = 403, description = "`lock_invalid`", body = ErrorBody),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
        (status = 410, description = "`deleted`", body = ErrorBody),
        (status = 413, description = "`too_large`", body = ErrorBody),
        (status = 422, description = "`root_protected` or `into_itself`", body = ErrorBody),
        (status = 423, description = "`lock_required`: one of the pages, or a page that links to the merged one, is \
            locked", body = ErrorBody),
    ))]
async fn page_merge(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(page_id): ApiPath<PageId>,
    headers: HeaderMap,
    ApiJson(MergeTarget { into }): ApiJson<MergeTarget>,
) -> Result<Json<MergedPage>, ApiError> {
    let token = lock_token(&headers);
    let merged = blocking(&wiki, move |wiki| {
        let request = MergeRequest {
            page_id,
            into,
            user: acting.get()?.id,
            token,
        };
        Ok(wiki.reorganize().merge(&request)?)
    });
    Ok(Json(MergedPage::new(into, merged.await?)))
}

/// Undoes a merge, which the body describes: restores the page with its files, and the earlier texts as new revisions.
#[utoipa::path(post, path = "/api/pages/{page_id}/unmerge", tag = "pages", params(("page_id" = String, Path)),
    request_body = MergedPage, responses(
        (status = 204, description = "It is undone"),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
        (status = 409, description = "`not_deleted`, `path_taken` or `file_name_taken`", body = ErrorBody),
        (status = 410, description = "`deleted`: the other page", body = ErrorBody),
        (status = 412, description = "`precondition_failed`: the other page has changed since", body = ErrorBody),
        (status = 423, description = "`lock_required`", body = ErrorBody),
    ))]
async fn page_unmerge(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiJson(merged): ApiJson<MergedPage>,
) -> Result<StatusCode, ApiError> {
    let file = |MergedFileDto { id, name }| MergedFile { id, name };
    let links = |MergedLinksDto { page_id, revision }| MergedLinks { page_id, revision };
    let files = merged.files.into_iter().map(file).collect();
    let pages = merged.pages.into_iter().map(links).collect();
    blocking(&wiki, move |wiki| {
        let request = UnmergeRequest {
            page_id,
            into: merged.into,
            revision: merged.revision,
            files,
            pages,
            user: acting.get()?.id,
        };
        Ok(wiki.reorganize().unmerge(&request)?)
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}
