//! `/api/locks`: all locks, for administrators of the wiki.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use fumikura_wiki::{ListedLock, PageId};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::guard::WithBearer;
use crate::rest_api::extract::ApiPath;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
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
    State(app): State<Arc<App>>,
    WithBearer: WithBearer,
) -> Result<Json<Vec<ListedLock>>, ApiError> {
    let locks = blocking(&app, |app| Ok(app.wiki.locks().all()?)).await?;
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
    State(app): State<Arc<App>>,
    WithBearer: WithBearer,
    ApiPath(page_id): ApiPath<PageId>,
) -> Result<StatusCode, ApiError> {
    blocking(&app, move |app| {
        app.wiki.locks().break_lock(page_id)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}
