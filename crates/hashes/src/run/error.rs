//! Errors of runs.

/// The reason why a run produced no report.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The hash folder's index or lock can't be used.
    #[error("the hash folder can't be used: {0}")]
    Folder(#[source] std::io::Error),
    /// Another process is writing.
    #[error("another process is writing into the hash folder; try again when it has finished")]
    Busy,
    /// The records can't be written.
    #[error(transparent)]
    Write(#[from] crate::folder::WriteError),
    /// A glob of `ignore` is invalid.
    #[error("the pattern can't be used: {0}")]
    Pattern(#[source] ignore::Error),
    /// The threads can't be started.
    #[error("no threads can be started: {0}")]
    Threads(#[source] rayon::ThreadPoolBuildError),
}

impl From<std::io::Error> for RunError {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::WouldBlock {
            Self::Busy
        } else {
            Self::Folder(error)
        }
    }
}
