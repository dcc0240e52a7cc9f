//! `/api/check`: checks the integrity of the wiki.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use fumikura_wiki::{CheckError, CheckReport, Depth};
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::job_runner;
use crate::jobs::{self, JobError, JobKind, Outcome, Progress, StartedJob};
use crate::operations::watching;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(wiki_check))
}

/// Starts a job that checks the integrity of the wiki.
///
/// Nothing is repaired. The job's result is `{pages, revisions, faults: [{place, words}]}`. The id of a running check
/// is returned if there is one.
#[utoipa::path(post, path = "/api/check", tag = "jobs", responses((status = 202, body = StartedJob,
    headers(("Location" = String, description = "The job")))))]
async fn wiki_check(State(app): State<Arc<App>>) -> Response {
    jobs::accepted(job_runner::start(&app, JobKind::Check, check))
}

fn check(app: &App, progress: &Progress) -> Outcome {
    let depth = Depth::Everything;
    match app.wiki.check_with_progress(depth, &mut watching(progress)) {
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

impl App {
    /// Checks the integrity of all data of the application.
    ///
    /// # Errors
    /// If the disk fails during the check. Damage is not an error: the report lists it.
    pub fn check(&self, depth: Depth) -> Result<CheckReport, fumikura_wiki::StorageError> {
        self.wiki.check(depth)
    }
}
