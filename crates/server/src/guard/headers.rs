//! The headers of every response.

use axum::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use fumikura_base::entropy::{Entropy, random_bytes};

/// The policy of our own pages, without the sources of its styles (docs/adr/0010-content-security-policy.md).
const PAGE_POLICY: &str = "default-src 'self'; script-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
    connect-src 'self' ipc: http://ipc.localhost; object-src 'none'; frame-src 'none'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
    trusted-types fumikura svelte-trusted-html dompurify default";

/// The policy of a standalone page that contains no content of users.
pub(crate) const NOTICE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The policy of users' content: it may do nothing.
pub(crate) const FOREIGN_POLICY: &str = "sandbox; default-src 'none'";

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");
/// Keeps a page of another origin that opened ours, or that ours opened, from a handle on the window.
///
/// WebKit loads the first page with this header in a second process. The application's own window does without, and
/// appears a fifth of a second earlier: it opens nothing (`navigation` of the shell), and nothing else opens it.
const CROSS_ORIGIN_OPENER_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-opener-policy");

/// Allows the style sheets with this nonce in one response. It cannot be predicted.
pub(crate) struct StyleNonce(String);

impl StyleNonce {
    pub(crate) fn new(entropy: &dyn Entropy) -> Self {
        Self(hex::encode(random_bytes::<16>(entropy)))
    }

    /// Returns the attribute's value, which needs no escaping.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the policy of the response.
    pub(crate) fn policy(&self) -> HeaderValue {
        policy(&format!("'self' 'nonce-{}'", self.0))
    }
}

fn policy(styles: &str) -> HeaderValue {
    HeaderValue::try_from(format!("{PAGE_POLICY}; style-src {styles}"))
        .expect("BUG: a policy is a header")
}

/// Adds the missing security headers.
pub(crate) fn secure(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(
        CROSS_ORIGIN_RESOURCE_POLICY,
        HeaderValue::from_static("same-origin"),
    );
    for name in [CROSS_ORIGIN_OPENER_POLICY, REFERRER_POLICY] {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static("same-origin"));
    }
    if is_html(headers) {
        headers
            .entry(CONTENT_SECURITY_POLICY)
            .or_insert_with(|| policy("'self'"));
    }
}

/// Marks a response for the application's own window, which no other page opens.
pub(crate) fn answer_window(response: &mut Response) {
    response.headers_mut().insert(
        CROSS_ORIGIN_OPENER_POLICY,
        HeaderValue::from_static("unsafe-none"),
    );
}

fn is_html(headers: &HeaderMap) -> bool {
    headers
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}
