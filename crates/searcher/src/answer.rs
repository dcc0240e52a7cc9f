//! Answers a query: pages, files of pages, pictures and hash records, best first.

use std::sync::Arc;
use std::time::Duration;

use fumikura_base::budget::Budget;
use fumikura_hashes::Index as HashIndex;
use fumikura_pictures::Pictures;
use fumikura_search::{Catalogue, CatalogueItem, PageFacts};
use fumikura_wiki::{StorageError, Wiki};

use crate::files::FileKey;
use crate::pictures::{ListedPictures, PictureKey};
use crate::query::PageSearch;
use crate::records::RecordKey;
use crate::request::{Hit, HitItem, Kind, Partial, PartialReason, SearchRequest, SearchResults};
use crate::searcher::Search;
use crate::state::SearchState;

/// The time limit of a search.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// The part of it in which results are found; the rest is for their snippets.
const FIND_TIME_LIMIT: Duration = Duration::from_secs(4);

/// The parts of the application that are searched beside the wiki's pages.
pub struct Sources<'a> {
    /// The wiki.
    pub wiki: &'a Wiki,
    /// The open folders.
    pub pictures: &'a Arc<Pictures>,
    /// Reads the hash records, if they are wanted; `None` if they can't be read.
    pub records: Box<dyn Fn() -> Option<Arc<HashIndex>> + 'a>,
}

/// A result before it is rendered.
struct Candidate<'a> {
    weight: f32,
    path: &'a str,
    item: CandidateItem<'a>,
}

enum CandidateItem<'a> {
    /// A page, and its earlier revision that matches.
    Page(&'a PageFacts, Option<u64>),
    File(&'a CatalogueItem, &'a FileKey, bool),
    Picture(&'a CatalogueItem, &'a PictureKey),
    Record(&'a CatalogueItem, &'a RecordKey),
}

/// The searched catalogues, in addition to pages.
#[derive(Default)]
struct Catalogues {
    files: Option<Arc<Catalogue<FileKey>>>,
    pictures: Vec<Arc<ListedPictures>>,
    records: Option<Arc<Catalogue<RecordKey>>>,
}

impl Search {
    /// Answers a query.
    ///
    /// # Errors
    /// If the database fails. Other failures make the answer partial.
    pub fn ask(
        &self,
        sources: &Sources<'_>,
        request: &SearchRequest,
    ) -> Result<SearchResults, StorageError> {
        let unknown_fields = request.query.unknown_fields().to_vec();
        if request.query.is_empty() {
            return Ok(SearchResults {
                unknown_fields,
                ..SearchResults::default()
            });
        }
        let budget = self.budget(request, TIME_LIMIT);
        let search = PageSearch {
            wiki: sources.wiki,
            request,
            budget: self.budget(request, FIND_TIME_LIMIT),
        };
        // Before the pages: while they are read, changes of pages wait.
        let (catalogues, missing) = self.catalogues(sources, request)?;
        let state = self.state(sources.wiki)?;
        let (mut found, unread) = catalogues.find(&search, &state);
        let mut total = found.len();
        let mut partial = None;
        if request.wants(Kind::Page) {
            let matches = match request.revisions {
                true => self.pages_by_any_revision(&state, &search)?,
                false => self.pages(&state, &search)?,
            };
            total += matches.total;
            partial = matches.partial;
            found.extend(matches.pages.into_iter().map(|page| Candidate {
                weight: page.weight,
                path: &page.facts.path,
                item: CandidateItem::Page(page.facts, page.revision),
            }));
        }
        let order = |a: &Candidate<'_>, b: &Candidate<'_>| {
            let by_weight = b.weight.total_cmp(&a.weight);
            by_weight.then_with(|| a.path.cmp(b.path))
        };
        let is_whole = partial.is_none_or(|partial| partial.reason == PartialReason::LongPages);
        let suggestion = match total == 0 && is_whole && request.wants(Kind::Page) {
            true => self.suggestion(&state, &search)?,
            false => None,
        };
        let end = request.offset.saturating_add(request.limit);
        if end < found.len() {
            found.select_nth_unstable_by(end, order);
            found.truncate(end);
        }
        found.sort_unstable_by(order);
        let first = request.offset.min(found.len());
        let hits = found
            .drain(first..)
            .map(|candidate| self.hit(sources.wiki, request, &candidate, &budget));
        Ok(SearchResults {
            hits: hits.collect::<Result<_, _>>()?,
            total,
            partial: partial.or(unread).or(missing),
            suggestion,
            unknown_fields,
        })
    }

