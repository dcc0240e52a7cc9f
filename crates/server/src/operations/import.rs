//! Import of an archive.

use std::fs::File;

use fumikura_wiki::{
    ImportError, ImportReport, ImportRequest, ImportWarning, OnConflict, StorageError,
};
use serde_json::{Value, json};

use crate::app::App;
use crate::error::ApiError;
use crate::jobs::{JobError, Outcome, Progress};
use crate::operations::watching;

/// The limit of the unpacked size, as a multiple of the limit of an archive's size.
const UNPACKED: u64 = 10;
/// The maximum number of warnings in a job's result.
const MAX_WARNINGS: usize = 1000;

/// Creates an unnamed file beside the data. The system deletes it when it is closed.
pub(crate) fn unnamed_file(app: &App) -> Result<File, ApiError> {
    let file = tempfile::tempfile_in(&app.config.data_dir);
    Ok(file.map_err(StorageError::from)?)
}

/// Imports an archive as the acting user. The archive is checked whole first, which can be observed, paused
/// and cancelled. Then it is applied whole or not at all, which can't be interrupted.
pub(crate) fn import_archive(
    app: &App,
    progress: &Progress,
    archive: File,
    on_conflict: OnConflict,
) -> Outcome {
    let request = ImportRequest {
        user: app.acting_user()?.id,
        on_conflict,
        limit: app.config.import_limit.saturating_mul(UNPACKED),
    };
    let planned = app
        .wiki
        .plan_import(archive, request, &mut watching(progress));
    let imported = planned.and_then(|plan| app.wiki.apply_import(plan));
    match imported {
        Ok(imported) => Ok(written(&imported)),
        Err(ImportError::Cancelled) => Err(JobError::Cancelled),
        Err(error) => Err(error.into()),
    }
}

/// Returns the job's result.
fn written(imported: &ImportReport) -> Value {
    let mut ignored = 0;
    let (mut warnings, mut existing) = (Vec::new(), Vec::new());
    for warning in &imported.warnings {
        match warning {
            ImportWarning::OtherEntries(entries) => ignored = *entries,
            ImportWarning::Existing { page, target } => {
                existing.push(json!({"page": page, "path": target}));
            }
            ImportWarning::Link(page, warning) => warnings.push(json!({
                "page": page,
                "link": warning.link,
                "before": warning.before,
                "after": warning.after,
            })),
        }
    }
    warnings.truncate(MAX_WARNINGS);
    existing.truncate(MAX_WARNINGS);
    json!({
        "created": imported.created.len(),
        "replaced": imported.replaced.len(),
        "unchanged": imported.unchanged,
        "skipped": imported.skipped,
        "assets": imported.added.len(),
        "ignored": ignored,
        "warnings": warnings,
        "existing": existing,
    })
}
