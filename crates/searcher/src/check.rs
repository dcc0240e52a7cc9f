//! The check of the index against the pages of the store, and its repair.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fumikura_base::error_chain::error_chain;
use fumikura_search::{Index, IndexError, PageKey};
use fumikura_wiki::{StorageError, Wiki};

use crate::searcher::Search;

/// The number of times that an index is opened: its files change while it is updated.
const ATTEMPTS: u32 = 3;
/// The time between two looks at the indexing thread.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The time for which a repair waits for an indexing thread that fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// A fault of the index. Everything in it can be rebuilt from the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexFault {
    /// It can't be read, or its checksums are wrong.
    Damaged,
    /// This number of pages is not in it.
    Missing(usize),
    /// It has earlier texts of this number of pages.
    Outdated(usize),
    /// This number of its entries belongs to no page.
    Superfluous(usize),
}

impl Search {
    /// Compares the index on the disk with the pages. Pages that are about to be indexed, by the thread or
    /// after the next start, are no fault, nor is an index that does not exist.
    ///
    /// # Errors
    /// If the pages can't be read.
    pub fn check(&self, wiki: &Wiki) -> Result<Vec<IndexFault>, StorageError> {
        if self.damaged.load(Ordering::Acquire) {
            return Ok(vec![IndexFault::Damaged]);
        }
        if !self.has_index() {
            return Ok(Vec::new());
        }
        let opened = (0..ATTEMPTS).find_map(|_| match Index::open(&self.folder) {
            Ok(index) => Some(index),
            Err(error) => {
                tracing::debug!("the search index: {}", error_chain(&error));
                None
            }
        });
        let Some(index) = opened else {
            return Ok(vec![IndexFault::Damaged]);
        };
        // Nothing is published while this is held.
        let state = self.state(wiki)?;
        let Some(versions) = (0..ATTEMPTS).find_map(|_| read_again(&index).ok()) else {
            return Ok(vec![IndexFault::Damaged]);
        };
        let is_due = |key: &PageKey| state.pending.contains(key) || state.removed.contains(key);
        let (mut missing, mut outdated) = (0, 0);
        for page in state.directory.pages().filter(|page| !is_due(&page.key)) {
            match versions.get(&page.key) {
                None => missing += 1,
                Some(version) if *version != page.version => outdated += 1,
                Some(_) => {}
            }
        }
        let others = versions.keys();
        let others = others.filter(|key| state.directory.get(key).is_none() && !is_due(key));
        let superfluous = others.count();
        let mut faults = Vec::new();
        for (count, fault) in [
            (missing, IndexFault::Missing(missing)),
            (outdated, IndexFault::Outdated(outdated)),
            (superfluous, IndexFault::Superfluous(superfluous)),
        ] {
            if count > 0 {
                faults.push(fault);
            }
        }
        Ok(faults)
    }

    /// Rebuilds what [`check`](Self::check) has found, by the indexing thread if there is one, and waits for it as long
    /// as `goes_on` returns true.
    pub fn rebuild(&self, wiki: &Wiki, faults: &[IndexFault], goes_on: &mut dyn FnMut() -> bool) {
        if faults.contains(&IndexFault::Damaged) {
            *self.discarded.lock() = None;
            self.report_damage(&IndexError::Unusable("a check found it damaged".to_owned()));
        }
        self.close_index();
        {
            // All pages are compared with the index on the disk.
            let mut changed = self.changed();
            changed.everything = true;
            changed.commits += 1;
            self.wake.notify_all();
        }
        if !self.is_indexing() {
            if let Err(error) = self.update(wiki) {
                tracing::warn!("the search index can't be rebuilt: {}", error_chain(&error));
            }
            return;
        }
        self.set_failure(None);
        let mut healthy = Instant::now();
        while goes_on() && !self.is_settled() && healthy.elapsed() < PATIENCE {
            let mut changed = self.changed();
            if changed.stopping {
                return;
            }
            self.wake.wait_for(&mut changed, POLL_INTERVAL);
            drop(changed);
            if self.failure().is_none() {
                healthy = Instant::now();
            }
        }
    }

    /// True if all pages are indexed.
    fn is_settled(&self) -> bool {
        if self.damaged.load(Ordering::Acquire) || self.changed().is_some() {
            return false;
        }
        let state = self.state.read();
        state.pending.is_empty() && state.removed.is_empty()
    }
}

fn read_again(index: &Index) -> Result<HashMap<PageKey, u64>, IndexError> {
    index.reload()?;
    index.versions()
}

