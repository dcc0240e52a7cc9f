//! `/api/pages/{id}/lock`: the right to change a page (wiki.md §17.3).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_wiki::{LockToken, PageId};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::events::Event;
use crate::rest_api::extract::{ApiPath, TokenBody, page_lock, required_lock_token};

/// Who holds a page. Never the token.
#[derive(Serialize, ToSchema)]
#[schema(as = LockStatus)]
struct LockStatusDto {
    locked: bool,
    /// Who holds it; null when nobody does.
    user_name: Option<String>,
    /// Until when, unless it is renewed.
    expire: Option<Timestamp>,
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(get, post, put, delete))
        .routes(routes!(release))
}

/// Who holds the page.
#[utoipa::path(get, path = "/api/pages/{id}/lock", tag = "locks", params(("id" = String, Path)), responses(
    (status = 200, body = LockStatusDto),
    (status = 404, description = "`page_not_found`", body = ErrorBody),
))]
async fn get(
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<PageId>,
) -> Result<Json<LockStatusDto>, ApiError> {
    let status = blocking(&app, move |app| Ok(app.wiki.lock_status(id)?)).await?;
    let locked = status.is_some();
    let (user_name, expire) = status.map(|held| (held.user_name, held.expire)).unzip();
    Ok(Json(LockStatusDto {
        locked,
        user_name,
        expire,
    }))
}

/// Takes the page's lock.
#[utoipa::path(post, path = "/api/pages/{id}/lock", tag = "locks", params(("id" = String, Path)), responses(
    (status = 204, headers(("X-Page-Lock" = String, description = "`expire=… token=…`"))),
    (status = 409, description = "`locked`: who holds it, and until when", body = ErrorBody),
))]
async fn post(
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<PageId>,
) -> Result<Response, ApiError> {
    let lock = blocking(&app, move |app| {
        let user = app.acting_user()?;
        let lock = app.wiki.acquire_lock(id, user.id)?;
        let (page_id, user_name) = (id.to_string(), user.name.to_string());
        app.events.publish(Event::PageLocked {
            page_id,
            user_name,
            expire: lock.expire,
        });
        Ok(lock)
    })
    .await?;
    Ok((StatusCode::NO_CONTENT, page_lock(lock)).into_response())
}

/// Renews a lock: a new token, and the full time from now.
#[utoipa::path(put, path = "/api/pages/{id}/lock", tag = "locks",
    params(("id" = String, Path), ("X-Lock-Authentication" = String, Header, description = "`token=…`")),
    responses(
        (status = 204, headers(("X-Page-Lock" = String, description = "`expire=… token=…`"))),
        (status = 403, description = "`lock_invalid`", body = ErrorBody),
    ))]
async fn put(
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<PageId>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let token = required_lock_token(&headers)?;
    let lock = blocking(&app, move |app| {
        let lock = app.wiki.renew_lock(id, token)?;
        if let Some(held) = app.wiki.lock_status(id)? {
            let (page_id, user_name) = (id.to_string(), held.user_name);
            app.events.publish(Event::PageLocked {
                page_id,
                user_name,
                expire: held.expire,
            });
        }
        Ok(lock)
    })
    .await?;
    Ok((StatusCode::NO_CONTENT, page_lock(lock)).into_response())
}

/// Gives a lock back. A draft goes with it.
#[utoipa::path(delete, path = "/api/pages/{id}/lock", tag = "locks",
    params(("id" = String, Path), ("X-Lock-Authentication" = String, Header, description = "`token=…`")),
    responses(
        (status = 204, description = "The page is free"),
        (status = 403, description = "`lock_invalid`", body = ErrorBody),
    ))]
async fn delete(
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<PageId>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let token = required_lock_token(&headers)?;
    give_back(&app, id, token).await
}

/// Gives a lock back, for `navigator.sendBeacon`, which sends no headers: the token is the body.
#[utoipa::path(post, path = "/api/pages/{id}/lock/release", tag = "locks", params(("id" = String, Path)),
    request_body(content = String, content_type = "text/plain"), responses(
        (status = 204, description = "The page is free"),
        (status = 403, description = "`lock_invalid`", body = ErrorBody),
    ))]
async fn release(
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<PageId>,
    TokenBody(token): TokenBody,
) -> Result<StatusCode, ApiError> {
    give_back(&app, id, token).await
}

async fn give_back(app: &Arc<App>, id: PageId, token: LockToken) -> Result<StatusCode, ApiError> {
    blocking(app, move |app| {
        app.wiki.release_lock(id, token)?;
        app.events.publish(Event::PageUnlocked {
            page_id: id.to_string(),
        });
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}
