//! `/api/image/embedded`: the preview that a camera embeds in a picture's file.

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_image::PictureKind;
use fumikura_pictures::Pictures;
use utoipa_axum::routes;

use super::query::ByteQuery;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::etag::is_known;
use crate::guard::headers::FOREIGN_POLICY;
use crate::part::Part;
use crate::rest_api::Routes;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(picture_embedded))
}

/// Returns the small JPEG that is embedded in a picture's EXIF metadata, unchanged.
///
/// It is a placeholder until a thumbnail is available. It is stored in the same orientation as the picture, so the
/// picture's `orientation` has to be applied.
#[utoipa::path(get, path = "/api/image/embedded", tag = "pictures",
    params(("root" = String, Query), ("path" = String, Query, description = "Percent-encoded bytes")), responses(
        (status = 200, description = "The embedded preview", content_type = "image/jpeg"),
        (status = 304, description = "It matches `If-None-Match`"),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`not_found`, also if the picture has no preview", body = ErrorBody),
        (status = 415, description = "`not_a_picture`", body = ErrorBody),
    ))]
async fn picture_embedded(
    Part(pictures): Part<Pictures>,
    query: ByteQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (source_file, embedded) = blocking(&pictures, move |pictures| {
        Ok(pictures.embedded(&query.source_in_root(pictures)?)?)
    })
    .await?;
    let bytes = embedded.ok_or_else(|| {
        let message = "this picture's file has no embedded preview";
        ApiError::new(ErrorCode::NotFound, message)
    })?;
    let tag = HeaderValue::try_from(format!("\"{}-embedded\"", source_file.version()))
        .expect("BUG: hexadecimal digits are a header");
    let mut response = match is_known(&headers, &tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => bytes.into_response(),
    };
    let out = response.headers_mut();
    let kind = HeaderValue::from_static(PictureKind::Jpeg.mime());
    out.insert(CONTENT_TYPE, kind);
    out.insert(ETAG, tag);
    out.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    let policy = HeaderValue::from_static(FOREIGN_POLICY);
    out.insert(CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}
