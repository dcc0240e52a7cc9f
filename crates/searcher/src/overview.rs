//! The tags of all pages, and mentions of titles without a link.

use std::collections::{BTreeMap, BTreeSet};

use fumikura_base::budget::Budget;
use fumikura_search::Query;
use fumikura_wiki::{PageId, StorageError, Wiki};

use crate::answer::Sources;
use crate::request::{HitItem, Kind, SearchRequest, SearchResults};
use crate::searcher::Search;

/// The maximum number of pages that are read to find mentions without a link.
const MAX_PAGES_READ: usize = 100;

impl Search {
    /// Returns the tags of present pages, each with the number of its pages.
    ///
    /// # Errors
    /// If the database fails.
    pub fn tags(&self, wiki: &Wiki) -> Result<BTreeMap<String, usize>, StorageError> {
        let state = self.state(wiki)?;
        let present = |key: &_| state.directory.get(key).is_some_and(|page| !page.deleted);
        let indexed = self.open_index().and_then(|index| {
            let counts = |key: &_| present(key) && !state.pending.contains(key);
            let counted = index.tags(counts);
            counted.inspect_err(|error| self.report_damage(error)).ok()
        });
        let all = indexed.is_none();
        let mut tags = indexed.unwrap_or_default();
        for facts in state.directory.pages().filter(|page| present(&page.key)) {
            if !all && !state.pending.contains(&facts.key) {
                continue;
            }
            if let Some(text) = self.texts.get(wiki, &facts.key, facts.version)? {
                for tag in text.tags() {
                    *tags.entry(tag.clone()).or_default() += 1;
                }
            }
        }
        Ok(tags)
    }

    /// Returns the pages that contain the title of a page and have no link to it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn mentions(
        &self,
        sources: &Sources<'_>,
        page: PageId,
        title: &str,
        linking: &BTreeSet<PageId>,
        budget: Budget,
    ) -> Result<Option<SearchResults>, StorageError> {
        let Some(query) = Query::phrase(title) else {
            return Ok(None);
        };
        let request = SearchRequest {
            query,
            typed: None,
            kind: Some(Kind::Page),
            deleted: false,
            revisions: false,
            offset: 0,
            limit: MAX_PAGES_READ,
            budget,
        };
        let mut answer = self.ask(sources, &request)?;
        answer.hits.retain(|hit| {
            let HitItem::Page(page_hit) = &hit.item else {
                return false;
            };
            let id = PageId::from_bytes(page_hit.facts.key);
            let in_text = page_hit
                .snippets
                .iter()
                .any(|snippet| !snippet.highlights.is_empty());
            id != page && in_text && !linking.contains(&id)
        });
        answer.total = answer.hits.len();
        Ok(Some(answer))
    }
}
