//! `/thumb`: a thumbnail's bytes, with headers by which a browser keeps it as long as it is true.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use fumikura_thumbs::{Found, ThumbId, Variant};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::query::ByteQuery;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::etag::is_known;
use crate::guard::headers::FOREIGN_POLICY;

/// How often a thumbnail that vanished between being made and being read is made again.
const TRIES: usize = 3;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(get))
}

/// A thumbnail. With the present id in `v` it may be kept for a year; a stale one leads to the
/// present one.
#[utoipa::path(get, path = "/thumb", tag = "pictures",
    params(
        ("root" = Option<String>, Query), ("path" = Option<String>, Query, description = "Percent-encoded bytes"),
        ("source" = Option<String>, Query, description = "An absolute path, instead of `root` and `path`"),
        ("size" = Option<String>, Query, description = "`WxH`, each 1 to 4096; `85x85`"),
        ("mode" = Option<String>, Query, description = "`crop`, `shrink` or `stretch`"),
        ("format" = Option<String>, Query, description = "`jpg`, `png` or `webp`"),
        ("v" = Option<String>, Query, description = "The thumbnail's id"),
    ), responses(
        (status = 200, description = "The thumbnail", content_type = "image/*"),
        (status = 302, description = "The same with the present id"),
        (status = 304, description = "It is the one that `If-None-Match` names"),
        (status = 400, description = "`bad_request`", body = ErrorBody),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
        (status = 422, description = "`picture_undecodable`", body = ErrorBody),
        (status = 503, description = "`decoder_unavailable`, `source_changing`", body = ErrorBody),
    ))]
async fn get(
    State(app): State<Arc<App>>,
    uri: Uri,
    query: ByteQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let variant = query.variant()?;
    let version: Option<ThumbId> = query.read("v")?;
    let found = blocking(&app, move |app| query.found(app)).await?;
    if version.is_some_and(|version| version != found.id()) {
        return Ok(to_present(&uri, found.id()));
    }
    let tag = |id| {
        let tag = format!("\"{id}-{variant}\"");
        HeaderValue::try_from(tag).expect("BUG: digits and a variant are a header")
    };
    let caching = if version.is_some() {
        "private, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let known = tag(found.id());
    let (mut response, tag) = if is_known(&headers, &known) {
        (StatusCode::NOT_MODIFIED.into_response(), known)
    } else {
        let (id, bytes) = bytes(&app, found, variant).await?;
        // The file changed while its thumbnail was made: the bytes are those of another id.
        if version.is_some_and(|version| version != id) {
            return Ok(to_present(&uri, id));
        }
        (bytes.into_response(), tag(id))
    };
    let out = response.headers_mut();
    out.insert(
        CONTENT_TYPE,
        HeaderValue::from_static(variant.format.mime()),
    );
    out.insert(ETAG, tag);
    out.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    out.insert(
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(FOREIGN_POLICY),
    );
    Ok(response)
}

/// The thumbnail of the file as it is now, and the id that it was made for.
pub(in crate::rest_api) async fn bytes(
    app: &Arc<App>,
    found: Found,
    variant: Variant,
) -> Result<(ThumbId, Vec<u8>), ApiError> {
    let mut last = None;
    for _ in 0..TRIES {
        let asked = found.clone();
        let ticket = blocking(app, move |app| Ok(app.thumbs.request_wait(&asked, variant))).await?;
        let thumbnail = ticket.await?;
        match tokio::fs::read(&thumbnail.path).await {
            Ok(bytes) => return Ok((thumbnail.id, bytes)),
            Err(error) => last = Some(error),
        }
    }
    let error = last.expect("BUG: no try was made");
    Err(ApiError::internal(
        ErrorCode::StorageFailed,
        "The thumbnail could not be read",
        &error,
    ))
}

/// The same address with the present id.
fn to_present(uri: &Uri, id: ThumbId) -> Response {
    let query = uri.query().unwrap_or_default();
    let others: Vec<&str> = query
        .split('&')
        .filter(|pair| !super::query::names(pair, "v"))
        .collect();
    let to = format!("{}?{}&v={id}", uri.path(), others.join("&"));
    match HeaderValue::try_from(to) {
        Ok(to) => (
            StatusCode::FOUND,
            [
                (LOCATION, to),
                (CACHE_CONTROL, HeaderValue::from_static("no-store")),
            ],
        )
            .into_response(),
        Err(_) => {
            ApiError::new(ErrorCode::BadRequest, "that address can't be followed").into_response()
        }
    }
}
