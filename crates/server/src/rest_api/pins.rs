//! `/api/users/me/pins`: the pages that the acting user has pinned.

use axum::Json;
use axum::http::StatusCode;
use fumikura_wiki::{PageId, VisitedPage, Wiki};
use serde::Deserialize;
use utoipa_axum::routes;

use super::extract::ApiQuery;
use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;

#[derive(Deserialize)]
struct PinQuery {
    page_id: PageId,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(pin_list, pin_add, pin_remove))
}

/// Lists the pages that the user has pinned, in the order of pinning, without those in the trash.
#[utoipa::path(get, path = "/api/users/me/pins", tag = "users", responses(
    (status = 200, body = Vec<VisitedPage>),
    (status = 404, description = "`no_user`: no user has been registered yet", body = ErrorBody),
))]
async fn pin_list(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
) -> Result<Json<Vec<VisitedPage>>, ApiError> {
    let pinned = blocking(&wiki, move |wiki| {
        Ok(wiki.tree().pinned_pages(acting.get()?.id)?)
    })
    .await?;
    Ok(Json(pinned))
}

/// Pins a page. A page that is pinned already keeps its place.
#[utoipa::path(post, path = "/api/users/me/pins", tag = "users",
    params(("page_id" = String, Query)), responses(
        (status = 204),
        (status = 404, description = "`page_not_found`, `draft`, `no_user`", body = ErrorBody),
        (status = 410, description = "`deleted`", body = ErrorBody),
        (status = 422, description = "`invalid_value`: 100 pages are pinned already", body = ErrorBody),
    ))]
async fn pin_add(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiQuery(PinQuery { page_id }): ApiQuery<PinQuery>,
) -> Result<StatusCode, ApiError> {
    blocking(&wiki, move |wiki| {
        Ok(wiki.tree().pin(acting.get()?.id, page_id)?)
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Unpins a page; succeeds if it is not pinned.
#[utoipa::path(delete, path = "/api/users/me/pins", tag = "users",
    params(("page_id" = String, Query)), responses(
        (status = 204),
        (status = 404, description = "`no_user`", body = ErrorBody),
    ))]
async fn pin_remove(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiQuery(PinQuery { page_id }): ApiQuery<PinQuery>,
) -> Result<StatusCode, ApiError> {
    blocking(&wiki, move |wiki| {
        Ok(wiki.tree().unpin(acting.get()?.id, page_id)?)
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}
