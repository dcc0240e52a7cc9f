//! `/api/pages`: creates and lists pages.

use axum::Json;
use axum::http::header::LOCATION;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_base::clock::Clock;
use fumikura_wiki::{ListedPage, Listing, ListingQuery, PagePath, Wiki};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiQuery, page_lock};
use crate::rest_api::past::{AT, moment};

/// The default number of pages in a list.
const LIMIT: usize = 50;
/// The maximum number of pages in a list.
const MAX_LIMIT: usize = 1000;

/// A page that was created.
#[derive(Serialize, ToSchema)]
struct CreatedPage {
    /// The page's id, a ULID.
    id: String,
}

/// A part of the list of pages.
#[derive(Serialize, ToSchema)]
struct PageList {
    /// The pages by path, then by id, ascending.
    items: Vec<PageListItem>,
    /// True if there are more pages in the same direction.
    has_more: bool,
    /// The cursor of the next part in the same direction.
    anchor: Option<String>,
}

/// A page in a list.
#[derive(Serialize, ToSchema)]
struct PageListItem {
    page_id: String,
    path: String,
    /// True if the page is deleted.
    deleted: bool,
    /// The page's first heading, if it has one.
    title: Option<String>,
    last_update: LastUpdate,
}

/// The newest revision of a page.
#[derive(Serialize, ToSchema)]
struct LastUpdate {
    revision: u64,
    timestamp: Timestamp,
    user_name: String,
}

impl From<Listing> for PageList {
    fn from(listing: Listing) -> Self {
        Self {
            items: listing.items.into_iter().map(PageListItem::from).collect(),
            has_more: listing.has_more,
            anchor: listing.anchor.map(|path| path.to_string()),
        }
    }
}

impl From<ListedPage> for PageListItem {
    fn from(page: ListedPage) -> Self {
        let last = page.last_update;
        Self {
            page_id: page.page_id.to_string(),
            path: page.path.to_string(),
            deleted: page.deleted,
            title: page.title,
            last_update: LastUpdate {
                revision: last.revision,
                timestamp: last.timestamp,
                user_name: last.user_name,
            },
        }
    }
}

#[derive(Deserialize)]
struct CreateQuery {
    path: String,
}

#[derive(Deserialize)]
struct ListQuery {
    prefix: Option<String>,
    forward: Option<String>,
    rewind: Option<String>,
    limit: Option<usize>,
    #[serde(default)]
    with_deleted: bool,
    at: Option<String>,
}

impl ListQuery {
    fn read(self) -> Result<ListingQuery, ApiError> {
        let path = |text: Option<String>| text.as_deref().map(PagePath::new).transpose();
        if self.forward.is_some() && self.rewind.is_some() {
            return Err(ApiError::new(
                ErrorCode::BadRequest,
                "forward and rewind exclude each other: give only one",
            ));
        }
        if self.with_deleted && self.at.is_some() {
            return Err(ApiError::new(
                ErrorCode::BadRequest,
                "with_deleted and at exclude each other: the trash of a moment is not known",
            ));
        }
        let limit = checked_limit(self.limit)?;
        Ok(ListingQuery {
            prefix: path(self.prefix)?.unwrap_or_else(PagePath::root),
            backwards: self.rewind.is_some(),
            cursor: path(self.forward.or(self.rewind))?,
            limit,
            with_deleted: self.with_deleted,
        })
    }
}

/// Returns the number of items in an answer.
pub(in crate::rest_api) fn checked_limit(requested: Option<usize>) -> Result<usize, ApiError> {
    let limit = requested.unwrap_or(LIMIT);
    if (1..=MAX_LIMIT).contains(&limit) {
        return Ok(limit);
    }
    Err(ApiError::new(
        ErrorCode::BadRequest,
        format!("limit must be from 1 to {MAX_LIMIT}"),
    ))
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(page_list, page_create))
}

/// Lists pages by path: the page at `prefix` and those below it.
#[utoipa::path(get, path = "/api/pages", tag = "pages",
    params(
        ("prefix" = Option<String>, Query, description = "The subtree; all pages by default"),
        ("forward" = Option<String>, Query, description = "Continue forward after this path"),
        ("rewind" = Option<String>, Query, description = "Continue backward before this path"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1000,
            description = "50 by default; pages that share a path are never split, even beyond the limit"),
        ("with_deleted" = Option<bool>, Query, description = "Include deleted pages, at their former paths; not with `at`"),
        ("at" = Option<String>, Query, description = AT),
    ), responses(
        (status = 200, body = PageList),
        (status = 400, description = "`bad_request`, `invalid_time`", body = ErrorBody),
    ))]
async fn page_list(
    Part(wiki): Part<Wiki>,
    Part(clock): Part<dyn Clock>,
    ApiQuery(query): ApiQuery<ListQuery>,
) -> Result<Json<PageList>, ApiError> {
    let at = moment(query.at.as_deref(), &*clock)?;
    let query = query.read()?;
    let list = move |wiki: &Wiki| {
        Ok(match at {
            Some(at) => wiki.past(at).list(&query)?,
            None => wiki.pages().list(&query)?,
        })
    };
    Ok(Json(blocking(&wiki, list).await?.into()))
}

/// Creates a page.
///
/// A draft and its lock are created in one step (docs/spec/wiki.md, Editing). `X-Page-Lock` holds the lock's token.
#[utoipa::path(post, path = "/api/pages", tag = "pages",
    params(("path" = String, Query, description = "The path of the new page")), responses(
        (status = 201, body = CreatedPage, headers(
            ("Location" = String, description = "The page's metadata"),
            ("X-Page-Lock" = String, description = "`expire=… token=…`"))),
        (status = 409, description = "`path_taken`; if the user's own draft has the path, `page_id` is its id, and \
            its lock can be taken over", body = ErrorBody),
        (status = 422, description = "`invalid_path`", body = ErrorBody),
    ))]
async fn page_create(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiQuery(query): ApiQuery<CreateQuery>,
) -> Result<Response, ApiError> {
    let (id, lock) = blocking(&wiki, move |wiki| {
        let path = PagePath::for_new_place(&query.path)?;
        let user = acting.get()?;
        let drafted = wiki.pages().create_draft(&path, user.id);
        let (id, lock) = drafted.map_err(|error| {
            let own = error.draft_of(user.id);
            ApiError::from(error).draft(own)
        })?;
        Ok((id, lock))
    })
    .await?;
    let location =
        HeaderValue::try_from(format!("/api/pages/{id}/meta")).expect("BUG: a ULID is a header");
    let body = Json(CreatedPage { id: id.to_string() });
    Ok((
        StatusCode::CREATED,
        [(LOCATION, location)],
        page_lock(&lock),
        body,
    )
        .into_response())
}
