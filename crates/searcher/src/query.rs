//! Finds the pages that match a query.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fumikura_base::budget::{Budget, BudgetSpent};
use fumikura_search::{Document, PageFacts, PageKey, PageText, Query, Snippet, highlights};
use fumikura_wiki::{StorageError, Wiki};

use crate::page_hit::PageHit;
use crate::request::{Partial, PartialReason, SearchRequest};
use crate::searcher::Search;
use crate::state::SearchState;
use crate::texts;

/// The time limit for texts that are not indexed yet, while a thread indexes them.
const UNINDEXED_TIME_LIMIT: Duration = Duration::from_millis(150);
/// The maximum number of snippets of a page.
const SNIPPETS: usize = 2;

/// The best matching pages, and others with the same score as the last of them.
pub(crate) struct PageMatches<'s> {
    pub(crate) pages: Vec<PageMatch<'s>>,
    /// The total number of matching pages.
    pub(crate) total: usize,
    /// The reason why some may be missing.
    pub(crate) partial: Option<Partial>,
}

/// A matching page.
pub(crate) struct PageMatch<'s> {
    pub(crate) facts: &'s PageFacts,
    /// The newest matching revision; `None` if it is the current one.
    pub(crate) revision: Option<u64>,
    pub(crate) weight: f32,
}

/// A search of pages.
pub(crate) struct PageSearch<'a> {
    pub(crate) request: &'a SearchRequest,
    pub(crate) wiki: &'a Wiki,
    /// The budget for finding pages.
    pub(crate) budget: Budget,
}

/// A matching page before its text is read.
struct Candidate {
    key: PageKey,
    weight: f32,
}

/// The pages that were found so far.
#[derive(Default)]
struct FoundPages {
    candidates: Vec<Candidate>,
    /// Pages of whose texts only the beginning is searched.
    cut: BTreeSet<PageKey>,
    /// True after the end of the budget.
    is_spent: bool,
}

