//! Copies of everything, to be kept elsewhere.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use crate::store::{Copied, StorageError, copy};
use crate::wiki::Wiki;

/// A backup was not made.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// It was broken off.
    #[error("the backup was broken off")]
    BrokenOff,
    /// Reading what is to be kept, or writing its copy, failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<io::Error> for BackupError {
    fn from(error: io::Error) -> Self {
        Self::Storage(error.into())
    }
}

impl Wiki {
    /// Copies the database as it is now into a new one at `path`, which must not exist, while others
    /// go on writing. Tells `watch` how many rows of how many are done, and ends when it says so.
    ///
    /// # Errors
    /// [`BackupError`]; what is at `path` is then of no use.
    pub fn back_up_database(
        &self,
        path: &Path,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), BackupError> {
        match self.store.read(|txn| copy(txn, path, watch))? {
            Copied::Whole => Ok(()),
            Copied::BrokenOff => Err(BackupError::BrokenOff),
        }
    }
}
