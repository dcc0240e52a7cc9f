//! `/api/locks`: all locks, for administrators of the wiki.

use axum::Json;
use axum::http::StatusCode;
use fumikura_wiki::{ListedLock, PageId, Wiki};
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::guard::WithBearer;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiPath;

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(lock_list))
        .routes(routes!(lock_break))
}

/// Lists the locked pages and drafts, by path.
///
/// Requires the Bearer token.
#[utoipa::path(get, path = "/api/locks", tag = "locks", responses(
    (status = 200, body = Vec<ListedLock>),
    (status = 403, description = "`bearer_required`: a session is not enough", body = ErrorBody),
))]
async fn lock_list(
    Part(wiki): Part<Wiki>,
    WithBearer: WithBearer,
) -> Result<Json<Vec<ListedLock>>, ApiError> {
    let locks = blocking(&wiki, |wiki| Ok(wiki.locks().all()?)).await?;
    Ok(Json(locks))
}

/// Ends a lock of any holder.
///
/// A draft is deleted with its lock. Requires the Bearer token.
#[utoipa::path(delete, path = "/api/locks/{page_id}", tag = "locks", params(("page_id" = String, Path)), responses(
    (status = 204, description = "The page is unlocked"),
    (status = 403, description = "`bearer_required`: a session is not enough", body = ErrorBody),
    (status = 404, description = "`page_not_found`; `not_locked`: the page has no lock", body = ErrorBody),
))]
async fn lock_break(
    Part(wiki): Part<Wiki>,
    WithBearer: WithBearer,
    ApiPath(page_id): ApiPath<PageId>,
) -> Result<StatusCode, ApiError> {
    blocking(&wiki, move |wiki| {
        wiki.locks().break_lock(page_id)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}
