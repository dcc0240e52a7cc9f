//! The open hash folders, and the reports of runs.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use fumikura_hashes::{Digest, HashFolder, Index, IndexVersion};
use parking_lot::{Mutex, MutexGuard};

use super::report::KeptReport;
use super::schedule::HashesFound;
use super::wiki_files::WIKI;
use crate::app::App;
use crate::entry::Client;
use crate::error::{ApiError, ErrorCode};
use crate::guard::Caller;

/// The value of `dir` for the program's own hash folder.
pub(crate) const OWN: &str = "own";
/// The number of reports kept; the oldest is dropped first.
const REPORTS: usize = 20;

/// Hash folders and reports of this launch.
pub(crate) struct HashFolders {
    own: PathBuf,
    opened: Mutex<HashMap<String, PathBuf>>,
    reports: Mutex<VecDeque<(String, Arc<KeptReport>)>>,
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

/// The caller of an operation, who may hold grants.
#[derive(Debug, Clone)]
pub struct GrantHolder(Holder);

#[derive(Debug, Clone)]
enum Holder {
    Window(Client),
    Request(Caller),
}

impl From<Client> for GrantHolder {
    fn from(window: Client) -> Self {
        Self(Holder::Window(window))
    }
}

impl From<Caller> for GrantHolder {
    fn from(caller: Caller) -> Self {
        Self(Holder::Request(caller))
    }
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
        let mut cached = lock(&self.index);
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

    pub(super) fn keep_report(&self, job: String, report: KeptReport) {
        let mut reports = lock(&self.reports);
        reports.push_back((job, Arc::new(report)));
        if reports.len() > REPORTS {
            reports.pop_front();
        }
    }

    pub(super) fn report(&self, job: &str) -> Option<Arc<KeptReport>> {
        let reports = lock(&self.reports);
        let found = reports.iter().find(|(id, _)| id == job);
        found.map(|(_, report)| Arc::clone(report))
    }

    /// Returns the paths at which runs found the contents of a recorded file, latest run first.
    pub(super) fn reported_copies(&self, index: &Index, digest: Digest) -> Vec<PathBuf> {
        let reports: Vec<_> = lock(&self.reports)
            .iter()
            .rev()
            .map(|(_, kept)| Arc::clone(kept))
            .collect();
        let copies = reports
            .iter()
            .flat_map(|kept| kept.report.copies_of(index, digest));
        copies.collect()
    }

    /// Sets the listener. Later calls have no effect.
    pub(super) fn listen(&self, listener: Listener) {
        self.listener.get_or_init(|| listener);
    }

    pub(super) fn tell(&self, found: HashesFound) {
        if let Some(listener) = self.listener.get() {
            listener(found);
        }
    }

    fn opened(&self, id: &str) -> Option<PathBuf> {
        lock(&self.opened).get(id).cloned()
    }
}

impl App {
    /// Returns the hash folder that `dir` names, for reading: the program's own, or one granted by a dialog.
    pub(super) fn hash_folder(
        &self,
        dir: Option<&str>,
        holder: &GrantHolder,
    ) -> Result<HashFolder, ApiError> {
        match dir {
            None | Some(OWN) => self.own_hash_folder(),
            Some(WIKI) => {
                let message = "the files of the wiki have no records; they can only be listed";
                Err(ApiError::new(ErrorCode::BadRequest, message))
            }
            Some(id) => Ok(HashFolder::open(&self.granted_hash_folder(id, holder)?)?),
        }
    }

    /// Returns the records of the program's own hash folder.
    pub(crate) fn own_hash_index(&self) -> Result<Arc<Index>, ApiError> {
        self.hashes.index(&self.own_hash_folder()?)
    }

    pub(crate) fn own_hash_folder(&self) -> Result<HashFolder, ApiError> {
        Ok(HashFolder::create(&self.hashes.own)?)
    }

    /// Returns the folder of a grant. The first use consumes the grant; its id names the folder from then on.
    fn granted_hash_folder(&self, id: &str, holder: &GrantHolder) -> Result<PathBuf, ApiError> {
        if let Some(path) = self.hashes.opened(id) {
            return Ok(path);
        }
        let path = self.take_grant(id, holder).ok_or_else(|| {
            let message = "this hash folder is not open; choose it again";
            ApiError::new(ErrorCode::GrantInvalid, message)
        })?;
        lock(&self.hashes.opened).insert(id.to_owned(), path.clone());
        Ok(path)
    }

    pub(super) fn take_grant(&self, id: &str, holder: &GrantHolder) -> Option<PathBuf> {
        match &holder.0 {
            Holder::Window(client) => self.grants.take_by(id, client),
            Holder::Request(Caller::Session(session)) => self.grants.take(id, *session),
            Holder::Request(Caller::Bearer | Caller::Anyone) => None,
        }
    }
}

/// Returns the id of a folder: `own`, or the id of the request.
pub(super) fn id_of(dir: Option<&str>) -> String {
    dir.unwrap_or(OWN).to_owned()
}

pub(super) fn unusable(error: std::io::Error) -> ApiError {
    fumikura_hashes::RunError::from(error).into()
}

pub(super) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock()
}
