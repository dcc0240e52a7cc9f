//! Answers a query: pages, files of pages, pictures and hash records, best first.

use std::sync::Arc;

use fumikura_hashes::Index as HashIndex;
use fumikura_pictures::Pictures;
use fumikura_search::{Catalogue, CatalogueItem, PageFacts, Query};
use fumikura_wiki::{StorageError, Wiki};

use super::Search;
use super::files::FileKey;
use super::pictures::PictureKey;
use super::records::RecordKey;
use super::request::{Answer, Hit, HitItem, Kind, Partial, PartialReason, SearchRequest};
use super::state::State;
use crate::error::ApiError;

/// The parts of the application that are searched beside the wiki's pages.
pub(crate) struct Sources<'a> {
    pub(crate) wiki: &'a Wiki,
    pub(crate) pictures: &'a Arc<Pictures>,
    /// Reads the hash records, if they are wanted.
    pub(crate) records: Box<dyn Fn() -> Result<Arc<HashIndex>, ApiError> + 'a>,
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
    pictures: Vec<Arc<Catalogue<PictureKey>>>,
    records: Option<Arc<Catalogue<RecordKey>>>,
}

impl Search {
    /// Answers a query.
    ///
    /// # Errors
    /// If the database fails. Other failures make the answer partial.
    pub(crate) fn ask(
        &self,
        sources: &Sources<'_>,
        request: &SearchRequest,
    ) -> Result<Answer, StorageError> {
        let unknown_fields = request.query.unknown_fields().to_vec();
        if request.query.is_empty() {
            return Ok(Answer {
                unknown_fields,
                ..Answer::default()
            });
        }
        // Before the pages: while they are read, changes of pages wait.
        let (catalogues, missing) = self.catalogues(sources, request)?;
        let state = self.state(sources.wiki)?;
        let mut found = catalogues.find(request, &state);
        let mut total = found.len();
        let mut partial = None;
        if request.wants(Kind::Page) {
            let matches = match request.revisions {
                true => self.pages_by_any_revision(&state, request, sources.wiki)?,
                false => self.pages(&state, request, sources.wiki)?,
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
        let suggestion = match total == 0 && partial.is_none() && request.wants(Kind::Page) {
            true => self.suggestion(&state, request, sources.wiki)?,
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
            .map(|candidate| self.hit(sources.wiki, &request.query, &candidate));
        Ok(Answer {
            hits: hits.collect::<Result<_, _>>()?,
            total,
            partial: partial.or(missing),
            suggestion,
            unknown_fields,
        })
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
                Ok(records) => catalogues.records = Some(records),
                Err(error) => {
                    let message = error.into_body().message;
                    tracing::warn!("hash records can't be searched: {message}");
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
        query: &Query,
        candidate: &Candidate<'_>,
    ) -> Result<Hit, StorageError> {
        let item = match candidate.item {
            CandidateItem::Page(facts, revision) => {
                HitItem::Page(self.page_hit(wiki, query, facts, revision)?)
            }
            CandidateItem::File(entry, key, deleted) => HitItem::File {
                id: key.id,
                page_id: key.page_id,
                page: key.page.clone(),
                deleted,
                time: entry.time,
                snippets: entry.snippets(query),
            },
            CandidateItem::Picture(entry, key) => HitItem::Picture {
                root: key.root,
                path: key.path.clone(),
                version: key.version,
                taken: key.taken,
                snippets: entry.snippets(query),
            },
            CandidateItem::Record(entry, key) => HitItem::Record {
                path: key.path.as_bytes().to_vec(),
                state: key.state,
                snippets: entry.snippets(query),
            },
        };
        Ok(Hit {
            weight: candidate.weight,
            item,
        })
    }
}

impl Catalogues {
    fn find<'a>(&'a self, request: &SearchRequest, state: &State) -> Vec<Candidate<'a>> {
        let query = &request.query;
        let mut found = Vec::new();
        let mut put = |(entry, item): (&'a CatalogueItem, CandidateItem<'a>), weight| {
            found.push(Candidate {
                weight,
                path: &entry.path,
                item,
            });
        };
        for (entry, key, weight) in matches(self.files.as_deref(), query) {
            // Drafts and their files are not searched.
            let Some(page) = state.directory.get(&key.page_id.to_bytes()) else {
                continue;
            };
            let deleted = key.deleted || page.deleted;
            if !deleted || request.deleted {
                put((entry, CandidateItem::File(entry, key, deleted)), weight);
            }
        }
        for pictures in &self.pictures {
            for (entry, key, weight) in matches(Some(&**pictures), query) {
                put((entry, CandidateItem::Picture(entry, key)), weight);
            }
        }
        for (entry, key, weight) in matches(self.records.as_deref(), query) {
            put((entry, CandidateItem::Record(entry, key)), weight);
        }
        found
    }
}

fn matches<'a, T>(
    catalogue: Option<&'a Catalogue<T>>,
    query: &Query,
) -> impl Iterator<Item = (&'a CatalogueItem, &'a T, f32)> {
    let found = catalogue.map(|catalogue| (catalogue, catalogue.find(query)));
    found.into_iter().flat_map(|(catalogue, found)| {
        found.into_iter().filter_map(move |(number, weight)| {
            let (entry, key) = catalogue.get(number)?;
            Some((entry, key, weight))
        })
    })
}
