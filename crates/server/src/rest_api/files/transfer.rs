//! `/api/files/move`, `/api/files/copy`, `/api/files/bin`: moves, copies and trashes files.

use std::path::PathBuf;

use axum::Json;
use axum::extract::Extension;
use fumikura_fileops::{ExistingPolicy, given_file};
use fumikura_fs::{Source, platform};
use fumikura_pictures::Pictures;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::outcome::{FilesDone, progress_callback};
use super::place::{FilePlace, picture_files, sources};
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::jobs::JobKind;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiJson;
use crate::services::FileOperations;

/// Files to move or copy into a folder.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TransferFiles {
    #[serde(default)]
    items: Vec<FilePlace>,
    /// Grants of files that the user dropped, each for one file or folder. They need not be in an open folder. A request
    /// that succeeds uses them up.
    #[serde(default)]
    grants: Vec<String>,
    /// The destination folder.
    to: FilePlace,
    #[serde(default)]
    existing: ExistingPolicy,
    /// True if the other files of a picture go with the file that is shown: a raw file with its JPEG, and the parts of a
    /// Live Photo.
    #[serde(default)]
    joined: bool,
}

/// Files to move to the trash.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct BinFiles {
    items: Vec<FilePlace>,
    /// True if the other files of a picture go with the file that is shown: a raw file with its JPEG, and the parts of a
    /// Live Photo.
    #[serde(default)]
    joined: bool,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(file_move))
        .routes(routes!(file_copy))
        .routes(routes!(file_bin))
}

/// Moves files and folders into a folder.
///
/// A long operation is listed as a job (`move_files`).
#[utoipa::path(post, path = "/api/files/move", tag = "pictures", request_body = TransferFiles, responses(
    (status = 200, body = FilesDone),
    (status = 403, description = "`outside_roots`, `not_permitted`, `grant_invalid`", body = ErrorBody),
    (status = 404, description = "`root_not_found`, `folder_unavailable`, `not_found`", body = ErrorBody),
    (status = 409, description = "`file_name_taken`, with the `names` and the number of `identical` files; `cancelled`; `original_remains`: a folder is \
        on the other disk, and a part of it also at its old place", body = ErrorBody),
    (status = 422, description = "`into_itself`, `folder_protected`, `not_a_folder`; to another disk `not_a_file`, \
        and `folder_not_copied` with the path that can't be copied as `names`", body = ErrorBody),
    (status = 507, description = "`disk_full`, `read_only`: files not yet moved are at their old place", body = ErrorBody),
))]
async fn file_move(
    Part(operations): Part<FileOperations>,
    Extension(caller): Extension<Caller>,
    ApiJson(files): ApiJson<TransferFiles>,
) -> Result<Json<FilesDone>, ApiError> {
    transfer(&operations, caller, files, JobKind::MoveFiles).await
}

/// Copies files and folders into a folder.
///
/// A long operation is listed as a job (`copy_files`).
#[utoipa::path(post, path = "/api/files/copy", tag = "pictures", request_body = TransferFiles, responses(
    (status = 200, body = FilesDone),
    (status = 403, description = "`outside_roots`, `not_permitted`, `grant_invalid`", body = ErrorBody),
    (status = 404, description = "`root_not_found`, `folder_unavailable`, `not_found`", body = ErrorBody),
    (status = 409, description = "`file_name_taken`, with the `names` and the number of `identical` files; `cancelled`", body = ErrorBody),
    (status = 422, description = "`into_itself`, `folder_protected`, `not_a_folder`, `not_a_file`; \
        `folder_not_copied`, with the path that can't be copied as `names`", body = ErrorBody),
    (status = 507, description = "`disk_full`, `read_only`: no partial copy is left", body = ErrorBody),
))]
async fn file_copy(
    Part(operations): Part<FileOperations>,
    Extension(caller): Extension<Caller>,
    ApiJson(files): ApiJson<TransferFiles>,
) -> Result<Json<FilesDone>, ApiError> {
    transfer(&operations, caller, files, JobKind::CopyFiles).await
}

async fn transfer(
    operations: &FileOperations,
    caller: Caller,
    files: TransferFiles,
    kind: JobKind,
) -> Result<Json<FilesDone>, ApiError> {
    let is_move = matches!(kind, JobKind::MoveFiles);
    let grants = &operations.grants;
    let given = files.grants.iter();
    let given: Result<Vec<PathBuf>, _> = given.map(|id| grants.path_for(id, caller)).collect();
    let (given, used) = (given?, files.grants);
    let done = operations.run(kind, move |pictures, progress| {
        let mut items = given_sources(pictures, &given)?;
        if items.is_empty() || !files.items.is_empty() {
            items.extend(sources(pictures, &files.items)?);
        }
        let to = files.to.source(pictures)?;
        let (existing, parts) = (files.existing, picture_files(files.joined));
        let mut callback = progress_callback(progress);
        let files = pictures.files();
        Ok(match is_move {
            true => files.move_to(&to, &items, existing, parts, &mut callback),
            false => files.copy_to(&to, &items, existing, parts, &mut callback),
        }?)
    });
    let done = done.await?;
    for id in used {
        grants.take_by(&id, caller)?;
    }
    Ok(Json(done))
}

fn given_sources(pictures: &Pictures, paths: &[PathBuf]) -> Result<Vec<Source>, ApiError> {
    let source = |path: &PathBuf| {
        let path = platform::bytes_of(path.as_os_str());
        Ok(given_file(pictures.roots(), path)?)
    };
    paths.iter().map(source).collect()
}

/// Moves files and folders to the trash.
///
/// A long operation is listed as a job (`bin_files`).
#[utoipa::path(post, path = "/api/files/bin", tag = "pictures", request_body = BinFiles, responses(
    (status = 200, body = FilesDone),
    (status = 403, description = "`outside_roots`, `not_permitted`", body = ErrorBody),
    (status = 404, description = "`root_not_found`, `folder_unavailable`, `not_found`", body = ErrorBody),
    (status = 409, description = "`cancelled`", body = ErrorBody),
    (status = 422, description = "`folder_protected`; `bin_unavailable`: it stays at its place", body = ErrorBody),
))]
async fn file_bin(
    Part(operations): Part<FileOperations>,
    ApiJson(files): ApiJson<BinFiles>,
) -> Result<Json<FilesDone>, ApiError> {
    let done = operations.run(JobKind::BinFiles, move |pictures, progress| {
        let items = sources(pictures, &files.items)?;
        Ok(pictures.files().trash(
            &items,
            picture_files(files.joined),
            &mut progress_callback(progress),
        )?)
    });
    Ok(Json(done.await?))
}
