//! `/api/search`: full-text search.

use std::ops::Range;

use axum::Json;
use fumikura_base::budget::Budget;
use fumikura_image::{Crop, CropArea};
use fumikura_search::Snippet;
use fumikura_wiki::PageId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::albums::{AlbumPictures, paths_of_named};
use crate::blocking::cancellable;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::names::name_in_json;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;
use crate::services::SearchedParts;
use crate::shares::{Shares, WorkKind};
use fumikura_searcher::{
    Hit, HitItem, Kind, MentionPlace, PageHit, Partial, Search, SearchRequest, SearchResults,
    Sources, TypedQuery,
};

/// The default number of items in an answer.
const LIMIT: usize = 20;
/// The greatest number of items in an answer.
const MAX_LIMIT: usize = 100;

/// The results, the best first.
#[derive(Serialize, ToSchema)]
pub(super) struct SearchAnswer {
    items: Vec<SearchItem>,
    /// The number of matches.
    total: usize,
    /// The `anchor` of the next part; null at the end.
    anchor: Option<String>,
    /// Null if everything was searched.
    partial: Option<Partial>,
    /// The query with near words in the place of those that no page has; null if the query finds something, or there
    /// is no such word.
    suggestion: Option<String>,
    /// Parts of the query in the form of fields that do not exist, such as `width:5`; they are searched as words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    unknown_fields: Vec<String>,
}

/// A search result.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum SearchItem {
    /// A page of the wiki.
    Page(PageResult),
    /// A file of a page.
    File(FileResult),
    /// A picture in a folder.
    Picture(PictureResult),
    /// A hash record.
    Record(RecordResult),
}

/// A page of the wiki.
#[derive(Serialize, ToSchema)]
struct PageResult {
    page_id: String,
    /// The page's title, if it has one.
    title: Option<Marked>,
    /// The path of the page; for one in the trash, its last path.
    path: Marked,
    /// True if the page is in the trash.
    deleted: bool,
    /// The former path by which the page was found.
    moved_from: Option<String>,
    /// The newest matching revision, if it is an earlier one.
    revision: Option<u64>,
    /// The time at which the newest revision was made.
    updated: Timestamp,
    /// The author of the newest revision.
    user_name: String,
    snippets: Vec<Marked>,
    /// The first mention, in the list of mentions of a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    mention: Option<Mention>,
    /// The score: the greatest is the best, within one answer.
    score: f32,
}

/// The place of a mention in the source of its page.
#[derive(Serialize, ToSchema)]
struct Mention {
    /// The start, in UTF-16 code units.
    start: usize,
    words: String,
    /// True in a table.
    in_table: bool,
}

/// A file of a page.
#[derive(Serialize, ToSchema)]
struct FileResult {
    asset_id: String,
    page_id: String,
    /// The path of its page.
    page_path: String,
    /// The name.
    title: Marked,
    /// The path of its page, and its name.
    path: Marked,
    /// True if the file or its page is in the trash.
    deleted: bool,
    /// The time at which it was added.
    added: Timestamp,
    snippets: Vec<Marked>,
    score: f32,
}

/// A picture in a folder.
#[derive(Serialize, ToSchema)]
struct PictureResult {
    root: String,
    /// The path from the root.
    root_path: String,
    /// The bytes of that path in Base64, if it is not UTF-8.
    root_path_bytes: Option<String>,
    /// The name.
    title: Marked,
    /// The absolute path.
    path: Marked,
    /// The picture's state, for `v` of `/thumb`.
    version: Option<String>,
    /// The turn with which it is shown, for `turn` of `/thumb`.
    turn: Option<u8>,
    /// The part that is shown, for `crop` of `/thumb`.
    crop: Option<CropArea>,
    /// The time at which it was taken, by the camera's own clock.
    taken: Option<String>,
    /// The caption, the camera, the date and the tags that match the query.
    snippets: Vec<Marked>,
    score: f32,
}

