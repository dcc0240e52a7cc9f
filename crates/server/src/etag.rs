//! Entity tags: detects a caller that already has the current version.

use axum::http::header::IF_NONE_MATCH;
use axum::http::{HeaderMap, HeaderValue};

/// Returns true if the request's `If-None-Match` contains the tag, weak or strong, or `*`.
pub(crate) fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|tags| tags.to_str().ok())
        .flat_map(|tags| tags.split(','))
        .map(|one| one.trim().trim_start_matches("W/"))
        .any(|one| one == "*" || one.as_bytes() == tag.as_bytes())
}
