//! `/api/pages/children`: one level of the tree.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use fumikura_wiki::{Child, Children, PagePath};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::collection::checked_limit;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::rest_api::extract::ApiQuery;

/// A part of one level of the page tree.
#[derive(Serialize, ToSchema)]
struct ChildList {
    /// The children by name, ascending.
    items: Vec<ChildDto>,
    /// True if more children follow.
    has_more: bool,
}

/// A segment directly below a path.
#[derive(Serialize, ToSchema)]
#[schema(as = Child)]
struct ChildDto {
    /// The last segment of its path.
    name: String,
    path: String,
    /// The page's id; null for a segment without a page, which only appears in the paths of other pages.
    page_id: Option<String>,
    /// The number of pages below it, on all levels, itself excluded.
    pages: u64,
}

impl From<Children> for ChildList {
    fn from(children: Children) -> Self {
        Self {
            items: children.items.into_iter().map(ChildDto::from).collect(),
            has_more: children.has_more,
        }
    }
}

impl From<Child> for ChildDto {
    fn from(child: Child) -> Self {
        Self {
            name: child.name,
            path: child.path.to_string(),
            page_id: child.page_id.map(|id| id.to_string()),
            pages: child.pages,
        }
    }
}

#[derive(Deserialize)]
struct ChildrenQuery {
    path: Option<String>,
    after: Option<String>,
    limit: Option<usize>,
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(get))
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
        (status = 200, body = ChildList),
        (status = 422, description = "`invalid_path`", body = ErrorBody),
    ))]
async fn get(
    State(app): State<Arc<App>>,
    ApiQuery(query): ApiQuery<ChildrenQuery>,
) -> Result<Json<ChildList>, ApiError> {
    let limit = checked_limit(query.limit)?;
    let path = query.path.as_deref().map(PagePath::new).transpose()?;
    let path = path.unwrap_or_else(PagePath::root);
    let children = blocking(&app, move |app| {
        Ok(app.wiki.children(&path, query.after.as_deref(), limit)?)
    });
    Ok(Json(children.await?.into()))
}
