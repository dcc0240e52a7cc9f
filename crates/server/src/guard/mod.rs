//! Access control: the checks that every request passes, in this order.

mod authority;
mod caller;
mod destination;
mod estelle;
pub(crate) mod headers;
mod host;
mod origin;
mod requester;
mod scopes;
mod session;

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, ACCEPT_LANGUAGE};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use fumikura_wiki::UserName;
use percent_encoding::percent_decode;

use crate::acting_user::RequestedUser;
use crate::address::Address;
use crate::app::App;
use crate::auth::unauthenticated_page;
use crate::blocking::blocking;
use crate::connections::{ConnectionSlot, PeerUser};
use crate::error::{ApiError, ErrorCode};
use crate::held_body::HeldBody;
use crate::shares::{InFlightPermit, Share, ShareKey};

pub(crate) use authority::Authority;
pub(crate) use caller::{Caller, WindowSession, WithBearer};
pub(crate) use estelle::EstelleAccess;
pub(crate) use requester::{LoginRequester, Requester};

/// The state of the checks.
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) app: Arc<App>,
    pub(crate) address: Arc<Address>,
}

/// Passes a request on, or answers it.
pub(crate) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let logged = tracing::enabled!(target: ACCESS, tracing::Level::INFO)
        .then(|| LoggedRequest::of(&request));
    let mut response = answer(guard, request, next).await;
    headers::secure(&mut response);
    if let Some(logged) = logged {
        logged.log(&response);
    }
    response
}

/// Passes on the request of a sender who may make it, as long as the sender's share has room for it.
async fn answer(guard: Guard, mut request: Request, next: Next) -> Response {
    let entered = match enter(&guard, &mut request).await {
        Ok(Some(entered)) => entered,
        Ok(None) => return unauthenticated(&request),
        Err(refusal) => return refusal.into_response(),
    };
    let (app, path) = (&guard.app, request.uri().path());
    app.activity
        .note(request.method(), path, app.clock.monotonic());
    request.extensions_mut().insert(guard.address);
    let answered = entered.user.scope(next.run(request));
    let mut response = entered.share.scope(answered).await;
    if entered.is_window {
        headers::answer_window(&mut response);
    }
    // The request is in flight until its answer has been sent.
    response.map(|body| {
        Body::new(HeldBody {
            body,
            _held: entered.permit,
        })
    })
}

/// A request that may be answered.
struct EnteredRequest {
    user: RequestedUser,
    share: Arc<Share>,
    permit: InFlightPermit,
    /// True if it comes from a window of this program.
    is_window: bool,
}

/// Identifies the sender, and admits the request to the sender's share. `None` if it needs credentials.
async fn enter(guard: &Guard, request: &mut Request) -> Result<Option<EnteredRequest>, ApiError> {
    let (credential, is_open) = check_sender(guard, request)?;
    let app = &guard.app;
    let peer: PeerUser = request.extensions().get().copied().unwrap_or_default();
    let is_trusted = guard.address.trusts_own_user() && peer.is_own();
    let caller = if is_trusted && matches!(credential, session::Credential::Nothing) {
        Caller::Bearer
    } else {
        session::caller(app, credential, peer).await?
    };
    if caller == Caller::Anyone && !is_open {
        return Ok(None);
    }
    if let Caller::Token(grant) = caller {
        let uri = request.uri();
        scopes::check(grant, request.method(), uri.path(), uri.query())?;
    }
    let access = match request.uri().path() {
        "/get" | "/queue" => Some(estelle::access(app, caller, peer, request.uri())?),
        _ => None,
    };
    let key = match caller {
        Caller::Bearer => ShareKey::Own,
        Caller::Session(key) => ShareKey::Session(key),
        Caller::Token(grant) => ShareKey::Token(grant.id),
        Caller::Anyone if access.is_some_and(EstelleAccess::has_key) => ShareKey::Keyed,
        Caller::Anyone => share_without_credentials(peer),
    };
    if key.is_let_in()
        && let Some(slot) = request.extensions().get::<Arc<ConnectionSlot>>()
    {
        slot.let_in();
    }
    let share = app.shares.of(key);
    let permit = app.shares.enter(&share)?;
    let named = request.headers().get(ACTING_USER).cloned();
    let user = requested_user(app, caller, named);
    let user = Arc::clone(&share).scope(user).await?;
    let extensions = request.extensions_mut();
    extensions.insert(caller);
    extensions.insert(Arc::clone(&share));
    if let Some(access) = access {
        extensions.insert(access);
    }
    Ok(Some(EnteredRequest {
        user,
        share,
        permit,
        is_window: matches!(caller, Caller::Session(key) if app.auth.sessions.is_window(key)),
    }))
}

/// The user on whose behalf a program with the Bearer token acts, percent-encoded.
const ACTING_USER: &str = "x-acting-user";

/// Returns the user whose name the request has, or that of its access token. A session always acts as the acting user.
async fn requested_user(
    app: &Arc<App>,
    caller: Caller,
    named: Option<HeaderValue>,
) -> Result<RequestedUser, ApiError> {
    let Some(name) = named else {
        return Ok(RequestedUser::new(match caller {
            Caller::Token(grant) => Some(grant.user),
            Caller::Bearer | Caller::Session(_) | Caller::Anyone => None,
        }));
    };
    if caller != Caller::Bearer {
        let message = "only a program with the Bearer token may name the acting user";
        return Err(ApiError::new(ErrorCode::BearerRequired, message));
    }
    let name = percent_decode(name.as_bytes()).decode_utf8_lossy();
    let name = UserName::new(&name)?;
    let user = blocking(app, move |app| {
        let user = app.wiki.users().named(&name)?;
        user.ok_or_else(|| ApiError::new(ErrorCode::NoUser, format!("there is no user {name}")))
    });
    Ok(RequestedUser::new(Some(user.await?.id)))
}

/// Returns the share of a sender without valid credentials.
fn share_without_credentials(peer: PeerUser) -> ShareKey {
    match peer.is_own() {
        true => ShareKey::Own,
        false => ShareKey::Strangers,
    }
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
        "/get" | "/queue" => {
            guard.app.config.secret.as_ref().is_some() || guard.address.is_own(host)
        }
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
