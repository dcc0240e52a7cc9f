//! Finds the pages that match a query.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fumikura_search::{
    Document, PageFacts, PageKey, PageText, Query, Snippet, highlights, snippets,
};
use fumikura_wiki::{StorageError, Wiki};

use super::page_hit::PageHit;
use super::request::{Partial, PartialReason, SearchRequest};
use super::state::State;
use super::{Search, texts};

/// The time limit for texts that are not indexed yet, while a thread indexes them.
const UNINDEXED_TIME_LIMIT: Duration = Duration::from_millis(150);
/// The maximum number of snippets of a page.
const SNIPPETS: usize = 2;

/// The best matching pages, and others with the same score as the last of them.
pub(super) struct PageMatches<'s> {
    pub(super) pages: Vec<PageMatch<'s>>,
    /// The total number of matching pages.
    pub(super) total: usize,
    /// The reason why some may be missing.
    pub(super) partial: Option<Partial>,
}

/// A matching page.
pub(super) struct PageMatch<'s> {
    pub(super) facts: &'s PageFacts,
    /// The newest matching revision; `None` if it is the current one.
    pub(super) revision: Option<u64>,
    pub(super) weight: f32,
}

/// A matching page before its text is read.
struct Candidate {
    key: PageKey,
    weight: f32,
}

impl Search {
    /// Returns the matching pages.
    pub(super) fn pages<'s>(
        &self,
        state: &'s State,
        request: &SearchRequest,
        wiki: &Wiki,
    ) -> Result<PageMatches<'s>, StorageError> {
        let mut found = Vec::new();
        let mut unread = state.pending.len();
        if self.indexed(state, request, wiki, &mut found)? {
            unread -= self.scan(state, request, wiki, &mut found)?;
        } else {
            unread = self.scan_all(state, request, wiki, &mut found)?;
        }
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
            partial: (unread > 0).then(|| self.partial(state, unread)),
        })
    }

    /// Returns a found page with its snippets.
    pub(super) fn page_hit(
        &self,
        wiki: &Wiki,
        query: &Query,
        facts: &PageFacts,
        revision: Option<u64>,
    ) -> Result<PageHit, StorageError> {
        let text = match revision {
            Some(_) => texts::read(wiki, &facts.key, revision)?.map(Arc::new),
            None => self.texts.get(wiki, &facts.key, facts.version)?,
        };
        Ok(PageHit {
            revision,
            ..hit(query, facts, text.as_ref())
        })
    }

    fn partial(&self, state: &State, unread: usize) -> Partial {
        let of = state.directory.len();
        Partial {
            reason: match self.failure() {
                Some(_) => PartialReason::IndexFailed,
                None => PartialReason::Indexing,
            },
            indexed: of.saturating_sub(unread),
            of,
        }
    }

    /// Adds the matching indexed pages. Returns false if there is no index, or it can't be read.
    fn indexed(
        &self,
        state: &State,
        request: &SearchRequest,
        wiki: &Wiki,
        found: &mut Vec<Candidate>,
    ) -> Result<bool, StorageError> {
        let Some(index) = self.open_index() else {
            return Ok(false);
        };
        let hits = match index.find(&request.query, &state.directory) {
            Ok(hits) => hits,
            Err(error) => {
                self.report_damage(&error);
                return Ok(false);
            }
        };
        for hit in hits {
            let Some(facts) = state.directory.get(&hit.key) else {
                continue;
            };
            if state.pending.contains(&hit.key) || (facts.deleted && !request.deleted) {
                continue;
            }
            // A regular expression is matched against the text.
            if request.query.has_regex() {
                self.weigh(wiki, facts, request, found)?;
                continue;
            }
            found.push(Candidate {
                key: hit.key,
                weight: hit.weight,
            });
        }
        Ok(true)
    }

    /// Adds the matching pages that are not indexed, last changed first. Returns the number of pages read.
    fn scan(
        &self,
        state: &State,
        request: &SearchRequest,
        wiki: &Wiki,
        found: &mut Vec<Candidate>,
    ) -> Result<usize, StorageError> {
        let pages = state
            .pending
            .iter()
            .filter_map(|key| state.directory.get(key));
        self.scan_pages(pages.collect(), request, wiki, found)
    }

    /// Adds the matching pages of all. Returns the number of pages that were not read.
    fn scan_all(
        &self,
        state: &State,
        request: &SearchRequest,
        wiki: &Wiki,
        found: &mut Vec<Candidate>,
    ) -> Result<usize, StorageError> {
        let pages: Vec<&PageFacts> = state.directory.pages().collect();
        let all = pages.len();
        Ok(all - self.scan_pages(pages, request, wiki, found)?)
    }

    fn scan_pages(
        &self,
        mut pages: Vec<&PageFacts>,
        request: &SearchRequest,
        wiki: &Wiki,
        found: &mut Vec<Candidate>,
    ) -> Result<usize, StorageError> {
        let began = Instant::now();
        pages.sort_by_key(|facts| std::cmp::Reverse((facts.updated, facts.key)));
        for (read, facts) in pages.iter().enumerate() {
            // Without an indexing thread, the answer waits until all pages are read.
            if self.is_indexing() && began.elapsed() > UNINDEXED_TIME_LIMIT {
                return Ok(read);
            }
            if !facts.deleted || request.deleted {
                self.weigh(wiki, facts, request, found)?;
            }
        }
        Ok(pages.len())
    }

    fn weigh(
        &self,
        wiki: &Wiki,
        facts: &PageFacts,
        request: &SearchRequest,
        found: &mut Vec<Candidate>,
    ) -> Result<(), StorageError> {
        let text = self.texts.get(wiki, &facts.key, facts.version)?;
        let weight = text.and_then(|text| request.query.weigh(facts, &text));
        found.extend(weight.map(|weight| Candidate {
            key: facts.key,
            weight,
        }));
        Ok(())
    }
}

fn hit(query: &Query, facts: &PageFacts, text: Option<&Arc<PageText>>) -> PageHit {
    let marked = |text: &str| {
        let document = Document::new(text.to_owned());
        let highlights = highlights(query, &document);
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
        snippets: text.map_or_else(Vec::new, |text| snippets(query, text.body(), SNIPPETS)),
    }
}
