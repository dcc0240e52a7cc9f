//! The results of runs, in a file beside the index. It is derived data like the index, and written without
//! syncing.

use std::io;
use std::path::PathBuf;

use fumikura_base::own_file;
use fumikura_ttl::RemovalLog;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::results::Run;

/// The number of evictions and runs that are kept.
pub(crate) const MAX_RESULTS: usize = 10;

/// The results of runs and evictions, and the times that outlast a launch.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ExpiryState {
    /// The last run that succeeded.
    pub(crate) last_success: Option<Timestamp>,
    /// The first launch.
    pub(crate) since: Option<Timestamp>,
    /// The wall-clock time of the last write.
    pub(crate) last_seen: Option<Timestamp>,
    /// The last runs, newest first.
    pub runs: Vec<Run>,
    /// The last evictions, newest first.
    pub collections: Vec<Collection>,
}

/// An eviction of artifacts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = CacheCollection))]
pub struct Collection {
    /// The time of the eviction.
    pub at: Timestamp,
    /// The number of thumbnails.
    pub artifacts: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

/// The state file, and the file of removals.
pub(crate) struct StateFile {
    folder: PathBuf,
    written: Option<(Vec<u8>, Vec<u8>)>,
}

impl StateFile {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            written: None,
        }
    }

    /// Reads the files. Unreadable files yield the defaults.
    pub(crate) fn load(&self) -> (ExpiryState, RemovalLog) {
        let read = |name: &str| own_file::read(&self.folder.join(name), own_file::SETTINGS);
        let state = read("state.json").ok();
        let state = state.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let removal_log = read("removed").unwrap_or_default();
        (
            state.unwrap_or_default(),
            RemovalLog::from_bytes(&removal_log),
        )
    }

    pub(crate) fn write(&mut self, state: &ExpiryState, removal_log: &[u8]) -> io::Result<()> {
        let mut state = state.clone();
        state.runs.truncate(MAX_RESULTS);
        state.collections.truncate(MAX_RESULTS);
        // A new time alone is not written, so that an idle program does not wake the disk.
        let timeless = ExpiryState {
            last_seen: None,
            ..state.clone()
        };
        let news = (serde_json::to_vec(&timeless)?, removal_log.to_vec());
        if self.written.as_ref() == Some(&news) {
            return Ok(());
        }
        let state = serde_json::to_vec(&state)?;
        own_file::replace(&self.folder.join("state.json"), &state)?;
        own_file::replace(&self.folder.join("removed"), removal_log)?;
        self.written = Some(news);
        Ok(())
    }
}
