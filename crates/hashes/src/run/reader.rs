//! Reads files for a verification, with as many threads as their disks support.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use super::scope::Survey;
use super::walk::WalkedFile;
use super::{RunError, RunObserver, pool};
use crate::contents::{self, Contents, ReadError};
use crate::digest::Digest;
use crate::path::FilePath;

/// The amount that is read before verifications are stored.
const PART_FILES: usize = 100_000;
const PART_BYTES: u64 = 8 << 30;

/// A file to read.
pub(super) struct ReadRequest {
    /// The path in the record.
    pub(super) path: FilePath,
    /// The path of the file, which differs only if the record's path has replaced bytes.
    pub(super) at: FilePath,
    pub(super) size: u64,
}

impl ReadRequest {
    pub(super) fn new(path: &FilePath, at: &FilePath, found: &WalkedFile) -> Self {
        Self {
            path: path.clone(),
            at: at.clone(),
            size: found.stat.size,
        }
    }
}

/// The outcome of reading files.
#[derive(Default)]
pub(super) struct ReadResults {
    pub(super) recorded: Vec<(ReadRequest, Result<Contents, ReadError>)>,
    pub(super) new: BTreeMap<FilePath, Digest>,
    pub(super) files: u64,
    pub(super) bytes: u64,
    pub(super) is_cancelled: bool,
}

pub(super) enum Task {
    Recorded(ReadRequest),
    New(FilePath, u64),
}

/// Reads files, and reports the progress over all of them.
pub(super) struct Reader<'a> {
    survey: &'a Survey,
    observer: &'a dyn RunObserver,
    done: AtomicU64,
    total: u64,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        survey: &'a Survey,
        observer: &'a dyn RunObserver,
        new: &[Task],
        recorded: &Vec<Task>,
    ) -> Self {
        Self {
            survey,
            observer,
            done: AtomicU64::new(0),
            total: new.iter().chain(recorded).map(Task::size).sum(),
        }
    }

    fn may_continue(&self, count: u64) -> bool {
        let done = self.done.fetch_add(count, Ordering::Relaxed) + count;
        self.observer.advance(done, self.total)
    }

    pub(super) fn read(&self, tasks: Vec<Task>) -> Result<ReadResults, RunError> {
        let device = |task: &Task| {
            let found = self.survey.files.get(task.at());
            found.map_or(0, |found| found.device)
        };
        let tasks = tasks.into_iter().map(|task| (device(&task), task));
        let results = Mutex::new(ReadResults::default());
        let lock = || results.lock();
        pool::for_each(tasks.collect(), |task| {
            if lock().is_cancelled {
                return;
            }
            let outcome = if self.may_continue(0) {
                contents::read(task.at(), &|count| self.may_continue(count))
            } else {
                Err(ReadError::Cancelled)
            };
            lock().add(task, outcome);
        })?;
        Ok(results.into_inner())
    }
}

impl ReadResults {
    fn add(&mut self, task: Task, outcome: Result<Contents, ReadError>) {
        self.is_cancelled |= matches!(outcome, Err(ReadError::Cancelled));
        if let Ok(read) = &outcome {
            self.files += 1;
            self.bytes += read.stat.size;
        }
        match task {
            Task::Recorded(request) => self.recorded.push((request, outcome)),
            Task::New(path, _) => {
                // An unreadable file has no digest, but it is still new.
                let read = outcome.ok();
                self.new.extend(read.map(|read| (path, read.digest)));
            }
        }
    }
}

/// Splits the tasks into parts. Verifications are stored after each part.
pub(super) fn parts(tasks: Vec<Task>) -> Vec<Vec<Task>> {
    let mut parts = vec![Vec::new()];
    let (mut files, mut bytes) = (0, 0);
    for task in tasks {
        files += 1;
        bytes += task.size();
        if let Some(part) = parts.last_mut() {
            part.push(task);
        }
        if files >= PART_FILES || bytes >= PART_BYTES {
            parts.push(Vec::new());
            (files, bytes) = (0, 0);
        }
    }
    parts
}

impl Task {
    fn at(&self) -> &FilePath {
        match self {
            Self::Recorded(request) => &request.at,
            Self::New(path, _) => path,
        }
    }

    pub(super) fn size(&self) -> u64 {
        match self {
            Self::Recorded(request) => request.size,
            Self::New(_, size) => *size,
        }
    }
}
