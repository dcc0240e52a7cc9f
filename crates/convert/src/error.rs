//! The error of reading a source.

use std::io;

/// A source can't be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("the work was cancelled")]
    Cancelled,
    /// The folder or archive has more entries than are read.
    #[error("there are more than {0} files")]
    TooManyFiles(u64),
    /// More would be unpacked than allowed.
    #[error("more than {0} bytes would be unpacked")]
    TooMuch(u64),
    #[error("the archive is encrypted; unpack it first")]
    Password,
    /// No program is known that makes such a file.
    #[error("no known program makes such a file")]
    Unknown,
    /// The file is cut off or malformed.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// The source can't be read.
    #[error("the source can't be read: {0}")]
    Source(io::Error),
    /// A temporary file can't be written or read.
    #[error("a temporary file failed: {0}")]
    Spool(io::Error),
}
