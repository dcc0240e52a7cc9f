//! The response to a connection above the maximum.

use std::io;

use axum::response::{IntoResponse, Response};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::error::{ApiError, ErrorCode};
use crate::guard::headers;

/// Refuses a connection above the maximum, whatever it requests.
pub(super) async fn refuse(mut stream: impl AsyncRead + AsyncWrite + Unpin) -> io::Result<()> {
    let words = "there are too many connections at the moment; try again";
    let mut response = ApiError::new(ErrorCode::TooManyConnections, words).into_response();
    headers::secure(&mut response);
    stream.write_all(&as_bytes(response).await).await?;
    stream.shutdown().await?;
    // A connection that is closed with unread bytes is reset, and the response may be lost with it.
    let mut unread = [0; 4096];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}

/// Serializes a response after which the connection ends.
async fn as_bytes(response: Response) -> Vec<u8> {
    let (head, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX)
        .await
        .expect("BUG: an error's body is in memory");
    let mut bytes = format!("HTTP/1.1 {}\r\n", head.status).into_bytes();
    for (name, value) in &head.headers {
        bytes.extend_from_slice(name.as_str().as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    let ending = format!(
        "content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    bytes.extend_from_slice(ending.as_bytes());
    bytes.extend_from_slice(&body);
    bytes
}
