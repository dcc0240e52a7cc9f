//! `/api/sessions`: the signed-in browsers.

use std::cmp::Reverse;
use std::sync::Arc;

use axum::Json;
use axum::extract::Extension;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use fumikura_wiki::{SessionId, SessionInfo, SessionKey};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::ApiPath;
use crate::address::Address;
use crate::auth::{Browser, CachedSession, SessionStorage};
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::Caller;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::services::SignIn;

/// The browser's cache holds private pages and thumbnails. Its storage holds only the state of open editors, and is
/// kept.
const CLEARED: [(HeaderName, HeaderValue); 1] = [(
    HeaderName::from_static("clear-site-data"),
    HeaderValue::from_static("\"cache\""),
)];

/// A signed-in browser, without its secret.
#[derive(Serialize, ToSchema)]
#[schema(as = Session)]
struct SessionDto {
    /// The session's id, a ULID.
    id: String,
    /// The browser's name, such as `Firefox`; null if unknown.
    browser: Option<&'static str>,
    /// The operating system of the browser, such as `Linux`; null if unknown.
    system: Option<&'static str>,
    /// The time at which the browser signed in.
    began_at: Timestamp,
    /// The time of its last request; after a restart, accurate to about an hour.
    seen_at: Timestamp,
    /// The time at which the session ends automatically, at the latest.
    ends_at: Timestamp,
    /// True for the session of the request.
    is_current: bool,
    /// True if the session persists across restarts of the program.
    is_stored: bool,
    /// True if the session belongs to a window of the program.
    is_window: bool,
}

/// The signed-in browsers.
#[derive(Serialize, ToSchema)]
#[schema(as = SessionList)]
struct SessionListDto {
    /// The sessions, the latest first.
    items: Vec<SessionDto>,
}

/// The number of sessions that were ended.
#[derive(Serialize, ToSchema)]
#[schema(as = SessionsEnded)]
struct SessionsEndedDto {
    ended: usize,
}

/// A session, from the store or from memory.
struct FoundSession {
    key: SessionKey,
    info: SessionInfo,
    storage: SessionStorage,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(session_list, session_end_others))
        .routes(routes!(session_end))
        .routes(routes!(session_sign_out))
}

/// Lists the signed-in browsers and the windows of the program.
#[utoipa::path(get, path = "/api/sessions", tag = "entry", responses((status = 200, body = SessionListDto)))]
async fn session_list(
    Part(sign_in): Part<SignIn>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<SessionListDto>, ApiError> {
    let found = blocking(&sign_in, SignIn::sessions).await?;
    let dto = |session: FoundSession| session.into_dto(caller);
    let items = found.into_iter().map(dto).collect();
    Ok(Json(SessionListDto { items }))
}

/// Signs out all browsers except the requesting one.
///
/// Windows of the program stay signed in.
#[utoipa::path(delete, path = "/api/sessions", tag = "entry", responses(
    (status = 200, body = SessionsEndedDto),
    (status = 507, description = "`disk_full`: nothing was ended", body = ErrorBody),
))]
async fn session_end_others(
    Part(sign_in): Part<SignIn>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<SessionsEndedDto>, ApiError> {
    let ended = blocking(&sign_in, move |sign_in| {
        let others = sign_in.sessions()?.into_iter().filter(|session| {
            session.storage != SessionStorage::Window && caller != Caller::Session(session.key)
        });
        let keys: Vec<SessionKey> = others.map(|session| session.key).collect();
        let ended = keys.len();
        sign_in.end_sessions(keys)?;
        Ok(SessionsEndedDto { ended })
    });
    Ok(Json(ended.await?))
}

/// Signs out one browser.
///
/// If it is the requesting one, its cookie is removed too.
#[utoipa::path(delete, path = "/api/sessions/{id}", tag = "entry", params(("id" = String, Path)), responses(
    (status = 204, description = "It is signed out"),
    (status = 404, description = "`session_not_found`", body = ErrorBody),
    (status = 507, description = "`disk_full`: nothing was ended", body = ErrorBody),
))]
async fn session_end(
    Part(sign_in): Part<SignIn>,
    Extension(caller): Extension<Caller>,
    Extension(address): Extension<Arc<Address>>,
    ApiPath(id): ApiPath<SessionId>,
) -> Result<Response, ApiError> {
    let key = blocking(&sign_in, move |sign_in| {
        let mut sessions = sign_in.sessions()?.into_iter();
        let found = sessions.find(|session| session.info.id == id);
        let key = found.ok_or_else(not_found)?.key;
        sign_in.end_sessions(vec![key])?;
        Ok(key)
    })
    .await?;
    Ok(match caller == Caller::Session(key) {
        true => signed_out(&address),
        false => StatusCode::NO_CONTENT.into_response(),
    })
}

