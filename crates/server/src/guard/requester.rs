//! The clients that the rate limiters count.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use fumikura_limits::ClientKey;

use crate::app::App;

/// The client of a request, as the limiter of requests counts it.
pub(crate) struct Requester(pub(crate) ClientKey);

impl FromRequestParts<Arc<App>> for Requester {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        Ok(Self(app.limiters.client(parts)))
    }
}

/// The client of an attempt to log in, identified by the user at the other end of the connection.
pub(crate) struct LoginRequester(pub(crate) ClientKey);

impl FromRequestParts<Arc<App>> for LoginRequester {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        Ok(Self(app.limiters.login_client(parts)))
    }
}
