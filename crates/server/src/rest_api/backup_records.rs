//! `/api/backups/{name}/records`: the hash records and sidecars in a backup, and bringing missing ones back.

use axum::Json;
use fumikura_fs::path::display_path;
use fumikura_wiki::{FolderRecord, FolderRecordKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::folder_records::{RecordState, RestoredFolderRecords};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery};
use crate::rest_api::pages::checked_limit;
use crate::services::Backup;

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(backup_records))
        .routes(routes!(backup_records_restore))
}

#[derive(Deserialize)]
struct RecordsQuery {
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

/// A part of the records in a backup.
#[derive(Serialize, ToSchema)]
struct FolderRecordList {
    items: Vec<FolderRecordItem>,
    total: usize,
}

/// A hash record or sidecar in a backup.
#[derive(Serialize, ToSchema)]
struct FolderRecordItem {
    kind: FolderRecordKind,
    /// The hash folder or picture folder.
    folder: String,
    /// Its path in the folder.
    path: String,
    state: RecordState,
}

/// Lists the hash records and sidecars in a backup, with their states on this computer.
#[utoipa::path(get, path = "/api/backups/{name}/records", tag = "jobs",
    params(
        ("name" = String, Path),
        ("offset" = Option<usize>, Query),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1000),
    ), responses(
        (status = 200, body = FolderRecordList),
        (status = 404, description = "`backup_not_found`", body = ErrorBody),
        (status = 422, description = "`backup_unreadable`", body = ErrorBody),
    ))]
async fn backup_records(
    Part(backup): Part<Backup>,
    ApiPath(name): ApiPath<String>,
    ApiQuery(RecordsQuery { offset, limit }): ApiQuery<RecordsQuery>,
) -> Result<Json<FolderRecordList>, ApiError> {
    let limit = checked_limit(limit)?;
    let list = move |backup: &Backup| {
        let Some(mut reader) = backup.folder_records(&name)? else {
            return Ok(FolderRecordList {
                items: Vec::new(),
                total: 0,
            });
        };
        let total = reader.records().len();
        let records = reader.records().enumerate().skip(offset).take(limit);
        let records: Vec<(usize, FolderRecord)> = records
            .map(|(index, record)| (index, record.clone()))
            .collect();
        let items = records.into_iter().map(|(index, record)| {
            Ok(FolderRecordItem {
                state: backup.state_of(&mut reader, index, &record)?,
                kind: record.kind,
                folder: display_path(&record.folder),
                path: display_path(&record.path),
            })
        });
        Ok(FolderRecordList {
            items: items.collect::<Result<_, ApiError>>()?,
            total,
        })
    };
    Ok(Json(blocking(&backup, list).await?))
}

/// Brings the missing hash records and sidecars of a backup back.
///
/// They are written beside the originals, in folders that are open now. A file that has changed since is never
/// overwritten.
#[utoipa::path(post, path = "/api/backups/{name}/records/restore", tag = "jobs", params(("name" = String, Path)),
    responses(
        (status = 200, body = RestoredFolderRecords),
        (status = 404, description = "`backup_not_found`", body = ErrorBody),
        (status = 422, description = "`backup_unreadable`", body = ErrorBody),
    ))]
async fn backup_records_restore(
    Part(backup): Part<Backup>,
    ApiPath(name): ApiPath<String>,
) -> Result<Json<RestoredFolderRecords>, ApiError> {
    let restore = move |backup: &Backup| backup.bring_folder_records_back(&name);
    Ok(Json(blocking(&backup, restore).await?))
}
