//! Export of the whole wiki as an archive, to a file that the user chose.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fumikura_base::durable::{self, Access};
use fumikura_wiki::{ExportError, ExportReport, StorageError};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::app::App;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::job_runner;
use crate::jobs::{JobError, JobKind, Outcome, Progress};

/// Returns the proposed name for an archive made now.
pub(crate) fn archive_name(app: &App) -> String {
    let now = app.clock.now().strftime("%Y-%m-%dT%H%M%SZ");
    format!("fumikura-{now}.zip")
}

/// Returns the job's result for a written archive.
pub(crate) fn written(exported: &ExportReport) -> Value {
    let missing: Vec<String> = exported.missing.iter().map(ToString::to_string).collect();
    json!({"pages": exported.pages, "assets": exported.assets, "missing": missing})
}

/// Returns a progress callback that stops the export if its job is cancelled.
pub(crate) fn watching(progress: &Progress) -> impl FnMut(u64, u64) -> ControlFlow<()> {
    move |done, total| match progress.advance(done, total) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_cancelled) => ControlFlow::Break(()),
    }
}

impl App {
    /// Starts a job that writes the archive, whole or not at all, and waits for it.
    pub(super) async fn export_to(self: &Arc<Self>, place: PathBuf) -> Result<(), ErrorBody> {
        let (sender, receiver) = oneshot::channel();
        job_runner::start_another(self, JobKind::Export, move |app, progress| {
            let outcome = export(app, progress, &place);
            let end = outcome.as_ref().map(|_written| ()).map_err(JobError::body);
            // The caller may be gone; the archive is still written.
            let _gone = sender.send(end);
            outcome
        })?;
        match receiver.await {
            Ok(end) => end,
            Err(panic) => {
                let message = "Something went wrong inside the program";
                Err(ApiError::internal(ErrorCode::Internal, message, &panic).into_body())
            }
        }
    }
}

fn export(app: &App, progress: &Progress, place: &Path) -> Outcome {
    let taken = app.wiki.archives().begin_export(&app.config.data_dir)?;
    let mut watch = watching(progress);
    let exported = durable::write_with(place, Access::Default, |file| {
        app.wiki.archives().write_export(taken, file, &mut watch)
    });
    match exported {
        Ok(exported) => Ok(written(&exported)),
        Err(ExportError::Cancelled) => Err(JobError::Cancelled),
        Err(ExportError::Output(error)) => Err(StorageError::from(error).into()),
        Err(ExportError::Storage(error)) => Err(error.into()),
    }
}
