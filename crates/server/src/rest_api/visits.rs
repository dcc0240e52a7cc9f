//! `/api/users/me/visits`: the pages that the acting user read last.

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
struct VisitQuery {
    page_id: PageId,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(visit_list, visit_add))
}

/// Lists the pages that the user read last.
///
/// The list holds at most 50 pages, the latest first, without those in the trash.
#[utoipa::path(get, path = "/api/users/me/visits", tag = "users", responses(
    (status = 200, body = Vec<VisitedPage>),
    (status = 404, description = "`no_user`: no user has been registered yet", body = ErrorBody),
))]
async fn visit_list(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
) -> Result<Json<Vec<VisitedPage>>, ApiError> {
    let visited = blocking(&wiki, move |wiki| {
        Ok(wiki.visits().recent_pages(acting.get()?.id)?)
    })
    .await?;
    Ok(Json(visited))
}

/// Records that the user reads a page.
#[utoipa::path(post, path = "/api/users/me/visits", tag = "users",
    params(("page_id" = String, Query)), responses(
        (status = 204),
        (status = 404, description = "`page_not_found`, `draft`, `no_user`", body = ErrorBody),
        (status = 410, description = "`deleted`", body = ErrorBody),
    ))]
async fn visit_add(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiQuery(VisitQuery { page_id }): ApiQuery<VisitQuery>,
) -> Result<StatusCode, ApiError> {
    blocking(&wiki, move |wiki| {
        Ok(wiki.visits().visit_page(acting.get()?.id, page_id)?)
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}
