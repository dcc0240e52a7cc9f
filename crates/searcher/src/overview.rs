//! Mentions of titles without a link.

use std::collections::BTreeSet;
use std::time::Duration;

use fumikura_base::budget::Budget;
use fumikura_search::{Query, mention};
use fumikura_wiki::{PageError, PageId, StorageError, Wiki};

use crate::answer::Sources;
use crate::page_hit::{MentionPlace, PageHit};
use crate::request::{HitItem, Kind, Partial, PartialReason, SearchRequest, SearchResults};
use crate::searcher::Search;

/// The maximum number of pages that are read to find mentions without a link.
const MAX_PAGES_READ: usize = 100;
/// The time limit for reading them.
const READ_TIME_LIMIT: Duration = Duration::from_secs(2);

impl Search {
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
        let budget = request.budget.within(READ_TIME_LIMIT);
        let found = std::mem::take(&mut answer.hits);
        let of = found.len();
        for (read, mut hit) in found.into_iter().enumerate() {
            let HitItem::Page(page_hit) = &mut hit.item else {
                continue;
            };
            let id = PageId::from_bytes(page_hit.facts.key);
            if id == page || linking.contains(&id) {
                continue;
            }
            if budget.spend().is_err() {
                let reason = PartialReason::TimeLimit;
                let indexed = read;
                answer.partial = Some(Partial {
                    reason,
                    indexed,
                    of,
                });
                break;
            }
            if mark_mention(sources.wiki, id, &request.query, page_hit, &budget)? {
                answer.hits.push(hit);
            }
        }
        answer.total = answer.hits.len();
        Ok(Some(answer))
    }
}

/// Adds the first mention to a page that was found. Returns false if it has none: its matches are in links, in code, in
/// the front matter, or in the path.
fn mark_mention(
    wiki: &Wiki,
    id: PageId,
    phrase: &Query,
    page: &mut PageHit,
    budget: &Budget,
) -> Result<bool, StorageError> {
    let source = match wiki.pages().source(id, None) {
        Ok(text) => text.source,
        Err(PageError::Storage(error)) => return Err(error),
        // It was removed after it was found.
        Err(_) => return Ok(false),
    };
    let Some(found) = mention(&source, phrase, budget) else {
        return Ok(false);
    };
    page.mention = Some(MentionPlace {
        start: source[..found.range.start].encode_utf16().count(),
        words: source[found.range].to_owned(),
        in_table: found.in_table,
    });
    page.snippets = vec![found.snippet];
    Ok(true)
}
