//! The thread that updates the index after saves.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use fumikura_base::error_chain::error_chain;
use fumikura_search::{IndexError, PageKey};
use fumikura_wiki::{StorageError, Wiki};

use crate::searcher::Search;
use crate::texts;

/// Changes are collected until none arrives for this time.
const QUIET_TIME: Duration = Duration::from_millis(500);
/// The maximum time for which changes are collected. Each commit of the index costs disk time, which saves
/// need.
const MAX_COLLECTING: Duration = Duration::from_secs(5);
/// The pause after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(10);
/// The time between two checks of all checksums.
const CHECK_INTERVAL: Duration = Duration::from_secs(60 * 60);
/// The minimum time between two rebuilds of an index whose checksums are right: if a new one fails as well, the
/// cause is elsewhere.
const REBUILD_INTERVAL: Duration = Duration::from_secs(60 * 60);
/// The maximum size of the text in one commit, in bytes.
const BATCH: usize = 32 << 20;

/// The reason why the index could not be updated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum IndexingFailure {
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Starts the thread, which ends with [`Search::stop`], and calls `ended` when it has ended.
pub fn start(search: &Arc<Search>, wiki: &Arc<Wiki>, ended: impl FnOnce() + Send + 'static) {
    let (indexed, wiki) = (Arc::clone(search), Arc::downgrade(wiki));
    search.indexing.store(true, Ordering::Release);
    let thread = thread::Builder::new().name("search-index".to_owned());
    let spawned = thread.spawn(move || {
        run(&indexed, &wiki);
        ended();
    });
    if let Err(error) = spawned {
        tracing::warn!("the search index is not kept up to date: {error}");
        search.indexing.store(false, Ordering::Release);
    }
}

/// Runs the thread. It does not keep the wiki open while it is idle.
fn run(search: &Search, wiki: &Weak<Wiki>) {
    let mut failures = 0;
    let mut checked = Instant::now();
    while search.wait(checked + CHECK_INTERVAL) {
        let Some(wiki) = wiki.upgrade() else { return };
        let mut updated = search.update(&wiki);
        if updated.is_ok() && checked.elapsed() >= CHECK_INTERVAL {
            checked = Instant::now();
            updated = search.validate();
        }
        let failure = match updated {
            Ok(()) => {
                failures = 0;
                search.set_failure(None);
                continue;
            }
            Err(failure) => failure,
        };
        failures += 1;
        if failures == 1
            && let IndexingFailure::Index(
                error @ (IndexError::Unusable(_) | IndexError::Panicked(_)),
            ) = &failure
        {
            search.report_damage(error);
        } else {
            tracing::warn!("the search index is behind: {}", error_chain(&failure));
            search.set_failure(Some(failure.to_string()));
            search.recover(&failure, failures);
            drop(wiki);
            search.rest();
        }
    }
}

impl Search {
    /// Waits for changes, and then until none arrives for a moment; or until this time. Returns false if the
    /// application ends.
    fn wait(&self, until: Instant) -> bool {
        let mut changed = self.changed();
        while changed.commits == changed.indexed && !changed.stopping {
            if self.wake.wait_until(&mut changed, until).timed_out() {
                return !changed.stopping;
            }
        }
        drop(changed);
        let began = Instant::now();
        loop {
            let before = self.changed().commits;
            if !self.sleep(QUIET_TIME) {
                return false;
            }
            let mut changed = self.changed();
            if changed.commits == before || began.elapsed() > MAX_COLLECTING {
                changed.indexed = changed.commits;
                return true;
            }
        }
    }

    /// Brings the index up to date. On damage, the library that writes it may panic.
    pub(crate) fn update(&self, wiki: &Wiki) -> Result<(), IndexingFailure> {
        let updated = catch_unwind(AssertUnwindSafe(|| {
            self.repair()?;
            self.index_pending(wiki)
        }));
        // The panic hook has logged the words of the panic.
        updated.unwrap_or_else(|_| Err(IndexError::Panicked("an update failed".to_owned()).into()))
    }

