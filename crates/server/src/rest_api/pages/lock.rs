//! `/api/pages/{page_id}/lock`: the lock that permits changes to a page (docs/spec/wiki.md, Locks).

use std::sync::Arc;

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_wiki::{HeldLock, LockStatus, LockToken, PageId, Wiki};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery, TokenBody, lock_token, page_lock};

#[derive(Deserialize)]
struct AcquireQuery {
    #[serde(default)]
    take_over: bool,
}

/// The state of a page's lock, without its token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = LockStatus)]
struct LockState {
    /// True if the page is locked.
    locked: bool,
    /// The name of the holder; null if the page is not locked.
    user_name: Option<String>,
    /// The time at which the lock ends unless it is renewed.
    expire: Option<Timestamp>,
}

impl From<Option<LockStatus>> for LockState {
    fn from(status: Option<LockStatus>) -> Self {
        let locked = status.is_some();
        let (user_name, expire) = status.map(|held| (held.user_name, held.expire)).unzip();
        Self {
            locked,
            user_name,
            expire,
        }
    }
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(lock_status, lock_acquire, lock_renew, lock_release))
        .routes(routes!(lock_release_beacon))
}

/// Returns the state of the page's lock.
#[utoipa::path(get, path = "/api/pages/{page_id}/lock", tag = "locks", params(("page_id" = String, Path)), responses(
    (status = 200, body = LockState),
    (status = 404, description = "`page_not_found`", body = ErrorBody),
))]
async fn lock_status(
    Part(wiki): Part<Wiki>,
    ApiPath(page_id): ApiPath<PageId>,
) -> Result<Json<LockState>, ApiError> {
    let status = move |wiki: &Wiki| Ok(wiki.locks().status(page_id)?.into());
    Ok(Json(blocking(&wiki, status).await?))
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
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiQuery(AcquireQuery { take_over }): ApiQuery<AcquireQuery>,
) -> Result<Response, ApiError> {
    let acquire = move |wiki: &Wiki| {
        let user = acting.get()?.id;
        Ok(match take_over {
            true => wiki.locks().take_over(page_id, user)?,
            false => wiki.locks().acquire(page_id, user)?,
        })
    };
    Ok(locked(&blocking(&wiki, acquire).await?))
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
    Part(wiki): Part<Wiki>,
    ApiPath(page_id): ApiPath<PageId>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let token = required_token(&headers)?;
    let renew = move |wiki: &Wiki| Ok(wiki.locks().renew(page_id, token)?);
    Ok(locked(&blocking(&wiki, renew).await?))
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
    Part(wiki): Part<Wiki>,
    ApiPath(page_id): ApiPath<PageId>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    release(&wiki, page_id, required_token(&headers)?).await
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
    Part(wiki): Part<Wiki>,
    ApiPath(page_id): ApiPath<PageId>,
    TokenBody(token): TokenBody,
) -> Result<StatusCode, ApiError> {
    release(&wiki, page_id, token).await
}

async fn release(
    wiki: &Arc<Wiki>,
    page_id: PageId,
    token: LockToken,
) -> Result<StatusCode, ApiError> {
    blocking(wiki, move |wiki| {
        wiki.locks().release(page_id, token)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

fn required_token(headers: &HeaderMap) -> Result<LockToken, ApiError> {
    lock_token(headers)
        .ok_or_else(|| ApiError::new(ErrorCode::LockInvalid, "this needs the lock's token"))
}

fn locked(lock: &HeldLock) -> Response {
    (StatusCode::NO_CONTENT, page_lock(lock)).into_response()
}
