//! Earlier revisions of pages. The index contains only the newest ones, so earlier ones are read one by one,
//! within a time limit.

use fumikura_base::budget::BudgetSpent;
use fumikura_search::{PageFacts, PageText};
use fumikura_wiki::{PageError, PageId, StorageError, Wiki};

use crate::query::{PageMatch, PageMatches, PageSearch};
use crate::request::{Partial, PartialReason};
use crate::searcher::Search;
use crate::state::SearchState;
use crate::texts;

/// The newest matching revision of a page, `None` if it is the current one, and its score.
type RevisionMatch = (Option<u64>, f32);

impl Search {
    /// Returns the pages of which any revision matches, last changed first.
    pub(crate) fn pages_by_any_revision<'s>(
        &self,
        state: &'s SearchState,
        search: &PageSearch<'_>,
    ) -> Result<PageMatches<'s>, StorageError> {
        let mut pages: Vec<&PageFacts> = state
            .directory
            .pages()
            .filter(|page| search.request.deleted || !page.deleted)
            .collect();
        pages.sort_by_key(|facts| std::cmp::Reverse((facts.updated, facts.key)));
        let mut found = Vec::new();
        let mut partial = None;
        for (read, facts) in pages.iter().enumerate() {
            let Ok(newest) = self.newest_match(facts, search)? else {
                partial = Some(Partial {
                    reason: PartialReason::TimeLimit,
                    indexed: read,
                    of: pages.len(),
                });
                break;
            };
            found.extend(newest.map(|(revision, weight)| PageMatch {
                facts,
                revision,
                weight,
            }));
        }
        Ok(PageMatches {
            total: found.len(),
            pages: found,
            partial,
        })
    }

    /// Returns the newest matching revision of a page, unless the budget is spent first.
    fn newest_match(
        &self,
        facts: &PageFacts,
        search: &PageSearch<'_>,
    ) -> Result<Result<Option<RevisionMatch>, BudgetSpent>, StorageError> {
        let PageSearch { wiki, budget, .. } = search;
        let weigh = |text: &PageText| search.request.query.weigh(facts, text, budget);
        if budget.spend().is_err() {
            return Ok(Err(BudgetSpent));
        }
        let current = self.texts.get(wiki, &facts.key, facts.version)?;
        match current.as_deref().map_or(Ok(None), weigh) {
            Ok(None) => {}
            weighed => return Ok(weighed.map(|weight| Some((None, weight?)))),
        }
        for revision in earlier_revisions(wiki, facts)? {
            if budget.spend().is_err() {
                return Ok(Err(BudgetSpent));
            }
            let text = texts::read(wiki, &facts.key, Some(revision))?;
            match text.as_ref().map_or(Ok(None), weigh) {
                Ok(None) => {}
                weighed => return Ok(weighed.map(|weight| Some((Some(revision), weight?)))),
            }
        }
        Ok(Ok(None))
    }
}

/// Returns the numbers of the revisions before the current one, newest first.
fn earlier_revisions(
    wiki: &Wiki,
    facts: &PageFacts,
) -> Result<impl Iterator<Item = u64> + use<>, StorageError> {
    let list = match wiki
        .revisions()
        .list(PageId::from_bytes(facts.key), None, 1)
    {
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
