//! Full-text search: the facts of pages, the index of their texts, and the texts that are not indexed yet.
//! docs/SEARCH.md describes the updates.

mod answer;
#[cfg(test)]
mod budget_tests;
mod earlier_revisions;
mod files;
mod folders;
mod indexing;
mod overview;
mod page_hit;
mod pictures;
mod query;
mod records;
mod request;
mod state;
mod suggestion;
mod texts;

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

pub(crate) use answer::Sources;
pub(crate) use folders::FoundFolder;
pub(crate) use indexing::start;
pub(crate) use page_hit::PageHit;
pub(crate) use request::{Answer, Hit, HitItem, Kind, Partial, SearchRequest, TypedQuery};

use files::Files;
use pictures::PictureLists;
use records::Records;
use state::State;
use texts::Texts;

/// Full-text search of the wiki.
pub(crate) struct Search {
    folder: PathBuf,
    changed: Mutex<PendingChanges>,
    /// Wakes the indexing thread.
    wake: Condvar,
    state: RwLock<State>,
    texts: Texts,
    files: Files,
    pictures: Arc<PictureLists>,
    records: Records,
    index: Mutex<Option<Arc<Index>>>,
    /// The reason why the last update of the index failed.
    failure: Mutex<Option<String>>,
    /// True if the index could not be read: it is not used until the indexing thread has dealt with it.
    damaged: AtomicBool,
    /// The time at which an index was last deleted although its checksums were right.
    discarded: Mutex<Option<Instant>>,
    /// True if a thread keeps the index up to date.
    indexing: AtomicBool,
}

/// The pages that may differ from their known facts.
#[derive(Debug, Default)]
struct PendingChanges {
    pages: BTreeSet<PageKey>,
    /// True if every page may have changed.
    everything: bool,
    /// The number of commits that changed pages; the first one is the start.
    commits: u64,
    /// The number of commits that the thread has taken up. A search removes the pages above.
    indexed: u64,
    stopping: bool,
}

impl Search {
    pub(crate) fn new(folder: PathBuf) -> Self {
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
            files: Files::default(),
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
    pub(crate) fn note(&self, changes: &[Change]) {
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
    pub(crate) fn stop(&self) {
        self.changed().stopping = true;
        self.wake.notify_all();
    }

    fn changed(&self) -> MutexGuard<'_, PendingChanges> {
        self.changed.lock()
    }

    fn is_indexing(&self) -> bool {
        self.indexing.load(Ordering::Acquire)
    }

    fn failure(&self) -> Option<String> {
        let failure = self.failure.lock();
        failure.clone()
    }

    fn set_failure(&self, failure: Option<String>) {
        let mut last = self.failure.lock();
        *last = failure;
    }

    /// Returns the index, if there is a usable one.
    fn open_index(&self) -> Option<Arc<Index>> {
        if self.damaged.load(Ordering::Acquire) {
            return None;
        }
        let mut index = self.index.lock();
        if index.is_none() && self.folder.join("meta.json").exists() {
            match Index::open(&self.folder) {
                Ok(opened) => *index = Some(Arc::new(opened)),
                Err(error) => self.report_damage(&error),
            }
        }
        index.clone()
    }

    /// Stops the use of the index, and has it rebuilt.
    fn report_damage(&self, error: &IndexError) {
        if self.damaged.swap(true, Ordering::AcqRel) {
            return;
        }
        tracing::warn!("the search index can't be read: {}", error_chain(error));
        self.set_failure(Some(error.to_string()));
        self.changed().commits += 1;
        self.wake.notify_all();
    }

    fn close_index(&self) {
        *self.index.lock() = None;
    }

    /// Returns the index for writing, and true if it was opened just now. An unusable index is rebuilt.
    fn make_index(&self) -> Result<(Arc<Index>, bool), IndexError> {
        let mut index = self.index.lock();
        if let Some(index) = &*index
            && self.folder.join("meta.json").exists()
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
    fn discard(&self) -> Result<(), IndexError> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

impl PendingChanges {
    fn is_some(&self) -> bool {
        self.everything || !self.pages.is_empty()
    }
}
