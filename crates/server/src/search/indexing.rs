//! The thread that updates the index after saves.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use fumikura_base::error_chain::error_chain;
use fumikura_search::{IndexError, PageKey};
use fumikura_wiki::{StorageError, Wiki};
use tokio::sync::oneshot;

use super::{Search, texts};

/// Changes are collected until none arrives for this time.
const QUIET_TIME: Duration = Duration::from_millis(500);
/// The maximum time for which changes are collected. Each commit of the index costs disk time, which saves
/// need.
const MAX_COLLECTING: Duration = Duration::from_secs(5);
/// The pause after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(10);
/// The maximum size of the text in one commit, in bytes.
const BATCH: usize = 32 << 20;

/// The reason why the index could not be updated.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Starts the thread, which ends with the application. The returned receiver completes when the thread has
/// ended. It is not a thread of the runtime, which would wait for it at its own end.
pub(crate) fn start(search: &Arc<Search>, wiki: &Arc<Wiki>) -> oneshot::Receiver<()> {
    let (indexed, wiki) = (Arc::clone(search), Arc::downgrade(wiki));
    let (ended, end) = oneshot::channel();
    search.indexing.store(true, Ordering::Release);
    let thread = thread::Builder::new().name("search-index".to_owned());
    let spawned = thread.spawn(move || {
        run(&indexed, &wiki);
        // The receiver may be gone.
        let _nobody_waits = ended.send(());
    });
    if let Err(error) = spawned {
        tracing::warn!("the search index is not kept up to date: {error}");
        search.indexing.store(false, Ordering::Release);
    }
    end
}

/// Runs the thread. It does not keep the wiki open while it is idle.
fn run(search: &Search, wiki: &Weak<Wiki>) {
    let mut failures = 0;
    while search.wait() {
        let Some(wiki) = wiki.upgrade() else { return };
        match search.index_pending(&wiki) {
            Ok(()) => {
                failures = 0;
                search.set_failure(None);
            }
            Err(failure) => {
                failures += 1;
                tracing::warn!("the search index is behind: {}", error_chain(&failure));
                search.set_failure(Some(failure.to_string()));
                search.recover(&failure, failures);
                drop(wiki);
                search.rest();
            }
        }
    }
}

impl Search {
    /// Waits for changes, and then until none arrives for a moment. Returns false if the application ends.
    fn wait(&self) -> bool {
        let mut changed = self.changed();
        while changed.commits == changed.indexed && !changed.stopping {
            self.wake.wait(&mut changed);
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

    fn rest(&self) {
        self.sleep(RETRY_DELAY);
        // Retries the failed work.
        let mut changed = self.changed();
        changed.everything = true;
        changed.commits += 1;
    }

    /// Reopens the index, and rebuilds it if that did not help.
    fn recover(&self, failure: &Failure, failures: u32) {
        self.close_index();
        let damaged = match failure {
            Failure::Index(IndexError::Unusable(_)) => true,
            Failure::Index(IndexError::Library(_)) => failures > 1,
            Failure::Index(IndexError::Io(_)) | Failure::Storage(_) => false,
        };
        if damaged && let Err(error) = self.discard() {
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
    fn index_pending(&self, wiki: &Wiki) -> Result<(), Failure> {
        let (index, is_new) = self.make_index()?;
        if is_new {
            // The pages are read before the index is compared with them.
            drop(self.state(wiki)?);
            self.state_to_change().compare(index.versions()?);
        }
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
