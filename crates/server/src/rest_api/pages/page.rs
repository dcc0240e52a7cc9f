//! `/api/pages/{page_id}`: deletes a page (docs/spec/wiki.md, Deleting and restoring).

use axum::http::{HeaderMap, StatusCode};
use fumikura_wiki::{DeleteRequest, PageId, Wiki};
use serde::Deserialize;
use utoipa_axum::routes;

use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery, lock_token};

#[derive(Deserialize)]
struct DeleteQuery {
    #[serde(default)]
    hard: bool,
    #[serde(default)]
    recursive: bool,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(page_delete))
}

/// Deletes a page.
///
/// The page moves to the trash, or is permanently deleted (`hard`). With `recursive`, the pages below it are deleted
/// too, all or none. A lock that belongs to the token is released; a draft is deleted with its lock.
#[utoipa::path(delete, path = "/api/pages/{page_id}", tag = "pages",
    params(
        ("page_id" = String, Path),
        ("hard" = Option<bool>, Query, description = "Delete permanently, also from the trash"),
        ("recursive" = Option<bool>, Query, description = "Include the pages below it; for a deleted page, those \
            that were deleted with it"),
        ("X-Lock-Authentication" = Option<String>, Header, description = "`token=…`, if one of the deleted pages is \
            locked"),
    ), responses(
        (status = 204, description = "It is deleted"),
        (status = 403, description = "`lock_invalid`", body = ErrorBody),
        (status = 404, description = "`page_not_found`", body = ErrorBody),
        (status = 410, description = "`deleted`: it is already in the trash", body = ErrorBody),
        (status = 422, description = "`root_protected`", body = ErrorBody),
        (status = 423, description = "`lock_required`: with the page, the holder and the expiry", body = ErrorBody),
    ))]
async fn page_delete(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiQuery(query): ApiQuery<DeleteQuery>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let token = lock_token(&headers);
    blocking(&wiki, move |wiki| {
        let request = DeleteRequest {
            page_id,
            recursive: query.recursive,
            user: acting.get()?.id,
            token,
        };
        if query.hard {
            wiki.tree().erase(&request)?;
        } else {
            wiki.tree().delete(&request)?;
        }
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}
