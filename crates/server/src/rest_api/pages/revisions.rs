//! `/api/pages/{page_id}/revisions`: the revisions of a page.

use axum::Json;
use fumikura_wiki::{ListedRevision, PageId, Wiki};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::revision_info::RevisionInfoDto;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery};

/// The default number of revisions in a list.
const LIMIT: usize = 50;
/// The maximum number of revisions in a list.
const MAX_LIMIT: usize = 1000;

/// A part of the list of a page's revisions.
#[derive(Serialize, ToSchema)]
#[schema(as = RevisionList)]
struct Revisions {
    /// Revisions, newest first, without gaps.
    items: Vec<RevisionListItem>,
    /// True if there are older revisions, which a request with `before` returns.
    has_more: bool,
    /// The oldest revision that is kept.
    oldest: u64,
}

/// A revision in a list.
#[derive(Serialize, ToSchema)]
struct RevisionListItem {
    #[serde(flatten)]
    info: RevisionInfoDto,
    /// The length of its text in bytes, as served now.
    bytes: u64,
}

impl From<fumikura_wiki::RevisionList> for Revisions {
    fn from(list: fumikura_wiki::RevisionList) -> Self {
        Self {
            items: list.items.into_iter().map(RevisionListItem::from).collect(),
            has_more: list.has_more,
            oldest: list.oldest,
        }
    }
}

impl From<ListedRevision> for RevisionListItem {
    fn from(listed: ListedRevision) -> Self {
        Self {
            info: RevisionInfoDto::new(listed.info, &listed.path),
            bytes: listed.bytes,
        }
    }
}

#[derive(Deserialize)]
struct ListQuery {
    before: Option<u64>,
    limit: Option<usize>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(revision_list))
}

/// Lists the revisions of a page, the newest first.
///
/// Revisions of deleted pages are listed too.
#[utoipa::path(get, path = "/api/pages/{page_id}/revisions", tag = "revisions",
    params(
        ("page_id" = String, Path),
        ("before" = Option<u64>, Query, description = "Only revisions before this one"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1000),
    ), responses(
        (status = 200, body = Revisions),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
    ))]
async fn revision_list(
    Part(wiki): Part<Wiki>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiQuery(ListQuery { before, limit }): ApiQuery<ListQuery>,
) -> Result<Json<Revisions>, ApiError> {
    let limit = limit.unwrap_or(LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        let message = format!("limit must be from 1 to {MAX_LIMIT}");
        return Err(ApiError::new(ErrorCode::BadRequest, message));
    }
    let list = move |wiki: &Wiki| Ok(wiki.revisions().list(page_id, before, limit)?.into());
    Ok(Json(blocking(&wiki, list).await?))
}
