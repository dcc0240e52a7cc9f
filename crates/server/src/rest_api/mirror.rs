//! `/api/mirror`: a folder with the pages as Markdown, which follows the wiki.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Json;
use axum::extract::Extension;
use axum::http::StatusCode;
use fumikura_base::entropy::random_bytes;
use fumikura_wiki::{
    Hunk, MirrorFailure, MirrorPlace, MirrorWork, OutsideFile, OutsideKind, OutsideText, PageId,
    ShownText, TextDiff, VersionTag,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::backup::usable_folder;
use super::imports::named_path;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::Caller;
use crate::mirror::{MirrorStatus, Mirroring, update_now};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiQuery};
use crate::stopping::Stopping;

/// The folder of a mirror.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MirrorChoice {
    /// The grant of a folder that the user chose.
    grant: Option<String>,
    /// Its path, with the Bearer token instead of `grant`.
    path: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MirrorSwitch {
    is_on: bool,
}

/// A file of the mirror.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct MirrorEntry {
    /// Its path below the folder.
    entry: String,
}

/// A file that was edited outside, as the user has seen it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MirrorFile {
    /// Its path below the folder.
    entry: String,
    /// The SHA-256 of the contents that were shown. Others are refused.
    sha256: Option<String>,
    /// The version of the page that was shown, `REVISION.AMENDS`. A later one is refused.
    version: Option<String>,
}

impl MirrorFile {
    fn shown(&self) -> Result<Option<ShownText>, ApiError> {
        let Some(sha256) = self.sha256.clone() else {
            return Ok(None);
        };
        let version = self.version.as_deref().map(str::parse::<VersionTag>);
        let version = version.transpose();
        let version = version.map_err(|error| ApiError::new(ErrorCode::BadRequest, error))?;
        Ok(Some(ShownText { sha256, version }))
    }
}

/// The state of the mirror.
#[derive(Serialize, ToSchema)]
struct MirrorState {
    /// The folder; null if there is no mirror.
    folder: Option<String>,
    /// False while the mirror is switched off.
    is_on: bool,
    /// The time at which the mirror was last up to date; null before that in this launch.
    updated_at: Option<String>,
    /// The time at which a file was last written or removed in this launch.
    written_at: Option<String>,
    /// The reason why it is not up to date.
    failure: Option<MirrorFailure>,
    /// The reason in words.
    failure_message: Option<String>,
    /// The number of pages in the mirror.
    pages: u64,
    /// The number of their files.
    files: u64,
    /// The files that were edited outside, and are left as they are.
    outside: Vec<MirrorOutsideFile>,
    /// True if there are more of them.
    truncated: bool,
}

/// A file that was edited outside.
#[derive(Serialize, ToSchema)]
struct MirrorOutsideFile {
    /// Its path below the folder.
    entry: String,
    kind: OutsideKind,
    /// The page whose text the file may become.
    #[schema(value_type = Option<String>)]
    page_id: Option<PageId>,
}

/// A file that was edited outside, compared with the text of its page.
#[derive(Serialize, ToSchema)]
struct MirrorDifference {
    #[schema(value_type = String)]
    page_id: PageId,
    /// The path of the page.
    path: String,
    /// The SHA-256 of the file.
    sha256: String,
    /// The version of the page.
    version: Option<String>,
    /// The changes from the page's text to that of the file, in order.
    hunks: Vec<Hunk>,
    /// The total number of added lines.
    added: usize,
    /// The total number of removed lines.
    removed: usize,
    /// True if more lines than necessary may be marked as changed.
    approximate: bool,
    /// True if changes were left out because there are too many to show.
    truncated: bool,
    /// The text of the file.
    text: String,
}

