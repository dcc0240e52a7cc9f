//! `/api/users/me/visits`: the pages that the acting user read last.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use fumikura_wiki::{PageId, VisitedPage};
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::ApiQuery;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};

#[derive(Deserialize)]
struct VisitQuery {
    page_id: PageId,
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(visit_list, visit_add))
}

/// Lists the pages that the user read last.
///
/// The list holds at most 50 pages, the latest first, without those in the trash.
#[utoipa::path(get, path = "/api/users/me/visits", tag = "users", responses(
    (status = 200, body = Vec<VisitedPage>),
    (status = 404, description = "`no_user`: no user has been registered yet", body = ErrorBody),
))]
async fn visit_list(State(app): State<Arc<App>>) -> Result<Json<Vec<VisitedPage>>, ApiError> {
    let visited = blocking(&app, |app| {
        Ok(app.wiki.recent_pages(app.acting_user()?.id)?)
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
    State(app): State<Arc<App>>,
    ApiQuery(VisitQuery { page_id }): ApiQuery<VisitQuery>,
) -> Result<StatusCode, ApiError> {
    blocking(&app, move |app| {
        Ok(app.wiki.visit(app.acting_user()?.id, page_id)?)
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}
