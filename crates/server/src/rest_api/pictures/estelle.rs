//! `/get` and `/queue`: the two endpoints of Estelle, for other programs on this machine (docs/API.md, "Access
//! control"). They answer with the thumbnail's path.

use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_fs::SourceFile;
use fumikura_thumbs::{Priority, QueueResponse, Thumbnail};
use subtle::ConstantTimeEq;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::query::ByteQuery;
use crate::app::App;
use crate::blocking::brief;
use crate::config::Secret;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::Caller;

/// The number of attempts for a thumbnail that is deleted before its path is returned.
const TRIES: usize = 3;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(get))
        .routes(routes!(post))
        .routes(routes!(queue))
        .routes(routes!(queue_post))
}

/// Makes a thumbnail and returns its path.
#[utoipa::path(get, path = "/get", tag = "estelle",
    params(
        ("source" = String, Query, description = "An absolute path, as percent-encoded bytes"),
        ("size" = Option<String>, Query), ("mode" = Option<String>, Query), ("format" = Option<String>, Query),
        ("priority" = Option<String>, Query, description = "`visible`, `next` (the default) or `background`"),
        ("key" = Option<String>, Query, description = "The shared key, if there is one"),
    ), responses(
        (status = 200, description = "The thumbnail's absolute path", body = String, content_type = "text/plain"),
        (status = 400, description = "`bad_request`", body = ErrorBody),
        (status = 403, description = "A wrong key, or `outside_roots`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
        (status = 422, description = "`picture_undecodable`", body = ErrorBody),
    ))]
async fn get(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    method: Method,
    query: ByteQuery,
) -> Result<Response, ApiError> {
    let folders = Folders::for_caller(&app, caller, &query)?;
    let variant = query.variant()?;
    let priority = query.priority()?.unwrap_or(Priority::Next);
    // A HEAD request does not count as a read.
    let is_read = method != Method::HEAD && priority != Priority::Background;
    let query = Arc::new(query);
    for _ in 0..TRIES {
        let asked = Arc::clone(&query);
        let ask = move |app: &App| {
            let source_file = folders.find(app, &asked)?;
            let thumbs = app.pictures.thumbs();
            let ticket = thumbs.request_wait(&source_file, variant, priority);
            Ok((source_file, ticket))
        };
        let (source_file, ticket) = brief(&app, ask).await?;
        let thumbnail = ticket.await?;
        let named = Arc::clone(&thumbnail);
        let keep = move |app: &App| Ok(app.keep_named(&source_file, &named, is_read));
        if brief(&app, keep).await? {
            return Ok(path(&thumbnail));
        }
    }
    Err(deleted())
}

/// The same as the GET request.
#[utoipa::path(post, path = "/get", tag = "estelle", responses(
    (status = 200, description = "The thumbnail's absolute path", body = String, content_type = "text/plain")))]
async fn post(
    app: State<Arc<App>>,
    caller: Extension<Caller>,
    method: Method,
    query: ByteQuery,
) -> Result<Response, ApiError> {
    get(app, caller, method, query).await
}

/// Queues a thumbnail without waiting for it.
#[utoipa::path(get, path = "/queue", tag = "estelle", responses(
    (status = 200, description = "The absolute path of the existing thumbnail", body = String, content_type = "text/plain"),
    (status = 202, description = "It is queued"),
    (status = 503, description = "`queue_full`, `decoder_unavailable`", body = ErrorBody),
))]
async fn queue(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    query: ByteQuery,
) -> Result<Response, ApiError> {
    let folders = Folders::for_caller(&app, caller, &query)?;
    let variant = query.variant()?;
    let priority = query.priority()?.unwrap_or(Priority::Background);
    let ask = move |app: &App| {
        let source_file = folders.find(app, &query)?;
        for _ in 0..TRIES {
            let thumbs = app.pictures.thumbs();
            match thumbs.try_request(&source_file, variant, priority)? {
                QueueResponse::Made(thumbnail) => {
                    if app.keep_named(&source_file, &thumbnail, false) {
                        return Ok(path(&thumbnail));
                    }
                }
                QueueResponse::Queued(_) => return Ok(StatusCode::ACCEPTED.into_response()),
            }
        }
        Err(deleted())
    };
    brief(&app, ask).await
}

/// The same as the GET request.
#[utoipa::path(post, path = "/queue", tag = "estelle", responses((status = 202, description = "It is queued")))]
async fn queue_post(
    app: State<Arc<App>>,
    caller: Extension<Caller>,
    query: ByteQuery,
) -> Result<Response, ApiError> {
    queue(app, caller, query).await
}

/// The folders that a caller may access.
#[derive(Debug, Clone, Copy)]
enum Folders {
    /// All open folders. The caller acts for the user who opened them.
    Open,
    /// The folders that this launch allows by option. The caller may be any user of this machine, and learns nothing
    /// about other folders.
    Allowed,
}

impl Folders {
    /// Decides by the shared key if there is one, otherwise by whether the caller has a session or the Bearer token.
    fn for_caller(app: &App, caller: Caller, query: &ByteQuery) -> Result<Self, ApiError> {
        if let Some(secret) = app.secret() {
            check_key(secret, query)?;
            return Ok(Self::Open);
        }
        Ok(match caller {
            Caller::Bearer | Caller::Session(_) => Self::Open,
            Caller::Anyone => Self::Allowed,
        })
    }

    /// Finds the file in its present state.
    fn find(self, app: &App, query: &ByteQuery) -> Result<SourceFile, ApiError> {
        let source = match (self, query.bytes("source")) {
            (Self::Allowed, Some(path)) if query.bytes("path").is_none() => {
                app.pictures.roots().allowed_source_at(&path)?
            }
            (Self::Allowed, _) => {
                let named = query.source(app)?;
                app.pictures.roots().allowed_source_at(&named.absolute())?
            }
            (Self::Open, _) => query.source(app)?,
        };
        Ok(source.find()?)
    }
}

/// Refuses a caller without the key, before any other check and in constant time.
fn check_key(secret: &Secret, query: &ByteQuery) -> Result<(), ApiError> {
    let given_key = query.bytes("key").unwrap_or_default();
    if bool::from(secret.expose().as_bytes().ct_eq(&given_key)) {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::KeyInvalid,
        "the key is missing or wrong",
    ))
}

fn path(thumbnail: &Thumbnail) -> Response {
    let path = thumbnail.path.clone().into_os_string().into_vec();
    (
        [(
            CONTENT_TYPE,
            HeaderValue::from_static("text/plain; charset=utf-8"),
        )],
        path,
    )
        .into_response()
}

fn deleted() -> ApiError {
    let message = "The thumbnail was deleted again and again";
    let error = std::io::Error::from(std::io::ErrorKind::NotFound);
    ApiError::internal(ErrorCode::StorageFailed, message, &error)
}