/// A text that was taken over.
#[derive(Serialize, ToSchema)]
pub(super) struct TakenText {
    #[schema(value_type = String)]
    pub(super) page_id: PageId,
    /// The path of the page.
    pub(super) path: String,
    /// The revision of the page that has the text.
    pub(super) revision: u64,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(
            mirror_state,
            mirror_choose,
            mirror_update,
            mirror_forget
        ))
        .routes(routes!(mirror_switch))
        .routes(routes!(mirror_difference))
        .routes(routes!(mirror_take_over))
        .routes(routes!(mirror_write_again))
        .routes(routes!(mirror_leave))
}

/// Returns the state of the mirror.
#[utoipa::path(get, path = "/api/mirror", tag = "jobs", responses((status = 200, body = MirrorState)))]
async fn mirror_state(Part(mirroring): Part<Mirroring>) -> Result<Json<MirrorState>, ApiError> {
    state(&mirroring).await
}

/// Makes a folder the mirror, and brings it up to date.
///
/// The folder has nothing but hidden files, or was a mirror before. It is marked, so that an empty mount point is not taken
/// for it. From now on it has the latest text of each page as Markdown, and the pages' files, named as in an archive.
#[utoipa::path(put, path = "/api/mirror", tag = "jobs", request_body = MirrorChoice, responses(
    (status = 200, body = MirrorState),
    (status = 400, description = "`bad_request`", body = ErrorBody),
    (status = 403, description = "`grant_invalid`, `bearer_required`", body = ErrorBody),
    (status = 404, description = "`folder_unavailable`", body = ErrorBody),
    (status = 409, description = "`folder_not_empty`", body = ErrorBody),
    (status = 422, description = "`not_a_folder`, `folder_protected`", body = ErrorBody),
))]
async fn mirror_choose(
    Part(mirroring): Part<Mirroring>,
    Part(stopping): Part<Stopping>,
    Extension(caller): Extension<Caller>,
    ApiJson(choice): ApiJson<MirrorChoice>,
) -> Result<Json<MirrorState>, ApiError> {
    let choose = move |mirroring: &Mirroring| {
        let chosen: PathBuf = match (choice.grant, choice.path) {
            (Some(grant), None) => mirroring.grants.take_by(&grant, caller)?,
            (None, Some(path)) => named_path(path.into(), caller)?,
            (Some(_), Some(_)) | (None, None) => {
                let message = "name either a grant or a path";
                return Err(ApiError::new(ErrorCode::BadRequest, message));
            }
        };
        mirroring.choose(&usable_folder(chosen)?)
    };
    blocking(&mirroring, choose).await?;
    update_now(&mirroring, &stopping, MirrorWork::All).await?;
    state(&mirroring).await
}

/// Brings the mirror up to date, and returns its state.
#[utoipa::path(post, path = "/api/mirror", tag = "jobs", responses((status = 200, body = MirrorState)))]
async fn mirror_update(
    Part(mirroring): Part<Mirroring>,
    Part(stopping): Part<Stopping>,
) -> Result<Json<MirrorState>, ApiError> {
    update_now(&mirroring, &stopping, MirrorWork::All).await?;
    state(&mirroring).await
}

/// Ends the mirror. Its files stay.
#[utoipa::path(delete, path = "/api/mirror", tag = "jobs", responses((status = 204)))]
async fn mirror_forget(
    Part(mirroring): Part<Mirroring>,
    Part(stopping): Part<Stopping>,
) -> Result<StatusCode, ApiError> {
    blocking(&mirroring, |mirroring| {
        let _working = mirroring.working.lock();
        Ok(MirrorPlace::forget(&mirroring.config.data_dir)?)
    })
    .await?;
    update_now(&mirroring, &stopping, MirrorWork::default()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Switches the mirror on or off. Its files stay.
#[utoipa::path(put, path = "/api/mirror/switch", tag = "jobs", request_body = MirrorSwitch, responses(
    (status = 200, body = MirrorState),
    (status = 404, description = "`mirror_not_set`", body = ErrorBody),
))]
async fn mirror_switch(
    Part(mirroring): Part<Mirroring>,
    Part(stopping): Part<Stopping>,
    ApiJson(MirrorSwitch { is_on }): ApiJson<MirrorSwitch>,
) -> Result<Json<MirrorState>, ApiError> {
    blocking(&mirroring, move |mirroring| {
        let _working = mirroring.working.lock();
        Ok(MirrorPlace::switch(&mirroring.config.data_dir, is_on)?)
    })
    .await?;
    update_now(&mirroring, &stopping, MirrorWork::All).await?;
    state(&mirroring).await
}

