//! Answering one query.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fumikura_search::{
    Document, PageFacts, PageKey, PageText, Query, Snippet, highlights, snippets,
};
use fumikura_wiki::{StorageError, Wiki};

use super::Search;
use super::state::State;

/// The time spent on texts that are not indexed yet, while a thread indexes them.
const PATIENCE: Duration = Duration::from_millis(150);
/// The greatest number of snippets of a page.
const SNIPPETS: usize = 2;

/// A query.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) query: Query,
    /// Includes pages in the trash.
    pub(crate) deleted: bool,
    /// The number of results to skip, for paging.
    pub(crate) offset: usize,
    pub(crate) limit: usize,
}

/// The best pages.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) hits: Vec<Hit>,
    /// The number of matching pages.
    pub(crate) total: usize,
    pub(crate) partial: Option<Partial>,
}

/// A page that fits.
#[derive(Debug)]
pub(crate) struct Hit {
    pub(crate) facts: PageFacts,
    pub(crate) weight: f32,
    pub(crate) title: Option<Snippet>,
    pub(crate) path: Snippet,
    /// The former path by which the page was found.
    pub(crate) moved_from: Option<String>,
    pub(crate) snippets: Vec<Snippet>,
}

/// An answer that may lack pages.
#[derive(Debug, Clone)]
pub(crate) struct Partial {
    pub(crate) reason: PartialReason,
    /// The number of searched pages.
    pub(crate) indexed: usize,
    /// The number of all pages.
    pub(crate) of: usize,
}

/// Why an answer may lack pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartialReason {
    /// The index is being built.
    Indexing,
    /// The index can't be written or read; it is tried again.
    IndexFailed,
}

/// A page that fits, before its text is read.
struct Candidate {
    key: PageKey,
    weight: f32,
}

impl Search {
    /// Answers a query.
    ///
    /// # Errors
    /// When the database fails. What the index can't tell makes the answer partial.
    pub(crate) fn ask(&self, wiki: &Wiki, asked: &Asked) -> Result<Answer, StorageError> {
        let state = self.state(wiki)?;
        if asked.query.is_empty() {
            return Ok(Answer {
                hits: Vec::new(),
                total: 0,
                partial: None,
            });
        }
        let mut found = Vec::new();
        let mut unread = state.pending.len();
        let indexed = self.indexed(&state, asked, wiki, &mut found)?;
        if indexed {
            unread -= self.scan(&state, asked, wiki, &mut found)?;
        } else {
            unread = self.scan_all(&state, asked, wiki, &mut found)?;
        }
        let path = |candidate: &Candidate| {
            state
                .directory
                .get(&candidate.key)
                .map(|facts| facts.path.as_str())
        };
        found.sort_by(|a, b| {
            b.weight
                .total_cmp(&a.weight)
                .then_with(|| path(a).cmp(&path(b)))
        });
        let total = found.len();
        let best = found.into_iter().skip(asked.offset).take(asked.limit);
        let mut hits = Vec::new();
        for candidate in best {
            let Some(facts) = state.directory.get(&candidate.key) else {
                continue;
            };
            let text = self.texts.get(wiki, &candidate.key, facts.version)?;
            hits.push(hit(&asked.query, facts, text.as_ref(), candidate.weight));
        }
        let partial = (unread > 0).then(|| self.partial(&state, unread));
        Ok(Answer {
            hits,
            total,
            partial,
        })
    }

    fn partial(&self, state: &State, unread: usize) -> Partial {
        let failed = self.failure().is_some();
        let of = state.directory.len();
        Partial {
            reason: if failed {
                PartialReason::IndexFailed
            } else {
                PartialReason::Indexing
            },
            indexed: of.saturating_sub(unread),
            of,
        }
    }

    /// Adds the indexed pages that fit. False if there is no index, or it can't be read.
    fn indexed(
        &self,
        state: &State,
        asked: &Asked,
        wiki: &Wiki,
        found: &mut Vec<Candidate>,
    ) -> Result<bool, StorageError> {
        let Some(index) = self.open_index() else {
            return Ok(false);
        };
        let hits = match index.find(&asked.query, &state.directory) {
            Ok(hits) => hits,
            Err(error) => {
                tracing::warn!("the search index can't be read: {error}");
                self.set_failure(Some(error.to_string()));
                return Ok(false);
            }
        };
        for hit in hits {
            let Some(facts) = state.directory.get(&hit.key) else {
                continue;
            };
            if state.pending.contains(&hit.key) || (facts.deleted && !asked.deleted) {
                continue;
            }
            // A regular expression needs the text.
            if asked.query.has_regex() {
                self.weigh(wiki, facts, asked, found)?;
                continue;
            }
            found.push(Candidate {
                key: hit.key,
                weight: hit.weight,
            });
        }
        Ok(true)
    }

    /// Adds the pages that fit and are not indexed, those changed last first. Returns how many were read.
    fn scan(
        &self,
        state: &State,
        asked: &Asked,
        wiki: &Wiki,
        found: &mut Vec<Candidate>,
    ) -> Result<usize, StorageError> {
        let pages = state
            .pending
            .iter()
            .filter_map(|key| state.directory.get(key));
        self.scan_pages(pages.collect(), asked, wiki, found)
    }

    /// The same of all pages. Returns how many were not read.
    fn scan_all(
        &self,
        state: &State,
        asked: &Asked,
        wiki: &Wiki,
        found: &mut Vec<Candidate>,
    ) -> Result<usize, StorageError> {
        let pages: Vec<&PageFacts> = state.directory.pages().collect();
        let all = pages.len();
        Ok(all - self.scan_pages(pages, asked, wiki, found)?)
    }

    fn scan_pages(
        &self,
        mut pages: Vec<&PageFacts>,
        asked: &Asked,
        wiki: &Wiki,
        found: &mut Vec<Candidate>,
    ) -> Result<usize, StorageError> {
        let began = Instant::now();
        pages.sort_by_key(|facts| std::cmp::Reverse((facts.updated, facts.key)));
        for (read, facts) in pages.iter().enumerate() {
            // Where nothing indexes, the answer waits until all is read.
            if self.is_indexing() && began.elapsed() > PATIENCE {
                return Ok(read);
            }
            if !facts.deleted || asked.deleted {
                self.weigh(wiki, facts, asked, found)?;
            }
        }
        Ok(pages.len())
    }

    fn weigh(
        &self,
        wiki: &Wiki,
        facts: &PageFacts,
        asked: &Asked,
        found: &mut Vec<Candidate>,
    ) -> Result<(), StorageError> {
        let text = self.texts.get(wiki, &facts.key, facts.version)?;
        let weight = text.and_then(|text| asked.query.weigh(facts, &text));
        found.extend(weight.map(|weight| Candidate {
            key: facts.key,
            weight,
        }));
        Ok(())
    }
}

fn hit(query: &Query, facts: &PageFacts, text: Option<&Arc<PageText>>, weight: f32) -> Hit {
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
    Hit {
        facts: facts.clone(),
        weight,
        title: facts.title.as_deref().map(marked),
        moved_from: former.next_back().map(|former| former.text),
        path,
        snippets: text.map_or_else(Vec::new, |text| snippets(query, text.body(), SNIPPETS)),
    }
}
