//! Access control: the checks that every request passes, in this order.

mod authority;
mod destination;
pub(crate) mod headers;
mod host;
mod origin;
mod requester;
mod session;

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{ACCEPT, ACCEPT_LANGUAGE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use fumikura_wiki::SessionKey;

use crate::address::Address;
use crate::app::App;
use crate::auth::unauthenticated_page;
use crate::error::{ApiError, ErrorCode};

pub(crate) use authority::Authority;
pub(crate) use requester::{LoginRequester, Requester};

/// The sender of a request, as far as the checks identified it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// A holder of the launch's Bearer token.
    Bearer,
    /// A browser with a session.
    Session(SessionKey),
    /// A sender without valid credentials, which only a few addresses answer.
    Anyone,
}

/// Proof that the caller has the launch's Bearer token. A session is not sufficient.
pub(crate) struct WithBearer;

impl<S: Send + Sync> FromRequestParts<S> for WithBearer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        match parts.extensions.get::<Caller>() {
            Some(Caller::Bearer) => Ok(Self),
            Some(Caller::Session(_) | Caller::Anyone) | None => Err(ApiError::new(
                ErrorCode::BearerRequired,
                "this requires the Bearer token of the program that started the server",
            )),
        }
    }
}

/// The state of the checks.
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) app: Arc<App>,
    pub(crate) address: Arc<Address>,
}

/// Passes a request on, or answers it.
pub(crate) async fn check(
    State(guard): State<Guard>,
    mut request: Request,
    next: Next,
) -> Response {
    let logged = tracing::enabled!(target: ACCESS, tracing::Level::INFO)
        .then(|| LoggedRequest::of(&request));
    let mut response = match check_sender(&guard, &request) {
        Err(refusal) => refusal.into_response(),
        Ok((credential, is_open)) => match session::caller(&guard.app, credential).await {
            Err(failure) => failure.into_response(),
            Ok(Caller::Anyone) if !is_open => unauthenticated(&request),
            Ok(caller) => {
                let (app, path) = (&guard.app, request.uri().path());
                let now = app.clock.monotonic();
                app.activity.note(request.method(), path, now);
                let extensions = request.extensions_mut();
                extensions.insert(caller);
                extensions.insert(guard.address);
                next.run(request).await
            }
        },
    };
    headers::secure(&mut response);
    if let Some(logged) = logged {
        logged.log(&response);
    }
    response
}

/// The log target of requests, one line each.
const ACCESS: &str = "access";

/// The logged parts of a request: never its query or headers, which contain keys, tokens and names.
struct LoggedRequest {
    method: Method,
    path: String,
    at: Instant,
}

impl LoggedRequest {
    fn of(request: &Request) -> Self {
        Self {
            method: request.method().clone(),
            path: request.uri().path().to_owned(),
            at: Instant::now(),
        }
    }

    fn log(self, response: &Response) {
        let Self { method, path, at } = self;
        let (status, took) = (response.status().as_u16(), at.elapsed());
        tracing::info!(target: ACCESS, %method, path, status, ?took);
    }
}

/// Runs the checks that need no lookup. Returns the sender's credential, and true if the address needs none.
fn check_sender(guard: &Guard, request: &Request) -> Result<(session::Credential, bool), ApiError> {
    let host = host::check(request, &guard.address)?;
    origin::check(request, host)?;
    destination::check(request)?;
    let credential = session::credential(request, guard.address.cookie_name());
    Ok((credential, is_open(guard, request.uri().path(), host)))
}

/// Returns the response to a sender without a session.
fn unauthenticated(request: &Request) -> Response {
    if is_navigation(request) {
        return unauthenticated_page(prefers_japanese(request.headers()));
    }
    ApiError::new(ErrorCode::Unauthenticated, "log in first: run “fumi login”").into_response()
}

/// Returns true if the address needs no session. The thumbnail server's two endpoints have a key of their
/// own. Without a key they are open to this machine, but not to clients of a proxy.
fn is_open(guard: &Guard, path: &str, host: &str) -> bool {
    match path {
        "/healthz" | "/readyz" | "/login" | "/metrics" => true,
        "/get" | "/queue" => guard.app.secret().is_some() || guard.address.is_own(host),
        _ => false,
    }
}

/// Returns true if the response is shown to a user as a page.
fn is_navigation(request: &Request) -> bool {
    let header = |name: &str| {
        request
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    match header("sec-fetch-mode") {
        Some(mode) => mode == "navigate",
        None => {
            request.method().is_safe()
                && request
                    .headers()
                    .get(ACCEPT)
                    .and_then(|accept| accept.to_str().ok())
                    .is_some_and(|accept| accept.contains("text/html"))
        }
    }
}

/// Returns true if the browser's first language is Japanese.
pub(crate) fn prefers_japanese(headers: &HeaderMap) -> bool {
    headers
        .get(ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|languages| {
            languages
                .trim_start()
                .to_ascii_lowercase()
                .starts_with("ja")
        })
}
