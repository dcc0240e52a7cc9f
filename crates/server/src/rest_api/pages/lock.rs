//! `/api/pages/{page_id}/lock`: the lock that permits changes to a page (docs/spec/wiki.md, Locks).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_wiki::{HeldLock, PageId};
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::operations::{LockAcquire, LockState, LockStatusRequest, LockWithToken};
use crate::rest_api::extract::{ApiPath, ApiQuery, TokenBody, lock_token, page_lock};

#[derive(Deserialize)]
struct AcquireQuery {
    #[serde(default)]
    take_over: bool,
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(lock_status, lock_acquire, lock_renew, lock_release))
        .routes(routes!(lock_release_beacon))
}

/// Returns the state of the page's lock.
#[utoipa::path(get, path = "/api/pages/{page_id}/lock", tag = "locks", params(("page_id" = String, Path)), responses(
    (status = 200, body = LockState),
    (status = 404, description = "`page_not_found`", body = ErrorBody),
))]
async fn lock_status(
    State(app): State<Arc<App>>,
    ApiPath(page_id): ApiPath<PageId>,
) -> Result<Json<LockState>, ApiError> {
    Ok(Json(app.lock_status(LockStatusRequest { page_id }).await?))
}

/// Acquires the page's lock.
#[utoipa::path(post, path = "/api/pages/{page_id}/lock", tag = "locks",
    params(
        ("page_id" = String, Path),
        ("take_over" = Option<bool>, Query, description = "Replace the user's own lock, whose tab or program has \
            ended"),
    ),
    responses(
        (status = 204, headers(("X-Page-Lock" = String, description = "`expire=… token=…`"))),
        (status = 409, description = "`locked`: with the holder and the expiry", body = ErrorBody),
        (status = 410, description = "`deleted`", body = ErrorBody),
    ))]
async fn lock_acquire(
    State(app): State<Arc<App>>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiQuery(AcquireQuery { take_over }): ApiQuery<AcquireQuery>,
) -> Result<Response, ApiError> {
    let lock = app.lock_acquire(LockAcquire { page_id, take_over }).await?;
    Ok(locked(&lock))
}

/// Renews a lock.
///
/// The answer holds a new token. The full duration starts again.
#[utoipa::path(put, path = "/api/pages/{page_id}/lock", tag = "locks",
    params(("page_id" = String, Path), ("X-Lock-Authentication" = String, Header, description = "`token=…`")),
    responses(
        (status = 204, headers(("X-Page-Lock" = String, description = "`expire=… token=…`"))),
        (status = 403, description = "`lock_invalid`", body = ErrorBody),
    ))]
async fn lock_renew(
    State(app): State<Arc<App>>,
    ApiPath(page_id): ApiPath<PageId>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let token = lock_token(&headers);
    let lock = app.lock_renew(LockWithToken { page_id, token }).await?;
    Ok(locked(&lock))
}

/// Releases a lock.
///
/// A draft is deleted with its lock.
#[utoipa::path(delete, path = "/api/pages/{page_id}/lock", tag = "locks",
    params(("page_id" = String, Path), ("X-Lock-Authentication" = String, Header, description = "`token=…`")),
    responses(
        (status = 204, description = "The page is unlocked"),
        (status = 403, description = "`lock_invalid`", body = ErrorBody),
    ))]
async fn lock_release(
    State(app): State<Arc<App>>,
    ApiPath(page_id): ApiPath<PageId>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let token = lock_token(&headers);
    app.lock_release(LockWithToken { page_id, token }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Releases a lock by a token in the body.
///
/// For `navigator.sendBeacon`, which sends no headers.
#[utoipa::path(post, path = "/api/pages/{page_id}/lock/release", tag = "locks", params(("page_id" = String, Path)),
    request_body(content = String, content_type = "text/plain"), responses(
        (status = 204, description = "The page is unlocked"),
        (status = 403, description = "`lock_invalid`", body = ErrorBody),
    ))]
async fn lock_release_beacon(
    State(app): State<Arc<App>>,
    ApiPath(page_id): ApiPath<PageId>,
    TokenBody(token): TokenBody,
) -> Result<StatusCode, ApiError> {
    let token = Some(token);
    app.lock_release(LockWithToken { page_id, token }).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn locked(lock: &HeldLock) -> Response {
    (StatusCode::NO_CONTENT, page_lock(lock)).into_response()
}
