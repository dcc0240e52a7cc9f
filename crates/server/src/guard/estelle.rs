//! Access to `/get` and `/queue`, the two endpoints of Estelle (docs/API.md, "Access control").

use axum::http::Uri;
use subtle::ConstantTimeEq;

use super::Caller;
use crate::app::App;
use crate::config::Secret;
use crate::connections::PeerUser;
use crate::error::{ApiError, ErrorCode};
use crate::rest_api::ByteQuery;

/// The folders that a client of the two endpoints may access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EstelleAccess {
    /// All open folders, because the client has the key.
    Keyed,
    /// All open folders, because the client acts for the user who opened them.
    Open,
    /// The folders that this launch allows by option. The client learns nothing about other folders.
    Allowed,
}

impl EstelleAccess {
    pub(super) fn has_key(self) -> bool {
        self == Self::Keyed
    }
}

/// Decides by the shared key if there is one. Otherwise a session or the Bearer token gives access, and without either
/// the user at the other end: files of this user can be private to other users.
pub(super) fn access(
    app: &App,
    caller: Caller,
    peer: PeerUser,
    uri: &Uri,
) -> Result<EstelleAccess, ApiError> {
    if let Some(secret) = app.config.secret.as_ref() {
        check_key(secret, &ByteQuery::parse(uri.query().unwrap_or_default()))?;
        return Ok(EstelleAccess::Keyed);
    }
    match caller {
        Caller::Bearer | Caller::Session(_) | Caller::Token(_) => Ok(EstelleAccess::Open),
        Caller::Anyone if peer.is_own() || app.config.other_users => Ok(EstelleAccess::Allowed),
        Caller::Anyone => Err(ApiError::new(
            ErrorCode::OtherUser,
            "this address answers only programs of the user who runs the server",
        )),
    }
}

/// Refuses a client without the key, before any other check and in constant time.
fn check_key(secret: &Secret, query: &ByteQuery) -> Result<(), ApiError> {
    let given_key = query.bytes("key").unwrap_or_default();
    if bool::from(secret.expose().as_bytes().ct_eq(&given_key)) {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::KeyInvalid,
        "the key is missing or wrong",
    ))
}
