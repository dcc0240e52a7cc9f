//! `/api/files/operations`: what was done with files, and undoing it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use fumikura_thumbs::{Operation, OperationId, OperationKind};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::done::{FilesDone, going_on};
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::jobs::{self, JobKind};
use crate::rest_api::extract::{ApiPath, ApiQuery};
use crate::rest_api::name_in_json;

/// How many operations are told.
const TOLD: usize = 20;

/// Something that was done with files.
#[derive(Serialize, ToSchema)]
struct FileOperation {
    /// By which it is undone.
    id: String,
    kind: FileOperationKind,
    at: Timestamp,
    /// With how many files and folders.
    count: usize,
    /// What the first of them was called.
    name: String,
    /// The name's bytes in base64, where they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    name_bytes: Option<String>,
}

/// What was done.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum FileOperationKind {
    Rename,
    Move,
    Copy,
    Bin,
}

impl From<Operation> for FileOperation {
    fn from(operation: Operation) -> Self {
        let name = operation.first.rsplit(|&byte| byte == b'/').next();
        let (name, name_bytes) = name_in_json(name.unwrap_or_default());
        Self {
            id: operation.id.to_string(),
            kind: match operation.kind {
                OperationKind::Rename => FileOperationKind::Rename,
                OperationKind::Move => FileOperationKind::Move,
                OperationKind::Copy => FileOperationKind::Copy,
                OperationKind::Bin => FileOperationKind::Bin,
            },
            at: operation.at,
            count: operation.count,
            name,
            name_bytes,
        }
    }
}

/// How it is to be undone.
#[derive(Deserialize)]
struct UndoQuery {
    #[serde(default)]
    partly: bool,
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(undo))
}

/// What was done with files last, in this launch and earlier ones, and can be undone: the latest first, 20 at most.
#[utoipa::path(get, path = "/api/files/operations", tag = "pictures", responses(
    (status = 200, body = Vec<FileOperation>)))]
async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<FileOperation>>, ApiError> {
    let recent = blocking(&app, |app| {
        app.thumbs.files().recent(TOLD).map_err(|error| {
            let message = "the file history can't be read";
            ApiError::internal(ErrorCode::StorageFailed, message, &error)
        })
    });
    let told = recent.await?.into_iter().map(FileOperation::from);
    Ok(Json(told.collect()))
}

/// Undoes what was done: all of it or nothing, or, with `partly`, as much as can be. While it takes long, it is a job
/// (`undo_files`).
#[utoipa::path(post, path = "/api/files/operations/{id}/undo", tag = "pictures", params(
    ("id" = String, Path),
    ("partly" = Option<bool>, Query, description = "What can't be undone is left, and told among `failed`"),
), responses(
    (status = 200, body = FilesDone),
    (status = 404, description = "`operation_not_found`", body = ErrorBody),
    (status = 409, description = "`changed_since`, with the `names` of what can't be undone, and the `reasons`, one for \
        each name; nothing was undone. `operation_running`", body = ErrorBody),
    (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
))]
async fn undo(
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<OperationId>,
    ApiQuery(UndoQuery { partly }): ApiQuery<UndoQuery>,
) -> Result<Json<FilesDone>, ApiError> {
    let done = jobs::attend(&app, JobKind::UndoFiles, move |app, progress| {
        let files = app.thumbs.files();
        let done = files.undo(id, partly, &mut going_on(progress))?;
        Ok(FilesDone::telling(app, done))
    });
    Ok(Json(done.await?))
}