/// Compares a text that was edited outside with its page.
#[utoipa::path(get, path = "/api/mirror/difference", tag = "jobs", params(MirrorEntry), responses(
    (status = 200, body = MirrorDifference),
    (status = 404, description = "`mirror_not_set`, `mirror_file_not_found`, `folder_unavailable`", body = ErrorBody),
    (status = 422, description = "`not_utf8`", body = ErrorBody),
))]
async fn mirror_difference(
    Part(mirroring): Part<Mirroring>,
    ApiQuery(MirrorEntry { entry }): ApiQuery<MirrorEntry>,
) -> Result<Json<MirrorDifference>, ApiError> {
    let compare = move |mirroring: &Mirroring| {
        let _working = mirroring.working.lock();
        let mirror = mirroring.wiki.mirror(&mirroring.config.data_dir);
        Ok(mirror.compare(&entry)?.into())
    };
    Ok(Json(blocking(&mirroring, compare).await?))
}

/// Makes a text that was edited outside a revision of its page.
///
/// A conflict copy is then removed.
#[utoipa::path(post, path = "/api/mirror/take-over", tag = "jobs", request_body = MirrorFile, responses(
    (status = 200, body = TakenText),
    (status = 404, description = "`mirror_not_set`, `mirror_file_not_found`, `folder_unavailable`, `page_not_found`", body = ErrorBody),
    (status = 409, description = "`changed_since`: the file", body = ErrorBody),
    (status = 410, description = "`deleted`", body = ErrorBody),
    (status = 412, description = "`precondition_failed`: the page has changed", body = ErrorBody),
    (status = 422, description = "`not_utf8`", body = ErrorBody),
    (status = 423, description = "`lock_required`: the page is being edited", body = ErrorBody),
))]
async fn mirror_take_over(
    Part(mirroring): Part<Mirroring>,
    Part(stopping): Part<Stopping>,
    ApiJson(file): ApiJson<MirrorFile>,
) -> Result<Json<TakenText>, ApiError> {
    let take = move |mirroring: &Mirroring| {
        let _working = mirroring.working.lock();
        let user = mirroring.acting.get()?.id;
        let mirror = mirroring.wiki.mirror(&mirroring.config.data_dir);
        let shown = file.shown()?;
        let (page_id, saved) = mirror.take_over(&file.entry, shown.as_ref(), user)?;
        Ok(TakenText {
            page_id,
            path: saved.path.to_string(),
            revision: saved.version.revision,
        })
    };
    let taken = blocking(&mirroring, take).await?;
    update_now(&mirroring, &stopping, MirrorWork::All).await?;
    Ok(Json(taken))
}

/// Writes the wiki's contents over a file that was edited outside.
///
/// A conflict copy, or a file whose page has moved or is gone, is removed. What the file has is lost.
#[utoipa::path(post, path = "/api/mirror/write-again", tag = "jobs", request_body = MirrorFile, responses(
    (status = 200, body = MirrorState),
    (status = 404, description = "`mirror_not_set`, `mirror_file_not_found`, `folder_unavailable`", body = ErrorBody),
    (status = 409, description = "`changed_since`: the file", body = ErrorBody),
    (status = 422, description = "`not_utf8`: it is no regular file", body = ErrorBody),
))]
async fn mirror_write_again(
    Part(mirroring): Part<Mirroring>,
    Part(stopping): Part<Stopping>,
    ApiJson(file): ApiJson<MirrorFile>,
) -> Result<Json<MirrorState>, ApiError> {
    let write = move |mirroring: &Mirroring| {
        let _working = mirroring.working.lock();
        let mirror = mirroring.wiki.mirror(&mirroring.config.data_dir);
        Ok(mirror.write_again(&file.entry, file.shown()?.as_ref())?)
    };
    blocking(&mirroring, write).await?;
    update_now(&mirroring, &stopping, MirrorWork::All).await?;
    state(&mirroring).await
}