    /// Returns the budget of a part of a search. A search that reads all pages because no thread indexes them has no
    /// time limit.
    fn budget(&self, request: &SearchRequest, limit: Duration) -> Budget {
        match request.revisions || request.query.has_regex() || self.is_indexing() {
            true => request.budget.within(limit),
            false => request.budget.clone(),
        }
    }

    fn catalogues(
        &self,
        sources: &Sources<'_>,
        request: &SearchRequest,
    ) -> Result<(Catalogues, Option<Partial>), StorageError> {
        let mut catalogues = Catalogues::default();
        let mut partial = None;
        if request.wants(Kind::File) {
            catalogues.files = Some(self.files.get(sources.wiki)?);
        }
        if request.wants(Kind::Picture) {
            (catalogues.pictures, partial) = self.pictures.get(sources.pictures);
        }
        if request.wants(Kind::Record) {
            match (sources.records)().map(|index| self.records.get(index)) {
                Some(records) => catalogues.records = Some(records),
                None => {
                    partial = partial.or(Some(Partial {
                        reason: PartialReason::RecordsFailed,
                        indexed: 0,
                        of: 1,
                    }));
                }
            }
        }
        Ok((catalogues, partial))
    }

    fn hit(
        &self,
        wiki: &Wiki,
        request: &SearchRequest,
        candidate: &Candidate<'_>,
        budget: &Budget,
    ) -> Result<Hit, StorageError> {
        let query = &request.query;
        let item = match candidate.item {
            CandidateItem::Page(facts, revision) => {
                HitItem::Page(self.page_hit(wiki, query, (facts, revision), budget)?)
            }
            CandidateItem::File(entry, key, deleted) => HitItem::File {
                id: key.id,
                page_id: key.page_id,
                page: key.page.clone(),
                deleted,
                time: entry.time,
                snippets: entry.snippets(query, budget),
            },
            CandidateItem::Picture(entry, key) => HitItem::Picture {
                root: key.root,
                path: key.path.clone(),
                version: key.version,
                turn: key.turn,
                crop: key.crop,
                taken: key.facts.taken,
                snippets: entry.snippets(query, budget),
            },
            CandidateItem::Record(entry, key) => HitItem::Record {
                path: key.path.as_bytes().to_vec(),
                state: key.state,
                snippets: entry.snippets(query, budget),
            },
        };
        Ok(Hit {
            weight: candidate.weight,
            item,
        })
    }
}

impl Catalogues {
    /// Returns the matching items, and the number of those that were not compared with the query.
    fn find<'a>(
        &'a self,
        search: &PageSearch<'_>,
        state: &SearchState,
    ) -> (Vec<Candidate<'a>>, Option<Partial>) {
        let mut found = Found::default();
        for (entry, key, weight) in found.matches(self.files.as_deref(), search) {
            // Drafts and their files are not searched.
            let Some(page) = state.directory.get(&key.page_id.to_bytes()) else {
                continue;
            };
            let deleted = key.deleted || page.deleted;
            if !deleted || search.request.deleted {
                found.put(entry, CandidateItem::File(entry, key, deleted), weight);
            }
        }
        for pictures in &self.pictures {
            for (entry, key, weight) in found.matches(Some(&pictures.catalogue), search) {
                found.put(entry, CandidateItem::Picture(entry, key), weight);
            }
        }
        for (entry, key, weight) in found.matches(self.records.as_deref(), search) {
            found.put(entry, CandidateItem::Record(entry, key), weight);
        }
        let partial = (found.compared < found.items).then_some(Partial {
            reason: PartialReason::TimeLimit,
            indexed: found.compared,
            of: found.items,
        });
        (found.candidates, partial)
    }
}

/// The matching items of catalogues.
#[derive(Default)]
struct Found<'a> {
    candidates: Vec<Candidate<'a>>,
    /// The number of all items, and of those that were compared with the query.
    items: usize,
    compared: usize,
}

impl<'a> Found<'a> {
    fn put(&mut self, entry: &'a CatalogueItem, item: CandidateItem<'a>, weight: f32) {
        self.candidates.push(Candidate {
            weight,
            path: &entry.path,
            item,
        });
    }

    fn matches<T>(
        &mut self,
        catalogue: Option<&'a Catalogue<T>>,
        search: &PageSearch<'_>,
    ) -> Vec<(&'a CatalogueItem, &'a T, f32)> {
        let Some(catalogue) = catalogue else {
            return Vec::new();
        };
        let mut found = Vec::new();
        self.items += catalogue.len();
        self.compared += catalogue.find(&search.request.query, &search.budget, &mut found);
        let found = found.into_iter().filter_map(|(number, weight)| {
            let (entry, key) = catalogue.get(number)?;
            Some((entry, key, weight))
        });
        found.collect()
    }
}
