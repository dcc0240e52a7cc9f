//! `/api/check`: looks whether the wiki is whole.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use fumikura_wiki::{CheckReport, Depth};
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::jobs::{self, JobKind, StartedJob};

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(post))
}

/// Starts a job that looks whether the wiki is whole; nothing is repaired. Its result is `{pages,
/// revisions, faults: [{place, words}]}`. While one is at work, its id is given.
#[utoipa::path(post, path = "/api/check", tag = "jobs", responses((status = 202, body = StartedJob,
    headers(("Location" = String, description = "The job")))))]
async fn post(State(app): State<Arc<App>>) -> Response {
    jobs::accepted(jobs::start(&app, JobKind::Check, |app, progress| {
        let result = written(&app.check()?);
        progress.advance(1, 1)?;
        Ok(result)
    }))
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
    /// Looks whether everything that the application keeps is whole.
    ///
    /// # Errors
    /// When the database or the disk fails while it is looked at.
    pub fn check(&self) -> Result<CheckReport, fumikura_wiki::StorageError> {
        self.wiki.check(Depth::Everything)
    }
}
