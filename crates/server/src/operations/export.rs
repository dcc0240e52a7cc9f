//! Export of the whole wiki as an archive, to a file that the user chose.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fumikura_base::durable::{self, Access};
use fumikura_wiki::{ExportError, ExportForm, ExportReport, StorageError, Wiki};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::jobs::{JobError, JobKind, JobOutcome, Progress};
use crate::services::LocalFiles;

/// Returns the proposed name for an archive of a moment.
pub(crate) fn archive_name(time: Timestamp, form: ExportForm) -> String {
    let now = time.strftime("%Y-%m-%dT%H%M%SZ");
    match form {
        ExportForm::Archive => format!("fumikura-{now}.zip"),
        ExportForm::Vault => format!("fumikura-vault-{now}.zip"),
    }
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

impl LocalFiles {
    /// Starts a job that writes the archive, whole or not at all, and waits for it.
    pub(super) async fn export_to(
        self: &Arc<Self>,
        place: PathBuf,
        form: ExportForm,
    ) -> Result<(), ErrorBody> {
        let (sender, receiver) = oneshot::channel();
        let (wiki, data) = (Arc::clone(&self.wiki), self.data.clone());
        self.runner
            .start_another(JobKind::Export, move |progress| {
                let outcome = export(&wiki, &data, progress, &place, form);
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

fn export(
    wiki: &Wiki,
    data: &Path,
    progress: &Progress,
    place: &Path,
    form: ExportForm,
) -> JobOutcome {
    let taken = wiki.archives().begin_export(data, form)?;
    let mut watch = watching(progress);
    let exported = durable::write_with(place, Access::Default, |file| {
        wiki.archives().write_export(taken, file, &mut watch)
    });
    match exported {
        Ok(exported) => Ok(written(&exported)),
        Err(ExportError::Cancelled) => Err(JobError::Cancelled),
        Err(ExportError::Output(error)) => Err(StorageError::from(error).into()),
        Err(ExportError::Storage(error)) => Err(error.into()),
    }
}
