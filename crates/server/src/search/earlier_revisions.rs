//! Earlier revisions of pages. The index contains only the newest ones, so earlier ones are read one by one,
//! within a time limit.

use std::time::{Duration, Instant};

use fumikura_search::PageFacts;
use fumikura_wiki::{PageError, PageId, StorageError, Wiki};

use super::query::{PageMatch, PageMatches};
use super::request::{Partial, PartialReason, SearchRequest};
use super::state::State;
use super::{Search, texts};

/// The time limit for reading revisions.
const TIME_LIMIT: Duration = Duration::from_secs(5);

impl Search {
    /// Returns the pages of which any revision matches, last changed first.
    pub(super) fn pages_by_any_revision<'s>(
        &self,
        state: &'s State,
        request: &SearchRequest,
        wiki: &Wiki,
    ) -> Result<PageMatches<'s>, StorageError> {
        let began = Instant::now();
        let mut pages: Vec<&PageFacts> = state
            .directory
            .pages()
            .filter(|page| request.deleted || !page.deleted)
            .collect();
        pages.sort_by_key(|facts| std::cmp::Reverse((facts.updated, facts.key)));
        let mut found = Vec::new();
        let mut partial = None;
        for (read, facts) in pages.iter().enumerate() {
            if began.elapsed() > TIME_LIMIT {
                partial = Some(Partial {
                    reason: PartialReason::TimeLimit,
                    indexed: read,
                    of: pages.len(),
                });
                break;
            }
            if let Some((revision, weight)) = self.newest_match(facts, request, wiki)? {
                found.push(PageMatch {
                    facts,
                    revision,
                    weight,
                });
            }
        }
        Ok(PageMatches {
            total: found.len(),
            pages: found,
            partial,
        })
    }

    fn newest_match(
        &self,
        facts: &PageFacts,
        request: &SearchRequest,
        wiki: &Wiki,
    ) -> Result<Option<(Option<u64>, f32)>, StorageError> {
        let current = self.texts.get(wiki, &facts.key, facts.version)?;
        let weight = current.and_then(|text| request.query.weigh(facts, &text));
        if let Some(weight) = weight {
            return Ok(Some((None, weight)));
        }
        for revision in earlier_revisions(wiki, facts)? {
            let text = texts::read(wiki, &facts.key, Some(revision))?;
            let weight = text.and_then(|text| request.query.weigh(facts, &text));
            if let Some(weight) = weight {
                return Ok(Some((Some(revision), weight)));
            }
        }
        Ok(None)
    }
}

/// Returns the numbers of the revisions before the current one, newest first.
fn earlier_revisions(
    wiki: &Wiki,
    facts: &PageFacts,
) -> Result<impl Iterator<Item = u64> + use<>, StorageError> {
    let list = match wiki.revisions(PageId::from_bytes(facts.key), None, 1) {
        Ok(list) => Some(list),
        Err(PageError::Storage(error)) => return Err(error),
        Err(
            PageError::NotFound
            | PageError::Draft
            | PageError::Deleted(_)
            | PageError::Collected(_)
            | PageError::NoSuchRevision(_),
        ) => None,
    };
    let range = list.and_then(|list| Some(list.oldest..list.items.first()?.info.revision));
    Ok(range.unwrap_or_default().rev())
}
