//! `/api/files/operations`: the history of file operations, and undo.

use axum::Json;
use fumikura_fileops::{Operation, OperationId, OperationKind};
use fumikura_pictures::Pictures;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::outcome::{FilesDone, progress_callback};
use crate::albums::AlbumPictures;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::jobs::JobKind;
use crate::names::name_in_json;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery};
use crate::services::FileOperations;

/// The number of listed operations.
const MAX_OPERATIONS: usize = 20;

/// A file operation.
#[derive(Serialize, ToSchema)]
struct FileOperation {
    /// The id by which the operation is undone, or done again.
    id: String,
    kind: OperationKind,
    at: Timestamp,
    /// The number of files and folders.
    count: usize,
    /// The former name of the first file.
    name: String,
    /// The name's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    name_bytes: Option<String>,
    /// True if the operation was undone: to undo that is to do it again.
    undone: bool,
}

impl From<Operation> for FileOperation {
    fn from(operation: Operation) -> Self {
        let name = operation.first.rsplit(|&byte| byte == b'/').next();
        let (name, name_bytes) = name_in_json(name.unwrap_or_default());
        Self {
            id: operation.id.to_string(),
            kind: operation.kind,
            at: operation.at,
            count: operation.count,
            name,
            name_bytes,
            undone: operation.undone,
        }
    }
}

/// The options of undo.
#[derive(Deserialize)]
struct UndoQuery {
    #[serde(default)]
    partly: bool,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(file_operations))
        .routes(routes!(file_undo))
}

/// Lists the latest file operations that can be undone, or done again.
///
/// The list holds operations of this launch and earlier ones, the latest first, at most 20.
#[utoipa::path(get, path = "/api/files/operations", tag = "pictures", responses(
    (status = 200, body = Vec<FileOperation>)))]
async fn file_operations(
    Part(pictures): Part<Pictures>,
) -> Result<Json<Vec<FileOperation>>, ApiError> {
    let recent = blocking(&pictures, |pictures| {
        pictures.files().recent(MAX_OPERATIONS).map_err(|error| {
            let message = "the file history can't be read";
            ApiError::internal(ErrorCode::StorageFailed, message, &error)
        })
    });
    let operations = recent.await?.into_iter().map(FileOperation::from);
    Ok(Json(operations.collect()))
}

/// Undoes a file operation, or does an undone one again.
///
/// The operation is undone completely or not at all; with `partly`, as far as possible. `redo` of the answer is the id
/// that undoes the undo. A long undo is listed as a job (`undo_files`).
#[utoipa::path(post, path = "/api/files/operations/{id}/undo", tag = "pictures", params(
    ("id" = String, Path),
    ("partly" = Option<bool>, Query, description = "Undo as much as possible; the rest is listed in `failed`"),
), responses(
    (status = 200, body = FilesDone),
    (status = 404, description = "`operation_not_found`", body = ErrorBody),
    (status = 409, description = "`changed_since`, with the `names` of the files that can't be restored, and the \
        `reasons`, one for each name; nothing was undone. `operation_running`", body = ErrorBody),
    (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
))]
async fn file_undo(
    Part(operations): Part<FileOperations>,
    Part(parts): Part<AlbumPictures>,
    ApiPath(id): ApiPath<OperationId>,
    ApiQuery(UndoQuery { partly }): ApiQuery<UndoQuery>,
) -> Result<Json<FilesDone>, ApiError> {
    let done = operations.run(JobKind::UndoFiles, move |pictures, progress| {
        let done = pictures.undo(id, partly, &mut progress_callback(progress))?;
        parts.restore_searches(&done.searches)?;
        Ok(done)
    });
    Ok(Json(done.await?))
}