impl fmt::Display for IndexFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged => f.write_str("it is damaged"),
            Self::Missing(pages) => write!(f, "{pages} pages are missing"),
            Self::Outdated(pages) => write!(f, "{pages} pages have an earlier text"),
            Self::Superfluous(entries) => write!(f, "{entries} entries belong to no page"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use fumikura_base::clock::SystemClock;
    use fumikura_base::entropy::SeededEntropy;
    use fumikura_search::extract;
    use fumikura_wiki::{PagePath, Precondition, SaveRequest, Template, UserName, WikiConfig};

    use super::*;

    /// A wiki with two pages, which are indexed.
    struct Fixture {
        wiki: Arc<Wiki>,
        search: Arc<Search>,
        pages: Vec<PageKey>,
        folder: tempfile::TempDir,
    }

    impl Fixture {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let config = WikiConfig {
                database: folder.path().join("wiki.redb"),
                assets: folder.path().join("asset"),
                asset_limit: 1,
                lock_ttl: WikiConfig::LOCK_TTL,
                open_timeout: Duration::ZERO,
            };
            let clock = Arc::new(SystemClock::new());
            let wiki = Wiki::open(&config, clock, Arc::new(SeededEntropy::new(1))).unwrap();
            let name = UserName::new("Aya").unwrap();
            let user = wiki.users().register(name, Template::En).unwrap().user.id;
            let create = |path: &str| {
                let path = PagePath::new(path).unwrap();
                let (page_id, lock) = wiki.pages().create_draft(&path, user).unwrap();
                let request = SaveRequest {
                    page_id,
                    user,
                    source: format!("the text of {path}"),
                    token: Some(lock.token),
                    if_match: Some(Precondition::Any),
                    amend: false,
                    keep_lock: false,
                    tab: None,
                    read: None,
                };
                wiki.pages().save(request).unwrap();
                page_id.to_bytes()
            };
            let pages = ["/a", "/b"].map(create).to_vec();
            let search = Arc::new(Search::new(folder.path().join("search")));
            let fixture = Self {
                wiki: Arc::new(wiki),
                search,
                pages,
                folder,
            };
            fixture.search.update(&fixture.wiki).unwrap();
            assert_eq!(fixture.check(), []);
            fixture
        }

        fn check(&self) -> Vec<IndexFault> {
            self.search.check(&self.wiki).unwrap()
        }

        fn repair(&self) {
            let faults = self.check();
            self.search.rebuild(&self.wiki, &faults, &mut || true);
            assert_eq!(self.check(), []);
        }

        /// Removes a page from the index, and adds an outdated one and one that does not exist.
        fn disturb(&self) {
            let index = Index::open(&self.search.folder).unwrap();
            let mut writer = index.writer().unwrap();
            writer.remove(&self.pages[0]);
            writer.put(&self.pages[1], 0, &extract("older")).unwrap();
            writer.put(&[7; 16], 1, &extract("foreign")).unwrap();
            writer.commit().unwrap();
            writer.finish().unwrap();
        }

        /// Cuts the end of the largest file.
        fn damage(&self) {
            let files = std::fs::read_dir(&self.search.folder).unwrap();
            let files = files.map(|entry| entry.unwrap());
            let largest = files.max_by_key(|file| file.metadata().unwrap().len());
            let largest = largest.unwrap().path();
            let bytes = std::fs::read(&largest).unwrap();
            std::fs::write(&largest, &bytes[..bytes.len() - 3]).unwrap();
        }
    }

    fn disturbed() -> [IndexFault; 3] {
        [
            IndexFault::Missing(1),
            IndexFault::Outdated(1),
            IndexFault::Superfluous(1),
        ]
    }

    #[test]
    fn differences_from_the_pages_are_repaired() {
        let fixture = Fixture::new();
        fixture.disturb();
        assert_eq!(fixture.check(), disturbed());
        fixture.repair();
        let words = fixture.search.state(&fixture.wiki).unwrap();
        assert_eq!(words.indexed.len(), 3);
    }

    #[test]
    fn damaged_index_is_rebuilt() {
        let fixture = Fixture::new();
        fixture.damage();
        assert_eq!(fixture.check(), [IndexFault::Damaged]);
        fixture.repair();
        assert!(fixture.folder.path().join("search/meta.json").exists());
    }

    #[test]
    fn indexing_thread_repairs_the_index() {
        let fixture = Fixture::new();
        let (sender, ended) = std::sync::mpsc::channel();
        crate::start(&fixture.search, &fixture.wiki, move || {
            sender.send(()).unwrap();
        });
        fixture.disturb();
        assert_eq!(fixture.check(), disturbed());
        fixture.repair();
        fixture.damage();
        fixture.repair();
        fixture.search.stop();
        ended.recv().unwrap();
    }
}
