//! `/api/image`: a picture itself, whole or in part.

use std::fs::File;
use std::io::SeekFrom;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, ETAG, IF_RANGE, RANGE,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_thumbs::Original;
use http_range_header::{ParsedRanges, StartPosition, parse_range_header};
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::query::ByteQuery;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::etag::is_known;
use crate::guard::headers::FOREIGN_POLICY;

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
    let size = found.stat().size;
    let tag = HeaderValue::try_from(format!("\"{}\"", found.id()))
        .expect("BUG: hexadecimal digits are a header");
    let mut response = if is_known(&headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        // A range of another version of the file would not fit the part that the caller has.
        let ranged = headers.get(IF_RANGE).is_none_or(|version| *version == tag);
        match headers.get(RANGE).filter(|_| ranged) {
            None => whole(file, size),
            Some(range) => part(file, size, range).await?,
        }
    };
    let out = response.headers_mut();
    out.insert(CONTENT_TYPE, HeaderValue::from_static(kind.mime()));
    out.insert(ETAG, tag);
    out.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    out.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    out.insert(
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(FOREIGN_POLICY),
    );
    Ok(response)
}

fn whole(file: File, size: u64) -> Response {
    // The size is promised; a file that grows meanwhile must not overrun it.
    let reader = tokio::fs::File::from_std(file).take(size);
    (
        [(CONTENT_LENGTH, size)],
        Body::from_stream(ReaderStream::new(reader)),
    )
        .into_response()
}

/// The first range that is asked for. A header that makes no sense is passed over, as RFC 9110 has it.
async fn part(file: File, size: u64, range: &HeaderValue) -> Result<Response, ApiError> {
    let Some(ranges) = range
        .to_str()
        .ok()
        .and_then(|range| parse_range_header(range).ok())
        .map(|ranges| within(ranges, size))
    else {
        return Ok(whole(file, size));
    };
    let wanted = ranges
        .validate(size)
        .ok()
        .and_then(|ranges| ranges.into_iter().next());
    let Some((start, end)) = wanted.map(|range| (*range.start(), *range.end())) else {
        let outside =
            HeaderValue::try_from(format!("bytes */{size}")).expect("BUG: digits are a header");
        return Ok((
            StatusCode::RANGE_NOT_SATISFIABLE,
            [(CONTENT_RANGE, outside)],
        )
            .into_response());
    };
    let mut file = tokio::fs::File::from_std(file);
    if let Err(error) = file.seek(SeekFrom::Start(start)).await {
        return Err(ApiError::internal(
            ErrorCode::StorageFailed,
            "The file could not be read",
            &error,
        ));
    }
    let length = end - start + 1;
    let content_range = format!("bytes {start}-{end}/{size}");
    let headers = [
        (
            CONTENT_RANGE,
            HeaderValue::try_from(content_range).expect("BUG: digits are a header"),
        ),
        (CONTENT_LENGTH, HeaderValue::from(length)),
    ];
    let body = Body::from_stream(ReaderStream::new(file.take(length)));
    Ok((StatusCode::PARTIAL_CONTENT, headers, body).into_response())
}

/// The last so many bytes of a shorter file are all that it has (RFC 9110, 14.1.2).
fn within(mut ranges: ParsedRanges, size: u64) -> ParsedRanges {
    for range in &mut ranges.ranges {
        if let StartPosition::FromLast(length) = &mut range.start {
            *length = size.min(*length);
        }
    }
    ranges
}
