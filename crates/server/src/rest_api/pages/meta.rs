//! `/api/pages/{page_id}/meta`: metadata of a page and of a revision.

use axum::Json;
use fumikura_base::clock::Clock;
use fumikura_wiki::{Backlink, PageId, PageMeta, Properties, Wiki};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::revision_info::RevisionInfoDto;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::picture_sizes::{PagePicture, PictureSizes};
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery};
use crate::rest_api::past::{AT, moment_of};

/// Metadata of a page and of a revision.
#[derive(Serialize, ToSchema)]
#[schema(as = PageMeta)]
pub(crate) struct PageMetaDto {
    page_info: PageInfoDto,
    /// Null for a draft.
    revision_info: Option<RevisionInfoDto>,
    /// The first 256 pictures among the page's files, by name, as far as their sizes are known.
    pictures: Vec<PagePicture>,
    /// Up to 256 pages to which the newest revision links, without deleted ones; empty for earlier revisions.
    links: Vec<Backlink>,
    /// The properties in the text of that revision.
    properties: Properties,
}

/// Metadata of a page.
#[derive(Serialize, ToSchema)]
#[schema(as = PageInfo)]
struct PageInfoDto {
    path: PathState,
    /// The first heading of the newest text, if it has one.
    title: Option<String>,
    /// Null for a draft.
    revision_scope: Option<RevisionScope>,
    /// The revisions at which the path was given or changed.
    rename_revisions: Vec<u64>,
    deleted: bool,
    locked: bool,
    draft: bool,
}

/// The path of a page, or the last path of a deleted page.
#[derive(Serialize, ToSchema)]
struct PathState {
    kind: PathKind,
    value: String,
}

/// The kind of a path.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum PathKind {
    Current,
    LastDeleted,
}

/// The range of stored revisions.
#[derive(Serialize, ToSchema)]
struct RevisionScope {
    latest: u64,
    oldest: u64,
}

impl PageMetaDto {
    pub(crate) fn new(meta: PageMeta, pictures: Vec<PagePicture>) -> Self {
        let deleted = meta.path_state.is_deleted();
        Self {
            page_info: PageInfoDto {
                path: PathState {
                    kind: if deleted {
                        PathKind::LastDeleted
                    } else {
                        PathKind::Current
                    },
                    value: meta.path_state.path().to_string(),
                },
                title: meta.title,
                revision_scope: meta
                    .revisions
                    .map(|(oldest, latest)| RevisionScope { latest, oldest }),
                rename_revisions: meta.rename_revisions,
                deleted,
                locked: meta.lock.is_some(),
                draft: meta.revisions.is_none(),
            },
            revision_info: meta
                .revision
                .map(|info| RevisionInfoDto::new(info, &meta.path_then)),
            pictures,
            links: meta.linked_pages,
            properties: meta.properties,
        }
    }
}

#[derive(Deserialize)]
struct RevQuery {
    rev: Option<u64>,
    at: Option<String>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(page_meta))
}

/// Returns metadata of a page, and of a revision or the newest one.
///
/// With `at`, the path, the title, the links and the pictures are those of a moment, and so is the revision.
#[utoipa::path(get, path = "/api/pages/{page_id}/meta", tag = "pages",
    params(("page_id" = String, Path), ("rev" = Option<u64>, Query),
        ("at" = Option<String>, Query, description = AT)), responses(
        (status = 200, body = PageMetaDto),
        (status = 400, description = "`invalid_time`; `bad_request`: `rev` and `at` exclude each other", body = ErrorBody),
        (status = 404, description = "`page_not_found`", body = ErrorBody),
        (status = 410, description = "`gone`: the revision was removed", body = ErrorBody),
    ))]
async fn page_meta(
    Part(wiki): Part<Wiki>,
    Part(sizes): Part<PictureSizes>,
    Part(clock): Part<dyn Clock>,
    ApiPath(id): ApiPath<PageId>,
    ApiQuery(query): ApiQuery<RevQuery>,
) -> Result<Json<PageMetaDto>, ApiError> {
    let at = moment_of(query.rev, query.at.as_deref(), &*clock)?;
    let find = move |wiki: &Wiki| {
        if let Some(at) = at {
            let past = wiki.past(at);
            let pictures = sizes.of_files(wiki, &past.files(id)?);
            return Ok(PageMetaDto::new(past.meta(id)?, pictures));
        }
        let meta = wiki.pages().meta(id, query.rev)?;
        Ok(PageMetaDto::new(meta, sizes.of_page(wiki, id)))
    };
    Ok(Json(blocking(&wiki, find).await?))
}
