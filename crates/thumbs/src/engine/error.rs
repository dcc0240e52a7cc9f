//! Why there is no thumbnail.

use std::io;
use std::sync::Arc;

use crate::access::AccessError;
use crate::decode::DecodeError;

/// Why there is no thumbnail. Can be cloned, since several may wait for one answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ThumbError {
    /// The picture's file can't be read.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The picture can't be decoded. Where that is lasting, it is not tried again until the file
    /// changes.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The file changed each time while it was read; it is probably still being written.
    #[error("the file keeps changing while it is read")]
    Changing,
    /// The queue has no place left.
    #[error("the queue of thumbnails is full")]
    QueueFull,
    /// The engine stops, and the request will not be served any more.
    #[error("the thumbnails are being shut down")]
    ShuttingDown,
    /// The thumbnail can't be written. Kind `StorageFull` means a full disk.
    #[error("the thumbnail can't be written: {0}")]
    Storage(#[source] Arc<io::Error>),
    /// The engine failed at making this thumbnail; a fault in the program.
    #[error("making the thumbnail failed")]
    Failed,
}
