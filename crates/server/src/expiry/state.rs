//! The results of runs, in a file beside the index. It is derived data like the index, and written without
//! syncing.

use std::io;
use std::path::PathBuf;

use fumikura_base::own_file;
use fumikura_ttl::RemovalLog;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::results::Run;

/// The number of evictions and runs that are kept.
pub(super) const MAX_RESULTS: usize = 10;

/// The contents of the file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct State {
    /// The last run that succeeded.
    pub(super) last_success: Option<Timestamp>,
    /// The first launch.
    pub(super) since: Option<Timestamp>,
    /// The wall-clock time of the last write.
    pub(super) last_seen: Option<Timestamp>,
    /// The last runs, newest first.
    pub(crate) runs: Vec<Run>,
    /// The last evictions, newest first.
    pub(crate) collections: Vec<Collection>,
}

/// An eviction of artifacts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = CacheCollection)]
pub(crate) struct Collection {
    /// The time of the eviction.
    pub(crate) at: Timestamp,
    /// The number of thumbnails.
    pub(crate) artifacts: u64,
    /// Their size in bytes.
    pub(crate) bytes: u64,
}

/// The state file, and the file of removals.
pub(super) struct StateFile {
    folder: PathBuf,
    written: Option<(Vec<u8>, Vec<u8>)>,
}

impl StateFile {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            written: None,
        }
    }

    /// Reads the files. Unreadable files yield the defaults.
    pub(super) fn load(&self) -> (State, RemovalLog) {
        let read = |name: &str| own_file::read(&self.folder.join(name), own_file::SETTINGS);
        let state = read("state.json").ok();
        let state = state.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let removal_log = read("removed").unwrap_or_default();
        (
            state.unwrap_or_default(),
            RemovalLog::from_bytes(&removal_log),
        )
    }

    pub(super) fn write(&mut self, state: &State, removal_log: &[u8]) -> io::Result<()> {
        let mut state = state.clone();
        state.runs.truncate(MAX_RESULTS);
        state.collections.truncate(MAX_RESULTS);
        // A new time alone is not written, so that an idle program does not wake the disk.
        let timeless = State {
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
