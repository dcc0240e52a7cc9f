//! The state of the search, and the index that it opens and rebuilds.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use fumikura_base::error_chain::error_chain;
use fumikura_search::{Index, IndexError, PageKey};
use fumikura_wiki::Change;
use parking_lot::{Condvar, Mutex, MutexGuard, RwLock};

use crate::files::PageFileIndex;
use crate::pictures::PictureLists;
use crate::records::Records;
use crate::state::SearchState;
use crate::texts::Texts;

/// Full-text search of the wiki.
pub struct Search {
    pub(crate) folder: PathBuf,
    pub(crate) changed: Mutex<PendingChanges>,
    /// Wakes the indexing thread.
    pub(crate) wake: Condvar,
    pub(crate) state: RwLock<SearchState>,
    pub(crate) texts: Texts,
    pub(crate) files: PageFileIndex,
    pub(crate) pictures: Arc<PictureLists>,
    pub(crate) records: Records,
    index: Mutex<Option<Arc<Index>>>,
    /// The reason why the last update of the index failed.
    failure: Mutex<Option<String>>,
    /// True if the index could not be read: it is not used until the indexing thread has dealt with it.
    pub(crate) damaged: AtomicBool,
    /// The time at which an index was last deleted although its checksums were right.
    pub(crate) discarded: Mutex<Option<Instant>>,
    /// True if a thread keeps the index up to date.
    pub(crate) indexing: AtomicBool,
}

/// The pages that may differ from their known facts.
#[derive(Debug, Default)]
pub(crate) struct PendingChanges {
    pub(crate) pages: BTreeSet<PageKey>,
    /// True if every page may have changed.
    pub(crate) everything: bool,
    /// The number of commits that changed pages; the first one is the start.
    pub(crate) commits: u64,
    /// The number of commits that the thread has taken up. A search removes the pages above.
    pub(crate) indexed: u64,
    pub(crate) stopping: bool,
}

impl Search {
    /// Creates a search whose index is in this folder.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        let changed = PendingChanges {
            everything: true,
            commits: 1,
            ..PendingChanges::default()
        };
        Self {
            folder,
            changed: Mutex::new(changed),
            wake: Condvar::new(),
            state: RwLock::default(),
            texts: Texts::default(),
            files: PageFileIndex::default(),
            pictures: Arc::default(),
            records: Records::default(),
            index: Mutex::default(),
            failure: Mutex::default(),
            damaged: AtomicBool::new(false),
            discarded: Mutex::default(),
            indexing: AtomicBool::new(false),
        }
    }

    /// Records the changes of a commit. Fast, because nothing is read.
    pub fn note(&self, changes: &[Change]) {
        self.files.note(changes);
        let mut changed = self.changed();
        for change in changes {
            match change {
                Change::Page { page_id, .. } => {
                    changed.pages.insert(page_id.to_bytes());
                }
                Change::Unknown => changed.everything = true,
                Change::Asset { .. }
                | Change::Locked { .. }
                | Change::Unlocked { .. }
                | Change::Settings => {}
            }
        }
        if changed.is_some() {
            changed.commits += 1;
            self.wake.notify_all();
        }
    }

    /// Stops the indexing thread.
    pub fn stop(&self) {
        self.changed().stopping = true;
        self.wake.notify_all();
    }

    pub(crate) fn changed(&self) -> MutexGuard<'_, PendingChanges> {
        self.changed.lock()
    }

    pub(crate) fn is_indexing(&self) -> bool {
        self.indexing.load(Ordering::Acquire)
    }

    pub(crate) fn failure(&self) -> Option<String> {
        let failure = self.failure.lock();
        failure.clone()
    }

    pub(crate) fn set_failure(&self, failure: Option<String>) {
        let mut last = self.failure.lock();
        *last = failure;
    }

    /// Returns the index, if there is a usable one.
    pub(crate) fn open_index(&self) -> Option<Arc<Index>> {
        if self.damaged.load(Ordering::Acquire) {
            return None;
        }
        let mut index = self.index.lock();
        if index.is_none() && self.has_index() {
            match Index::open(&self.folder) {
                Ok(opened) => *index = Some(Arc::new(opened)),
                Err(error) => self.report_damage(&error),
            }
        }
        index.clone()
    }

    /// True if there is an index on the disk.
    pub(crate) fn has_index(&self) -> bool {
        self.folder.join("meta.json").exists()
    }

    /// Stops the use of the index, and has it rebuilt.
    pub(crate) fn report_damage(&self, error: &IndexError) {
        if self.damaged.swap(true, Ordering::AcqRel) {
            return;
        }
        tracing::warn!("the search index can't be read: {}", error_chain(error));
        self.set_failure(Some(error.to_string()));
        self.changed().commits += 1;
        self.wake.notify_all();
    }

    pub(crate) fn close_index(&self) {
        *self.index.lock() = None;
    }

    /// Returns the index for writing, and true if it was opened just now. An unusable index is rebuilt.
    pub(crate) fn make_index(&self) -> Result<(Arc<Index>, bool), IndexError> {
        let mut index = self.index.lock();
        if let Some(index) = &*index
            && self.has_index()
        {
            return Ok((Arc::clone(index), false));
        }
        let opened = Index::open(&self.folder).or_else(|error| {
            tracing::warn!("the search index is rebuilt: {error}");
            self.discard()?;
            Index::open(&self.folder)
        })?;
        let opened = Arc::new(opened);
        *index = Some(Arc::clone(&opened));
        self.damaged.store(false, Ordering::Release);
        Ok((opened, true))
    }

    /// Deletes the index.
    pub(crate) fn discard(&self) -> Result<(), IndexError> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

impl PendingChanges {
    pub(crate) fn is_some(&self) -> bool {
        self.everything || !self.pages.is_empty()
    }
}
