//! The right to set programs, and addresses that receive keys. A page in a browser with a session does not have it: a
//! script that was injected there, or a leaked cookie, could otherwise run programs and collect keys.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::caller::Caller;
use crate::auth::Auth;
use crate::part::HasPart;

/// The rights of a caller that was let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Authority {
    /// The desktop window, or a program with the Bearer token.
    Owner,
    /// A browser with a session, or a program with an access token, which chooses among the things that the owner has set.
    Browser,
}

impl<A: HasPart<Auth> + Send + Sync> FromRequestParts<Arc<A>> for Authority {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<A>) -> Result<Self, Infallible> {
        Ok(match parts.extensions.get() {
            Some(Caller::Bearer) => Self::Owner,
            Some(Caller::Session(key)) if app.part().sessions.is_window(*key) => Self::Owner,
            Some(Caller::Session(_) | Caller::Token(_) | Caller::Anyone) | None => Self::Browser,
        })
    }
}