/// A hash record.
#[derive(Serialize, ToSchema)]
struct RecordResult {
    /// The name of the recorded file.
    title: Marked,
    /// The path of the recorded file.
    path: Marked,
    /// The bytes of the path in Base64, if it is not UTF-8.
    path_bytes: Option<String>,
    /// The state that the last verification found; null before the first.
    state: Option<fumikura_hashes::FileState>,
    snippets: Vec<Marked>,
    score: f32,
}

/// A text with highlights.
#[derive(Serialize, ToSchema)]
struct Marked {
    text: String,
    /// The start and end of each highlight, in UTF-16 code units, ascending and disjoint.
    highlights: Vec<[usize; 2]>,
}

impl From<Hit> for SearchItem {
    fn from(Hit { weight, item }: Hit) -> Self {
        match item {
            HitItem::Page(page) => Self::Page(PageResult::new(page, weight)),
            HitItem::File {
                id,
                page_id,
                page,
                deleted,
                time,
                snippets,
            } => Self::File(FileResult {
                asset_id: id.to_string(),
                page_id: page_id.to_string(),
                page_path: page,
                title: snippets.name.into(),
                path: snippets.path.into(),
                deleted,
                added: Timestamp::from_millisecond(time).unwrap_or_default(),
                snippets: marked(snippets.about),
                score: weight,
            }),
            HitItem::Picture {
                root,
                path,
                version,
                turn,
                crop,
                taken,
                snippets,
            } => {
                let (root_path, root_path_bytes) = name_in_json(path.as_bytes());
                Self::Picture(PictureResult {
                    root: root.to_string(),
                    root_path,
                    root_path_bytes,
                    title: snippets.name.into(),
                    path: snippets.path.into(),
                    version: version.map(|version| version.to_string()),
                    turn: Some(turn).filter(|&turn| turn > 1),
                    crop: crop.map(Crop::area),
                    taken: taken.map(|taken| taken.to_string()),
                    snippets: marked(snippets.about),
                    score: weight,
                })
            }
            HitItem::Record {
                path,
                state,
                snippets,
            } => Self::Record(RecordResult {
                title: snippets.name.into(),
                path: snippets.path.into(),
                path_bytes: name_in_json(&path).1,
                state,
                snippets: marked(snippets.about),
                score: weight,
            }),
        }
    }
}

impl PageResult {
    fn new(page: PageHit, weight: f32) -> Self {
        let PageHit {
            facts,
            revision,
            title,
            path,
            moved_from,
            snippets,
            mention,
        } = page;
        let place = |place: MentionPlace| Mention {
            start: place.start,
            words: place.words,
            in_table: place.in_table,
        };
        Self {
            page_id: PageId::from_bytes(facts.key).to_string(),
            title: title.map(Marked::from),
            path: path.into(),
            deleted: facts.deleted,
            moved_from,
            revision,
            updated: Timestamp::from_millisecond(facts.updated).unwrap_or_default(),
            user_name: facts.author,
            snippets: marked(snippets),
            mention: mention.map(place),
            score: weight,
        }
    }
}

fn marked(snippets: Vec<Snippet>) -> Vec<Marked> {
    snippets.into_iter().map(Marked::from).collect()
}

impl From<Snippet> for Marked {
    fn from(Snippet { text, highlights }: Snippet) -> Self {
        let units = |part: &str| part.encode_utf16().count();
        let (mut at, mut counted) = (0, 0);
        let mut place = |to: usize| {
            counted += units(&text[at..to]);
            at = to;
            counted
        };
        let highlight = |Range { start, end }| [place(start), place(end)];
        let highlights = highlights.into_iter().map(highlight).collect();
        Self { text, highlights }
    }
}

#[derive(Deserialize)]
struct SearchQuery {
    q: String,
    kind: Option<Kind>,
    prefix: Option<String>,
    deleted: Option<bool>,
    revisions: Option<bool>,
    limit: Option<usize>,
    anchor: Option<String>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(search_find))
}

