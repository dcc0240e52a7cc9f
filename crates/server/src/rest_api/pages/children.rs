//! `/api/pages/children`: one level of the tree.

use axum::Json;
use fumikura_wiki::{Children, PagePath, Wiki};
use serde::Deserialize;
use utoipa_axum::routes;

use super::collection::checked_limit;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;

#[derive(Deserialize)]
struct ChildrenQuery {
    path: Option<String>,
    after: Option<String>,
    limit: Option<usize>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(page_children))
}

/// Lists the segments directly below a path.
///
/// Drafts are excluded.
#[utoipa::path(get, path = "/api/pages/children", tag = "pages",
    params(
        ("path" = Option<String>, Query, description = "The parent path; `/` by default"),
        ("after" = Option<String>, Query, description = "Continue after this name"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1000),
    ), responses(
        (status = 200, body = Children),
        (status = 422, description = "`invalid_path`", body = ErrorBody),
    ))]
async fn page_children(
    Part(wiki): Part<Wiki>,
    ApiQuery(query): ApiQuery<ChildrenQuery>,
) -> Result<Json<Children>, ApiError> {
    let limit = checked_limit(query.limit)?;
    let path = query.path.as_deref().map(PagePath::new).transpose()?;
    let path = path.unwrap_or_else(PagePath::root);
    let children = blocking(&wiki, move |wiki| {
        Ok(wiki.tree().children(&path, query.after.as_deref(), limit)?)
    });
    Ok(Json(children.await?))
}
