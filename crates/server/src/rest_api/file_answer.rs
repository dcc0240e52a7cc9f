//! Answers with a file: whole, in part, or without a body if the client has it (RFC 9110, 13 and 14).

use std::fs::File;
use std::io::SeekFrom;

use axum::body::Body;
use axum::http::header::{ACCEPT_RANGES, CONTENT_LENGTH, CONTENT_RANGE, ETAG, IF_RANGE, RANGE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use http_range_header::{ParsedRanges, StartPosition, parse_range_header};
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;

use crate::error::{ApiError, ErrorCode};
use crate::etag::is_known;

/// Answers with a file of `size` bytes and the version `tag`, as the request's headers ask.
pub(super) async fn answer(
    file: File,
    size: u64,
    tag: HeaderValue,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let mut response = if is_known(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        // A range of another version of the file would not fit the part that the client has.
        let ranged = headers.get(IF_RANGE).is_none_or(|version| *version == tag);
        match headers.get(RANGE).filter(|_| ranged) {
            None => whole(file, size),
            Some(range) => part(file, size, range).await?,
        }
    };
    let out = response.headers_mut();
    out.insert(ETAG, tag);
    out.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    Ok(response)
}

fn whole(file: File, size: u64) -> Response {
    // `Content-Length` is sent already, so a file that grows in the meantime must not exceed it.
    let reader = tokio::fs::File::from_std(file).take(size);
    (
        [(CONTENT_LENGTH, size)],
        Body::from_stream(ReaderStream::new(reader)),
    )
        .into_response()
}

/// Answers with the first requested range. An invalid header is ignored, as RFC 9110 requires.
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

/// Clamps suffix ranges to the size of the file (RFC 9110, 14.1.2).
fn within(mut ranges: ParsedRanges, size: u64) -> ParsedRanges {
    for range in &mut ranges.ranges {
        if let StartPosition::FromLast(length) = &mut range.start {
            *length = size.min(*length);
        }
    }
    ranges
}