/// Forgets a file whose page has moved or is gone. The file stays.
#[utoipa::path(post, path = "/api/mirror/leave", tag = "jobs", request_body = MirrorFile, responses(
    (status = 200, body = MirrorState),
    (status = 404, description = "`mirror_not_set`, `mirror_file_not_found`, `folder_unavailable`", body = ErrorBody),
))]
async fn mirror_leave(
    Part(mirroring): Part<Mirroring>,
    Part(stopping): Part<Stopping>,
    ApiJson(file): ApiJson<MirrorFile>,
) -> Result<Json<MirrorState>, ApiError> {
    let leave = move |mirroring: &Mirroring| {
        let _working = mirroring.working.lock();
        let mirror = mirroring.wiki.mirror(&mirroring.config.data_dir);
        Ok(mirror.leave_file(&file.entry)?)
    };
    blocking(&mirroring, leave).await?;
    update_now(&mirroring, &stopping, MirrorWork::All).await?;
    state(&mirroring).await
}

async fn state(mirroring: &Arc<Mirroring>) -> Result<Json<MirrorState>, ApiError> {
    let read = |mirroring: &Mirroring| {
        let place = MirrorPlace::read(&mirroring.config.data_dir)?;
        let status = mirroring.status.lock().clone();
        Ok(MirrorState::new(place, status))
    };
    Ok(Json(blocking(mirroring, read).await?))
}

impl MirrorState {
    fn new(place: Option<MirrorPlace>, status: MirrorStatus) -> Self {
        let (failure, failure_message) = status.failure.unzip();
        let files = status.report.outside.into_iter();
        Self {
            is_on: place.as_ref().is_some_and(|place| place.is_on),
            folder: place.map(|place| place.folder.display().to_string()),
            updated_at: status.updated_at.map(|at| at.to_string()),
            written_at: status.written_at.map(|at| at.to_string()),
            failure,
            failure_message,
            pages: status.report.pages,
            files: status.report.files,
            outside: files
                .map(|(entry, OutsideFile { kind, page })| MirrorOutsideFile {
                    entry,
                    kind,
                    page_id: page,
                })
                .collect(),
            truncated: status.report.truncated,
        }
    }
}

impl From<OutsideText> for MirrorDifference {
    fn from(text: OutsideText) -> Self {
        let TextDiff {
            hunks,
            added,
            removed,
            approximate,
            truncated,
        } = text.difference;
        Self {
            page_id: text.page,
            path: text.path.to_string(),
            sha256: text.shown.sha256,
            version: text.shown.version.map(|version| version.to_string()),
            hunks,
            added,
            removed,
            approximate,
            truncated,
            text: text.text,
        }
    }
}

impl Mirroring {
    /// Makes a folder the mirror, unless it has the program's own data or is a part of them.
    fn choose(&self, folder: &Path) -> Result<(), ApiError> {
        let config = &self.config;
        for own in [&config.data_dir, &config.cache_dir, &config.thumbs_dir] {
            let own = own.canonicalize().unwrap_or_else(|_| own.clone());
            if folder.starts_with(&own) || own.starts_with(folder) {
                let message = "the program's own data are here; choose another folder";
                return Err(ApiError::new(ErrorCode::FolderProtected, message));
            }
        }
        let _working = self.working.lock();
        let id = hex::encode(random_bytes::<16>(&*self.entropy));
        MirrorPlace::choose(&config.data_dir, folder, &id)?;
        // What was found in another folder means nothing in this one.
        *self.status.lock() = MirrorStatus::default();
        Ok(())
    }
}
