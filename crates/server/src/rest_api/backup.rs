//! `/api/backup` and `/api/backups`: copies of all data, and the list of those that were made.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::{Body, Bytes};
use axum::extract::{Extension, FromRequest, Request};
use axum::http::StatusCode;
use axum::response::Response;
use axum::{Json, RequestExt};
use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use fumikura_wiki::{
    BackupCause, BackupError, BackupReadError, BackupRecord, BackupRequest, KeepRule, ListedBackup,
    MadeBackup, ReplaceError, Replacement, ReplacementRequest, StorageError, discard_replacement,
    kept_by, list_backups, pending_replacement, prepare_replacement,
};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::backup_place::BackupPlaceState;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::grants::Grants;
use crate::guard::Caller;
use crate::jobs::{self, JobError, JobKind, JobOutcome, Progress, StartedJob};
use crate::operations::watching;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiPath, body_refusal};
use crate::services::Backup;

/// The destination of a backup.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct BackupPlace {
    /// The grant of a folder that the user chose.
    grant: String,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(wiki_backup))
        .routes(routes!(backup_list))
        .routes(routes!(backup_go_back))
        .routes(routes!(backup_go_back_cancel))
}

/// Starts a job that makes a backup.
///
/// The job copies the wiki, its files and the list of folders into a new folder, named by the time, in a folder that
/// the user chose (`{grant}`), or in `backups/` of the data folder. The copy is a data folder that can be opened
/// (`--data`). It is proved: restored into a temporary folder, checked, and compared with the copied state. Files of an
/// earlier proved backup in the same folder are linked instead of copied. The job's result is
/// `{folder, assets, missing, proved, faults}`. Without a body, the id of a backup that a user asked for is returned if it
/// is still running and has everything that has been saved until now. Otherwise the new one waits until the running one ends.
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
        None => backup.start_requested(),
        Some(BackupPlace { grant }) => {
            let choose = move |backup: &Backup| chosen_folder(&backup.grants, &grant, caller);
            let folder = blocking(&backup, choose).await?;
            let made = Arc::clone(&backup);
            let work =
                move |progress: &Progress| made.make(progress, &folder, BackupCause::Request);
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
    usable_folder(grants.take_by(grant, caller)?)
}

/// Returns a folder after checking that it exists.
pub(super) fn usable_folder(folder: PathBuf) -> Result<PathBuf, ApiError> {
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

/// The backups in the data folder.
#[derive(Serialize, ToSchema)]
struct BackupList {
    /// The folder of the backups.
    folder: String,
    /// The time of the newest state that was proved.
    last_proved: Option<String>,
    /// The newest first.
    backups: Vec<BackupItem>,
    /// The backup that takes the place of the data at the next start.
    pending: Option<Replacement>,
    /// The second place, to which backups are copied.
    place: Option<BackupPlaceState>,
}

/// A backup.
#[derive(Serialize, ToSchema)]
struct BackupItem {
    /// The name of its folder.
    name: String,
    #[serde(flatten)]
    record: BackupRecord,
    /// The rules by which it is kept.
    kept_by: Vec<KeepRule>,
}

/// Lists the backups in the data folder.
///
/// Each was proved when it was made; `faults` are those that were found. Backups of the schedule are kept for 7 days, 4
/// weeks and 12 months, one for each, and the newest proved one always. Backups that a user asked for are never removed.
#[utoipa::path(get, path = "/api/backups", tag = "jobs", responses((status = 200, body = BackupList)))]
async fn backup_list(Part(backup): Part<Backup>) -> Result<Json<BackupList>, ApiError> {
    let list = |backup: &Backup| {
        let folder = backup.config.backups();
        let listed = list_backups(&folder).map_err(StorageError::from)?;
        let rules = kept_by(&listed, &TimeZone::system());
        let proved = listed
            .iter()
            .find(|backup| backup.record.proved_at.is_some());
        let items = listed.iter().cloned().zip(rules);
        Ok(BackupList {
            folder: folder.display().to_string(),
            last_proved: proved.map(|backup| backup.record.taken_at.to_string()),
            pending: pending_replacement(&backup.config.data_dir).map_err(StorageError::from)?,
            place: backup.place()?.map(BackupPlaceState::from),
            backups: items
                .map(|(ListedBackup { name, record }, kept_by)| BackupItem {
                    name,
                    record,
                    kept_by,
                })
                .collect(),
        })
    };
    Ok(Json(blocking(&backup, list).await?))
}

/// Starts a job that prepares the data to go back to a backup as a whole.
///
/// First the present data are backed up. Then the backup is copied into the data folder and checked. At the next start it
/// takes the place of the data: `pending` of the list of backups. The job's result is `{folder, name, taken_at, kept_as}`;
/// `folder` is the backup of the present data. If these are too damaged for that, it is null, and they will be kept as the
/// folder `kept_as` of the data folder.
#[utoipa::path(post, path = "/api/backups/{name}/go-back", tag = "jobs", params(("name" = String, Path)), responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
    (status = 404, description = "`backup_not_found`", body = ErrorBody),
))]
async fn backup_go_back(
    Part(backup): Part<Backup>,
    ApiPath(name): ApiPath<String>,
) -> Result<Response, ApiError> {
    let wanted = name.clone();
    let find = move |backup: &Backup| {
        let listed = list_backups(&backup.config.backups()).map_err(StorageError::from)?;
        match listed.iter().any(|backup| backup.name == wanted) {
            true => Ok(()),
            false => Err(BackupReadError::NotFound(wanted).into()),
        }
    };
    blocking(&backup, find).await?;
    let prepared = Arc::clone(&backup);
    let work = move |progress: &Progress| prepared.go_back(progress, &name);
    Ok(jobs::accepted(backup.runner.start(JobKind::GoBack, work)))
}