impl Search {
    /// Returns the matching pages.
    pub(crate) fn pages<'s>(
        &self,
        state: &'s SearchState,
        search: &PageSearch<'_>,
    ) -> Result<PageMatches<'s>, StorageError> {
        let request = search.request;
        let mut found = FoundPages::default();
        let unread = match self.indexed(state, search, &mut found)? {
            Some(unread) => unread + self.scan(state, search, &mut found)?,
            None => self.scan_all(state, search, &mut found)?,
        };
        let partial = self.partial(state, &found, unread);
        let mut found = found.candidates;
        let total = found.len();
        // The facts of worse candidates need not be looked up.
        let end = request.offset.saturating_add(request.limit).min(total);
        if let Some(last) = end.checked_sub(1) {
            let by_weight = |a: &Candidate, b: &Candidate| b.weight.total_cmp(&a.weight);
            let least = found.select_nth_unstable_by(last, by_weight).1.weight;
            found.retain(|candidate| candidate.weight >= least);
        }
        let facts = found.into_iter().filter_map(|candidate| {
            let facts = state.directory.get(&candidate.key)?;
            Some(PageMatch {
                facts,
                revision: None,
                weight: candidate.weight,
            })
        });
        Ok(PageMatches {
            pages: facts.collect(),
            total,
            partial,
        })
    }

    /// Returns a found page with its snippets; without them if the budget is spent.
    pub(crate) fn page_hit(
        &self,
        wiki: &Wiki,
        query: &Query,
        (facts, revision): (&PageFacts, Option<u64>),
        budget: &Budget,
    ) -> Result<PageHit, StorageError> {
        let text = match (budget.spend(), revision) {
            (Err(BudgetSpent), _) => None,
            (Ok(()), Some(_)) => texts::read(wiki, &facts.key, revision)?.map(Arc::new),
            (Ok(()), None) => self.texts.get(wiki, &facts.key, facts.version)?,
        };
        Ok(PageHit {
            revision,
            ..hit(query, facts, text.as_ref(), budget)
        })
    }

    /// Returns the reason why pages may be missing. Pages that were found may be long.
    fn partial(&self, state: &SearchState, found: &FoundPages, unread: usize) -> Option<Partial> {
        let reason = match unread {
            0 => PartialReason::LongPages,
            _ if found.is_spent => PartialReason::TimeLimit,
            _ if self.failure().is_some() => PartialReason::IndexFailed,
            _ => PartialReason::Indexing,
        };
        let unread = match unread {
            0 => found.missing_cut(),
            unread => unread,
        };
        let of = state.directory.len();
        (unread > 0).then(|| Partial {
            reason,
            indexed: of.saturating_sub(unread),
            of,
        })
    }

    /// Adds the matching indexed pages. Returns the number of those that were not read within the budget; `None` if
    /// there is no index, or it can't be read.
    fn indexed(
        &self,
        state: &SearchState,
        search: &PageSearch<'_>,
        found: &mut FoundPages,
    ) -> Result<Option<usize>, StorageError> {
        let Some(index) = self.open_index() else {
            return Ok(None);
        };
        let query = &search.request.query;
        let hits = index.find(query, &state.directory);
        let hits = hits.and_then(|hits| Ok((hits, index.cut_pages()?)));
        let (mut hits, cut) = match hits {
            Ok(hits) => hits,
            Err(error) => {
                self.report_damage(&error);
                return Ok(None);
            }
        };
        let is_current = |key: &PageKey| {
            let facts = state.directory.get(key);
            let is_wanted = |facts: &PageFacts| !facts.deleted || search.request.deleted;
            facts.is_some_and(is_wanted) && !state.pending.contains(key)
        };
        hits.retain(|hit| is_current(&hit.key));
        found.cut = cut.into_iter().filter(is_current).collect();
        // A regular expression is matched against the text.
        if query.has_regex() {
            let facts = hits.iter().filter_map(|hit| state.directory.get(&hit.key));
            return Ok(Some(self.weigh_all(facts.collect(), search, found)?));
        }
        let candidates = hits.into_iter().map(|hit| Candidate {
            key: hit.key,
            weight: hit.weight,
        });
        found.candidates = candidates.collect();
        Ok(Some(0))
    }

    /// Adds the matching pages that are not indexed. Returns the number of pages that were not read.
    fn scan(
        &self,
        state: &SearchState,
        search: &PageSearch<'_>,
        found: &mut FoundPages,
    ) -> Result<usize, StorageError> {
        let pages = state
            .pending
            .iter()
            .filter_map(|key| state.directory.get(key));
        self.scan_pages(pages.collect(), search, found)
    }

    /// Adds the matching pages of all. Returns the number of pages that were not read.
    fn scan_all(
        &self,
        state: &SearchState,
        search: &PageSearch<'_>,
        found: &mut FoundPages,
    ) -> Result<usize, StorageError> {
        self.scan_pages(state.directory.pages().collect(), search, found)
    }

    fn scan_pages(
        &self,
        mut pages: Vec<&PageFacts>,
        search: &PageSearch<'_>,
        found: &mut FoundPages,
    ) -> Result<usize, StorageError> {
        pages.retain(|facts| !facts.deleted || search.request.deleted);
        if !self.is_indexing() {
            // The answer waits until all pages are read.
            return self.weigh_all(pages, search, found);
        }
        let began = Instant::now();
        let is_late = || began.elapsed() > UNINDEXED_TIME_LIMIT;
        self.weigh_until(pages, search, found, is_late)
    }

    fn weigh_all(
        &self,
        pages: Vec<&PageFacts>,
        search: &PageSearch<'_>,
        found: &mut FoundPages,
    ) -> Result<usize, StorageError> {
        self.weigh_until(pages, search, found, || false)
    }

    /// Adds the matching pages of some, last changed first, until it is late or the budget is spent. Returns the
    /// number of pages that were not read.
    fn weigh_until(
        &self,
        mut pages: Vec<&PageFacts>,
        search: &PageSearch<'_>,
        found: &mut FoundPages,
        is_late: impl Fn() -> bool,
    ) -> Result<usize, StorageError> {
        pages.sort_by_key(|facts| std::cmp::Reverse((facts.updated, facts.key)));
        for (read, facts) in pages.iter().enumerate() {
            if is_late() {
                return Ok(pages.len() - read);
            }
            found.is_spent = search.budget.spend().is_err() || !self.weigh(facts, search, found)?;
            if found.is_spent {
                return Ok(pages.len() - read);
            }
        }
        Ok(0)
    }

    /// Adds a page if it matches. Returns false if the budget is spent first.
    fn weigh(
        &self,
        facts: &PageFacts,
        search: &PageSearch<'_>,
        found: &mut FoundPages,
    ) -> Result<bool, StorageError> {
        let text = self.texts.get(search.wiki, &facts.key, facts.version)?;
        let Some(text) = text else {
            return Ok(true);
        };
        if text.is_cut() {
            found.cut.insert(facts.key);
        }
        let weighed = search.request.query.weigh(facts, &text, &search.budget);
        let candidate = weighed.map(|weight| {
            weight.map(|weight| Candidate {
                key: facts.key,
                weight,
            })
        });
        let is_weighed = candidate.is_ok();
        found.candidates.extend(candidate.ok().flatten());
        Ok(is_weighed)
    }
}

impl FoundPages {
    /// Returns the number of long pages that were not found: their ends may match.
    fn missing_cut(&self) -> usize {
        if self.cut.is_empty() {
            return 0;
        }
        let found = self.candidates.iter().map(|candidate| candidate.key);
        let found: BTreeSet<PageKey> = found.filter(|key| self.cut.contains(key)).collect();
        self.cut.len() - found.len()
    }
}

fn hit(query: &Query, facts: &PageFacts, text: Option<&Arc<PageText>>, budget: &Budget) -> PageHit {
    let marked = |text: &str| {
        let document = Document::new(text.to_owned());
        let highlights = highlights(query, &document, budget);
        Snippet {
            text: text.to_owned(),
            highlights,
        }
    };
    let path = marked(&facts.path);
    let former = facts.former.iter().map(|path| marked(path));
    let mut former = former.filter(|former| former.highlights.len() > path.highlights.len());
    PageHit {
        facts: facts.clone(),
        revision: None,
        title: facts.title.as_deref().map(marked),
        moved_from: former.next_back().map(|former| former.text),
        path,
        snippets: text.map_or_else(Vec::new, |text| text.snippets(query, SNIPPETS, budget)),
        mention: None,
    }
}
