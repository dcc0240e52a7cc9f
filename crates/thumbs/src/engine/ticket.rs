//! The handle of a request: a future that is ready when the thumbnail is.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use fumikura_fs::PictureVersion;
use fumikura_image::{PictureHash, Variant};
use futures_channel::oneshot;
use futures_util::future::Shared;

use super::ThumbError;
use super::single_flight::Claim;

/// A thumbnail in the cache.
#[derive(Debug, Clone)]
pub struct Thumbnail {
    /// The state of the picture of which this is the thumbnail. It differs from the requested one if the
    /// picture changed in between.
    pub version: PictureVersion,
    pub variant: Variant,
    /// The absolute path of its file.
    pub path: PathBuf,
    /// Its bytes, if it was made for this request: in a small cache the file may be evicted before it is read.
    pub(super) made: Option<Arc<[u8]>>,
    /// The hash of the picture, if the thumbnail was made for this request and is of a variant that has one.
    pub hash: Option<PictureHash>,
}

/// The result of a request.
pub type Outcome = Result<Arc<Thumbnail>, ThumbError>;

pub(super) type Receiver = Shared<oneshot::Receiver<Outcome>>;

/// A claim on a thumbnail: a future for any runtime, or [`wait`](Self::wait) for it in a thread. Waiting
/// holds no thread of the engine. Clones wait for the same thumbnail. Once all are dropped, a thumbnail that
/// no worker has begun leaves the queue.
#[derive(Debug, Clone)]
pub struct Ticket(TicketState);

#[derive(Debug, Clone)]
enum TicketState {
    Ready(Outcome),
    Waiting {
        receiver: Receiver,
        _claim: Arc<Claim>,
    },
}

impl Ticket {
    pub(super) fn ready(outcome: Outcome) -> Self {
        Self(TicketState::Ready(outcome))
    }

    pub(super) fn waiting(receiver: Receiver, claim: Claim) -> Self {
        Self(TicketState::Waiting {
            receiver,
            _claim: Arc::new(claim),
        })
    }

    /// Returns the outcome if it is already known.
    #[must_use]
    pub fn now(&self) -> Option<Outcome> {
        match &self.0 {
            TicketState::Ready(outcome) => Some(outcome.clone()),
            TicketState::Waiting { receiver, .. } => {
                receiver.peek().map(|received| match received {
                    Ok(outcome) => outcome.clone(),
                    Err(oneshot::Canceled) => Err(ThumbError::Failed),
                })
            }
        }
    }

    /// Blocks the calling thread until the outcome is known.
    ///
    /// # Errors
    /// [`ThumbError`], the reason why there is no thumbnail.
    pub fn wait(self) -> Outcome {
        futures_executor::block_on(self)
    }
}

impl Future for Ticket {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        match &mut self.0 {
            TicketState::Ready(outcome) => Poll::Ready(outcome.clone()),
            TicketState::Waiting { receiver, .. } => Pin::new(receiver)
                .poll(context)
                .map(|received| received.unwrap_or(Err(ThumbError::Failed))),
        }
    }
}
