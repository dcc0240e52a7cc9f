//! `/api/files/conflicts` and `POST /api/folders`: what files meet in the destination folder, and new folders.

use axum::Json;
use axum::http::StatusCode;
use fumikura_fileops::TransferConflict;
use fumikura_fs::{NodeKind, Stat};
use fumikura_pictures::Pictures;
use fumikura_watch::FolderChange;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::place::{FilePlace, picture_files, sources};
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::events::{Event, EventHub};
use crate::names::name_in_json;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiJson;

/// The number of conflicts in an answer.
const MAX_CONFLICTS: usize = 200;

/// Files that may be moved or copied into a folder.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PlannedTransfer {
    items: Vec<FilePlace>,
    /// The destination folder.
    to: FilePlace,
    /// True if the other files of a picture go with the file that is shown.
    #[serde(default)]
    joined: bool,
}

/// The files whose names are taken in the destination folder.
#[derive(Serialize, ToSchema)]
struct FileConflicts {
    /// The number of all of them.
    count: usize,
    /// At most 200 of them, in the order of the request.
    conflicts: Vec<FileConflict>,
}

/// A file whose name is taken in the destination folder.
#[derive(Serialize, ToSchema)]
struct FileConflict {
    /// The index of the file in the request.
    item: usize,
    file: FileFacts,
    /// The file that has its name.
    existing: FileFacts,
    /// True if their contents are the same; absent if they are too large to be compared while the user waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    identical: Option<bool>,
}

/// The size and the time of a file.
#[derive(Serialize, ToSchema)]
struct FileFacts {
    /// The size in bytes; 0 for a folder.
    size: u64,
    mtime: Timestamp,
    is_folder: bool,
}

impl From<Stat> for FileFacts {
    fn from(stat: Stat) -> Self {
        let is_folder = stat.kind == NodeKind::Folder;
        Self {
            size: if is_folder { 0 } else { stat.size },
            mtime: stat.mtime.timestamp(),
            is_folder,
        }
    }
}

impl From<TransferConflict> for FileConflict {
    fn from(conflict: TransferConflict) -> Self {
        Self {
            item: conflict.item,
            file: conflict.source.into(),
            existing: conflict.existing.into(),
            identical: conflict.identical,
        }
    }
}

/// A folder to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewFolder {
    /// The folder that will contain it.
    parent: FilePlace,
    name: String,
}

/// A folder that was created.
#[derive(Serialize, ToSchema)]
struct CreatedFolder {
    /// The root's id.
    root: String,
    /// The path, relative to the root.
    path: String,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
}

/// Returns the operations whose requests may name very many files.
pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(file_conflicts))
}

pub(super) fn folders() -> Routes {
    Routes::new().routes(routes!(folder_create))
}

/// Compares files with those of the same names in a folder, before they are moved or copied there.
///
/// Nothing is changed.
#[utoipa::path(post, path = "/api/files/conflicts", tag = "pictures", request_body = PlannedTransfer, responses(
    (status = 200, body = FileConflicts),
    (status = 403, description = "`outside_roots`", body = ErrorBody),
    (status = 404, description = "`root_not_found`, `folder_unavailable`, `not_found`", body = ErrorBody),
    (status = 422, description = "`not_a_folder`", body = ErrorBody),
))]
async fn file_conflicts(
    Part(pictures): Part<Pictures>,
    ApiJson(planned): ApiJson<PlannedTransfer>,
) -> Result<Json<FileConflicts>, ApiError> {
    let found = blocking(&pictures, move |pictures| {
        let items = sources(pictures, &planned.items)?;
        let to = planned.to.source(pictures)?;
        let parts = picture_files(planned.joined);
        let files = pictures.files();
        Ok(files.transfer_conflicts(&to, &items, parts, MAX_CONFLICTS)?)
    });
    let (conflicts, count) = found.await?;
    let conflicts = conflicts.into_iter().map(FileConflict::from).collect();
    Ok(Json(FileConflicts { count, conflicts }))
}

/// Creates a folder.
#[utoipa::path(post, path = "/api/folders", tag = "pictures", request_body = NewFolder, responses(
    (status = 201, body = CreatedFolder),
    (status = 403, description = "`outside_roots`, `not_permitted`", body = ErrorBody),
    (status = 404, description = "`root_not_found`, `folder_unavailable`, `not_found`", body = ErrorBody),
    (status = 409, description = "`file_name_taken`, with the name in `names`", body = ErrorBody),
    (status = 422, description = "`invalid_file_name`, `not_a_folder`", body = ErrorBody),
    (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
))]
async fn folder_create(
    Part(pictures): Part<Pictures>,
    Part(events): Part<EventHub>,
    ApiJson(new): ApiJson<NewFolder>,
) -> Result<(StatusCode, Json<CreatedFolder>), ApiError> {
    let created = blocking(&pictures, move |pictures| {
        let parent = new.parent.source(pictures)?;
        let folder = pictures.files().create_folder(&parent, &new.name)?;
        let (root, path) = (parent.root(), parent.path().clone());
        events.publish(Event::from(FolderChange { root, path }));
        Ok(folder)
    });
    let folder = created.await?;
    let (path, path_bytes) = name_in_json(folder.path().as_bytes());
    let created = CreatedFolder {
        root: folder.root().to_string(),
        path,
        path_bytes,
    };
    Ok((StatusCode::CREATED, Json(created)))
}
