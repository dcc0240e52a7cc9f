//! `/api/backups/place`: the second place, to which backups are copied.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::Extension;
use axum::http::StatusCode;
use axum::response::Response;
use fumikura_base::entropy::random_bytes;
use fumikura_wiki::{BackupError, SecondPlace, StorageError};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::backup::usable_folder;
use super::imports::named_path;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::Caller;
use crate::jobs::{self, JobError, JobKind, JobOutcome, Progress, StartedJob};
use crate::operations::watching;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiJson;
use crate::services::Backup;

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(backup_place_set, backup_place_forget))
        .routes(routes!(backup_place_copy))
}

/// A folder for copies of backups.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PlaceChoice {
    /// The grant of a folder that the user chose.
    grant: Option<String>,
    /// Its path, with the Bearer token instead of `grant`.
    path: Option<String>,
}

/// The second place of backups.
#[derive(Serialize, ToSchema)]
pub(super) struct BackupPlaceState {
    folder: String,
    /// True if its disk is connected.
    is_reachable: bool,
    /// The time at which a backup was copied there last.
    last_copied: Option<Timestamp>,
    /// The reason why the last attempt failed.
    failure: Option<String>,
}

impl From<SecondPlace> for BackupPlaceState {
    fn from(place: SecondPlace) -> Self {
        Self {
            is_reachable: place.is_reachable(),
            folder: place.folder,
            last_copied: place.last_copied,
            failure: place.failure,
        }
    }
}

/// Makes a folder the second place of backups.
///
/// Each new backup in the data folder is copied there, at once or when the folder is reachable again. A mark in the folder
/// distinguishes it from an empty mount point.
#[utoipa::path(put, path = "/api/backups/place", tag = "jobs", request_body = PlaceChoice, responses(
    (status = 200, body = BackupPlaceState),
    (status = 400, description = "`bad_request`", body = ErrorBody),
    (status = 403, description = "`grant_invalid`, `bearer_required`", body = ErrorBody),
    (status = 404, description = "`folder_unavailable`", body = ErrorBody),
    (status = 422, description = "`not_a_folder`", body = ErrorBody),
))]
async fn backup_place_set(
    Part(backup): Part<Backup>,
    Extension(caller): Extension<Caller>,
    ApiJson(choice): ApiJson<PlaceChoice>,
) -> Result<Json<BackupPlaceState>, ApiError> {
    let set = move |backup: &Backup| {
        let chosen: PathBuf = match (choice.grant, choice.path) {
            (Some(grant), None) => backup.grants.take_by(&grant, caller)?,
            (None, Some(path)) => named_path(path.into(), caller)?,
            (Some(_), Some(_)) | (None, None) => {
                let message = "name either a grant or a path";
                return Err(ApiError::new(ErrorCode::BadRequest, message));
            }
        };
        let folder = usable_folder(chosen)?;
        let id = hex::encode(random_bytes::<16>(&*backup.entropy));
        let place = SecondPlace::choose(&backup.config.data_dir, &folder, &id);
        let place = place.map_err(|error| {
            ApiError::new(
                ErrorCode::FolderUnavailable,
                format!("the folder can't be used: {error}"),
            )
        })?;
        Ok(place.into())
    };
    Ok(Json(blocking(&backup, set).await?))
}

/// Forgets the second place of backups. The copies there stay.
#[utoipa::path(delete, path = "/api/backups/place", tag = "jobs", responses((status = 204)))]
async fn backup_place_forget(Part(backup): Part<Backup>) -> Result<StatusCode, ApiError> {
    blocking(&backup, |backup| {
        SecondPlace::forget(&backup.config.data_dir).map_err(StorageError::from)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// Starts a job that copies the newest proved backup to the second place, if it is not there yet.
///
/// The job's result is `{folder}`, the copy; null if the newest one was there.
#[utoipa::path(post, path = "/api/backups/place/copy", tag = "jobs", responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
))]
async fn backup_place_copy(Part(backup): Part<Backup>) -> Result<Response, ApiError> {
    let copied = Arc::clone(&backup);
    let work = move |progress: &Progress| -> JobOutcome {
        let copy = copied.copy_to_place(&mut watching(progress))?;
        Ok(json!({"folder": copy.map(|folder| folder.display().to_string())}))
    };
    Ok(jobs::accepted(
        backup.runner.start(JobKind::CopyBackup, work),
    ))
}

impl Backup {
    /// Returns the second place.
    pub(super) fn place(&self) -> Result<Option<SecondPlace>, ApiError> {
        Ok(SecondPlace::read(&self.config.data_dir).map_err(StorageError::from)?)
    }

    /// Copies the newest proved backup to the second place, if it is not there yet, and records the outcome. Returns the
    /// folder of the copy.
    pub(crate) fn copy_to_place(
        &self,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Option<PathBuf>, JobError> {
        let _copying = self.copying.lock();
        let Some(place) = self.place()? else {
            return Ok(None);
        };
        if !place.is_reachable() {
            let message = format!("{} is not connected", place.folder);
            return Err(ApiError::new(ErrorCode::FolderUnavailable, message).into());
        }
        let backups = self.config.backups();
        let missing = place.missing(&backups).map_err(StorageError::from)?;
        let Some(missing) = missing else {
            return Ok(None);
        };
        let copied = place.copy(&backups, &missing, &TimeZone::system(), watch);
        let outcome = match &copied {
            Ok(_) => Ok(self.clock.now()),
            Err(BackupError::Cancelled) => return Err(JobError::Cancelled),
            Err(BackupError::Storage(error)) => Err(error.to_string()),
        };
        // The user may have chosen another folder meanwhile.
        if self.place()?.is_some_and(|now| now.folder == place.folder) {
            let recorded = place.record(&self.config.data_dir, &outcome);
            recorded.map_err(StorageError::from)?;
        }
        copied.map(Some).map_err(|error| match error {
            BackupError::Cancelled => JobError::Cancelled,
            BackupError::Storage(error) => ApiError::from(error).into(),
        })
    }

    /// Copies a new backup to the second place if that is reachable. A failure is recorded, and fails nothing else.
    pub(crate) fn copy_if_reachable(&self, watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>) {
        let is_reachable = match self.place() {
            Ok(place) => place.is_some_and(|place| place.is_reachable()),
            Err(error) => {
                tracing::warn!("the second place of backups: {}", error.body().message);
                false
            }
        };
        if !is_reachable {
            return;
        }
        match self.copy_to_place(watch) {
            Ok(Some(folder)) => tracing::info!("copied the newest backup to {}", folder.display()),
            Ok(None) | Err(JobError::Cancelled) => {}
            Err(JobError::Failed(error)) => tracing::warn!(
                "the newest backup can't be copied to the second place: {}",
                error.body().message
            ),
        }
    }
}
