//! `/api/search/pictures`: the pictures that a query finds, listed like a folder.

use std::borrow::Cow;

use axum::Json;
use fumikura_library::{ListQuery, Sort};
use utoipa_axum::routes;

use super::folders::FolderListing;
use super::query::ByteQuery;
use crate::blocking::cancellable;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::found_pictures::FoundPictures;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::shares::{Shares, WorkKind};

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(search_pictures))
}

/// Lists the pictures that a query finds in all open folders, as the entries of one folder.
///
/// The answer has the form of `/api/folders`, with the root `search`. The `folder` of an entry begins with the id of its
/// root, and is followed by the path of its folder below that root.
#[utoipa::path(get, path = "/api/search/pictures", tag = "search",
    params(
        ("q" = String, Query, description = "The query, at most 1,000 characters"),
        ("sort" = Option<String>, Query, description = "As of a folder, or `album`: the order of the album that the \
            query names by `album:`, or else by name"),
        ("order" = Option<String>, Query, description = "`asc` or `desc`"),
        ("group" = Option<String>, Query, description = "As of a folder"),
        ("offset" = Option<usize>, Query),
        ("around" = Option<String>, Query, description = "A picture that the part must contain: the id of its root, \
            `/` and its path, as percent-encoded bytes"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1000),
        ("joined" = Option<bool>, Query, description = "Join the files of a picture, as of a folder: it is found if any \
            of them is"),
        ("listing" = Option<String>, Query, description = "The `listing` of the first answer, to request another \
            part of it. If it is no longer in memory, the pictures are searched again, and the answer has another \
            `listing`"),
    ), responses(
        (status = 200, body = FolderListing),
        (status = 400, description = "`bad_request`: invalid parameter", body = ErrorBody),
        (status = 422, description = "`invalid_value`: the query can't be answered", body = ErrorBody),
    ))]
async fn search_pictures(
    Part(found): Part<FoundPictures>,
    Part(shares): Part<Shares>,
    query: ByteQuery,
) -> Result<Json<FolderListing>, ApiError> {
    let missing = || ApiError::new(ErrorCode::BadRequest, "q is missing: the query");
    let typed = query.text("q")?.ok_or_else(missing)?.into_owned();
    let listing = query.text("listing")?.map(Cow::into_owned);
    let defaults = ListQuery::default();
    let sort: Option<Sort> = match query.text("sort")?.as_deref() {
        Some("album") => None,
        Some(_) | None => Some(query.read("sort")?.unwrap_or_default()),
    };
    let page = ListQuery {
        order: query.read("order")?.unwrap_or_default(),
        group: query.read("group")?,
        offset: query.read("offset")?.unwrap_or(defaults.offset),
        limit: query.read("limit")?.unwrap_or(defaults.limit),
        around: query.bytes("around").map(Cow::into_owned),
        joins_files: query.joined()?,
        ..defaults
    };
    if !(1..=ListQuery::MAX_LIMIT).contains(&page.limit) {
        let message = format!("limit must be from 1 to {}", ListQuery::MAX_LIMIT);
        return Err(ApiError::new(ErrorCode::BadRequest, message));
    }
    let by = page.group;
    let turn = shares.current().turn(WorkKind::Search).await?;
    let part = cancellable(&found, move |found, budget| {
        let _turn = turn;
        Ok(found.list(&typed, listing.as_deref(), sort, &page, &budget)?)
    });
    Ok(Json(FolderListing::of_found(part.await?, by)))
}
