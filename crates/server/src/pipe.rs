//! A bounded pipe from a writing thread, which may block, to a response's body. The body is aborted unless
//! the writer finishes it.

use std::io::{self, Write};
use std::time::Duration;

use axum::body::Bytes;
use futures_util::Stream;
use futures_util::stream;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use crate::jobs::Progress;

/// The number of bytes that are buffered before they are sent.
const PIECE: usize = 64 * 1024;
/// The number of buffered pieces.
const PIECES: usize = 4;
/// The time that the writer waits for the reader between two checks for cancellation.
const CANCEL_CHECK_INTERVAL: Duration = Duration::from_millis(250);

enum Piece {
    Bytes(Bytes),
    End,
}

/// The writing end of a pipe.
pub(crate) struct PipeEnd(mpsc::Sender<Piece>);

/// Opens a pipe: its writing end, and the body. If the writer is dropped without [`PipeWriter::finish`], the
/// body ends with an error, which aborts the connection.
pub(crate) fn open() -> (PipeEnd, impl Stream<Item = io::Result<Bytes>>) {
    let (sender, receiver) = mpsc::channel(PIECES);
    let body = stream::unfold(Some(receiver), |receiver| async {
        let mut receiver: mpsc::Receiver<Piece> = receiver?;
        match receiver.recv().await {
            Some(Piece::Bytes(bytes)) => Some((Ok(bytes), Some(receiver))),
            Some(Piece::End) => None,
            None => Some((Err(io::ErrorKind::UnexpectedEof.into()), None)),
        }
    });
    (PipeEnd(sender), body)
}

impl PipeEnd {
    /// Returns a writer for the thread of the job.
    pub(crate) fn writer(self, progress: &Progress) -> PipeWriter {
        PipeWriter {
            sender: self.0,
            piece: Vec::with_capacity(PIECE),
            progress: progress.clone(),
            runtime: Handle::current(),
        }
    }
}

/// Writes into a pipe, and waits while it is full. Fails if the reader is gone, or the job is cancelled.
pub(crate) struct PipeWriter {
    sender: mpsc::Sender<Piece>,
    piece: Vec<u8>,
    progress: Progress,
    runtime: Handle,
}

impl PipeWriter {
    /// Ends the body as a complete one.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.send(Piece::End)
    }

    fn send(&self, piece: Piece) -> io::Result<()> {
        loop {
            let room =
                async { tokio::time::timeout(CANCEL_CHECK_INTERVAL, self.sender.reserve()).await };
            match self.runtime.block_on(room) {
                Ok(Ok(room)) => {
                    room.send(piece);
                    return Ok(());
                }
                Ok(Err(_closed)) => return Err(io::ErrorKind::BrokenPipe.into()),
                Err(_elapsed) if self.progress.state().cancelled => {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                Err(_elapsed) => {}
            }
        }
    }
}

impl Write for PipeWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
        self.send(Piece::Bytes(piece.into()))
    }
}
