//! Credentials: the session cookie, the Bearer token, or an access token.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::header::{AUTHORIZATION, COOKIE};
use fumikura_wiki::SessionKey;

use super::{Caller, WindowSession, share_without_credentials};
use crate::app::App;
use crate::auth::{SECRET_LENGTH, SessionStorage};
use crate::blocking::blocking;
use crate::connections::PeerUser;
use crate::error::ApiError;

/// The maximum number of our cookies that are checked: more than browsers keep for a host. A page of another
/// port can set any number of them, and have them sent before ours.
const COOKIES: usize = 1000;

/// The credential of a request.
pub(super) enum Credential {
    /// A Bearer token or an access token, valid or not.
    Bearer(String),
    /// The hashed secrets of sessions. A page of another port may have set a cookie of our name as well.
    Sessions(Vec<SessionKey>),
    /// No credential.
    Nothing,
}

/// Reads the credential of a request. A cookie does not make up for an invalid token.
pub(super) fn credential(request: &Request, cookie_name: &str) -> Credential {
    // Only the window's commands have this: nothing that arrives over HTTP has extensions of ours.
    if let Some(WindowSession(key)) = request.extensions().get() {
        return Credential::Sessions(vec![*key]);
    }
    if let Some(token) = bearer(request) {
        return Credential::Bearer(token.to_owned());
    }
    let keys: Vec<SessionKey> = cookies(request, cookie_name)
        .filter(|secret| secret.len() == SECRET_LENGTH)
        .take(COOKIES)
        .map(SessionKey::of)
        .collect();
    if keys.is_empty() {
        Credential::Nothing
    } else {
        Credential::Sessions(keys)
    }
}

/// Returns the sender of the request.
pub(super) async fn caller(
    app: &Arc<App>,
    credential: Credential,
    peer: PeerUser,
) -> Result<Caller, ApiError> {
    match credential {
        Credential::Bearer(token) if app.auth.is_bearer(&token) => Ok(Caller::Bearer),
        Credential::Sessions(keys) => {
            let now = app.clock.now();
            let session = keys.iter().find(|key| app.auth.sessions.touch(**key, now));
            let session = match session {
                Some(key) => Some(*key),
                None => {
                    // Anyone can send cookies, so the store is read on behalf of a sender without any.
                    let share = app.shares.of(share_without_credentials(peer));
                    let read = blocking(app, move |app| stored(app, keys));
                    share.scope(read).await?
                }
            };
            Ok(session.map_or(Caller::Anyone, Caller::Session))
        }
        Credential::Bearer(token) => {
            let grant = app.auth.tokens.grant(&token, app.clock.now());
            Ok(grant.map_or(Caller::Anyone, Caller::Token))
        }
        Credential::Nothing => Ok(Caller::Anyone),
    }
}

/// Returns the first key that the store has as a session that has not ended. The session is kept in memory
/// until it ends, by time or by a user, so that the store is read only once.
fn stored(app: &App, keys: Vec<SessionKey>) -> Result<Option<SessionKey>, ApiError> {
    for key in keys {
        if let Some(info) = app.wiki.sessions().get(key)?
            && app.auth.sessions.keep(key, info, SessionStorage::Store)
        {
            app.auth.sessions.touch(key, app.clock.now());
            return Ok(Some(key));
        }
    }
    Ok(None)
}

fn bearer(request: &Request) -> Option<&str> {
    let value = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookies<'r>(request: &'r Request, name: &'r str) -> impl Iterator<Item = &'r str> {
    let headers = request.headers().get_all(COOKIE).iter();
    headers
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(move |(key, _)| *key == name)
        .map(|(_, secret)| secret)
}
