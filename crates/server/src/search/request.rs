//! A query, and the results that answer it.

use fumikura_base::budget::Budget;
use fumikura_fs::{PictureVersion, RelPath, RootId};
use fumikura_search::{ItemSnippets, Query, QueryError};
use fumikura_wiki::{AssetId, PageId};
use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::page_hit::PageHit;

/// A query.
#[derive(Debug)]
pub(crate) struct SearchRequest {
    pub(crate) query: Query,
    /// The text of the query, if a person typed it.
    pub(crate) typed: Option<TypedQuery>,
    /// The kind of results; without one, all kinds.
    pub(crate) kind: Option<Kind>,
    /// True if results in the trash are included.
    pub(crate) deleted: bool,
    /// True if earlier revisions of pages are included.
    pub(crate) revisions: bool,
    /// The number of results to skip.
    pub(crate) offset: usize,
    pub(crate) limit: usize,
    /// The budget of the whole search.
    pub(crate) budget: Budget,
}

/// A query as it was typed.
#[derive(Debug)]
pub(crate) struct TypedQuery {
    pub(crate) text: String,
    /// The path to which the query is limited.
    pub(crate) prefix: Option<String>,
}

/// The kind of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// A near query that finds pages, if this one finds nothing.
    pub(crate) suggestion: Option<String>,
    /// A part of the query in the form of a field that does not exist.
    pub(crate) unknown_fields: Vec<String>,
}

/// A result.
#[derive(Debug)]
pub(crate) struct Hit {
    /// The score: higher is better.
    pub(crate) weight: f32,
    pub(crate) item: HitItem,
}

/// A found page, file, picture or record.
#[derive(Debug)]
pub(crate) enum HitItem {
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
        snippets: ItemSnippets,
    },
    Picture {
        root: RootId,
        path: RelPath,
        version: Option<PictureVersion>,
        taken: Option<DateTime>,
        snippets: ItemSnippets,
    },
    Record {
        path: Vec<u8>,
        state: Option<fumikura_hashes::State>,
        snippets: ItemSnippets,
    },
}

/// An answer that may lack items.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(crate) struct Partial {
    pub(crate) reason: PartialReason,
    /// The number of pages, pictures or folders that were searched.
    pub(crate) indexed: usize,
    /// The number of all of them.
    pub(crate) of: usize,
}

/// The reason why an answer may lack items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
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
    /// The time limit of a search ended before everything was read; so it would if the search were repeated.
    TimeLimit,
    /// Pages are so long that only their beginnings are searched.
    LongPages,
}

impl TypedQuery {
    /// Reads a text in the place of the typed one.
    pub(crate) fn query(&self, text: &str) -> Result<Query, QueryError> {
        let mut query = Query::parse(text)?;
        if let Some(prefix) = self.prefix.as_deref().filter(|prefix| *prefix != "/") {
            query = query.below(prefix);
        }
        query.check()?;
        Ok(query)
    }
}

impl SearchRequest {
    pub(super) fn wants(&self, kind: Kind) -> bool {
        self.kind.is_none_or(|only| only == kind)
    }
}