    fn validate(&self) -> Result<(), IndexingFailure> {
        match self.open_index() {
            Some(index) => Ok(index.validate()?),
            None => Ok(()),
        }
    }

    /// Deletes or closes an index that could not be read.
    fn repair(&self) -> Result<(), IndexError> {
        if !self.damaged.load(Ordering::Acquire) {
            return Ok(());
        }
        self.close_index();
        self.discard_suspect()?;
        // The pages are compared with the versions in the index again.
        self.changed().everything = true;
        Ok(())
    }

    /// Deletes an index that fails though its checksums may be right.
    fn discard_suspect(&self) -> Result<(), IndexError> {
        let mut discarded = self.discarded.lock();
        if discarded.is_none_or(|at| at.elapsed() > REBUILD_INTERVAL) {
            self.discard()?;
            *discarded = Some(Instant::now());
        }
        Ok(())
    }

    fn rest(&self) {
        self.sleep(RETRY_DELAY);
        // Retries the failed work.
        let mut changed = self.changed();
        changed.everything = true;
        changed.commits += 1;
    }

    /// Reopens the index, and rebuilds it if that did not help.
    fn recover(&self, failure: &IndexingFailure, failures: u32) {
        self.close_index();
        let discarded = match failure {
            IndexingFailure::Index(IndexError::Unusable(_)) => self.discard(),
            IndexingFailure::Index(IndexError::Library(_) | IndexError::Panicked(_))
                if failures > 1 =>
            {
                self.discard_suspect()
            }
            IndexingFailure::Index(_) | IndexingFailure::Storage(_) => Ok(()),
        };
        if let Err(error) = discarded {
            tracing::warn!("the search index can't be deleted: {}", error_chain(&error));
        }
    }

    /// Sleeps. Returns false if the application ends.
    fn sleep(&self, time: Duration) -> bool {
        let mut changed = self.changed();
        self.wake
            .wait_while_for(&mut changed, |changed| !changed.stopping, time);
        !changed.stopping
    }

    /// Indexes pending pages.
    fn index_pending(&self, wiki: &Wiki) -> Result<(), IndexingFailure> {
        // The pages are read before the index is compared with them.
        drop(self.state(wiki)?);
        let index = {
            let mut state = self.state_to_change();
            let (index, is_new) = self.make_index()?;
            if is_new {
                state.compare(index.versions()?);
            }
            index
        };
        let (pending, removed) = {
            let state = self.state(wiki)?;
            let versions = state
                .pending
                .iter()
                .filter_map(|key| state.directory.get(key));
            let pending: Vec<(PageKey, u64)> =
                versions.map(|facts| (facts.key, facts.version)).collect();
            (pending, state.removed.iter().copied().collect::<Vec<_>>())
        };
        if pending.is_empty() && removed.is_empty() {
            return Ok(());
        }
        let mut writer = index.writer()?;
        let mut done: Vec<(PageKey, Option<u64>)> = Vec::new();
        for key in removed {
            writer.remove(&key);
            done.push((key, None));
        }
        let mut bytes = 0;
        for (key, version) in pending {
            if self.changed().stopping {
                break;
            }
            match texts::read(wiki, &key, None)? {
                Some(text) => {
                    bytes += text.body().text().len();
                    writer.put(&key, version, &text)?;
                    done.push((key, Some(version)));
                }
                None => writer.remove(&key),
            }
            if bytes > BATCH {
                bytes = 0;
                writer.commit()?;
                self.publish(&index, std::mem::take(&mut done))?;
            }
        }
        writer.commit()?;
        self.publish(&index, done)?;
        if self.changed().stopping {
            return Ok(());
        }
        writer.finish()?;
        let _unchanged = self.state_to_change();
        Ok(index.reload()?)
    }

    /// Makes a commit visible to searches. Index and state change together, so that no page is missed.
    fn publish(
        &self,
        index: &fumikura_search::Index,
        done: Vec<(PageKey, Option<u64>)>,
    ) -> Result<(), IndexError> {
        let mut state = self.state_to_change();
        index.reload()?;
        state.indexed(done);
        Ok(())
    }
}
