//! `/api/backup`: a copy of everything, to be kept.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use fumikura_base::durable::{self, Access};
use fumikura_wiki::{BackupError, BackupFolder};
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::jobs::{self, JobError, JobKind, Outcome, Progress, StartedJob};

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(post))
}

/// Starts a job that copies the wiki, its files and the list of folders into a new folder beneath
/// `backups/` in the data folder, named by the time. The copy is a data folder that can be opened
/// (`--data`). Its result is `{folder, assets, missing}`. While one is at work, its id is given.
#[utoipa::path(post, path = "/api/backup", tag = "jobs", responses((status = 202, body = StartedJob,
    headers(("Location" = String, description = "The job")))))]
async fn post(State(app): State<Arc<App>>) -> Response {
    jobs::accepted(jobs::start(&app, JobKind::Backup, back_up))
}

fn back_up(app: &App, progress: &Progress) -> Outcome {
    let backups = app.config.data_dir.join("backups");
    let name = app.clock.now().strftime("fumikura-%Y-%m-%dT%H%M%SZ");
    let path = backups.join(name.to_string());
    let folder = BackupFolder::begin(&backups).map_err(told)?;
    let mut watch = |done, total| match progress.advance(done, total) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_cancelled) => ControlFlow::Break(()),
    };
    let made = app.wiki.back_up(folder.path(), &mut watch).map_err(told)?;
    copy_roots(app, &folder).map_err(|error| told(error.into()))?;
    folder.keep(&path).map_err(told)?;
    let missing: Vec<String> = made.missing.iter().map(ToString::to_string).collect();
    Ok(json!({"folder": path.display().to_string(), "assets": made.assets, "missing": missing}))
}

/// The list of folders is always replaced as a whole, so a copy of its file is whole too.
fn copy_roots(app: &App, folder: &BackupFolder) -> io::Result<()> {
    match fs::read(app.config.data_dir.join("roots.json")) {
        Ok(roots) => {
            durable::write_file(&folder.path().join("roots.json"), &roots, Access::Private)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn told(error: BackupError) -> JobError {
    match error {
        BackupError::BrokenOff => JobError::Cancelled,
        BackupError::Storage(error) => error.into(),
    }
}
