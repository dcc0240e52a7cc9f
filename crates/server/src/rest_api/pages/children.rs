//! `/api/pages/children`: one level of the tree.

use axum::Json;
use fumikura_base::clock::Clock;
use fumikura_wiki::{Children, PagePath, Wiki};
use serde::Deserialize;
use utoipa_axum::routes;

use super::collection::checked_limit;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;
use crate::rest_api::past::{AT, moment};

#[derive(Deserialize)]
struct ChildrenQuery {
    path: Option<String>,
    after: Option<String>,
    limit: Option<usize>,
    at: Option<String>,
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
        ("at" = Option<String>, Query, description = AT),
    ), responses(
        (status = 200, body = Children),
        (status = 400, description = "`invalid_time`", body = ErrorBody),
        (status = 422, description = "`invalid_path`", body = ErrorBody),
    ))]
async fn page_children(
    Part(wiki): Part<Wiki>,
    Part(clock): Part<dyn Clock>,
    ApiQuery(query): ApiQuery<ChildrenQuery>,
) -> Result<Json<Children>, ApiError> {
    let limit = checked_limit(query.limit)?;
    let at = moment(query.at.as_deref(), &*clock)?;
    let path = query.path.as_deref().map(PagePath::new).transpose()?;
    let path = path.unwrap_or_else(PagePath::root);
    let children = blocking(&wiki, move |wiki| {
        let after = query.after.as_deref();
        Ok(match at {
            Some(at) => wiki.past(at).children(&path, after, limit)?,
            None => wiki.tree().children(&path, after, limit)?,
        })
    });
    Ok(Json(children.await?))
}
