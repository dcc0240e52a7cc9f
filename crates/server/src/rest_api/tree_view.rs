//! `/api/users/me/tree`: the appearance of the tree of pages, as the acting user left it.

use axum::Json;
use axum::http::StatusCode;
use fumikura_wiki::{TreeView, Wiki};
use utoipa_axum::routes;

use super::extract::ApiJson;
use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(tree_view_get, tree_view_set))
}

/// Returns the order, the open branches and the scroll position of the tree.
#[utoipa::path(get, path = "/api/users/me/tree", tag = "users", responses(
    (status = 200, body = TreeView),
    (status = 404, description = "`no_user`: no user has been registered yet", body = ErrorBody),
))]
async fn tree_view_get(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
) -> Result<Json<TreeView>, ApiError> {
    let view = blocking(&wiki, move |wiki| Ok(wiki.tree().view(acting.get()?.id)?)).await?;
    Ok(Json(view))
}

/// Stores them; a missing field gets its default.
#[utoipa::path(put, path = "/api/users/me/tree", tag = "users", request_body = TreeView, responses(
    (status = 204),
    (status = 400, description = "`invalid_body`", body = ErrorBody),
    (status = 404, description = "`no_user`", body = ErrorBody),
    (status = 422, description = "`invalid_value`: more than 1,000 open branches", body = ErrorBody),
))]
async fn tree_view_set(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiJson(view): ApiJson<TreeView>,
) -> Result<StatusCode, ApiError> {
    blocking(&wiki, move |wiki| {
        Ok(wiki.tree().set_view(acting.get()?.id, &view)?)
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}
