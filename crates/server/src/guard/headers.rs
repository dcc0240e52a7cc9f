//! The headers that every answer carries.

use axum::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

/// What a page of ours may do. Styles may be inline, as the editor makes them so, and Mermaid writes
/// a `<style>` while it draws; scripts never.
const PAGE_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self' ipc: http://ipc.localhost; object-src 'none'; \
    frame-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// What people bring may do nothing at all.
pub(crate) const FOREIGN_POLICY: &str = "sandbox; default-src 'none'";

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// Adds what is missing of the headers that keep an answer from being misused.
pub(super) fn secure(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(
        CROSS_ORIGIN_RESOURCE_POLICY,
        HeaderValue::from_static("same-origin"),
    );
    headers
        .entry(REFERRER_POLICY)
        .or_insert(HeaderValue::from_static("same-origin"));
    if is_html(headers) {
        headers
            .entry(CONTENT_SECURITY_POLICY)
            .or_insert(HeaderValue::from_static(PAGE_POLICY));
    }
}

fn is_html(headers: &HeaderMap) -> bool {
    headers
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}
