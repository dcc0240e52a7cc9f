//! `/api/backup`: a copy of everything, to be kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
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
use crate::operations::watching;

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
    let folder = BackupFolder::begin(&backups).map_err(told)?;
    let mut watch = watching(progress);
    let made = app.wiki.back_up(folder.path(), &mut watch).map_err(told)?;
    copy_roots(app, &folder).map_err(|error| told(error.into()))?;
    let path = free_place(&backups, &name.to_string()).map_err(|error| told(error.into()))?;
    folder.keep(&path).map_err(told)?;
    let missing: Vec<String> = made.missing.iter().map(ToString::to_string).collect();
    Ok(json!({"folder": path.display().to_string(), "assets": made.assets, "missing": missing}))
}

/// Where nothing is yet: two backups may begin within a second. Nobody else puts one there meanwhile,
/// as one is made at a time.
fn free_place(backups: &Path, name: &str) -> io::Result<PathBuf> {
    let mut place = backups.join(name);
    for number in 2.. {
        match fs::symlink_metadata(&place) {
            Ok(_) => place = backups.join(format!("{name}-{number}")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            Err(error) => return Err(error),
        }
    }
    Ok(place)
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
