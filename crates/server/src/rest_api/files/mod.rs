//! File operations in the user's folders: rename, move, copy, trash and undo; ratings and tags.

mod contact_sheet;
mod destination;
mod export;
mod marks;
mod operations;
pub(super) mod outcome;
mod pages;
pub(super) mod place;
mod rename;
mod rotation;
mod tags;
mod transfer;

use axum::extract::DefaultBodyLimit;

use crate::rest_api::Routes;

/// Enough for the names of a hundred thousand files.
const BODY_LIMIT: usize = 32 * 1024 * 1024;

pub(super) fn routes() -> Routes {
    Routes::new()
        .merge(rename::routes())
        .merge(transfer::routes())
        .merge(marks::routes())
        .merge(destination::routes())
        .merge(export::routes())
        .merge(rotation::routes())
        .merge(contact_sheet::routes())
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .merge(operations::routes())
        .merge(destination::folders())
        .merge(marks::questions())
        .merge(tags::routes())
        .merge(pages::routes())
}