/// Keeps the present data at the next start, after a backup was prepared to take their place.
#[utoipa::path(delete, path = "/api/backups/go-back", tag = "jobs", responses((status = 204)))]
async fn backup_go_back_cancel(Part(backup): Part<Backup>) -> Result<StatusCode, ApiError> {
    blocking(&backup, |backup| {
        discard_replacement(&backup.config.data_dir).map_err(StorageError::from)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// The last backup in the data folder that a user asked for.
pub(crate) struct RequestedBackup {
    job: String,
    /// The number of changes of the wiki that it has at least; `u64::MAX` until it has read the state.
    changes: Arc<AtomicU64>,
}

impl Backup {
    /// Starts a backup in the data folder, unless one that a user asked for is running and will have everything that has been
    /// saved until now. Returns the id of the job.
    fn start_requested(self: &Arc<Self>) -> String {
        let mut requested = self.requested.lock();
        let now = self.wiki.changes();
        if let Some(RequestedBackup { job, changes }) = &*requested
            && self.runner.jobs.is_active(job)
            && changes.load(Ordering::SeqCst) >= now
        {
            return job.clone();
        }
        let changes = Arc::new(AtomicU64::new(u64::MAX));
        let (made, read) = (Arc::clone(self), Arc::clone(&changes));
        let job = self.runner.start_next(JobKind::Backup, move |progress| {
            read.store(made.wiki.changes(), Ordering::SeqCst);
            made.make(progress, &made.config.backups(), BackupCause::Request)
        });
        *requested = Some(RequestedBackup {
            job: job.clone(),
            changes,
        });
        job
    }

    /// Backs up the data, and prepares a backup to take their place. Data that are too damaged for a backup are kept as they
    /// are.
    fn go_back(&self, progress: &Progress, name: &str) -> JobOutcome {
        let backups = self.config.backups();
        let made = match self.make_backup(progress, &backups, BackupCause::Request) {
            Ok(made) => Some(made.path.display().to_string()),
            Err(error) if error.is_damage() => {
                tracing::warn!("the present data can't be backed up: {error}");
                None
            }
            Err(error) => return Err(job_error(error)),
        };
        let request = ReplacementRequest {
            backups: &backups,
            name,
            data: &self.config.data_dir,
            asset_limit: self.config.asset_limit,
            keeps_replaced: made.is_none(),
        };
        let watch = &mut watching(progress);
        let prepared = prepare_replacement(&request, &self.clock, &self.entropy, watch);
        let prepared = prepared.map_err(|error| match error {
            ReplaceError::Cancelled => JobError::Cancelled,
            error @ (ReplaceError::Backup(_)
            | ReplaceError::Damaged(_)
            | ReplaceError::Storage(_)) => ApiError::from(error).into(),
        })?;
        Ok(json!({
            "folder": made,
            "name": prepared.name,
            "taken_at": prepared.taken_at.to_string(),
            "kept_as": prepared.kept_as,
        }))
    }

    /// Makes and proves a backup, as a job.
    pub(crate) fn make(
        &self,
        progress: &Progress,
        backups: &Path,
        cause: BackupCause,
    ) -> JobOutcome {
        let made = self
            .make_backup(progress, backups, cause)
            .map_err(job_error)?;
        if backups == self.config.backups() {
            self.copy_if_reachable(&mut watching(progress));
        }
        let missing: Vec<String> = made.missing.iter().map(ToString::to_string).collect();
        Ok(json!({
            "folder": made.path.display().to_string(),
            "assets": made.record.assets,
            "missing": missing,
            "proved": made.record.proved_at.is_some(),
            "faults": made.record.faults,
        }))
    }

    fn make_backup(
        &self,
        progress: &Progress,
        backups: &Path,
        cause: BackupCause,
    ) -> Result<MadeBackup, BackupError> {
        let settings = self.wiki.settings();
        let with_records = settings
            .map_err(BackupError::from)?
            .folder_records_in_backups;
        let request = BackupRequest {
            backups,
            cause,
            add: &|folder| {
                self.copy_roots(folder)?;
                self.albums.back_up(folder)?;
                match with_records {
                    true => self.copy_folder_records(folder),
                    false => Ok(()),
                }
            },
            zone: TimeZone::system(),
        };
        let watch = &mut watching(progress);
        let made = self.wiki.backups().make(&request, watch)?;
        if !made.record.faults.is_empty() {
            tracing::warn!(
                "the backup {} has faults: {:?}",
                made.path.display(),
                made.record.faults
            );
        }
        for name in &made.removed {
            tracing::info!("the backup {name} was superfluous and has been removed");
        }
        Ok(made)
    }

    /// The list of folders is always replaced as a whole, so a copy of its file is complete too.
    fn copy_roots(&self, folder: &Path) -> io::Result<()> {
        let file = self.config.data_dir.join("roots.json");
        match own_file::read(&file, own_file::SETTINGS) {
            Ok(roots) => durable::write_file(&folder.join("roots.json"), &roots, Access::Private),
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
