//! The answer to a query: pages, files of pages, pictures and hash records, best first.

use std::sync::Arc;

use fumikura_fs::{PictureVersion, RelPath, RootId};
use fumikura_search::{Catalogue, Named, NamedSnippets, PageFacts, Query};
use fumikura_wiki::{AssetId, PageId, StorageError};
use jiff::civil::DateTime;

use super::Search;
use super::files::FileKey;
use super::pictures::PictureKey;
use super::query::PageHit;
use super::records::RecordKey;
use super::state::State;
use crate::app::App;

/// A query.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) query: Query,
    /// The kind of results; without one, all kinds.
    pub(crate) kind: Option<Kind>,
    /// True if results in the trash are included.
    pub(crate) deleted: bool,
    /// True if earlier revisions of pages are included.
    pub(crate) revisions: bool,
    /// The number of results to skip.
    pub(crate) offset: usize,
    pub(crate) limit: usize,
}

/// The kind of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Page,
    File,
    Picture,
    Record,
}

/// The best results.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) hits: Vec<Hit>,
    /// The total number of results.
    pub(crate) total: usize,
    pub(crate) partial: Option<Partial>,
}

/// A result.
#[derive(Debug)]
pub(crate) struct Hit {
    /// The score: higher is better.
    pub(crate) weight: f32,
    pub(crate) thing: Thing,
}

/// A found page, file, picture or record.
#[derive(Debug)]
pub(crate) enum Thing {
    Page(PageHit),
    File {
        id: AssetId,
        page_id: PageId,
        /// The path of its page.
        page: String,
        /// True if it or its page is in the trash.
        deleted: bool,
        /// The time at which it was added, in milliseconds since 1970.
        time: i64,
        snippets: NamedSnippets,
    },
    Picture {
        root: RootId,
        path: RelPath,
        version: Option<PictureVersion>,
        taken: Option<DateTime>,
        snippets: NamedSnippets,
    },
    Record {
        path: Vec<u8>,
        state: Option<fumikura_hashes::State>,
        snippets: NamedSnippets,
    },
}

/// An answer that may lack results.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Partial {
    pub(crate) reason: PartialReason,
    /// The number of pages, pictures or folders that were searched.
    pub(crate) indexed: usize,
    /// The total number of them.
    pub(crate) of: usize,
}

/// The reason why an answer may lack results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartialReason {
    /// The index of the pages is being built.
    Indexing,
    /// The index of the pages can't be written or read; it is retried.
    IndexFailed,
    /// Dates, cameras, tags and captions of pictures are still being read.
    ReadingPictures,
    /// Folders of pictures are unavailable, unreadable, or still being listed.
    FoldersMissing,
    /// The hash records can't be read.
    RecordsFailed,
    /// The time limit for earlier revisions was reached.
    TimeLimit,
}

/// A result before it is rendered.
struct Candidate<'a> {
    weight: f32,
    path: &'a str,
    of: Of<'a>,
}

enum Of<'a> {
    /// A page, and its earlier revision that matches.
    Page(&'a PageFacts, Option<u64>),
    File(&'a Named, &'a FileKey, bool),
    Picture(&'a Named, &'a PictureKey),
    Record(&'a Named, &'a RecordKey),
}

/// The searched catalogues, in addition to pages.
#[derive(Default)]
struct Catalogues {
    files: Option<Arc<Catalogue<FileKey>>>,
    pictures: Vec<Arc<Catalogue<PictureKey>>>,
    records: Option<Arc<Catalogue<RecordKey>>>,
}

impl Asked {
    fn wants(&self, kind: Kind) -> bool {
        self.kind.is_none_or(|only| only == kind)
    }
}

