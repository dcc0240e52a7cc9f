//! `/api/backups/{name}`: the pages of a backup, and bringing one of them, or one of their files, back.

use axum::Json;
use fumikura_wiki::{
    AssetId, BackupFile, BackupPage, BackupPageContents, BackupReader, BroughtBack, Hunk, PageId,
    PagePath, PresentState,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery};
use crate::rest_api::pages::checked_limit;
use crate::services::Backup;

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(backup_pages))
        .routes(routes!(backup_page))
        .routes(routes!(backup_page_restore))
        .routes(routes!(backup_file_restore))
}

#[derive(Deserialize)]
struct PagesQuery {
    q: Option<String>,
    path: Option<String>,
    after: Option<String>,
    limit: Option<usize>,
}

/// A part of the pages in a backup.
#[derive(Serialize, ToSchema)]
struct BackupPageList {
    items: Vec<BackupPageItem>,
    /// True if further pages match.
    has_more: bool,
}

/// A page in a backup.
#[derive(Serialize, ToSchema)]
struct BackupPageItem {
    page_id: String,
    /// Its path in the backup.
    path: String,
    /// The first heading of the page, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The time of its latest revision in the backup.
    saved_at: Timestamp,
    /// Its state now.
    present: PresentState,
}

impl From<BackupPage> for BackupPageItem {
    fn from(page: BackupPage) -> Self {
        Self {
            page_id: page.page_id.to_string(),
            path: page.path.to_string(),
            title: page.title,
            saved_at: page.saved_at,
            present: page.present,
        }
    }
}

/// A page in a backup with its contents.
#[derive(Serialize, ToSchema)]
struct BackupPageDetails {
    #[serde(flatten)]
    page: BackupPageItem,
    /// Its path now, if it exists and is not in the trash.
    present_path: Option<String>,
    /// Its text in the backup, with links as they are now.
    text: String,
    /// The difference from the present text, which is empty if there is no page; empty if they are equal.
    hunks: Vec<Hunk>,
    /// The total number of added lines.
    added: usize,
    /// The total number of removed lines.
    removed: usize,
    /// True if changes were left out because there are too many to show.
    truncated: bool,
    files: Vec<BackupFileItem>,
}

/// A file of a page in a backup.
#[derive(Serialize, ToSchema)]
struct BackupFileItem {
    asset_id: String,
    file_name: String,
    /// Its size in bytes.
    size: u64,
    /// True if the page has a file with this name and contents now.
    is_present: bool,
}

impl From<BackupPageContents> for BackupPageDetails {
    fn from(contents: BackupPageContents) -> Self {
        let files = contents.files.into_iter();
        Self {
            page: contents.page.into(),
            present_path: contents.present_path.map(|path| path.to_string()),
            text: contents.text,
            hunks: contents.diff.hunks,
            added: contents.diff.added,
            removed: contents.diff.removed,
            truncated: contents.diff.truncated,
            files: files
                .map(|BackupFile { file, is_present }| BackupFileItem {
                    asset_id: file.id.to_string(),
                    file_name: file.file_name.to_string(),
                    size: file.size,
                    is_present,
                })
                .collect(),
        }
    }
}

/// A page that was brought back from a backup.
#[derive(Serialize, ToSchema)]
struct RestoredBackupPage {
    page_id: String,
    /// Its path now.
    path: String,
    /// Its latest revision now.
    revision: u64,
    way: BroughtBack,
    /// The names of the files that came back with it.
    files: Vec<String>,
    /// The names of files that did not come back, because they are damaged in the backup.
    damaged: Vec<String>,
}

/// A file that was brought back from a backup.
#[derive(Serialize, ToSchema)]
struct RestoredBackupFile {
    asset_id: String,
    file_name: String,
    /// The id of the file of this name that was deleted instead; it can be restored.
    replaced: Option<String>,
    /// False if the page had the file already.
    changed: bool,
}

/// Lists the pages of a backup.
///
/// With `q`, those whose path or title contains it; with `path`, the one at that path. Pages that were in the trash are
/// excluded.
#[utoipa::path(get, path = "/api/backups/{name}/pages", tag = "jobs",
    params(
        ("name" = String, Path),
        ("q" = Option<String>, Query),
        ("path" = Option<String>, Query),
        ("after" = Option<String>, Query, description = "The path of the page to continue after"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1000),
    ), responses(
        (status = 200, body = BackupPageList),
        (status = 404, description = "`backup_not_found`; `page_not_found`: nothing is at `path`", body = ErrorBody),
        (status = 422, description = "`backup_unreadable`, `invalid_path`", body = ErrorBody),
    ))]
