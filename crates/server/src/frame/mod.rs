//! The addresses of pages. Each answers with a frame that names its page; the script does the rest
//! (docs/spec/wiki.md, Reading).

mod answers;
mod html;
mod system_font;
mod views;

use std::fmt::Write;
use std::sync::Arc;

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use fumikura_wiki::{PageError, PageId, PagePath, ResolveError};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use self::answers::Answers;
use self::html::PageIdentity;
use self::views::View;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorCode};
use crate::guard::headers::StyleNonce;
use crate::guard::prefers_japanese;
use crate::part::Part;
use crate::rest_api::PageMetaDto;
use crate::rest_api::extract::{ApiPath, ApiQuery};
use crate::services::FrameParts;

pub use system_font::SystemFont;
pub(crate) use views::ViewList;

/// The characters of a path that are escaped in an address.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The addresses of the reading view and of the editor, whose frames name a page.
const WIKI: &str = "/wiki/*";
const EDIT: &str = "/edit/*";

/// The response for an address.
enum FrameAnswer {
    /// A frame, with the status of the page.
    Frame(StatusCode, Option<PageIdentity>, Box<Answers>),
    /// A redirect to another address.
    Redirect(String),
}

/// The query of a page's address.
#[derive(Deserialize)]
struct WikiQuery {
    rev: Option<u64>,
    /// The moment of which the page is shown.
    at: Option<String>,
}

pub(crate) fn routes() -> Router<Arc<App>> {
    let root = Router::new().route("/", get(|| async { redirect("/wiki/") }));
    let views = ViewList::read().into_views();
    views.into_iter().fold(root, add_view)
}

/// Adds the addresses of a view.
fn add_view(router: Router<Arc<App>>, view: View) -> Router<Arc<App>> {
    let Some(base) = view.base() else {
        let address = view.address().to_owned();
        return router.route(view.address(), plain(address));
    };
    let top = format!("{base}/");
    let below = format!("{base}/{{*path}}");
    let to = top.clone();
    let router = router.route(base, get(|| async move { redirect(&to) }));
    let (at_top, at_path) = match view.address() {
        WIKI => (get(root_page), get(wiki_page)),
        EDIT => (get(root_editor), get(editor)),
        address => (plain(address.to_owned()), plain(address.to_owned())),
    };
    router.route(&top, at_top).route(&below, at_path)
}

/// Answers with a frame that names no page.
fn plain(address: String) -> MethodRouter<Arc<App>> {
    get(
        |Part(parts): Part<FrameParts>, headers: HeaderMap| async move {
            let answers = blocking(&parts, Answers::find).await?;
            let answer = FrameAnswer::Frame(StatusCode::OK, None, answers);
            Ok::<_, ApiError>(respond(&parts, answer, &address, &headers))
        },
    )
}

async fn root_page(
    parts: Part<FrameParts>,
    query: ApiQuery<WikiQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    wiki_page(parts, ApiPath(String::new()), query, headers).await
}

async fn wiki_page(
    Part(parts): Part<FrameParts>,
    ApiPath(path): ApiPath<String>,
    ApiQuery(query): ApiQuery<WikiQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let answer = blocking(&parts, move |parts| match query.at {
        // The client reads the page of that moment, which may be another one, or none now.
        Some(_) => Ok(FrameAnswer::Frame(
            StatusCode::OK,
            None,
            Answers::find(parts)?,
        )),
        None => find(parts, &format!("/{path}"), WIKI, query.rev),
    })
    .await?;
    Ok(respond(&parts, answer, WIKI, &headers))
}

async fn root_editor(parts: Part<FrameParts>, headers: HeaderMap) -> Result<Response, ApiError> {
    editor(parts, ApiPath(String::new()), headers).await
}

async fn editor(
    Part(parts): Part<FrameParts>,
    ApiPath(path): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let answer = blocking(&parts, move |parts| {
        find(parts, &format!("/{path}"), EDIT, None)
    })
    .await?;
    Ok(respond(&parts, answer, EDIT, &headers))
}

