//! The result of a file operation, as an answer and as events for the views of the folders.

use std::sync::Arc;

use fumikura_fileops::FilesOutcome;
use fumikura_pictures::Pictures;
use fumikura_watch::FolderChange;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::events::{Event, EventHub};
use crate::jobs::{JobKind, Progress};
use crate::names::name_in_json;
use crate::services::FileOperations;

/// The result of a file operation.
#[derive(Serialize, ToSchema)]
pub(in crate::rest_api) struct FilesDone {
    /// The id by which the operation can be undone; absent if nothing was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<String>,
    /// The id by which an undone operation can be done again; absent if nothing was undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    redo: Option<String>,
    /// The number of files that were processed.
    done: usize,
    /// The number of files that were skipped: nothing had to be done, the request asked for it, or the operation was
    /// cancelled first.
    skipped: usize,
    /// The files that failed; they are unchanged.
    failed: Vec<FileFailed>,
}

/// A file for which the operation failed.
#[derive(Serialize, ToSchema)]
pub(in crate::rest_api) struct FileFailed {
    name: String,
    /// The name's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    name_bytes: Option<String>,
    error: ErrorBody,
}

impl FileFailed {
    pub(in crate::rest_api) fn new(name: &[u8], error: ApiError) -> Self {
        let (name, name_bytes) = name_in_json(name);
        Self {
            name,
            name_bytes,
            error: error.into_body(),
        }
    }
}

impl FilesDone {
    /// Publishes an event for each changed folder, then returns the result.
    pub(super) fn publish(events: &EventHub, done: FilesOutcome) -> Self {
        for (root, path) in done.folders {
            events.publish(Event::from(FolderChange { root, path }));
        }
        let failed = done
            .failed
            .into_iter()
            .map(|(name, error)| FileFailed::new(&name, error.into()));
        Self {
            operation: done.id.map(|id| id.to_string()),
            redo: done.redo.map(|id| id.to_string()),
            done: done.completed,
            skipped: done.skipped,
            failed: failed.collect(),
        }
    }

    /// Adds files that were refused before the operation.
    pub(in crate::rest_api) fn with_failed(
        mut self,
        refused: impl Iterator<Item = FileFailed>,
    ) -> Self {
        self.failed.extend(refused);
        self
    }
}

/// Returns a callback that advances a job's progress and returns false once the job is cancelled.
pub(in crate::rest_api) fn progress_callback(progress: &Progress) -> impl FnMut(u64, u64) -> bool {
    |done, total| progress.advance(done, total).is_ok()
}

impl FileOperations {
    /// Runs an operation as a job, and waits for it.
    pub(in crate::rest_api) async fn run(
        &self,
        kind: JobKind,
        work: impl FnOnce(&Pictures, &Progress) -> Result<FilesOutcome, ApiError> + Send + 'static,
    ) -> Result<FilesDone, ApiError> {
        let (pictures, events) = (Arc::clone(&self.pictures), Arc::clone(&self.events));
        let work = move |progress: &Progress| {
            let done = work(&pictures, progress)?;
            Ok(FilesDone::publish(&events, done))
        };
        self.runner.run_attended(kind, work).await
    }
}
