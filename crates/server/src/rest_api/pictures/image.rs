//! `/api/image`: a picture itself, complete or in part.

use std::sync::Arc;

use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_image::{Format, Mode, PictureKind, Size, Variant};
use fumikura_library::{Engine, Original, OriginalError};
use fumikura_pictures::Pictures;
use fumikura_thumbs::Priority;
use utoipa_axum::routes;

use super::query::ByteQuery;
use super::thumb::{ThumbRequest, tag};
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::etag::is_known;
use crate::guard::headers::FOREIGN_POLICY;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::file_answer::answer;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(picture_contents))
}

/// Returns a picture itself.
///
/// The content type follows from the contents. Range requests are supported. A picture of a kind that browsers do not
/// display (HEIC, JPEG XL, TIFF, raw files; AVIF in some) and that `Accept` does not name is returned as a JPEG with at
/// most 4096 pixels on a side; so is a picture that the client's engine shows on its side, or in other colours.
#[utoipa::path(get, path = "/api/image", tag = "pictures",
    params(("root" = String, Query), ("path" = String, Query, description = "Percent-encoded bytes"),
        ("engine" = Option<String>, Query, description = "The client's engine: `webkit` or `other`. Without it, the file \
            is returned whether or not an engine shows it rightly")), responses(
        (status = 200, description = "The picture", content_type = "image/*"),
        (status = 206, description = "The range in `Range`", content_type = "image/*"),
        (status = 304, description = "It matches `If-None-Match`"),
        (status = 400, description = "`bad_request`", body = ErrorBody),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`not_found`", body = ErrorBody),
        (status = 415, description = "`not_a_picture`", body = ErrorBody),
        (status = 416, description = "The range is outside the picture"),
        (status = 422, description = "`picture_undecodable`", body = ErrorBody),
        (status = 503, description = "`decoder_unavailable`, `source_changing`", body = ErrorBody),
    ))]
async fn picture_contents(
    Part(pictures): Part<Pictures>,
    query: ByteQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let engine: Option<Engine> = query.read("engine")?;
    let (original, is_right) = blocking(&pictures, move |pictures| {
        let mut original = pictures.original(&query.source_in_root(pictures)?)?;
        let is_right = match engine {
            Some(engine) => original
                .is_shown_rightly_by(engine)
                .map_err(OriginalError::from)?,
            None => true,
        };
        Ok((original, is_right))
    })
    .await?;
    let Original {
        file,
        source_file,
        kind,
        ..
    } = original;
    let is_shown = kind.facts().is_shown_by_browsers || names(&headers, kind);
    if !is_shown || !is_right {
        let thumb = ThumbRequest {
            source_file,
            variant: shown_large(),
            priority: Priority::Visible,
        };
        return transcoded(&pictures, thumb, &headers).await;
    }
    let tag = HeaderValue::try_from(format!("\"{}\"", source_file.version()))
        .expect("BUG: hexadecimal digits are a header");
    let mut response = answer(file, source_file.stat().size, tag, &headers).await?;
    let out = response.headers_mut();
    out.insert(CONTENT_TYPE, HeaderValue::from_static(kind.mime()));
    if kind == PictureKind::Svg {
        // A drawing that is opened directly is a document, which may contain scripts. An `img` element still displays
        // it.
        out.insert(CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    }
    finish(out);
    Ok(response)
}

fn finish(out: &mut HeaderMap) {
    out.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    out.insert(VARY, HeaderValue::from_static("accept"));
    out.insert(
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(FOREIGN_POLICY),
    );
}

/// Returns true if the caller accepts this exact kind. Wildcards do not count, because all clients send them.
fn names(headers: &HeaderMap, kind: PictureKind) -> bool {
    headers
        .get_all(ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|range| range.split(';').next())
        .any(|range| range.trim().eq_ignore_ascii_case(kind.mime()))
}

fn shown_large() -> Variant {
    Variant {
        size: Size::new(4096, 4096).expect("BUG: the largest size is valid"),
        mode: Mode::Shrink,
        format: Format::Jpg,
        ..Variant::default()
    }
}

async fn transcoded(
    pictures: &Arc<Pictures>,
    thumb: ThumbRequest,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let variant = thumb.variant;
    let version = thumb.source_file.version();
    let (mut response, version) = if is_known(headers, &tag(version, variant)) {
        (StatusCode::NOT_MODIFIED.into_response(), version)
    } else {
        let thumb_request = thumb.clone();
        let requested = blocking(
            pictures,
            move |pictures| Ok(thumb_request.request(pictures)),
        )
        .await?;
        let (version, bytes) = thumb.bytes(pictures, requested).await?;
        (bytes.into_response(), version)
    };
    let out = response.headers_mut();
    let kind = HeaderValue::from_static(variant.format.mime());
    out.insert(CONTENT_TYPE, kind);
    out.insert(ETAG, tag(version, variant));
    finish(out);
    Ok(response)
}
