//! The hash folders and reports of this launch.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use fumikura_hashes::{Digest, FilePath, HashFolder, Index, IndexVersion};
use parking_lot::Mutex;

use super::stored_report::StoredReport;
use crate::error::ApiError;
use crate::events::HashesFound;

/// The number of reports kept; the oldest is dropped first.
const MAX_REPORTS: usize = 20;

/// Hash folders and reports of this launch.
pub(crate) struct HashFolders {
    pub(super) own: PathBuf,
    opened: Mutex<HashMap<String, PathBuf>>,
    reports: Mutex<VecDeque<(String, Arc<StoredReport>)>>,
    index: Mutex<Option<CachedIndex>>,
    listener: OnceLock<Listener>,
}

/// A listener for the findings of rolling verification.
type Listener = Box<dyn Fn(HashesFound) + Send + Sync>;

#[derive(Debug)]
struct CachedIndex {
    folder: PathBuf,
    version: IndexVersion,
    index: Arc<Index>,
}

impl HashFolders {
    pub(crate) fn new(own: PathBuf) -> Self {
        Self {
            own,
            opened: Mutex::default(),
            reports: Mutex::default(),
            index: Mutex::default(),
            listener: OnceLock::new(),
        }
    }

    /// Returns the folder's records, which are read once for each version.
    pub(super) fn index(&self, folder: &HashFolder) -> Result<Arc<Index>, ApiError> {
        let version = folder.index_version().map_err(unusable)?;
        let mut cached = self.index.lock();
        if let Some(cached) = cached.as_ref()
            && cached.folder == folder.path()
            && cached.version == version
        {
            return Ok(Arc::clone(&cached.index));
        }
        let index = Arc::new(folder.index().map_err(unusable)?);
        *cached = Some(CachedIndex {
            folder: folder.path().to_owned(),
            version,
            index: Arc::clone(&index),
        });
        Ok(index)
    }

    pub(super) fn keep_report(&self, job: String, report: StoredReport) {
        let mut reports = self.reports.lock();
        reports.push_back((job, Arc::new(report)));
        if reports.len() > MAX_REPORTS {
            reports.pop_front();
        }
    }

    /// Returns the jobs and their reports, the latest first.
    pub(super) fn reports(&self) -> Vec<(String, Arc<StoredReport>)> {
        self.reports.lock().iter().rev().cloned().collect()
    }

    pub(super) fn report(&self, job: &str) -> Option<Arc<StoredReport>> {
        let reports = self.reports.lock();
        let found = reports.iter().find(|(id, _)| id == job);
        found.map(|(_, report)| Arc::clone(report))
    }

    /// Returns the paths at which runs found the contents of a recorded file, latest run first.
    pub(super) fn reported_copies(&self, index: &Index, digest: Digest) -> Vec<FilePath> {
        let reports: Vec<_> = self
            .reports
            .lock()
            .iter()
            .rev()
            .map(|(_, stored)| Arc::clone(stored))
            .collect();
        let copies = reports
            .iter()
            .flat_map(|stored| stored.report.copies_of(index, digest));
        copies.collect()
    }

    /// Sets the listener. Later calls have no effect.
    pub(super) fn listen(&self, listener: Listener) {
        self.listener.get_or_init(|| listener);
    }

    pub(super) fn publish(&self, found: HashesFound) {
        if let Some(listener) = self.listener.get() {
            listener(found);
        }
    }

    /// Returns the folder of a grant that was used already.
    pub(super) fn opened(&self, id: &str) -> Option<PathBuf> {
        self.opened.lock().get(id).cloned()
    }

    /// Names a folder by its grant from now on.
    pub(super) fn open(&self, grant: String, folder: PathBuf) {
        self.opened.lock().insert(grant, folder);
    }
}

pub(super) fn unusable(error: std::io::Error) -> ApiError {
    fumikura_hashes::RunError::from(error).into()
}
