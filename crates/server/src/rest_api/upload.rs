//! Request bodies that are files: read as they arrive, cut off when the server stops.

use std::pin::Pin;
use std::time::Duration;

use axum::body::{BodyDataStream, Bytes};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_LENGTH;
use futures_util::StreamExt;

use crate::error::{ApiError, ErrorCode};
use crate::stopping::Stopping;

/// The size of the chunks in which a file is written.
pub(super) const PIECE: usize = 256 * 1024;
/// The time for which the rest of a refused body is read and discarded, so that the client reads the refusal.
const DRAIN_TIME: Duration = Duration::from_secs(5);
/// The time for which a file may still arrive after the server begins to stop.
const LAST_PIECES: Duration = Duration::from_secs(2);

/// Returns the length of the body in bytes, as the headers declare it.
pub(super) fn declared_length(headers: &HeaderMap) -> Option<u64> {
    let length = headers.get(CONTENT_LENGTH)?;
    length.to_str().ok()?.parse().ok()
}

/// Returns the next bytes, or `None` at the end.
pub(super) async fn next(
    body: &mut BodyDataStream,
    ending: Pin<&mut impl Future<Output = ()>>,
) -> Result<Option<Bytes>, ApiError> {
    tokio::select! {
        bytes = body.next() => bytes.transpose().map_err(|error| {
            let message = format!("the file was cut off; nothing was kept: {error}");
            ApiError::new(ErrorCode::InvalidBody, message)
        }),
        () = ending => {
            let message = "the program is closing; nothing of the file was kept";
            Err(ApiError::new(ErrorCode::ShuttingDown, message))
        }
    }
}

/// Waits until an upload must be aborted, so that it is cleaned up before the server stops.
pub(super) async fn wait_until_stopping(stopping: &Stopping) {
    stopping.started().await;
    tokio::time::sleep(LAST_PIECES).await;
}

/// Reads the rest of a refused body and discards it. A connection that is closed while the client still writes is
/// reset, and the answer is lost.
pub(super) fn drain(mut body: BodyDataStream) {
    tokio::spawn(async move {
        let rest = async { while let Some(Ok(_)) = body.next().await {} };
        // A client that still writes after that is disconnected.
        let _ended = tokio::time::timeout(DRAIN_TIME, rest).await;
    });
}