/// Finds pages, files, pictures and hash records.
///
/// Pages are found by every word of their texts, titles and paths, files of pages by their names, pictures by their
/// names, dates, cameras, tags and captions, and hash records by their paths. docs/SEARCH.md describes the grammar of
/// queries. A query without words finds nothing.
#[utoipa::path(get, path = "/api/search", tag = "search",
    params(
        ("q" = String, Query, description = "The query, at most 1,000 characters"),
        ("kind" = Option<String>, Query, description = "Only `page`, `file`, `picture` or `record`"),
        ("prefix" = Option<String>, Query, description = "Only this page and those below"),
        ("deleted" = Option<bool>, Query, description = "Find pages and files in the trash too"),
        ("revisions" = Option<bool>, Query, description = "Find earlier revisions of pages too; they are read one by one"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 100),
        ("anchor" = Option<String>, Query, description = "The `anchor` of the previous answer, to continue from \
            there"),
    ), responses(
        (status = 200, body = SearchAnswer),
        (status = 400, description = "`bad_request`: invalid limit or anchor", body = ErrorBody),
        (status = 422, description = "`invalid_value`: the query can't be answered", body = ErrorBody),
    ))]
async fn search_find(
    Part(search): Part<Search>,
    Part(searched): Part<SearchedParts>,
    Part(albums): Part<AlbumPictures>,
    Part(shares): Part<Shares>,
    ApiQuery(request): ApiQuery<SearchQuery>,
) -> Result<Json<SearchAnswer>, ApiError> {
    let SearchQuery {
        q,
        kind,
        prefix,
        deleted,
        revisions,
        limit,
        anchor,
    } = request;
    let limit = limit.unwrap_or(LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        let message = format!("limit must be from 1 to {MAX_LIMIT}");
        return Err(ApiError::new(ErrorCode::BadRequest, message));
    }
    let offset = match anchor {
        Some(anchor) => anchor.parse().map_err(|_| {
            ApiError::new(
                ErrorCode::BadRequest,
                "this is not an anchor of an earlier answer",
            )
        })?,
        None => 0,
    };
    let typed = TypedQuery { text: q, prefix };
    let mut query = typed.query(&typed.text)?;
    query.resolve_albums(&|named| paths_of_named(&albums.albums, named))?;
    let request = SearchRequest {
        query,
        typed: Some(typed),
        kind,
        deleted: deleted.unwrap_or(false),
        revisions: revisions.unwrap_or(false),
        offset,
        limit,
        budget: Budget::unlimited(),
    };
    let turn = shares.current().turn(WorkKind::Search).await?;
    let answer = cancellable(&search, move |search, budget| {
        let _turn = turn;
        let request = SearchRequest { budget, ..request };
        Ok(search.ask(&searched.sources(), &request)?)
    })
    .await?;
    Ok(Json(answer_of(answer, offset)))
}

impl SearchedParts {
    pub(super) fn sources(&self) -> Sources<'_> {
        Sources {
            wiki: &self.wiki,
            pictures: &self.pictures,
            records: Box::new(|| {
                let failed = |error: &ApiError| {
                    tracing::warn!("hash records can't be searched: {}", error.body().message);
                };
                self.hashes.own_hash_index().inspect_err(failed).ok()
            }),
        }
    }
}

/// Converts an answer whose first item is at `offset`.
pub(super) fn answer_of(answer: SearchResults, offset: usize) -> SearchAnswer {
    let end = offset + answer.hits.len();
    SearchAnswer {
        anchor: (end < answer.total && end > offset).then(|| end.to_string()),
        items: answer.hits.into_iter().map(SearchItem::from).collect(),
        total: answer.total,
        partial: answer.partial,
        suggestion: answer.suggestion,
        unknown_fields: answer.unknown_fields,
    }
}
