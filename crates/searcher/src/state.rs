//! The facts of pages, updated before each search.

use std::collections::{BTreeSet, HashMap};

use fumikura_search::{Directory, PageFacts, PageKey};
use fumikura_wiki::{PageId, SearchablePage, StorageError, Wiki};
use parking_lot::{RwLockReadGuard, RwLockWriteGuard};

use crate::searcher::Search;

/// The pages, and those whose indexed version is out of date.
#[derive(Default)]
pub(crate) struct SearchState {
    pub(crate) directory: Directory,
    /// Pages whose newest version is not indexed.
    pub(crate) pending: BTreeSet<PageKey>,
    /// Pages that were deleted permanently and may be in the index.
    pub(crate) removed: BTreeSet<PageKey>,
    /// The indexed version of each page.
    pub(crate) indexed: HashMap<PageKey, u64>,
}

impl SearchState {
    fn put(&mut self, facts: PageFacts) {
        let key = facts.key;
        match self.indexed.get(&key) == Some(&facts.version) {
            true => self.pending.remove(&key),
            false => self.pending.insert(key),
        };
        self.removed.remove(&key);
        self.directory.put(facts);
    }

    fn forget(&mut self, key: PageKey) {
        self.directory.remove(&key);
        self.pending.remove(&key);
        if self.indexed.contains_key(&key) {
            self.removed.insert(key);
        }
    }

    /// Compares all pages with the index.
    pub(crate) fn compare(&mut self, indexed: HashMap<PageKey, u64>) {
        self.indexed = indexed;
        let stale = |page: &&PageFacts| self.indexed.get(&page.key) != Some(&page.version);
        let pending = self.directory.pages().filter(stale);
        self.pending = pending.map(|page| page.key).collect();
        let removed = self.indexed.keys();
        let removed = removed.filter(|key| self.directory.get(key).is_none());
        self.removed = removed.copied().collect();
    }

    /// Records that the index has these versions; a page without a version is no longer in the index.
    pub(crate) fn indexed(&mut self, pages: impl IntoIterator<Item = (PageKey, Option<u64>)>) {
        for (key, version) in pages {
            match version {
                Some(version) => self.indexed.insert(key, version),
                None => self.indexed.remove(&key),
            };
            let current = self.directory.get(&key).map(|facts| facts.version);
            if current == version {
                self.pending.remove(&key);
                self.removed.remove(&key);
            }
        }
    }
}

impl Search {
    /// Returns the facts of all pages, including everything that was committed before.
    pub(crate) fn state(
        &self,
        wiki: &Wiki,
    ) -> Result<RwLockReadGuard<'_, SearchState>, StorageError> {
        self.refresh(wiki)?;
        Ok(self.state.read())
    }

    pub(crate) fn state_to_change(&self) -> RwLockWriteGuard<'_, SearchState> {
        self.state.write()
    }

    /// Applies the recorded changes.
    fn refresh(&self, wiki: &Wiki) -> Result<(), StorageError> {
        if !self.changed().is_some() {
            // The thread that took the changes holds the state until they are applied.
            return Ok(());
        }
        let mut state = self.state_to_change();
        let (pages, everything) = {
            let mut changed = self.changed();
            let everything = std::mem::take(&mut changed.everything);
            (std::mem::take(&mut changed.pages), everything)
        };
        let read = match everything {
            true => self.read_all(wiki, &mut state),
            false => read_some(wiki, &pages, &mut state),
        };
        if read.is_err() {
            let mut changed = self.changed();
            changed.everything |= everything;
            changed.pages.extend(pages);
        }
        read
    }

    fn read_all(&self, wiki: &Wiki, state: &mut SearchState) -> Result<(), StorageError> {
        let pages = wiki.search().searchable_pages()?;
        let indexed = match self.open_index().map(|index| index.versions()) {
            Some(Ok(versions)) => versions,
            Some(Err(error)) => {
                self.report_damage(&error);
                HashMap::new()
            }
            None => HashMap::new(),
        };
        state.directory = pages.into_iter().map(facts).collect();
        state.compare(indexed);
        Ok(())
    }
}

fn read_some(
    wiki: &Wiki,
    pages: &BTreeSet<PageKey>,
    state: &mut SearchState,
) -> Result<(), StorageError> {
    for key in pages {
        match wiki.search().searchable_page(PageId::from_bytes(*key))? {
            Some(page) => state.put(facts(page)),
            None => state.forget(*key),
        }
    }
    Ok(())
}

fn facts(page: SearchablePage) -> PageFacts {
    let SearchablePage {
        page_id,
        path,
        former_paths,
        deleted,
        title,
        version,
        updated,
        user_name,
    } = page;
    PageFacts {
        key: page_id.to_bytes(),
        path: path.to_string(),
        former: former_paths.iter().map(ToString::to_string).collect(),
        title,
        deleted,
        updated: updated.as_millisecond(),
        author: user_name,
        version: (version.revision << 32) | u64::from(version.amends),
    }
}