async fn backup_pages(
    Part(backup): Part<Backup>,
    ApiPath(name): ApiPath<String>,
    ApiQuery(query): ApiQuery<PagesQuery>,
) -> Result<Json<BackupPageList>, ApiError> {
    let limit = checked_limit(query.limit)?;
    let path = query.path.as_deref().map(PagePath::new).transpose()?;
    let after = query.after.as_deref().filter(|after| !after.is_empty());
    let after = after.map(PagePath::new).transpose()?;
    let list = move |backup: &Backup| {
        let reader = backup.open(&name)?;
        let backups = backup.wiki.backups();
        let (pages, has_more) = match path {
            Some(path) => (vec![backups.page_at(&reader, &path)?], false),
            None => {
                let found = backups.pages(
                    &reader,
                    query.q.as_deref().unwrap_or(""),
                    (after.as_ref(), limit),
                )?;
                (found.pages, found.has_more)
            }
        };
        let items = pages.into_iter().map(BackupPageItem::from).collect();
        Ok(BackupPageList { items, has_more })
    };
    Ok(Json(blocking(&backup, list).await?))
}

/// Returns a page of a backup: its text, its difference from the present, and its files.
#[utoipa::path(get, path = "/api/backups/{name}/pages/{page_id}", tag = "jobs",
    params(("name" = String, Path), ("page_id" = String, Path)), responses(
        (status = 200, body = BackupPageDetails),
        (status = 404, description = "`backup_not_found`, `page_not_found`", body = ErrorBody),
        (status = 422, description = "`backup_unreadable`", body = ErrorBody),
    ))]
async fn backup_page(
    Part(backup): Part<Backup>,
    ApiPath((name, page_id)): ApiPath<(String, PageId)>,
) -> Result<Json<BackupPageDetails>, ApiError> {
    let read = move |backup: &Backup| {
        let reader = backup.open(&name)?;
        Ok(backup.wiki.backups().contents(&reader, page_id)?.into())
    };
    Ok(Json(blocking(&backup, read).await?))
}

/// Brings a page back from a backup.
///
/// It gets the text that it had, as a new revision. A page in the trash is restored first, and one that does not exist is
/// created at the path that it had. Files that it does not have now come back with it.
#[utoipa::path(post, path = "/api/backups/{name}/pages/{page_id}/restore", tag = "jobs",
    params(("name" = String, Path), ("page_id" = String, Path)), responses(
        (status = 200, body = RestoredBackupPage),
        (status = 404, description = "`backup_not_found`, `page_not_found`, `no_user`, `draft`", body = ErrorBody),
        (status = 409, description = "`path_taken`: another page is there", body = ErrorBody),
        (status = 422, description = "`backup_unreadable`", body = ErrorBody),
        (status = 423, description = "`lock_required`: another user is editing it", body = ErrorBody),
    ))]
async fn backup_page_restore(
    Part(backup): Part<Backup>,
    ApiPath((name, page_id)): ApiPath<(String, PageId)>,
) -> Result<Json<RestoredBackupPage>, ApiError> {
    let restore = move |backup: &Backup| {
        let reader = backup.open(&name)?;
        let user = backup.acting.get()?.id;
        let page = backup
            .wiki
            .backups()
            .bring_back_page(&reader, page_id, user)?;
        let names =
            |files: Vec<fumikura_wiki::FileName>| files.iter().map(ToString::to_string).collect();
        Ok(RestoredBackupPage {
            page_id: page.page_id.to_string(),
            path: page.path.to_string(),
            revision: page.revision,
            way: page.way,
            files: names(page.files),
            damaged: names(page.damaged),
        })
    };
    Ok(Json(blocking(&backup, restore).await?))
}

/// Brings a file of a page back from a backup.
///
/// The page must exist. Its file of the same name, if it has one with other contents, moves to its deleted files.
#[utoipa::path(post, path = "/api/backups/{name}/files/{asset_id}/restore", tag = "jobs",
    params(("name" = String, Path), ("asset_id" = String, Path)), responses(
        (status = 200, body = RestoredBackupFile),
        (status = 404, description = "`backup_not_found`, `asset_not_found`, `page_not_found`, `no_user`, `draft`", body = ErrorBody),
        (status = 410, description = "`deleted`: its page is in the trash", body = ErrorBody),
        (status = 422, description = "`backup_unreadable`: its contents are damaged in the backup", body = ErrorBody),
    ))]
async fn backup_file_restore(
    Part(backup): Part<Backup>,
    ApiPath((name, asset_id)): ApiPath<(String, AssetId)>,
) -> Result<Json<RestoredBackupFile>, ApiError> {
    let restore = move |backup: &Backup| {
        let reader = backup.open(&name)?;
        let user = backup.acting.get()?.id;
        let back = backup
            .wiki
            .backups()
            .bring_back_file(&reader, asset_id, user)?;
        Ok(RestoredBackupFile {
            asset_id: back.file.id.to_string(),
            file_name: back.file.file_name.to_string(),
            replaced: back.replaced.map(|file| file.id.to_string()),
            changed: back.changed,
        })
    };
    Ok(Json(blocking(&backup, restore).await?))
}

impl Backup {
    /// Opens a backup of the data folder.
    fn open(&self, name: &str) -> Result<BackupReader, ApiError> {
        Ok(self.wiki.backups().open(&self.config.backups(), name)?)
    }
}
