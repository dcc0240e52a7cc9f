//! `/api/image`: a picture itself, whole or in part.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use fumikura_thumbs::{Original, PictureKind};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::query::ByteQuery;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::guard::headers::FOREIGN_POLICY;
use crate::rest_api::file_answer::answer;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(get))
}

/// A picture itself, typed by its content. Ranges are served.
#[utoipa::path(get, path = "/api/image", tag = "pictures",
    params(("root" = String, Query), ("path" = String, Query, description = "Percent-encoded bytes")), responses(
        (status = 200, description = "The picture", content_type = "image/*"),
        (status = 206, description = "The part that `Range` names", content_type = "image/*"),
        (status = 304, description = "It is the one that `If-None-Match` names"),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
        (status = 415, description = "`not_a_picture`", body = ErrorBody),
        (status = 416, description = "The range lies outside the picture"),
    ))]
async fn get(
    State(app): State<Arc<App>>,
    query: ByteQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Original { file, found, kind } = blocking(&app, move |app| {
        Ok(app.thumbs.original(&query.beneath_root(app)?)?)
    })
    .await?;
    let tag = HeaderValue::try_from(format!("\"{}\"", found.id()))
        .expect("BUG: hexadecimal digits are a header");
    let mut response = answer(file, found.stat().size, tag, &headers).await?;
    let out = response.headers_mut();
    out.insert(CONTENT_TYPE, HeaderValue::from_static(kind.mime()));
    if kind == PictureKind::Svg {
        // Opened by itself a drawing is a document, in which scripts may stand. An `img` shows it.
        out.insert(CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    }
    out.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    out.insert(
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(FOREIGN_POLICY),
    );
    Ok(response)
}
