//! From a thread that writes and may block to an answer's body: bounded, and broken off unless the
//! writer says that it is done.

use std::io::{self, Write};
use std::time::Duration;

use axum::body::Bytes;
use futures_util::Stream;
use futures_util::stream;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use crate::jobs::Progress;

/// How much is gathered before it is handed on.
const PIECE: usize = 64 * 1024;
/// How many pieces wait for whoever reads.
const PIECES: usize = 4;
/// How long the writer waits for whoever reads before it looks whether its job is to end.
const PATIENCE: Duration = Duration::from_millis(250);

enum Piece {
    Bytes(Bytes),
    End,
}

/// The end that is written to.
pub(crate) struct PipeEnd(mpsc::Sender<Piece>);

/// Opens a pipe: its end, and the body that comes out of it. A body whose writer goes without
/// [`PipeWriter::finish`] ends with an error, which breaks the connection off.
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
    /// A writer for the thread that does the job.
    pub(crate) fn writer(self, progress: &Progress) -> PipeWriter {
        PipeWriter {
            sender: self.0,
            piece: Vec::with_capacity(PIECE),
            progress: progress.clone(),
            runtime: Handle::current(),
        }
    }
}

/// Writes into a pipe, and waits while it is full. It fails when nobody reads any more, or the job is
/// to end.
pub(crate) struct PipeWriter {
    sender: mpsc::Sender<Piece>,
    piece: Vec<u8>,
    progress: Progress,
    runtime: Handle,
}

impl PipeWriter {
    /// Ends the body as a whole one.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.send(Piece::End)
    }

    fn send(&self, piece: Piece) -> io::Result<()> {
        loop {
            let room = async { tokio::time::timeout(PATIENCE, self.sender.reserve()).await };
            match self.runtime.block_on(room) {
                Ok(Ok(room)) => {
                    room.send(piece);
                    return Ok(());
                }
                Ok(Err(_closed)) => return Err(io::ErrorKind::BrokenPipe.into()),
                Err(_elapsed) if self.progress.reading().cancelled => {
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
