//! Bodies that are files: read as they come, cut off when the program closes.

use std::pin::Pin;
use std::time::Duration;

use axum::body::{BodyDataStream, Bytes};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_LENGTH;
use futures_util::StreamExt;

use crate::app::App;
use crate::error::{ApiError, ErrorCode};

/// How much of a file is gathered before it is written.
pub(super) const PIECE: usize = 256 * 1024;
/// How long what follows a refusal is read and thrown away, so that the refusal is read.
const LINGER: Duration = Duration::from_secs(5);
/// How long a file may still come once the program closes.
const LAST_PIECES: Duration = Duration::from_secs(2);

/// How long the body is said to be, in bytes.
pub(super) fn said_length(headers: &HeaderMap) -> Option<u64> {
    let length = headers.get(CONTENT_LENGTH)?;
    length.to_str().ok()?.parse().ok()
}

/// The next bytes; none after the last ones.
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

/// Waits until a file that is still coming must be given up, so that it is put away before the end.
pub(super) async fn ending(app: &App) {
    app.stopped().await;
    tokio::time::sleep(LAST_PIECES).await;
}

/// Reads the rest of a body that was refused and throws it away. A connection that is closed while
/// its other end still writes is reset, and the answer is lost.
pub(super) fn linger(mut body: BodyDataStream) {
    tokio::spawn(async move {
        let rest = async { while let Some(Ok(_)) = body.next().await {} };
        // Whoever still writes after that is cut off.
        let _ended = tokio::time::timeout(LINGER, rest).await;
    });
}
