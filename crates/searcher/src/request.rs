//! A query, and the results that answer it.

use fumikura_base::budget::Budget;
use fumikura_fs::{PictureVersion, RelPath, RootId};
use fumikura_library::{Crop, PictureType};
use fumikura_search::{ItemSnippets, Query, QueryError};
use fumikura_wiki::{AssetId, PageId};
use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

use crate::page_hit::PageHit;

/// A query.
#[derive(Debug)]
pub struct SearchRequest {
    /// The query.
    pub query: Query,
    /// The text of the query, if a person typed it.
    pub typed: Option<TypedQuery>,
    /// The kind of results; without one, all kinds.
    pub kind: Option<Kind>,
    /// True if results in the trash are included.
    pub deleted: bool,
    /// True if earlier revisions of pages are included.
    pub revisions: bool,
    /// The number of results to skip.
    pub offset: usize,
    /// The maximum number of results.
    pub limit: usize,
    /// The budget of the whole search.
    pub budget: Budget,
}

/// A query as it was typed.
#[derive(Debug)]
pub struct TypedQuery {
    /// The text.
    pub text: String,
    /// The path to which the query is limited.
    pub prefix: Option<String>,
}

/// The kind of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A page of the wiki.
    Page,
    /// A file of a page.
    File,
    /// A picture in a folder.
    Picture,
    /// A hash record.
    Record,
}

/// The best results.
#[derive(Debug, Default)]
pub struct SearchResults {
    /// The results, the best first.
    pub hits: Vec<Hit>,
    /// The total number of results.
    pub total: usize,
    /// The reason why results may be missing; `None` if everything was searched.
    pub partial: Option<Partial>,
    /// A near query that finds pages, if this one finds nothing.
    pub suggestion: Option<String>,
    /// A part of the query in the form of a field that does not exist.
    pub unknown_fields: Vec<String>,
}

/// A result.
#[derive(Debug)]
pub struct Hit {
    /// The score: higher is better.
    pub weight: f32,
    /// The item.
    pub item: HitItem,
}

/// A found page, file, picture or record.
#[derive(Debug)]
pub enum HitItem {
    /// A page of the wiki.
    Page(PageHit),
    /// A file of a page.
    File {
        /// Its id.
        id: AssetId,
        /// The id of its page.
        page_id: PageId,
        /// The path of its page.
        page: String,
        /// True if it or its page is in the trash.
        deleted: bool,
        /// The time at which it was added, in milliseconds since 1970.
        time: i64,
        /// The matching parts.
        snippets: ItemSnippets,
    },
    /// A picture in a folder.
    Picture {
        /// Its root.
        root: RootId,
        /// The path, relative to the root.
        path: RelPath,
        /// Its state; `None` if it has not been read.
        version: Option<PictureVersion>,
        /// The turn with which it is shown, as the EXIF orientation with the same effect; 1 for none.
        turn: u8,
        /// The part of the picture that is shown, before its turn; `None` for all of it.
        crop: Option<Crop>,
        /// The time at which it was taken, by the camera's own clock.
        taken: Option<DateTime>,
        /// The matching parts.
        snippets: ItemSnippets,
    },
    /// A hash record.
    Record {
        /// The path of the recorded file.
        path: Vec<u8>,
        /// The state that the last verification found.
        state: Option<fumikura_hashes::FileState>,
        /// The matching parts.
        snippets: ItemSnippets,
    },
}

/// An answer that may lack items.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct Partial {
    /// The reason.
    pub reason: PartialReason,
    /// The number of pages, pictures or folders that were searched.
    pub indexed: usize,
    /// The number of all of them.
    pub of: usize,
}

/// The reason why an answer may lack items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PartialReason {
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
    ///
    /// # Errors
    /// If the text is not a query.
    pub fn query(&self, text: &str) -> Result<Query, QueryError> {
        let mut query = Query::parse(text)?;
        if let Some(prefix) = self.prefix.as_deref().filter(|prefix| *prefix != "/") {
            query = query.below(prefix);
        }
        let meaning = |word: &str| PictureType::of_word(word).map(str::to_owned);
        query.resolve_types(&meaning, &PictureType::names)?;
        query.check()?;
        Ok(query)
    }
}

impl SearchRequest {
    pub(crate) fn wants(&self, kind: Kind) -> bool {
        let is_possible = kind == Kind::Picture || !self.query.is_of_pictures();
        is_possible && self.kind.is_none_or(|only| only == kind)
    }
}
