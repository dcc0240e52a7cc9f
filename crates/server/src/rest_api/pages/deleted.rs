//! `/api/pages/deleted`: the trash, and the pages that can be restored to a path.

use axum::Json;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fumikura_wiki::{DeletedPage, PagePath, TrashCursor, Wiki};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::collection::checked_limit;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;

/// A page in the trash.
#[derive(Serialize, ToSchema)]
#[schema(as = DeletedPage)]
struct DeletedPageDto {
    page_id: String,
    /// The path of the page when it was deleted.
    path: String,
    deleted_at: Timestamp,
    /// The name that the deleting user had at that time.
    user_name: String,
    /// The id of the deletion, shared by the pages that were deleted together: a recursive restore restores all of
    /// them.
    deletion: String,
    /// The newest revision of the page.
    revision: u64,
    /// The first heading of the page, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The number of pages below it that were deleted with it: a recursive restore restores them too.
    along: usize,
    /// A cursor for `after`, which continues after this page. Its format may change.
    cursor: String,
}

impl From<DeletedPage> for DeletedPageDto {
    fn from(page: DeletedPage) -> Self {
        Self {
            cursor: written(&page.cursor()),
            page_id: page.page_id.to_string(),
            path: page.path.to_string(),
            deleted_at: page.deleted_at,
            user_name: page.user_name,
            deletion: page.deletion.to_string(),
            revision: page.revision,
            title: page.title,
            along: page.subpages,
        }
    }
}

#[derive(Deserialize)]
struct DeletedQuery {
    path: Option<String>,
    after: Option<String>,
    limit: Option<usize>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(page_deleted))
}

/// Lists deleted pages, the latest first.
///
/// With `path`, all pages that were deleted at that path are listed. Otherwise the answer is a part of the list of all
/// deleted pages.
#[utoipa::path(get, path = "/api/pages/deleted", tag = "pages",
    params(
        ("path" = Option<String>, Query, description = "Every page that can be restored there; `after` and `limit` \
            have no effect"),
        ("after" = Option<String>, Query, description = "The `cursor` of the page to continue from"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1000),
    ), responses(
        (status = 200, body = Vec<DeletedPageDto>),
        (status = 400, description = "`bad_request`: invalid cursor", body = ErrorBody),
        (status = 422, description = "`invalid_path`", body = ErrorBody),
    ))]
async fn page_deleted(
    Part(wiki): Part<Wiki>,
    ApiQuery(query): ApiQuery<DeletedQuery>,
) -> Result<Json<Vec<DeletedPageDto>>, ApiError> {
    let limit = checked_limit(query.limit)?;
    let path = query.path.as_deref().map(PagePath::new).transpose()?;
    let after = query.after.as_deref().map(read).transpose()?;
    let pages = blocking(&wiki, move |wiki| {
        Ok(match path {
            Some(path) => wiki.tree().deleted_pages_at(&path)?,
            None => wiki.tree().trash(after.as_ref(), limit)?,
        })
    });
    let pages = pages.await?.into_iter().map(DeletedPageDto::from);
    Ok(Json(pages.collect()))
}

fn written(cursor: &TrashCursor) -> String {
    let TrashCursor {
        deleted_at,
        deletion,
        path,
        page_id,
    } = cursor;
    let moment = deleted_at.as_microsecond();
    URL_SAFE_NO_PAD.encode(format!("{moment}/{deletion}/{page_id}{path}"))
}

fn read(cursor: &str) -> Result<TrashCursor, ApiError> {
    parsed(cursor).ok_or_else(|| {
        let message = "after is no cursor of a deleted page";
        ApiError::new(ErrorCode::BadRequest, message)
    })
}

fn parsed(cursor: &str) -> Option<TrashCursor> {
    let text = String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
    let (moment, rest) = text.split_once('/')?;
    let (deletion, rest) = rest.split_once('/')?;
    let (page_id, _) = rest.split_once('/')?;
    Some(TrashCursor {
        deleted_at: Timestamp::from_microsecond(moment.parse().ok()?).ok()?,
        deletion: deletion.parse().ok()?,
        path: PagePath::new(&rest[page_id.len()..]).ok()?,
        page_id: page_id.parse().ok()?,
    })
}
