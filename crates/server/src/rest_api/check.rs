//! `/api/check`: checks the integrity of the wiki.

use axum::response::Response;
use fumikura_wiki::{CheckError, CheckReport, Depth, Wiki};
use serde_json::json;
use utoipa_axum::routes;

use crate::job_runner::JobRunner;
use crate::jobs::{self, JobError, JobKind, JobOutcome, Progress, StartedJob};
use crate::operations::watching;
use crate::part::Part;
use crate::rest_api::Routes;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(wiki_check))
}

/// Starts a job that checks the integrity of the wiki.
///
/// Nothing is repaired. The job's result is `{pages, revisions, faults: [{place, words}]}`. The id of a running check
/// is returned if there is one.
#[utoipa::path(post, path = "/api/check", tag = "jobs", responses((status = 202, body = StartedJob,
    headers(("Location" = String, description = "The job")))))]
async fn wiki_check(Part(wiki): Part<Wiki>, Part(runner): Part<JobRunner>) -> Response {
    jobs::accepted(runner.start(JobKind::Check, move |progress| check(&wiki, progress)))
}

fn check(wiki: &Wiki, progress: &Progress) -> JobOutcome {
    let depth = Depth::Everything;
    match wiki.check_with_progress(depth, &mut watching(progress)) {
        Ok(report) => Ok(written(&report)),
        Err(CheckError::Cancelled) => Err(JobError::Cancelled),
        Err(CheckError::Storage(error)) => Err(error.into()),
    }
}

fn written(report: &CheckReport) -> serde_json::Value {
    let faults: Vec<_> = report
        .faults
        .iter()
        .map(|fault| json!({"place": fault.place, "words": fault.words}))
        .collect();
    json!({"pages": report.pages, "revisions": report.revisions, "faults": faults})
}
