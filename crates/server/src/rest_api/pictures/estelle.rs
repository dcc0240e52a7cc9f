//! `/get` and `/queue`: the two endpoints of Estelle, for other programs on this machine (docs/API.md, "Access
//! control"). They answer with the thumbnail's path.

use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;

use axum::extract::Extension;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_fs::SourceFile;
use fumikura_image::Variant;
use fumikura_pictures::Pictures;
use fumikura_thumbs::{Priority, QueueResponse, Thumbnail};
use tokio::runtime::Handle;
use utoipa_axum::routes;

use super::query::ByteQuery;
use crate::blocking::brief;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::EstelleAccess;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::services::Thumbnails;
use crate::shares::{Share, WorkKind, WorkTurn};

/// The number of attempts for a thumbnail that is deleted before its path is returned.
const TRIES: usize = 3;

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(thumb_get))
        .routes(routes!(thumb_get_post))
        .routes(routes!(thumb_queue))
        .routes(routes!(thumb_queue_post))
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
        (status = 403, description = "`key_invalid`, `other_user`, or `outside_roots`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
        (status = 422, description = "`picture_undecodable`", body = ErrorBody),
    ))]
async fn thumb_get(
    Part(thumbnails): Part<Thumbnails>,
    Extension(access): Extension<EstelleAccess>,
    Extension(share): Extension<Arc<Share>>,
    method: Method,
    query: ByteQuery,
) -> Result<Response, ApiError> {
    let variant = query.variant()?;
    let priority = priority(&query, &share, Priority::Next)?;
    // A HEAD request does not count as a read.
    let is_read = method != Method::HEAD && priority != Priority::Background;
    let query = Arc::new(query);
    let _turn = strangers_turn(&share).await?;
    for _ in 0..TRIES {
        let asked = Arc::clone(&query);
        let ask = move |thumbnails: &Thumbnails| {
            let source_file = find(&thumbnails.pictures, access, &asked)?;
            let thumbs = thumbnails.pictures.thumbs();
            let ticket = thumbs.request_wait(&source_file, variant, priority);
            Ok((source_file, ticket))
        };
        let (source_file, ticket) = brief(&thumbnails, ask).await?;
        let thumbnail = ticket.await?;
        let named = Arc::clone(&thumbnail);
        let keep = move |thumbnails: &Thumbnails| {
            Ok(thumbnails.expiry.keep_named(&source_file, &named, is_read))
        };
        if brief(&thumbnails, keep).await? {
            return Ok(path(&thumbnail));
        }
    }
    Err(deleted())
}

/// The same as the GET request.
#[utoipa::path(post, path = "/get", tag = "estelle", responses(
    (status = 200, description = "The thumbnail's absolute path", body = String, content_type = "text/plain")))]
async fn thumb_get_post(
    thumbnails: Part<Thumbnails>,
    access: Extension<EstelleAccess>,
    share: Extension<Arc<Share>>,
    method: Method,
    query: ByteQuery,
) -> Result<Response, ApiError> {
    thumb_get(thumbnails, access, share, method, query).await
}

/// Queues a thumbnail without waiting for it.
#[utoipa::path(get, path = "/queue", tag = "estelle", responses(
    (status = 200, description = "The absolute path of the existing thumbnail", body = String, content_type = "text/plain"),
    (status = 202, description = "It is queued"),
    (status = 503, description = "`queue_full`, `decoder_unavailable`; `server_busy` for another user", body = ErrorBody),
))]
async fn thumb_queue(
    Part(thumbnails): Part<Thumbnails>,
    Extension(access): Extension<EstelleAccess>,
    Extension(share): Extension<Arc<Share>>,
    query: ByteQuery,
) -> Result<Response, ApiError> {
    let variant = query.variant()?;
    let priority = priority(&query, &share, Priority::Background)?;
    let ask = move |thumbnails: &Thumbnails| {
        let source_file = find(&thumbnails.pictures, access, &query)?;
        let thumbs = thumbnails.pictures.thumbs();
        if !share.key().is_let_in() && !thumbs.is_settled(&source_file, variant) {
            queue_for_stranger(&thumbnails.pictures, &share, source_file, variant)?;
            return Ok(StatusCode::ACCEPTED.into_response());
        }
        for _ in 0..TRIES {
            match thumbs.try_request(&source_file, variant, priority)? {
                QueueResponse::Made(thumbnail) => {
                    if thumbnails
                        .expiry
                        .keep_named(&source_file, &thumbnail, false)
                    {
                        return Ok(path(&thumbnail));
                    }
                }
                QueueResponse::Queued(_) => return Ok(StatusCode::ACCEPTED.into_response()),
            }
        }
        Err(deleted())
    };
    brief(&thumbnails, ask).await
}

/// Makes a thumbnail when it is the strangers' turn.
fn queue_for_stranger(
    pictures: &Arc<Pictures>,
    share: &Arc<Share>,
    source_file: SourceFile,
    variant: Variant,
) -> Result<(), ApiError> {
    let place = share.queue(WorkKind::Thumbnail)?;
    let pictures = Arc::clone(pictures);
    Handle::current().spawn(async move {
        let _turn = place.turn().await;
        let request = move || {
            let thumbs = pictures.thumbs();
            thumbs.request_wait(&source_file, variant, Priority::Background)
        };
        // A failure is reported to the next request for the thumbnail.
        if let Ok(ticket) = tokio::task::spawn_blocking(request).await {
            let _made = ticket.await;
        }
    });
    Ok(())
}

/// The same as the GET request.
#[utoipa::path(post, path = "/queue", tag = "estelle", responses((status = 202, description = "It is queued")))]
async fn thumb_queue_post(
    thumbnails: Part<Thumbnails>,
    access: Extension<EstelleAccess>,
    share: Extension<Arc<Share>>,
    query: ByteQuery,
) -> Result<Response, ApiError> {
    thumb_queue(thumbnails, access, share, query).await
}

/// Finds the file in its present state.
fn find(
    pictures: &Pictures,
    access: EstelleAccess,
    query: &ByteQuery,
) -> Result<SourceFile, ApiError> {
    let roots = pictures.roots();
    let source = match (access, query.bytes("source")) {
        (EstelleAccess::Allowed, Some(path)) if query.bytes("path").is_none() => {
            roots.allowed_source_at(&path)?
        }
        (EstelleAccess::Allowed, _) => {
            let named = query.source(pictures)?;
            roots.allowed_source_at(&named.absolute())?
        }
        (EstelleAccess::Keyed | EstelleAccess::Open, _) => query.source(pictures)?,
    };
    Ok(source.find()?)
}

/// Returns the priority of a thumbnail. Those of strangers come after all others.
fn priority(query: &ByteQuery, share: &Share, usual: Priority) -> Result<Priority, ApiError> {
    let asked = query.priority()?.unwrap_or(usual);
    Ok(match share.key().is_let_in() {
        true => asked,
        false => Priority::Background,
    })
}

/// Waits for a stranger's turn: few thumbnails of strangers are made at the same time.
async fn strangers_turn(share: &Arc<Share>) -> Result<Option<WorkTurn>, ApiError> {
    Ok(match share.key().is_let_in() {
        true => None,
        false => Some(share.turn(WorkKind::Thumbnail).await?),
    })
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
