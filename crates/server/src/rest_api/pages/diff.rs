//! `/api/pages/{page_id}/diff`: the differences between two revisions (docs/spec/wiki.md, History and differences).

use axum::Json;
use fumikura_wiki::{Hunk, PageDiff, PageId, RevisionWithPath, TextDiff, Wiki};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::revision_info::RevisionInfoDto;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery};

#[derive(Deserialize)]
struct DiffQuery {
    from: u64,
    to: u64,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(revision_diff))
}

/// Returns the differences between two revisions, in either direction.
///
/// The differences are by line, with the changed words inside the lines. Renames are listed separately.
#[utoipa::path(get, path = "/api/pages/{page_id}/diff", tag = "revisions",
    params(("page_id" = String, Path), ("from" = u64, Query), ("to" = u64, Query)), responses(
        (status = 200, body = Difference),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
        (status = 410, description = "`gone`: one of the revisions was removed", body = ErrorBody),
    ))]
async fn revision_diff(
    Part(wiki): Part<Wiki>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiQuery(DiffQuery { from, to }): ApiQuery<DiffQuery>,
) -> Result<Json<Difference>, ApiError> {
    let diff = move |wiki: &Wiki| Ok(wiki.revisions().diff(page_id, from, to)?.into());
    Ok(Json(blocking(&wiki, diff).await?))
}

/// The difference from one revision to another, newer or older. Links are shown as they are now.
#[derive(Serialize, ToSchema)]
#[schema(as = PageDiff)]
struct Difference {
    from: RevisionInfoDto,
    to: RevisionInfoDto,
    /// The revisions between the two that changed the page's path, oldest first: after the older one, up to
    /// the newer one.
    rename: Vec<RevisionInfoDto>,
    /// The changes of the text, in order; empty if the texts are equal.
    hunks: Vec<Hunk>,
    /// The total number of added lines.
    added: usize,
    /// The total number of removed lines.
    removed: usize,
    /// True if the search for equal lines was cut short, so that more lines than necessary may be marked as
    /// changed.
    approximate: bool,
    /// True if changes were left out because there are too many to show.
    truncated: bool,
}

impl From<PageDiff> for Difference {
    fn from(diff: PageDiff) -> Self {
        let revision = |RevisionWithPath { info, path }| RevisionInfoDto::new(info, &path);
        let TextDiff {
            hunks,
            added,
            removed,
            approximate,
            truncated,
        } = diff.text;
        Self {
            from: revision(diff.from),
            to: revision(diff.to),
            rename: diff.renames.into_iter().map(revision).collect(),
            hunks,
            added,
            removed,
            approximate,
            truncated,
        }
    }
}