/// Signs out the requesting browser.
#[utoipa::path(delete, path = "/api/sessions/current", tag = "entry", responses(
    (status = 204, description = "It is signed out, and its cookie is removed"),
    (status = 404, description = "`session_not_found`: the Bearer token is not a session", body = ErrorBody),
    (status = 507, description = "`disk_full`: nothing was ended", body = ErrorBody),
))]
async fn session_sign_out(
    Part(sign_in): Part<SignIn>,
    Extension(caller): Extension<Caller>,
    Extension(address): Extension<Arc<Address>>,
) -> Result<Response, ApiError> {
    let Caller::Session(key) = caller else {
        return Err(not_found());
    };
    blocking(&sign_in, move |sign_in| sign_in.end_sessions(vec![key])).await?;
    Ok(signed_out(&address))
}

fn not_found() -> ApiError {
    ApiError::new(ErrorCode::SessionNotFound, "there is no such session")
}

fn signed_out(address: &Address) -> Response {
    let cookie = [(header::SET_COOKIE, address.removed_cookie())];
    (StatusCode::NO_CONTENT, cookie, CLEARED).into_response()
}

impl FoundSession {
    fn into_dto(self, caller: Caller) -> SessionDto {
        let browser = self.info.user_agent.as_deref().map(Browser::of);
        let browser = browser.unwrap_or_default();
        SessionDto {
            id: self.info.id.to_string(),
            browser: browser.name,
            system: browser.system,
            began_at: self.info.began,
            seen_at: self.info.seen,
            ends_at: self.info.ends,
            is_current: caller == Caller::Session(self.key),
            is_stored: self.storage == SessionStorage::Store,
            is_window: self.storage == SessionStorage::Window,
        }
    }
}

impl SignIn {
    /// Returns all active sessions, the latest first.
    fn sessions(&self) -> Result<Vec<FoundSession>, ApiError> {
        // The store is read first: a session that begins in between is then found in memory.
        let stored = self.wiki.sessions().all()?;
        let mut cached = self.auth.sessions.cached(self.clock.now());
        let mut found = Vec::new();
        for (key, info) in stored {
            let seen = cached.remove(&key).map(|session| session.info.seen);
            let seen = seen.unwrap_or(info.seen).max(info.seen);
            let info = SessionInfo { seen, ..info };
            let storage = SessionStorage::Store;
            found.push(FoundSession { key, info, storage });
        }
        for (key, CachedSession { info, storage, .. }) in cached {
            found.push(FoundSession { key, info, storage });
        }
        found.sort_by_key(|session| Reverse((session.info.began, session.info.id)));
        Ok(found)
    }

    /// Ends sessions, immediately and durably. If the store cannot be written, none is ended.
    fn end_sessions(&self, keys: Vec<SessionKey>) -> Result<(), ApiError> {
        let ended = self.auth.sessions.end(keys);
        let stored = ended.in_store();
        if !stored.is_empty()
            && let Err(error) = self.wiki.sessions().end(&stored)
        {
            self.auth.sessions.restore(ended);
            return Err(error.into());
        }
        Ok(())
    }

    /// Stores the times of last requests that are an hour newer than the stored ones.
    pub(crate) fn store_seen_sessions(&self) -> Result<(), ApiError> {
        let seen = self.auth.sessions.take_seen();
        if seen.is_empty() {
            return Ok(());
        }
        Ok(self.wiki.sessions().update_last_seen(&seen)?)
    }
}
