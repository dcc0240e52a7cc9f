//! Verification of files whose hashes another store keeps.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use parking_lot::Mutex;

use super::report::{Finding, Report};
use super::{RunError, RunObserver, pool};
use crate::contents::{self, Contents, ReadError};
use crate::digest::Digest;
use crate::folder::HashFolder;
use crate::path::FilePath;
use crate::state::FileState;

/// A file whose hash its store keeps. The store never changes its contents, so a difference is damage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    /// The store's name for it.
    pub id: String,
    pub path: FilePath,
    /// Its size in bytes.
    pub size: u64,
    /// The hash of its contents.
    pub digest: Digest,
}

/// The files of a store that keeps their hashes itself.
pub struct StoredFiles<'a> {
    /// All of them.
    pub files: &'a [StoredFile],
    /// Returns true if the store still has a file: one may be deleted while the others are read.
    pub is_stored: &'a (dyn Fn(&StoredFile) -> bool + Sync),
}

impl StoredFiles<'_> {
    pub const NONE: StoredFiles<'static> = StoredFiles {
        files: &[],
        is_stored: &|_| true,
    };
}

impl HashFolder {
    /// Reads some of the files, adds the results to the report, and stores them here.
    pub(crate) fn verify_stored(
        &self,
        chosen: Vec<&StoredFile>,
        stored: &StoredFiles<'_>,
        report: &mut Report,
        now: Timestamp,
        observer: &dyn RunObserver,
    ) -> Result<(), RunError> {
        if chosen.is_empty() {
            return Ok(());
        }
        let mut found = Vec::new();
        for (file, outcome) in read_all(chosen, observer)? {
            let Some(state) = state_of(file, &outcome) else {
                report.is_cancelled = true;
                continue;
            };
            if let Ok(contents) = &outcome {
                report.files_read += 1;
                report.bytes_read += contents.stat.size;
            }
            if state == FileState::Ok {
                report.summary.add(state, 1);
            } else if (stored.is_stored)(file) {
                report.add(finding(file, state, &outcome));
            } else {
                continue;
            }
            found.push((file.id.clone(), state));
        }
        report.sort();
        let ids: BTreeSet<&str> = stored.files.iter().map(|file| &*file.id).collect();
        Ok(self.store_verifications(&found, now, |id| ids.contains(id))?)
    }
}

type ContentsRead = Result<Contents, ReadError>;

fn read_all<'a>(
    files: Vec<&'a StoredFile>,
    observer: &dyn RunObserver,
) -> Result<Vec<(&'a StoredFile, ContentsRead)>, RunError> {
    let total = files.iter().map(|file| file.size).sum();
    let device = |file: &StoredFile| file.path.stat().map_or(0, |stat| stat.st_dev);
    let files = files.into_iter().map(|file| (device(file), file));
    let done = AtomicU64::new(0);
    let may_continue = |count: u64| {
        let done = done.fetch_add(count, Ordering::Relaxed) + count;
        observer.advance(done, total)
    };
    let outcomes = Mutex::new(Vec::new());
    pool::for_each(files.collect(), |file: &StoredFile| {
        let outcome = if may_continue(0) {
            contents::read(&file.path, &may_continue)
        } else {
            Err(ReadError::Cancelled)
        };
        let mut outcomes = outcomes.lock();
        outcomes.push((file, outcome));
    })?;
    Ok(outcomes.into_inner())
}

/// Returns the state of a file, or `None` if it was not read to its end.
fn state_of(file: &StoredFile, outcome: &ContentsRead) -> Option<FileState> {
    match outcome {
        Ok(contents) if contents.digest == file.digest => Some(FileState::Ok),
        Ok(_) => Some(FileState::Differs),
        Err(ReadError::Missing) => Some(FileState::Missing),
        Err(ReadError::Cancelled) => None,
        Err(ReadError::NotRegular | ReadError::ChangedMeanwhile | ReadError::Io(_)) => {
            Some(FileState::Unreadable)
        }
    }
}

fn finding(file: &StoredFile, state: FileState, outcome: &ContentsRead) -> Finding {
    let finding = Finding::new(file.path.clone(), state).expecting(file.digest);
    match outcome {
        Ok(contents) => {
            let mut finding = finding.with_stat(&contents.stat);
            finding.actual = Some(contents.digest.into());
            finding
        }
        Err(error) => finding.with_reason(error),
    }
}
