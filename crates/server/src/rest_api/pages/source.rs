//! `/api/pages/{page_id}/source`: reads and saves a page's Markdown.

use std::sync::Arc;

use axum::Json;
use axum::extract::DefaultBodyLimit;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_MATCH};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_base::clock::Clock;
use fumikura_wiki::{
    LinkWarning, MAX_SOURCE_BYTES, PageId, PageText, Precondition, SaveRequest, VersionTag, Wiki,
    text_digest,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::etag::is_known;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery, Markdown, lock_token};
use crate::rest_api::past::{AT, moment_of};

const PAGE_REVISION: HeaderName = HeaderName::from_static("x-page-revision");
const PAGE_READ: HeaderName = HeaderName::from_static("x-page-read");
const PAGE_DELETED: HeaderName = HeaderName::from_static("x-page-deleted");

/// The result of saving a page.
#[derive(Serialize, ToSchema)]
struct SavedPage {
    /// The number of the newest revision.
    revision: u64,
    /// Links whose meaning changed with this save, or that refer to another page than the one at their path.
    warnings: Vec<LinkWarning>,
    /// True if the page is served exactly as it was sent.
    as_sent: bool,
}

#[derive(Deserialize)]
struct RevQuery {
    rev: Option<u64>,
    #[serde(default)]
    raw: bool,
    at: Option<String>,
}

#[derive(Deserialize)]
struct SaveQuery {
    #[serde(default)]
    amend: bool,
    #[serde(default)]
    keep_lock: bool,
    tab: Option<String>,
}

pub(super) fn routes() -> Routes {
    // One byte more than allowed, so that one place words the error.
    Routes::new()
        .routes(routes!(page_source, page_save))
        .layer(DefaultBodyLimit::max(MAX_SOURCE_BYTES + 1))
}

/// Returns a page's source at a revision, or at the newest one.
///
/// Links to pages are written with the present paths of the pages; links to deleted pages with their last paths, as
/// `/path@trash` if another page is there. Saving the source as it was returned changes nothing.
/// With `at`, it is the text of a moment, with the paths of that moment; its `ETag` can't be used for saving.
#[utoipa::path(get, path = "/api/pages/{page_id}/source", tag = "pages",
    params(("page_id" = String, Path), ("rev" = Option<u64>, Query),
        ("raw" = Option<bool>, Query, description = "The stored text, with the ids of pages; not with `at`"),
        ("at" = Option<String>, Query, description = AT)), responses(
        (status = 200, body = String, content_type = "text/markdown", headers(
            ("ETag" = String, description = "`\"REVISION.AMENDS-DIGEST\"`"),
            ("X-Page-Revision" = u64))),
        (status = 304, description = "The text matches `If-None-Match`"),
        (status = 400, description = "`invalid_time`; `bad_request`: `at` excludes `rev` and `raw`", body = ErrorBody),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
        (status = 410, description = "`gone`: the revision was removed", body = ErrorBody),
    ))]
async fn page_source(
    Part(wiki): Part<Wiki>,
    Part(clock): Part<dyn Clock>,
    ApiPath(id): ApiPath<PageId>,
    ApiQuery(query): ApiQuery<RevQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if let Some(at) = moment_of(query.rev, query.at.as_deref(), &*clock)? {
        if query.raw {
            let message = "raw and at exclude each other: give only one";
            return Err(ApiError::new(ErrorCode::BadRequest, message));
        }
        let read = move |wiki: &Wiki| Ok(wiki.past(at).source(id)?);
        let text = blocking(&wiki, read).await?;
        let digest = text_digest(&text.source);
        // It matches no version in `If-Match`: a text of the past can't be saved over the present one by mistake.
        let tag = HeaderValue::try_from(format!("\"at-{}-{digest}\"", text.version));
        return Ok(answer(
            text,
            tag.expect("BUG: digits are a header"),
            &headers,
        ));
    }
    serve(&wiki, id, query.rev, query.raw, &headers).await
}

