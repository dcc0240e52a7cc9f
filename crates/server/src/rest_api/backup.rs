//! `/api/backup`: copies all data to a folder.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::RequestExt;
use axum::body::{Body, Bytes};
use axum::extract::{Extension, FromRequest, Request};
use axum::response::Response;
use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use fumikura_wiki::{BackupError, BackupFolder};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::grants::Grants;
use crate::guard::Caller;
use crate::jobs::{self, JobError, JobKind, JobOutcome, Progress, StartedJob};
use crate::operations::watching;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, body_refusal};
use crate::services::Backup;

/// The destination of a backup.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct BackupPlace {
    /// The grant of a folder that the user chose.
    grant: String,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(wiki_backup))
}

/// Starts a job that makes a backup.
///
/// The job copies the wiki, its files and the list of folders into a new folder, named by the time, in a folder that
/// the user chose (`{grant}`), or in `backups/` of the data folder. The copy is a data folder that can be opened
/// (`--data`). The job's result is `{folder, assets, missing}`. Without a body, the id of a running backup is returned
/// if there is one.
#[utoipa::path(post, path = "/api/backup", tag = "jobs", request_body = Option<BackupPlace>, responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
    (status = 403, description = "`grant_invalid`", body = ErrorBody),
    (status = 404, description = "`folder_unavailable`", body = ErrorBody),
    (status = 422, description = "`not_a_folder`", body = ErrorBody),
))]
async fn wiki_backup(
    Part(backup): Part<Backup>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let job = match place(request).await? {
        None => {
            let made = Arc::clone(&backup);
            backup.runner.start(JobKind::Backup, move |progress| {
                made.back_up(progress, &made.config.backups())
            })
        }
        Some(BackupPlace { grant }) => {
            let choose = move |backup: &Backup| chosen_folder(&backup.grants, &grant, caller);
            let folder = blocking(&backup, choose).await?;
            let made = Arc::clone(&backup);
            let work = move |progress: &Progress| made.back_up(progress, &folder);
            backup.runner.start_another(JobKind::Backup, work)?
        }
    };
    Ok(jobs::accepted(job))
}

/// Reads the body, if there is one.
async fn place(request: Request) -> Result<Option<BackupPlace>, ApiError> {
    let (head, body) = request.into_parts();
    let body: Result<Bytes, _> = Request::new(body).extract().await;
    let body =
        body.map_err(|rejection| body_refusal(&rejection, "a grant is shorter than that"))?;
    if body.is_empty() {
        return Ok(None);
    }
    let request = Request::from_parts(head, Body::from(body));
    let ApiJson(place) = ApiJson::from_request(request, &()).await?;
    Ok(Some(place))
}

/// Returns the folder that the user chose, after checking that it exists.
fn chosen_folder(grants: &Grants, grant: &str, caller: Caller) -> Result<PathBuf, ApiError> {
    let folder = grants.take_by(grant, caller)?;
    // The folder may be a link, which the user chose.
    let folder = folder.canonicalize().unwrap_or(folder);
    match folder.metadata() {
        Ok(metadata) if metadata.is_dir() => Ok(folder),
        Ok(_) => Err(ApiError::new(
            ErrorCode::NotAFolder,
            "this is a file, not a folder",
        )),
        Err(error) => Err(ApiError::new(
            ErrorCode::FolderUnavailable,
            format!("the folder can't be used: {error}"),
        )),
    }
}

impl Backup {
    fn back_up(&self, progress: &Progress, backups: &Path) -> JobOutcome {
        let name = self.clock.now().strftime("fumikura-%Y-%m-%dT%H%M%SZ");
        let folder = BackupFolder::begin(backups).map_err(job_error)?;
        let mut watch = watching(progress);
        let made = self
            .wiki
            .back_up(folder.path(), &mut watch)
            .map_err(job_error)?;
        self.copy_roots(&folder)
            .map_err(|error| job_error(error.into()))?;
        let path = folder.keep(backups, &name.to_string()).map_err(job_error)?;
        let missing: Vec<String> = made.missing.iter().map(ToString::to_string).collect();
        Ok(json!({"folder": path.display().to_string(), "assets": made.assets, "missing": missing}))
    }

    /// The list of folders is always replaced as a whole, so a copy of its file is complete too.
    fn copy_roots(&self, folder: &BackupFolder) -> io::Result<()> {
        let file = self.config.data_dir.join("roots.json");
        match own_file::read(&file, own_file::SETTINGS) {
            Ok(roots) => {
                durable::write_file(&folder.path().join("roots.json"), &roots, Access::Private)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }
}

fn job_error(error: BackupError) -> JobError {
    match error {
        BackupError::Cancelled => JobError::Cancelled,
        BackupError::Storage(error) => error.into(),
    }
}
