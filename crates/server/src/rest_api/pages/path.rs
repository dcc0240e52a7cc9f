//! `/api/pages/{page_id}/path`: returns a page's path, renames and restores (docs/spec/wiki.md, Renames; Deleting and
//! restoring).

use std::sync::Arc;

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use fumikura_wiki::{
    LockToken, PageId, PagePath, PageWarning, RenameOutcome, RenameRequest, RestoreOutcome,
    RestoreRequest, Wiki,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery, lock_token};

/// The path of a page.
#[derive(Serialize, ToSchema)]
#[schema(as = PagePath)]
struct PagePathDto {
    path: String,
}

/// A page that was renamed.
#[derive(Serialize, ToSchema)]
struct RenamedPage {
    /// The revision that records the renaming.
    revision: u64,
    /// The number of renamed pages, including this one; present if the request was recursive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<usize>,
    /// Links of the renamed pages whose meaning differs at the new paths.
    warnings: Vec<MovedLink>,
}

/// The result of moving a page.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum MovedPage {
    Renamed(RenamedPage),
    Restored(RestoredPage),
}

/// A page that was restored.
#[derive(Serialize, ToSchema)]
// Tells the document that a renamed page is none.
#[serde(deny_unknown_fields)]
struct RestoredPage {
    /// Links of the restored pages whose meaning differs at the restored paths.
    warnings: Vec<MovedLink>,
}

impl RestoredPage {
    /// Returns `None` if there is nothing to report.
    fn new(restored: RestoreOutcome) -> Option<Self> {
        let warnings = restored.warnings.into_iter().map(MovedLink::from);
        let warnings: Vec<MovedLink> = warnings.collect();
        (!warnings.is_empty()).then_some(Self { warnings })
    }
}

/// A link whose meaning changed because its page moved.
#[derive(Serialize, ToSchema)]
struct MovedLink {
    /// The present path of the page with the link.
    page: String,
    /// The link as it is written in the text.
    link: String,
    before: String,
    after: String,
}

impl RenamedPage {
    fn new(renamed: RenameOutcome, recursive: bool) -> Self {
        Self {
            revision: renamed.revision,
            pages: recursive.then_some(renamed.pages.len()),
            warnings: renamed.warnings.into_iter().map(MovedLink::from).collect(),
        }
    }
}

impl From<PageWarning> for MovedLink {
    fn from(warning: PageWarning) -> Self {
        let PageWarning { page, warning } = warning;
        Self {
            page: page.to_string(),
            link: warning.link,
            before: warning.before,
            after: warning.after,
        }
    }
}

#[derive(Deserialize)]
struct MoveQuery {
    rename_to: Option<String>,
    restore_to: Option<String>,
    #[serde(default)]
    recursive: bool,
    #[serde(default)]
    preview: bool,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(page_path, page_move))
}

/// Returns the present path of a page or a draft.
#[utoipa::path(get, path = "/api/pages/{page_id}/path", tag = "pages", params(("page_id" = String, Path)), responses(
    (status = 200, body = PagePathDto),
    (status = 404, description = "`page_not_found`", body = ErrorBody),
    (status = 410, description = "`deleted`", body = ErrorBody),
))]
async fn page_path(
    Part(wiki): Part<Wiki>,
    ApiPath(id): ApiPath<PageId>,
) -> Result<Json<PagePathDto>, ApiError> {
    let path = blocking(&wiki, move |wiki| Ok(wiki.pages().path(id)?)).await?;
    Ok(Json(PagePathDto {
        path: path.to_string(),
    }))
}

/// Renames a page, or restores a deleted one.
///
/// With `recursive`, the pages below it are included, all or none.
#[utoipa::path(post, path = "/api/pages/{page_id}/path", tag = "pages",
    params(
        ("page_id" = String, Path),
        ("rename_to" = Option<String>, Query, description = "The page's new path"),
        ("restore_to" = Option<String>, Query, description = "The path to which the deleted page is restored; one of \
            the two is required"),
        ("recursive" = Option<bool>, Query, description = "Include the pages below it; for a deleted page, those \
            that were deleted with it"),
        ("preview" = Option<bool>, Query, description = "With `rename_to`: return the same answer or refusal, but \
            change nothing"),
        ("X-Lock-Authentication" = Option<String>, Header, description = "`token=…`, if one of the renamed pages is \
            locked"),
    ), responses(
        (status = 200, description = "It is renamed; or it is restored, and the meaning of some links changes", body = MovedPage),
        (status = 204, description = "It is restored, and the meaning of no link changes"),
        (status = 403, description = "`lock_invalid`", body = ErrorBody),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
        (status = 409, description = "`path_taken`, `file_name_taken`; `not_deleted` for a restore", body = ErrorBody),
        (status = 410, description = "`deleted` for a rename", body = ErrorBody),
        (status = 422, description = "`invalid_path`, `root_protected` or `into_itself`", body = ErrorBody),
        (status = 423, description = "`lock_required`: with the page, the holder and the expiry", body = ErrorBody),
    ))]
async fn page_move(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiQuery(query): ApiQuery<MoveQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let token = lock_token(&headers);
    let recursive = query.recursive;
    match (query.rename_to, query.restore_to) {
        (Some(to), None) => {
            let to = PagePath::for_new_place(&to)?;
            let params = RenameParams {
                page_id,
                to,
                recursive,
                token,
            };
            let renamed = rename(&wiki, acting, params, query.preview).await?;
            let answer = MovedPage::Renamed(RenamedPage::new(renamed, recursive));
            Ok(Json(answer).into_response())
        }
        (None, Some(to)) => {
            let request = RestoreRequest {
                page_id,
                to: PagePath::for_new_place(&to)?,
                recursive,
                token,
            };
            let restored = restore(&wiki, request).await?;
            Ok(match RestoredPage::new(restored) {
                Some(answer) => Json(MovedPage::Restored(answer)).into_response(),
                None => StatusCode::NO_CONTENT.into_response(),
            })
        }
        (None, None) | (Some(_), Some(_)) => Err(ApiError::new(
            ErrorCode::BadRequest,
            "give either rename_to or restore_to",
        )),
    }
}

/// The parameters of a renaming.
struct RenameParams {
    page_id: PageId,
    to: PagePath,
    recursive: bool,
    token: Option<LockToken>,
}

async fn rename(
    wiki: &Arc<Wiki>,
    acting: Arc<ActingUser>,
    params: RenameParams,
    preview: bool,
) -> Result<RenameOutcome, ApiError> {
    blocking(wiki, move |wiki| {
        let request = RenameRequest {
            page_id: params.page_id,
            to: params.to,
            recursive: params.recursive,
            user: acting.get()?.id,
            token: params.token,
        };
        Ok(if preview {
            wiki.tree().preview_rename(&request)?
        } else {
            wiki.tree().rename(&request)?
        })
    })
    .await
}

async fn restore(wiki: &Arc<Wiki>, request: RestoreRequest) -> Result<RestoreOutcome, ApiError> {
    blocking(wiki, move |wiki| Ok(wiki.tree().restore(&request)?)).await
}