/// Saves a page.
///
/// One transaction checks the request, writes the text, releases the lock and deletes this tab's autosave entry. With
/// `keep_lock`, the lock is unchanged: the token is valid until it expires.
#[utoipa::path(put, path = "/api/pages/{page_id}/source", tag = "pages",
    params(
        ("page_id" = String, Path),
        ("amend" = Option<bool>, Query, description = "Overwrite the newest revision, as its author"),
        ("keep_lock" = Option<bool>, Query, description = "Do not release the lock: the editor stays open"),
        ("tab" = Option<String>, Query, description = "The tab whose unsaved text this was"),
        ("X-Lock-Authentication" = Option<String>, Header, description = "`token=…`, if the page is locked"),
        ("X-Page-Read" = Option<String>, Header, description = "The part of the `ETag` after `-` of the text that the \
            author has read: if it is still served, each path means the page that is there now"),
        ("If-Match" = Option<String>, Header, description = "The version that the text is based on: required if the \
            page is not locked, always checked"),
    ),
    request_body(content = String, content_type = "text/markdown"), responses(
        (status = 200, body = SavedPage, headers(("ETag" = String))),
        (status = 403, description = "`lock_invalid` or `not_author`", body = ErrorBody),
        (status = 412, description = "`precondition_failed`", body = ErrorBody),
        (status = 413, description = "`too_large`", body = ErrorBody),
        (status = 415, description = "`unsupported_media_type`", body = ErrorBody),
        (status = 422, description = "`not_utf8`", body = ErrorBody),
        (status = 423, description = "`lock_required`", body = ErrorBody),
        (status = 428, description = "`precondition_required`", body = ErrorBody),
        (status = 507, description = "`disk_full`", body = ErrorBody),
    ))]
async fn page_save(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiQuery(query): ApiQuery<SaveQuery>,
    headers: HeaderMap,
    Markdown(source): Markdown,
) -> Result<Response, ApiError> {
    let token = lock_token(&headers);
    let if_match = headers.get(IF_MATCH).map(precondition);
    let read = headers.get(PAGE_READ).and_then(|read| read.to_str().ok());
    let read = read.map(str::to_owned);
    let (saved, tag, as_sent) = blocking(&wiki, move |wiki| {
        let user = acting.get()?.id;
        let sent = text_digest(&source);
        let SaveQuery {
            amend,
            keep_lock,
            tab,
        } = query;
        let saved = wiki.pages().save(SaveRequest {
            page_id,
            user,
            source,
            token,
            if_match,
            amend,
            keep_lock,
            tab,
            read,
        })?;
        let digest = text_digest(&saved.source);
        let tag = entity_tag(saved.version, &digest);
        Ok((saved, tag, digest == sent))
    })
    .await?;
    let body = Json(SavedPage {
        revision: saved.version.revision,
        warnings: saved.warnings,
        as_sent,
    });
    Ok(([(ETAG, tag)], body).into_response())
}

/// Answers with a page's source.
pub(in crate::rest_api) async fn serve(
    wiki: &Arc<Wiki>,
    id: PageId,
    revision: Option<u64>,
    raw: bool,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let (text, digest) = blocking(wiki, move |wiki| {
        let text = if raw {
            wiki.pages().raw_source(id, revision)?
        } else {
            wiki.pages().source(id, revision)?
        };
        let digest = text_digest(&text.source);
        Ok((text, digest))
    })
    .await?;
    let tag = entity_tag(text.version, &digest);
    Ok(answer(text, tag, headers))
}

fn answer(text: PageText, tag: HeaderValue, headers: &HeaderMap) -> Response {
    let mut response = if is_known(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        text.source.into_response()
    };
    let out = response.headers_mut();
    out.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/markdown; charset=utf-8"),
    );
    out.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    out.insert(ETAG, tag);
    out.insert(PAGE_REVISION, HeaderValue::from(text.version.revision));
    if text.deleted {
        out.insert(PAGE_DELETED, HeaderValue::from_static("true"));
    }
    response
}

fn entity_tag(version: VersionTag, digest: &str) -> HeaderValue {
    HeaderValue::try_from(format!("\"{version}-{digest}\"")).expect("BUG: digits are a header")
}

/// Returns the versions in `If-Match`. Only the part of each tag before `-` is compared. An invalid tag matches no
/// version.
pub(super) fn precondition(tags: &HeaderValue) -> Precondition {
    let tags = tags.to_str().unwrap_or_default();
    if tags.trim() == "*" {
        return Precondition::Any;
    }
    let version = |tag: &str| {
        let tag = tag.trim().trim_start_matches("W/").trim_matches('"');
        tag.split('-')
            .next()
            .and_then(|version| version.parse().ok())
    };
    Precondition::OneOf(tags.split(',').filter_map(version).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn if_match_compares_the_version_alone() {
        let versions = |tags: &'static str| precondition(&HeaderValue::from_static(tags));
        let tag = |revision, amends| VersionTag { revision, amends };
        assert_eq!(versions("*"), Precondition::Any);
        assert_eq!(
            versions("\"3.1-abc\""),
            Precondition::OneOf(vec![tag(3, 1)])
        );
        assert_eq!(
            versions("\"3.0\", W/\"4.2-x\""),
            Precondition::OneOf(vec![tag(3, 0), tag(4, 2)])
        );
        assert_eq!(versions("nonsense"), Precondition::OneOf(vec![]));
    }
}