impl Search {
    /// Answers a query.
    ///
    /// # Errors
    /// If the database fails. Other failures make the answer partial.
    pub(crate) fn ask(&self, app: &Arc<App>, asked: &Asked) -> Result<Answer, StorageError> {
        if asked.query.is_empty() {
            return Ok(Answer::default());
        }
        // Before the pages: while they are read, changes of pages wait.
        let (catalogues, missing) = self.catalogues(app, asked)?;
        let state = self.state(&app.wiki)?;
        let mut found = catalogues.find(asked, &state);
        let mut total = found.len();
        let mut partial = None;
        if asked.wants(Kind::Page) {
            let fitting = match asked.revisions {
                true => self.past_pages(&state, asked, &app.wiki)?,
                false => self.pages(&state, asked, &app.wiki)?,
            };
            total += fitting.total;
            partial = fitting.partial;
            found.extend(fitting.pages.into_iter().map(|page| Candidate {
                weight: page.weight,
                path: &page.facts.path,
                of: Of::Page(page.facts, page.revision),
            }));
        }
        let order = |a: &Candidate<'_>, b: &Candidate<'_>| {
            let by_weight = b.weight.total_cmp(&a.weight);
            by_weight.then_with(|| a.path.cmp(b.path))
        };
        let end = asked.offset.saturating_add(asked.limit);
        if end < found.len() {
            found.select_nth_unstable_by(end, order);
            found.truncate(end);
        }
        found.sort_unstable_by(order);
        let first = asked.offset.min(found.len());
        let hits = found
            .drain(first..)
            .map(|candidate| self.hit(app, &asked.query, &candidate));
        Ok(Answer {
            hits: hits.collect::<Result<_, _>>()?,
            total,
            partial: partial.or(missing),
        })
    }

    fn catalogues(
        &self,
        app: &Arc<App>,
        asked: &Asked,
    ) -> Result<(Catalogues, Option<Partial>), StorageError> {
        let mut catalogues = Catalogues::default();
        let mut partial = None;
        if asked.wants(Kind::File) {
            catalogues.files = Some(self.files.get(&app.wiki)?);
        }
        if asked.wants(Kind::Picture) {
            (catalogues.pictures, partial) = self.pictures.get(app);
        }
        if asked.wants(Kind::Record) {
            match self.records.get(app) {
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
        app: &App,
        query: &Query,
        candidate: &Candidate<'_>,
    ) -> Result<Hit, StorageError> {
        let thing = match candidate.of {
            Of::Page(facts, revision) => {
                Thing::Page(self.page_hit(&app.wiki, query, facts, revision)?)
            }
            Of::File(named, key, deleted) => Thing::File {
                id: key.id,
                page_id: key.page_id,
                page: key.page.clone(),
                deleted,
                time: named.time,
                snippets: named.snippets(query),
            },
            Of::Picture(named, key) => Thing::Picture {
                root: key.root,
                path: key.path.clone(),
                version: key.version,
                taken: key.taken,
                snippets: named.snippets(query),
            },
            Of::Record(named, key) => Thing::Record {
                path: key.path.as_bytes().to_vec(),
                state: key.state,
                snippets: named.snippets(query),
            },
        };
        Ok(Hit {
            weight: candidate.weight,
            thing,
        })
    }
}

impl Catalogues {
    fn find<'a>(&'a self, asked: &Asked, state: &State) -> Vec<Candidate<'a>> {
        let query = &asked.query;
        let mut found = Vec::new();
        let mut put = |(named, of): (&'a Named, Of<'a>), weight| {
            found.push(Candidate {
                weight,
                path: &named.path,
                of,
            });
        };
        for (named, key, weight) in matches(self.files.as_deref(), query) {
            // Drafts and their files are not searched.
            let Some(page) = state.directory.get(&key.page_id.to_bytes()) else {
                continue;
            };
            let deleted = key.deleted || page.deleted;
            if !deleted || asked.deleted {
                put((named, Of::File(named, key, deleted)), weight);
            }
        }
        for pictures in &self.pictures {
            for (named, key, weight) in matches(Some(&**pictures), query) {
                put((named, Of::Picture(named, key)), weight);
            }
        }
        for (named, key, weight) in matches(self.records.as_deref(), query) {
            put((named, Of::Record(named, key)), weight);
        }
        found
    }
}

fn matches<'a, T>(
    catalogue: Option<&'a Catalogue<T>>,
    query: &Query,
) -> impl Iterator<Item = (&'a Named, &'a T, f32)> {
    let found = catalogue.map(|catalogue| (catalogue, catalogue.find(query)));
    found.into_iter().flat_map(|(catalogue, found)| {
        found.into_iter().filter_map(move |(number, weight)| {
            let (named, of) = catalogue.get(number)?;
            Some((named, of, weight))
        })
    })
}