/// Finds the page for an address of the view at `view`. An invalid path gets the frame with the status of the
/// error; the client shows the message.
fn find(
    parts: &FrameParts,
    text: &str,
    view: &str,
    revision: Option<u64>,
) -> Result<FrameAnswer, ApiError> {
    let answers = Answers::find(parts)?;
    let path = match PagePath::new(text) {
        Ok(path) => path,
        Err(error) => {
            return Ok(FrameAnswer::Frame(
                ApiError::from(error).code().status(),
                None,
                answers,
            ));
        }
    };
    // Each page has one address, so that relative links mean the same on it.
    if path.as_str() != text {
        let mut to = address(view, &path);
        if let Some(revision) = revision {
            write!(to, "?rev={revision}").expect("BUG: writing to a String can't fail");
        }
        return Ok(FrameAnswer::Redirect(to));
    }
    match parts.wiki.pages().resolve(&path) {
        Ok(found) => {
            let revision = revision.unwrap_or(found.revision);
            let page = Some(PageIdentity {
                id: found.id.to_string(),
                revision,
            });
            Ok(match meta(parts, found.id, revision)? {
                Ok(meta) => {
                    FrameAnswer::Frame(StatusCode::OK, page, answers.with_page(parts, &path, meta))
                }
                Err(status) => FrameAnswer::Frame(status, page, answers),
            })
        }
        Err(
            ResolveError::NotFound(_)
            | ResolveError::Moved { .. }
            | ResolveError::Deleted { .. }
            | ResolveError::Draft { .. },
        ) => {
            // Before a user is registered there are no pages: the frame shows the welcome.
            // A path without a page lists the pages below it, if there are any.
            let has_children = || -> Result<bool, ApiError> {
                let below = parts.wiki.tree().children(&path, None, 1)?;
                Ok(!below.items.is_empty())
            };
            if view == EDIT || answers.is_greeting() || has_children()? {
                Ok(FrameAnswer::Frame(StatusCode::OK, None, answers))
            } else {
                Ok(FrameAnswer::Redirect(address(EDIT, &path)))
            }
        }
        Err(ResolveError::Storage(error)) => Err(error.into()),
    }
}

/// Returns the metadata of the page at the revision, or the status of a frame that shows why it is
/// unavailable.
fn meta(
    parts: &FrameParts,
    id: PageId,
    revision: u64,
) -> Result<Result<PageMetaDto, StatusCode>, ApiError> {
    match parts.wiki.pages().meta(id, Some(revision)) {
        Ok(meta) => Ok(Ok(PageMetaDto::new(
            meta,
            parts.picture_sizes.of_page(&parts.wiki, id),
        ))),
        Err(PageError::Storage(error)) => Err(error.into()),
        Err(
            error @ (PageError::NotFound
            | PageError::Draft
            | PageError::NoSuchRevision(_)
            | PageError::Collected(_)
            | PageError::Deleted(_)),
        ) => Ok(Err(ApiError::from(error).code().status())),
    }
}

/// Returns the address of a page in the view at `view`.
fn address(view: &str, path: &PagePath) -> String {
    format!(
        "{}{}",
        view.trim_end_matches("/*"),
        utf8_percent_encode(path.as_str(), PATH)
    )
}

fn redirect(to: &str) -> Response {
    let Ok(location) = HeaderValue::try_from(to) else {
        return ApiError::new(
            ErrorCode::BadRequest,
            "the address of the redirect is invalid",
        )
        .into_response();
    };
    (
        StatusCode::FOUND,
        [
            (LOCATION, location),
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ],
    )
        .into_response()
}

fn respond(parts: &FrameParts, answer: FrameAnswer, view: &str, headers: &HeaderMap) -> Response {
    match answer {
        FrameAnswer::Redirect(to) => redirect(&to),
        FrameAnswer::Frame(status, page, answers) => {
            let nonce = StyleNonce::new(&*parts.entropy);
            let japanese = prefers_japanese(headers);
            let html = html::frame(page.as_ref(), view, &answers, japanese, &nonce);
            let policy = (CONTENT_SECURITY_POLICY, nonce.policy());
            let uncached = (CACHE_CONTROL, HeaderValue::from_static("no-store"));
            (status, [policy, uncached], Html(html)).into_response()
        }
    }
}
