//! `/api/check`: checks the integrity of everything that is stored, and repairs it.

use std::sync::Arc;

use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::routes;

use crate::error::{ApiError, ErrorBody};
use crate::jobs::{self, JobKind, StartedJob};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;
use crate::services::Checker;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct CheckQuery {
    /// True to repair what can be repaired without a loss.
    #[serde(default)]
    repair: bool,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(wiki_check))
}

/// Starts a job that checks the integrity of everything that is stored, and repairs it.
///
/// These are checked: the wiki's tables and files, the search index against the pages, the thumbnail cache against its
/// index, the hash records of the program's own folder, the mirror, and the backups. Without `repair`, nothing is
/// changed, and the id of a running check is returned if there is one. With it, a copy of the database is made in
/// `backups/` first; then derived rows are rebuilt, damaged and missing files are brought back from backups that have
/// them, the search index gets what it lacks or is rebuilt, damaged thumbnails are deleted, and everything is checked
/// again. Damaged hash records and backups can't be repaired, and files of the mirror that were edited outside are left
/// as they are. The job's result is `{pages, revisions, faults: [{place, words, repairable}], repaired: [{place, words}], copy, last_proved_backup}`: `faults` are those that
/// remain, and `copy` is the path of the copy, or null if nothing had to be repaired. If the database can't be copied, the
/// job's error is `not_repaired`, and nothing has changed.
#[utoipa::path(post, path = "/api/check", tag = "jobs", params(CheckQuery), responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
    (status = 429, description = "`too_much_work`", body = ErrorBody),
))]
async fn wiki_check(
    Part(checker): Part<Checker>,
    ApiQuery(CheckQuery { repair }): ApiQuery<CheckQuery>,
) -> Result<Response, ApiError> {
    let (runner, checked) = (Arc::clone(&checker.runner), checker);
    let job = match repair {
        false => runner.start(JobKind::Check, move |progress| checked.check(progress)),
        true => runner.start_another(JobKind::Check, move |progress| checked.repair(progress))?,
    };
    Ok(jobs::accepted(job))
}
