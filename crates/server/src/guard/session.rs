//! The session cookie, or the Bearer token.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::header::{AUTHORIZATION, COOKIE};
use fumikura_wiki::SessionKey;

use super::Caller;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::ApiError;

/// What a request says of its sender.
pub(super) enum Credential {
    /// A Bearer token, right or wrong.
    Bearer(String),
    /// A session's secret, hashed.
    Session(SessionKey),
    /// Nothing.
    Nothing,
}

/// Reads what the request says of its sender. A wrong token is not made good by a cookie beside it.
pub(super) fn credential(request: &Request, cookie_name: &str) -> Credential {
    match (bearer(request), cookie(request, cookie_name)) {
        (Some(token), _) => Credential::Bearer(token.to_owned()),
        (None, Some(secret)) => Credential::Session(SessionKey::of(secret)),
        (None, None) => Credential::Nothing,
    }
}

/// Who sent the request.
pub(super) async fn caller(app: &Arc<App>, credential: Credential) -> Result<Caller, ApiError> {
    match credential {
        Credential::Bearer(token) if app.entry.is_bearer(&token) => Ok(Caller::Bearer),
        Credential::Session(key) if app.entry.keeps_session(key, app.clock.now()) => {
            Ok(Caller::Session)
        }
        Credential::Session(key) => {
            let ends = blocking(app, move |app| Ok(app.wiki.session_end(key)?)).await?;
            Ok(if ends.is_some() {
                Caller::Session
            } else {
                Caller::Anyone
            })
        }
        Credential::Bearer(_) | Credential::Nothing => Ok(Caller::Anyone),
    }
}

fn bearer(request: &Request) -> Option<&str> {
    let value = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookie<'r>(request: &'r Request, name: &str) -> Option<&'r str> {
    let headers = request.headers().get_all(COOKIE).iter();
    headers
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, secret)| secret)
}
