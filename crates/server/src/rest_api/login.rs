//! Logins: `GET /login` consumes a one-time address; `POST /api/login-links` makes a new one.

use std::sync::Arc;

use axum::extract::Extension;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::{Json, Router};
use fumikura_base::error_chain::error_chain;
use fumikura_wiki::{SessionInfo, SessionKey};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::address::Address;
use crate::app::App;
use crate::auth::{LoginClient, SessionStorage, new_secret, refused_page, unauthenticated_page};
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorCode};
use crate::frame::ViewList;
use crate::guard::headers::answer_window;
use crate::guard::{Caller, LoginRequester, prefers_japanese};
use crate::limiters::Limiters;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;
use crate::services::SignIn;

/// The lifetime of the cookie in seconds: that of its session.
const COOKIE_SECONDS: u32 = 30 * 24 * 60 * 60;

/// The query of `/login`.
#[derive(Deserialize)]
struct LoginQuery {
    token: String,
    /// The address to continue at, within the application; the wiki's root page by default.
    next: Option<String>,
}

impl SignIn {
    /// Returns a new address that admits a client once. `base` is the server's own address with a trailing slash.
    pub(crate) fn login_url(&self, client: LoginClient, base: &str) -> String {
        let token = self
            .auth
            .new_login(client, self.clock.now(), &*self.entropy);
        format!("{base}login?token={token}")
    }

    /// Begins a session. If it can't be stored, for example on a full disk, it is kept in memory, so that the
    /// data stays readable.
    fn begin_session(&self, key: SessionKey, info: SessionInfo) {
        let mut storage = SessionStorage::Store;
        if let Err(error) = self.wiki.sessions().begin(key, &info) {
            storage = SessionStorage::Memory;
            let reason = error_chain(&error);
            tracing::error!(
                "a session could not be stored and lasts no longer than this launch: {reason}"
            );
        }
        self.auth.sessions.keep(key, info, storage);
    }
}

pub(crate) fn page_route() -> Router<Arc<App>> {
    let methods = axum::routing::get(enter).head(respond_to_head);
    Router::new().route("/login", methods)
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(login_link_create))
}

/// Answers a program that requests headers only, such as a link preview. The token stays valid, and the
/// response reveals nothing about it.
async fn respond_to_head() -> impl IntoResponse {
    let no_store = HeaderValue::from_static("no-store");
    let no_referrer = HeaderValue::from_static("no-referrer");
    [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (header::CACHE_CONTROL, no_store),
        (header::REFERRER_POLICY, no_referrer),
    ]
}

/// Signs a browser in: sets the cookie, and redirects.
async fn enter(
    Part(sign_in): Part<SignIn>,
    Extension(address): Extension<Arc<Address>>,
    LoginRequester(requester): LoginRequester,
    headers: HeaderMap,
    ApiQuery(query): ApiQuery<LoginQuery>,
) -> Result<Response, ApiError> {
    // A valid token is never delayed, whatever others guess: with its 256 bits it can't be guessed.
    let Some(client) = sign_in.auth.use_login(&query.token, sign_in.clock.now()) else {
        let count = move |limiters: &Limiters| limiters.count_failed_login(&requester);
        let counted = blocking(&sign_in.limiters, count).await;
        let is_japanese = prefers_japanese(&headers);
        return Ok(match counted {
            Ok(()) => unauthenticated_page(is_japanese),
            Err(refusal) => refused_page(refusal, is_japanese),
        });
    };
    let secret = new_secret(&*sign_in.entropy);
    let key = SessionKey::of(&secret);
    let user_agent = headers.get(header::USER_AGENT);
    let user_agent = user_agent.map(|name| String::from_utf8_lossy(name.as_bytes()));
    let info = SessionInfo::begin(user_agent.as_deref(), &*sign_in.clock, &*sign_in.entropy);
    let is_window = matches!(client, LoginClient::Client(_));
    let lifetime = match client {
        LoginClient::Browser => {
            blocking(&sign_in, move |sign_in| {
                sign_in.begin_session(key, info);
                Ok(())
            })
            .await?;
            format!(" Max-Age={COOKIE_SECONDS};")
        }
        LoginClient::Client(client) => {
            sign_in
                .auth
                .sessions
                .keep(key, info, SessionStorage::Window);
            client.has_entered(key);
            String::new()
        }
    };
    let cookie = format!(
        "{}={secret};{lifetime} HttpOnly; SameSite=Strict; Path=/",
        address.cookie_name()
    );
    let next = query
        .next
        .filter(|next| is_own_page(next))
        .unwrap_or_else(|| "/wiki/".to_owned());
    let mut response = redirect_to(&next, &headers);
    if is_window {
        answer_window(&mut response);
    }
    let headers = response.headers_mut();
    let cookie = HeaderValue::try_from(cookie).expect("BUG: a cookie of base64url is a header");
    headers.insert(header::SET_COOKIE, cookie);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    Ok(response)
}

