//! Errors of making a thumbnail.

use std::io;
use std::sync::Arc;

use fumikura_fs::AccessError;

use fumikura_image::DecodeError;

/// A reason why there is no thumbnail. It can be cloned, since several callers may wait for one result.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ThumbError {
    /// The picture's file can't be read.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The picture can't be decoded. If the failure is permanent, it is not retried until the file changes.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The file changed during each attempt to read it. It is probably still being written.
    #[error("the file keeps changing while it is read")]
    Changing,
    #[error("the queue of thumbnails is full")]
    QueueFull,
    /// The engine is shutting down, and the request will not be served.
    #[error("the thumbnails are being shut down")]
    ShuttingDown,
    /// The thumbnail can't be written. The kind `StorageFull` means a full disk.
    #[error("the thumbnail can't be written: {0}")]
    Storage(#[source] Arc<io::Error>),
    /// The engine failed to make this thumbnail because of a bug in the program.
    #[error("making the thumbnail failed")]
    Failed,
}
