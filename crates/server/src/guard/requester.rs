//! The clients that the rate limiters count.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use fumikura_limits::ClientKey;

use crate::limiters::Limiters;
use crate::part::HasPart;

/// The client of a request, as the limiter of requests counts it.
pub(crate) struct Requester(pub(crate) ClientKey);

impl<A: HasPart<Limiters> + Send + Sync> FromRequestParts<Arc<A>> for Requester {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<A>) -> Result<Self, Infallible> {
        Ok(Self(app.part().client(parts)))
    }
}

/// The client of an attempt to log in, identified by the user at the other end of the connection.
pub(crate) struct LoginRequester(pub(crate) ClientKey);

impl<A: HasPart<Limiters> + Send + Sync> FromRequestParts<Arc<A>> for LoginRequester {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<A>) -> Result<Self, Infallible> {
        Ok(Self(app.part().login_client(parts)))
    }
}
