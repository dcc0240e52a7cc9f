//! `/api/pages/resolve`: the page at a path.

use axum::Json;
use fumikura_base::clock::Clock;
use fumikura_wiki::{PagePath, Wiki};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;
use crate::rest_api::past::{AT, moment};

/// The page at a path.
#[derive(Serialize, ToSchema)]
struct ResolvedPage {
    /// The page's id.
    id: String,
    /// The newest revision of the page.
    revision: u64,
    /// The first heading of the page, if it has one.
    title: Option<String>,
}

#[derive(Deserialize)]
struct ResolveQuery {
    path: String,
    at: Option<String>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(page_resolve))
}

/// Returns the page at a path.
///
/// With `at`, the page that was there at a moment, with its revision and title of that time.
#[utoipa::path(get, path = "/api/pages/resolve", tag = "pages",
    params(("path" = String, Query), ("at" = Option<String>, Query, description = AT)), responses(
    (status = 400, description = "`invalid_time`", body = ErrorBody),
    (status = 200, body = ResolvedPage),
    (status = 404, description = "`page_not_found`, with `moved_to`, the current path of the page that left this \
        path, and with the `page_id` and the last `path` of a page in the trash that left it later or is named by it \
        (`/path@trash`); `draft` with its author, and with the \
        `page_id` of the user's own draft", body = ErrorBody),
    (status = 410, description = "`gone`: the page's revisions of the moment were removed", body = ErrorBody),
    (status = 422, description = "`invalid_path`", body = ErrorBody),
))]
async fn page_resolve(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    Part(clock): Part<dyn Clock>,
    ApiQuery(query): ApiQuery<ResolveQuery>,
) -> Result<Json<ResolvedPage>, ApiError> {
    let at = moment(query.at.as_deref(), &*clock)?;
    let found = blocking(&wiki, move |wiki| {
        let path = PagePath::new(&query.path)?;
        if let Some(at) = at {
            return Ok(wiki.past(at).resolve(&path)?);
        }
        wiki.pages().resolve(&path).map_err(|error| {
            // There are no drafts before the first user has registered.
            let own = acting.get().ok().and_then(|user| error.draft_of(user.id));
            ApiError::from(error).draft(own)
        })
    })
    .await?;
    Ok(Json(ResolvedPage {
        id: found.id.to_string(),
        revision: found.revision,
        title: found.title,
    }))
}
