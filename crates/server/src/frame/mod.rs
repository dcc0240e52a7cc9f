//! The addresses of pages. Each answers with a frame that names its page; the script does the rest
//! (docs/spec/wiki.md, Reading).

mod answers;
mod html;
mod system_font;
mod views;

use std::fmt::Write;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
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
use crate::rest_api::PageMetaDto;
use crate::rest_api::extract::{ApiPath, ApiQuery};

pub use system_font::SystemFont;

/// The characters of a path that are escaped in an address.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The response for an address.
enum Answer {
    /// A frame, with the status of the page.
    Frame(StatusCode, Option<PageIdentity>, Box<Answers>),
    /// A redirect to another address.
    Redirect(String),
}

/// The query of a page's address.
#[derive(Deserialize)]
struct WikiQuery {
    rev: Option<u64>,
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(|| async { redirect("/wiki/") }))
        .route("/wiki", get(|| async { redirect("/wiki/") }))
        .route("/wiki/", get(root_page))
        .route("/wiki/{*path}", get(wiki_page))
        .route("/edit", get(|| async { redirect("/edit/") }))
        .route("/edit/", get(root_editor))
        .route("/edit/{*path}", get(editor))
        .route("/pictures", get(|| async { redirect("/pictures/") }))
        .route("/pictures/", get(pictures))
        .route("/pictures/{*path}", get(pictures))
        .route("/bin", get(without_view_files))
        .route("/cache", get(without_view_files))
        .route("/hashes", get(without_view_files))
        .route("/pages", get(without_view_files))
        .route("/search", get(without_view_files))
        .route("/settings", get(without_view_files))
        .route("/settings/files", get(without_view_files))
}

async fn root_page(
    app: State<Arc<App>>,
    query: ApiQuery<WikiQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    wiki_page(app, ApiPath(String::new()), query, headers).await
}

async fn wiki_page(
    State(app): State<Arc<App>>,
    ApiPath(path): ApiPath<String>,
    ApiQuery(query): ApiQuery<WikiQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let answer = blocking(&app, move |app| {
        find(app, &format!("/{path}"), View::Wiki, query.rev)
    })
    .await?;
    Ok(respond(&app, answer, Some(View::Wiki), &headers))
}

async fn root_editor(app: State<Arc<App>>, headers: HeaderMap) -> Result<Response, ApiError> {
    editor(app, ApiPath(String::new()), headers).await
}

async fn editor(
    State(app): State<Arc<App>>,
    ApiPath(path): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let answer = blocking(&app, move |app| {
        find(app, &format!("/{path}"), View::Edit, None)
    })
    .await?;
    Ok(respond(&app, answer, Some(View::Edit), &headers))
}

async fn pictures(app: State<Arc<App>>, headers: HeaderMap) -> Result<Response, ApiError> {
    plain(app, Some(View::Pictures), &headers).await
}

/// Responds for views whose code is the frame's own, or is loaded by it.
async fn without_view_files(
    app: State<Arc<App>>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    plain(app, None, &headers).await
}

async fn plain(
    State(app): State<Arc<App>>,
    view: Option<View>,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let answers = blocking(&app, Answers::find).await?;
    let answer = Answer::Frame(StatusCode::OK, None, answers);
    Ok(respond(&app, answer, view, headers))
}

/// Finds the page for an address of the view `view`. An invalid path gets the frame with the status of the
/// error; the client shows the message.
fn find(app: &App, text: &str, view: View, revision: Option<u64>) -> Result<Answer, ApiError> {
    let answers = Answers::find(app)?;
    let path = match PagePath::new(text) {
        Ok(path) => path,
        Err(error) => {
            return Ok(Answer::Frame(
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
        return Ok(Answer::Redirect(to));
    }
    match app.wiki.resolve(&path) {
        Ok(found) => {
            let revision = revision.unwrap_or(found.revision);
            let page = Some(PageIdentity {
                id: found.id.to_string(),
                revision,
            });
            Ok(match meta(app, found.id, revision)? {
                Ok(meta) => {
                    Answer::Frame(StatusCode::OK, page, answers.with_page(app, &path, meta))
                }
                Err(status) => Answer::Frame(status, page, answers),
            })
        }
        Err(
            ResolveError::NotFound(_)
            | ResolveError::Moved { .. }
            | ResolveError::Deleted { .. }
            | ResolveError::Draft { .. },
        ) => {
            // Before a user is registered there are no pages: the frame shows the welcome.
            if view == View::Edit || answers.is_greeting() {
                Ok(Answer::Frame(StatusCode::OK, None, answers))
            } else {
                Ok(Answer::Redirect(address(View::Edit, &path)))
            }
        }
        Err(ResolveError::Storage(error)) => Err(error.into()),
    }
}

/// Returns the metadata of the page at the revision, or the status of a frame that shows why it is
/// unavailable.
fn meta(app: &App, id: PageId, revision: u64) -> Result<Result<PageMetaDto, StatusCode>, ApiError> {
    match app.wiki.page_meta(id, Some(revision)) {
        Ok(meta) => Ok(Ok(PageMetaDto::new(
            meta,
            app.picture_sizes.of_page(&app.wiki, id),
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

fn address(view: View, path: &PagePath) -> String {
    format!(
        "/{}{}",
        view.name(),
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

fn respond(app: &App, answer: Answer, view: Option<View>, headers: &HeaderMap) -> Response {
    match answer {
        Answer::Redirect(to) => redirect(&to),
        Answer::Frame(status, page, answers) => {
            let nonce = StyleNonce::new(&*app.entropy);
            let japanese = prefers_japanese(headers);
            let html = html::frame(page.as_ref(), view, &answers, japanese, &nonce);
            let policy = (CONTENT_SECURITY_POLICY, nonce.policy());
            let uncached = (CACHE_CONTROL, HeaderValue::from_static("no-store"));
            (status, [policy, uncached], Html(html)).into_response()
        }
    }
}