/// Returns true if the text is the address of one of the application's pages, without anything of another
/// site or of HTML.
fn is_own_page(next: &str) -> bool {
    let path = next.split('?').next().unwrap_or(next);
    ViewList::read().contains(path)
        && next
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"/-._~%?=&".contains(&byte))
}

/// Redirects to a page. If the browser came from another site's page, or does not say so, it might not send
/// the new cookie with a redirect; then a page leads on.
fn redirect_to(next: &str, headers: &HeaderMap) -> Response {
    let has_no_referring_page = headers
        .get("sec-fetch-site")
        .is_some_and(|site| site == "none");
    if has_no_referring_page {
        let location = HeaderValue::try_from(next).expect("BUG: the address of a page is a header");
        return (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response();
    }
    Html(redirect_page(next)).into_response()
}

/// Returns a page that leads on to another.
fn redirect_page(next: &str) -> String {
    let next = next.replace('&', "&amp;");
    format!(
        r#"<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Fumikura</title><meta http-equiv="refresh" content="0;url={next}"><a href="{next}">Fumikura</a>"#
    )
}

/// A new one-time login address.
#[derive(Serialize, ToSchema)]
struct LoginLink {
    /// The address for programs.
    login: String,
    /// The same login at the server's own host, to open in a browser; the address for programs if there is no
    /// own host. Only one of the two can be used.
    browser_login: String,
}

/// Makes a new login address. Requires the Bearer token.
#[utoipa::path(post, path = "/api/login-links", tag = "entry", responses(
    (status = 201, body = LoginLink),
    (status = 401, description = "`unauthenticated`: a session is not enough", body = crate::error::ErrorBody),
))]
async fn login_link_create(
    Part(sign_in): Part<SignIn>,
    Extension(address): Extension<Arc<Address>>,
    Extension(caller): Extension<Caller>,
) -> Result<(StatusCode, Json<LoginLink>), ApiError> {
    match caller {
        Caller::Bearer => {
            let path = sign_in.login_url(LoginClient::Browser, "");
            let link = LoginLink {
                login: format!("{}{path}", address.entrance()),
                browser_login: format!("{}{path}", address.browser_entrance()),
            };
            Ok((StatusCode::CREATED, Json(link)))
        }
        Caller::Session(_) | Caller::Token(_) | Caller::Anyone => Err(ApiError::new(
            ErrorCode::Unauthenticated,
            "only the Bearer token can request a login address",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_pages_are_redirect_targets() {
        assert!(is_own_page("/wiki/%E6%97%85?rev=2"));
        assert!(is_own_page("/pictures/01ABC/"));
        assert!(is_own_page("/search?q=%E5%BA%AD"));
        for foreign in [
            "//evil.example/wiki/",
            "https://evil.example",
            "/wiki/\"><script>",
            "/api/users",
            "/wikis",
            "/wiki",
            "/settingsfiles",
        ] {
            assert!(!is_own_page(foreign), "{foreign}");
        }
    }
}
