//! `/api/image/frames`: single frames of an animated picture that engines don't take apart.

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_image::PictureKind;
use fumikura_pictures::Pictures;
use tokio::sync::Semaphore;
use utoipa_axum::routes;

use super::query::ByteQuery;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::guard::headers::FOREIGN_POLICY;
use crate::part::Part;
use crate::rest_api::Routes;

/// The requests whose frames are decoded at the same time. The others wait.
static DECODING: Semaphore = Semaphore::const_new(2);

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(picture_frames))
}

/// Returns frames of an animated AVIF as an animated WebP, from an index on.
///
/// Each frame covers the canvas and is in sRGB. The number of frames is the server's choice, at least one. The chunk
/// `FRMS` of the file has the index of the first one and the durations of all frames of the picture in milliseconds, as
/// numbers of 32 bits with the lowest byte first. The loop count is that of the picture.
#[utoipa::path(get, path = "/api/image/frames", tag = "pictures",
    params(("root" = String, Query), ("path" = String, Query, description = "Percent-encoded bytes"),
        ("from" = Option<u32>, Query, description = "The index of the first frame, 0 by default")), responses(
        (status = 200, description = "The frames", content_type = "image/webp"),
        (status = 204, description = "The picture is not an animated AVIF"),
        (status = 400, description = "`bad_request`", body = ErrorBody),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
        (status = 415, description = "`not_a_picture`", body = ErrorBody),
        (status = 422, description = "`picture_undecodable`, also if it has no such frame, or its frames are too large or \
            depend on too many others", body = ErrorBody),
        (status = 503, description = "`decoder_unavailable`, `source_changing`", body = ErrorBody),
    ))]
async fn picture_frames(
    Part(pictures): Part<Pictures>,
    query: ByteQuery,
) -> Result<Response, ApiError> {
    let from = query.read("from")?.unwrap_or(0);
    let _turn = DECODING.acquire().await;
    let frames = blocking(&pictures, move |pictures| {
        let source = query.source_in_root(pictures)?;
        if !pictures.original(&source)?.is_sequence {
            return Ok(None);
        }
        Ok(Some(pictures.thumbs().frames(&source, from)?))
    })
    .await?;
    let Some(frames) = frames else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    let mut response = frames.into_response();
    let out = response.headers_mut();
    let kind = HeaderValue::from_static(PictureKind::Webp.mime());
    out.insert(CONTENT_TYPE, kind);
    out.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    let policy = HeaderValue::from_static(FOREIGN_POLICY);
    out.insert(CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}
