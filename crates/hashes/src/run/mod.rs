//! Runs over many files: recording and verification.

mod check;
mod mount_points;
mod moves;
mod pool;
mod reader;
mod record;
mod report;
mod scope;
mod stored_files;
mod unreachable;
mod verify;
mod walk;

use crate::state::State;

pub use check::check_list;
pub use record::RecordOptions;
pub use report::{Finding, Report, Summary};
pub use scope::Scope;
pub use stored_files::{StoredFile, StoredFiles};
pub use verify::VerifyOptions;
pub use walk::{SkippedEntries, WalkOptions, files_of_size};

/// The observer of a run.
pub trait RunObserver: Sync {
    /// Receives the progress in bytes, and returns true if the run continues. May wait, to pause the run.
    fn advance(&self, done: u64, total: u64) -> bool;
}

/// Ignores the progress.
impl RunObserver for () {
    fn advance(&self, _done: u64, _total: u64) -> bool {
        true
    }
}

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

/// Returns false for states that need no action.
#[must_use]
pub(crate) fn is_finding(state: State) -> bool {
    state != State::Ok
}
