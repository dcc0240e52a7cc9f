//! The check of a request's origin. Requests from other sites' pages are refused, except links that a user
//! follows.

use axum::extract::Request;
use axum::http::Method;
use axum::http::header::ORIGIN;

use crate::error::{ApiError, ErrorCode};

/// The pages that a link of another site may lead to.
const ENTRY_PATHS: [&str; 3] = ["/wiki/", "/edit/", "/login"];

/// Checks the origin of a request. `host` is the host that the request names, which is this server's.
pub(super) fn check(request: &Request, host: &str) -> Result<(), ApiError> {
    let refused = || {
        Err(ApiError::new(
            ErrorCode::CrossOrigin,
            "requests of other sites' pages are refused",
        ))
    };
    if !request.method().is_safe()
        && request
            .headers()
            .get_all(ORIGIN)
            .iter()
            .any(|origin| !is_own(origin.as_bytes(), host))
    {
        return refused();
    }
    match text(request, "sec-fetch-site") {
        Some("cross-site" | "same-site") if !is_followed_link(request) => refused(),
        Some(_) | None => Ok(()),
    }
}

/// Returns true if the origin is a page of the host that the request names.
fn is_own(origin: &[u8], host: &str) -> bool {
    let Ok(origin) = std::str::from_utf8(origin) else {
        return false;
    };
    let authority = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

/// Returns true if a user follows a link in a top-level window to one of the entrances.
fn is_followed_link(request: &Request) -> bool {
    let path = request.uri().path();
    request.method() == Method::GET
        && text(request, "sec-fetch-mode") == Some("navigate")
        && text(request, "sec-fetch-dest") == Some("document")
        && ENTRY_PATHS
            .iter()
            .any(|entrance| match entrance.strip_suffix('/') {
                Some(_) => path.starts_with(entrance),
                None => path == *entrance,
            })
}

fn text<'r>(request: &'r Request, name: &str) -> Option<&'r str> {
    request
        .headers()
        .get(name)
        .and_then(|value| value.to_str().ok())
}
