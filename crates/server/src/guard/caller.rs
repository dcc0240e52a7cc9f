//! The sender of a request.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use fumikura_wiki::SessionKey;

use crate::auth::TokenGrant;
use crate::error::{ApiError, ErrorCode};

/// The sender of a request, as far as the checks identified it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// A holder of the launch's Bearer token, or a program of the server's user at the local socket.
    Bearer,
    /// A browser with a session.
    Session(SessionKey),
    /// A program with an access token, which is let in only where its scopes suffice.
    Token(TokenGrant),
    /// A sender without valid credentials, which only a few addresses answer.
    Anyone,
}

/// The session of the window that runs a command. A command is a request in process, without a cookie.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WindowSession(pub(crate) SessionKey);

/// Proof that the caller has the launch's Bearer token. A session is not sufficient.
pub(crate) struct WithBearer;

impl<S: Send + Sync> FromRequestParts<S> for WithBearer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        match parts.extensions.get::<Caller>() {
            Some(Caller::Bearer) => Ok(Self),
            Some(Caller::Session(_) | Caller::Token(_) | Caller::Anyone) | None => {
                Err(ApiError::new(
                    ErrorCode::BearerRequired,
                    "this requires the Bearer token of the program that started the server",
                ))
            }
        }
    }
}
