//! `/api/pages/{page_id}/revision`: rolls back to an old text, and removes old revisions.

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_wiki::{LinkWarning, PageId, Wiki};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery, lock_token};

/// A page whose old text was restored.
#[derive(Serialize, ToSchema)]
struct RolledBackPage {
    /// The newest revision. No new one is made if the text does not change.
    revision: u64,
    /// Links that mean something else than in the old revision.
    warnings: Vec<LinkWarning>,
}

#[derive(Deserialize)]
struct ChangeQuery {
    rollback_to: Option<u64>,
    keep_from: Option<u64>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(revision_change))
}

/// Rolls a page back, or removes old revisions.
///
/// `rollback_to` makes that revision's text the newest again, as a new revision. `keep_from` permanently removes all
/// revisions before that one. Exactly one of the two is required.
#[utoipa::path(post, path = "/api/pages/{page_id}/revision", tag = "revisions",
    params(
        ("page_id" = String, Path),
        ("rollback_to" = Option<u64>, Query),
        ("keep_from" = Option<u64>, Query),
        ("X-Lock-Authentication" = Option<String>, Header, description = "`token=…`, if the page is locked; the lock \
            stays"),
    ), responses(
        (status = 200, description = "Rolled back", body = RolledBackPage),
        (status = 204, description = "The revisions before `keep_from` are removed"),
        (status = 403, description = "`lock_invalid`", body = ErrorBody),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
        (status = 410, description = "`gone`: the revision was removed; `deleted`: the page is deleted", body = ErrorBody),
        (status = 422, description = "`invalid_value`: no revision would be left", body = ErrorBody),
        (status = 423, description = "`lock_required`", body = ErrorBody),
    ))]
async fn revision_change(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiQuery(query): ApiQuery<ChangeQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let token = lock_token(&headers);
    match (query.rollback_to, query.keep_from) {
        (Some(rollback_to), None) => {
            let rollback = move |wiki: &Wiki| {
                let user = acting.get()?.id;
                let done = wiki
                    .revisions()
                    .rollback(page_id, rollback_to, user, token)?;
                Ok(RolledBackPage {
                    revision: done.version.revision,
                    warnings: done.warnings,
                })
            };
            Ok(Json(blocking(&wiki, rollback).await?).into_response())
        }
        (None, Some(keep_from)) => {
            let compact =
                move |wiki: &Wiki| Ok(wiki.revisions().compact(page_id, keep_from, token)?);
            blocking(&wiki, compact).await?;
            Ok(StatusCode::NO_CONTENT.into_response())
        }
        (None, None) | (Some(_), Some(_)) => Err(ApiError::new(
            ErrorCode::BadRequest,
            "give either rollback_to or keep_from",
        )),
    }
}
