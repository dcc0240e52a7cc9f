//! The pages' addresses: each answers with a frame that names its page; the script does the rest
//! (wiki.md §16).

use std::fmt::Write;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use fumikura_wiki::{Language, PageError, PagePath, ResolveError, Settings, Theme};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorCode};
use crate::guard::prefers_japanese;
use crate::rest_api::extract::{ApiPath, ApiQuery};

/// What of a path must be escaped in an address.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The page that a frame is for.
struct Named {
    id: String,
    revision: u64,
}

/// Which frame to answer with.
enum Answer {
    /// The frame, with the status of what was asked for.
    Frame(StatusCode, Option<Named>, Settings),
    /// Another address.
    Redirect(String),
}

/// What a page's address may say beside its path.
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
        .route("/pictures/", get(plain))
        .route("/pictures/{*path}", get(plain))
        .route("/settings", get(plain))
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
        find(app, &format!("/{path}"), "/wiki", query.rev)
    })
    .await?;
    Ok(respond(answer, &headers))
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
        find(app, &format!("/{path}"), "/edit", None)
    })
    .await?;
    Ok(respond(answer, &headers))
}

async fn plain(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, ApiError> {
    let settings = blocking(&app, |app| Ok(app.wiki.settings()?)).await?;
    Ok(respond(
        Answer::Frame(StatusCode::OK, None, settings),
        &headers,
    ))
}

/// Finds the page for an address beneath `room`. A text that is no path gets the frame with the
/// status of the refusal; the page says the rest.
fn find(app: &App, text: &str, room: &str, revision: Option<u64>) -> Result<Answer, ApiError> {
    let settings = app.wiki.settings()?;
    let path = match PagePath::new(text) {
        Ok(path) => path,
        Err(error) => {
            return Ok(Answer::Frame(
                ApiError::from(error).code().status(),
                None,
                settings,
            ));
        }
    };
    // One address for one page, so that relative links mean the same on it.
    if path.as_str() != text {
        let mut to = address(room, &path);
        if let Some(revision) = revision {
            write!(to, "?rev={revision}").expect("BUG: writing to a String can't fail");
        }
        return Ok(Answer::Redirect(to));
    }
    let editing = room == "/edit";
    match app.wiki.resolve(&path) {
        Ok(found) => {
            let (status, revision) = match revision {
                None => (StatusCode::OK, found.revision),
                Some(asked) => (revision_status(app, found.id, asked)?, asked),
            };
            Ok(Answer::Frame(
                status,
                Some(Named {
                    id: found.id.to_string(),
                    revision,
                }),
                settings,
            ))
        }
        Err(
            ResolveError::NotFound(_) | ResolveError::Moved { .. } | ResolveError::Draft { .. },
        ) => {
            // Before anyone has registered there is no page at all: the frame greets.
            if editing || app.wiki.users()?.is_empty() {
                Ok(Answer::Frame(StatusCode::OK, None, settings))
            } else {
                Ok(Answer::Redirect(address("/edit", &path)))
            }
        }
        Err(ResolveError::Storage(error)) => Err(error.into()),
    }
}

fn revision_status(
    app: &App,
    id: fumikura_wiki::PageId,
    revision: u64,
) -> Result<StatusCode, ApiError> {
    match app.wiki.page_meta(id, Some(revision)) {
        Ok(_) => Ok(StatusCode::OK),
        Err(PageError::Storage(error)) => Err(error.into()),
        Err(
            error @ (PageError::NotFound
            | PageError::Draft
            | PageError::NoSuchRevision(_)
            | PageError::Collected(_)
            | PageError::Deleted),
        ) => Ok(ApiError::from(error).code().status()),
    }
}

fn address(room: &str, path: &PagePath) -> String {
    format!("{room}{}", utf8_percent_encode(path.as_str(), PATH))
}

fn redirect(to: &str) -> Response {
    let Ok(location) = HeaderValue::try_from(to) else {
        return ApiError::new(ErrorCode::BadRequest, "that address can't be followed")
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

fn respond(answer: Answer, headers: &HeaderMap) -> Response {
    match answer {
        Answer::Redirect(to) => redirect(&to),
        Answer::Frame(status, page, settings) => {
            let html = Html(html(page.as_ref(), &settings, prefers_japanese(headers)));
            (status, [(CACHE_CONTROL, "no-store")], html).into_response()
        }
    }
}

/// The frame. The language and the theme are in it, so that nothing flashes before the script runs.
fn html(page: Option<&Named>, settings: &Settings, japanese_browser: bool) -> String {
    let (lang, language) = match settings.language {
        Language::En => ("en", "en"),
        Language::Ja => ("ja", "ja"),
        Language::System => (if japanese_browser { "ja" } else { "en" }, "system"),
    };
    let theme = match settings.theme {
        Theme::System => "system",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    let mut html = format!(
        "<!doctype html>\n<html lang=\"{lang}\" data-language=\"{language}\" data-theme=\"{theme}\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Fumikura</title>\n"
    );
    if let Some(Named { id, revision }) = page {
        let written = writeln!(
            html,
            "<meta name=\"wiki-page-id\" content=\"{id}\"><meta name=\"wiki-page-revision\" content=\"{revision}\">"
        );
        written.expect("BUG: writing to a String can't fail");
    }
    html.push_str(
        "<link rel=\"icon\" href=\"/static/icon.svg\"><link rel=\"stylesheet\" href=\"/static/app.css\">\n\
         <script type=\"module\" src=\"/static/app.js\"></script></head>\n\
         <body><div id=\"wiki-root\"></div></body></html>\n",
    );
    html
}
