//! `/api/imports`: imports notes from other programs, and undoes such imports.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, FromRequest, Request};
use axum::response::Response;
use fumikura_wiki::{Migration, MigrationCounts, MigrationId, PagePath, UndoneMigration, Wiki};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::grants::Grants;
use crate::guard::Caller;
use crate::imports::{ChosenSource, ImportPreview, NotesImport};
use crate::job_runner::JobRunner;
use crate::jobs::{self, JobKind, JobOutcome, Progress, StartedJob};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiPath, ApiQuery};
use crate::rest_api::import::receive_into;
use crate::stopping::Stopping;

/// The source of an import.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ImportSource {
    /// The grant of a folder or file that the user chose.
    grant: Option<String>,
    /// Its path. Requires the Bearer token.
    path: Option<String>,
    /// The page below which its pages are put. By default, that of the last import of the source, or one with its name.
    into: Option<String>,
}

/// The name of a file that is uploaded.
#[derive(Deserialize)]
struct UploadedName {
    name: Option<String>,
}

/// The place of an import.
#[derive(Deserialize)]
struct ImportTarget {
    into: Option<String>,
}

impl ImportTarget {
    fn path(&self) -> Result<Option<PagePath>, ApiError> {
        let into = self.into.as_deref().map(PagePath::for_new_place);
        Ok(into.transpose()?)
    }
}

/// An import.
#[derive(Serialize, ToSchema)]
#[schema(as = Migration)]
struct MigrationDto {
    #[schema(value_type = String)]
    id: MigrationId,
    /// The path of the source.
    source: String,
    /// The format of the source.
    format: String,
    /// The page below which its pages are.
    into: String,
    created_at: Timestamp,
    user_name: String,
    counts: MigrationCounts,
    /// The id of the page with the report.
    report: String,
    undone: bool,
}

impl From<Migration> for MigrationDto {
    fn from(import: Migration) -> Self {
        Self {
            id: import.id,
            source: import.source,
            format: import.format,
            into: import.into.to_string(),
            created_at: import.created_at,
            user_name: import.user_name,
            counts: import.counts,
            report: import.report.to_string(),
            undone: import.undone,
        }
    }
}

/// The imports, the latest first.
#[derive(Serialize, ToSchema)]
struct MigrationList {
    items: Vec<MigrationDto>,
}

/// An import that was undone.
#[derive(Serialize, ToSchema)]
#[schema(as = UndoneMigration)]
struct UndoneMigrationDto {
    /// The number of created pages that are in the trash now.
    trashed: u64,
    /// The number of updated pages with their earlier text.
    restored: u64,
    /// The paths of the pages that stayed because they were changed since, or are being edited.
    kept: Vec<String>,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(notes_import_list))
        .routes(routes!(notes_import_read))
        .routes(routes!(notes_import_preview))
        .routes(routes!(notes_import_run))
        .routes(routes!(notes_import_undo))
}

/// Returns the imports of notes from other programs, the latest first.
#[utoipa::path(get, path = "/api/imports", tag = "jobs", responses((status = 200, body = MigrationList)))]
async fn notes_import_list(Part(wiki): Part<Wiki>) -> Result<Json<MigrationList>, ApiError> {
    let list = blocking(&wiki, |wiki| Ok(wiki.migrations().list()?)).await?;
    let items = list.into_iter().map(Into::into).collect();
    Ok(Json(MigrationList { items }))
}

/// Starts a job that reads notes of another program, and previews their import.
///
/// The source is a folder or file that the user chose, or a file that is the body (with `name`): a vault of Obsidian, a folder of Markdown, an export of another
/// program. Its contents determine its format. Nothing is written to the wiki. The job's result is an `ImportPreview`,
/// whose `id` runs the import. The last four previews are kept.
///
/// The job's errors are `unknown_source`, `invalid_source`, `source_encrypted`, `too_large`, `disk_full`.
#[utoipa::path(post, path = "/api/imports", tag = "jobs",
    params(("name" = Option<String>, Query, description = "The name of the file that is the body")),
    request_body(content(
        (ImportSource = "application/json"),
        ("application/octet-stream"),
    )), responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
    (status = 403, description = "`grant_invalid`, `bearer_required`", body = ErrorBody),
    (status = 413, description = "`too_large`", body = ErrorBody),
    (status = 422, description = "`invalid_file_name`", body = ErrorBody),
    (status = 507, description = "`disk_full`", body = ErrorBody),
    (status = 400, description = "`bad_request`", body = ErrorBody),
))]
async fn notes_import_read(
    Part(import): Part<NotesImport>,
    Part(grants): Part<Grants>,
    Part(runner): Part<JobRunner>,
    Part(stopping): Part<Stopping>,
    Extension(caller): Extension<Caller>,
    ApiQuery(UploadedName { name }): ApiQuery<UploadedName>,
    request: Request,
) -> Result<Response, ApiError> {
    let chosen = match name {
        Some(name) => {
            let begin = move |import: &NotesImport| import.begin_upload(&name);
            let (file, chosen) = blocking(&import, begin).await?;
            receive_into(file, &import.config, &stopping, request).await?;
            chosen
        }
        None => {
            let ApiJson(source) = ApiJson::from_request(request, &()).await?;
            chosen_source(source, &grants, caller)?
        }
    };
    let work = move |progress: &Progress| import.prepare(progress, chosen);
    Ok(jobs::accepted(
        runner.start_another(JobKind::ReadNotes, work)?,
    ))
}

fn chosen_source(
    source: ImportSource,
    grants: &Grants,
    caller: Caller,
) -> Result<ChosenSource, ApiError> {
    let into = source.into.as_deref().map(PagePath::for_new_place);
    Ok(ChosenSource {
        into: into.transpose()?,
        path: match (source.grant, source.path) {
            (Some(grant), None) => grants.take_by(&grant, caller)?,
            (None, Some(path)) => named_path(path.into(), caller)?,
            (Some(_), Some(_)) | (None, None) => {
                let message = "name either a grant or a path";
                return Err(ApiError::new(ErrorCode::BadRequest, message));
            }
        },
        upload: None,
    })
}

/// Returns a path that the user of the command line named. Only a program of this user knows the token.
pub(super) fn named_path(path: PathBuf, caller: Caller) -> Result<PathBuf, ApiError> {
    match caller {
        Caller::Bearer => Ok(path),
        Caller::Session(_) | Caller::Token(_) | Caller::Anyone => Err(ApiError::new(
            ErrorCode::BearerRequired,
            "only the Bearer token can name a path; choose the folder or file in the window",
        )),
    }
}

/// Returns what an import of a source that was read would do now.
#[utoipa::path(get, path = "/api/imports/{id}/preview", tag = "jobs", params(("id" = String, Path),
    ("into" = Option<String>, Query, description = "Another page below which the pages are put")), responses(
    (status = 200, body = ImportPreview),
    (status = 404, description = "`import_not_found`", body = ErrorBody),
    (status = 400, description = "`bad_request`", body = ErrorBody),
))]
async fn notes_import_preview(
    Part(import): Part<NotesImport>,
    ApiPath(id): ApiPath<String>,
    ApiQuery(target): ApiQuery<ImportTarget>,
) -> Result<Json<ImportPreview>, ApiError> {
    let into = target.path()?;
    let preview = blocking(&import, move |import| import.preview(&id, into)).await?;
    Ok(Json(preview))
}

/// Starts a job that imports what a preview showed, completely or not at all.
///
/// All pages and files are written in one transaction. Pages get the dates of their notes. A later import of the same
/// source updates the pages that are as the last import wrote them; those that were changed or deleted here stay, and
/// are named in the report. The job's result is `{id, counts, skipped, report}`: the import's id and `MigrationCounts`,
/// the number of skipped entries, and the path of the page with the report. If nothing has changed since the last
/// import, nothing is written, and `id` and `report` are null.
///
/// The job's errors are `precondition_failed` if pages were changed meanwhile, `invalid_source`, `too_large`,
/// `disk_full`; nothing has changed then, and the preview can be run again.
#[utoipa::path(post, path = "/api/imports/{id}/run", tag = "jobs", params(("id" = String, Path),
    ("into" = Option<String>, Query, description = "Another page below which the pages are put")), responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
    (status = 404, description = "`import_not_found`", body = ErrorBody),
    (status = 400, description = "`bad_request`", body = ErrorBody),
))]
async fn notes_import_run(
    Part(import): Part<NotesImport>,
    Part(runner): Part<JobRunner>,
    ApiPath(id): ApiPath<String>,
    ApiQuery(target): ApiQuery<ImportTarget>,
) -> Result<Response, ApiError> {
    let into = target.path()?;
    let prepared = import.take(&id)?;
    let (running, kept) = (Arc::clone(&import), Arc::clone(&prepared));
    let kept_id = id.clone();
    let work = move |progress: &Progress| -> JobOutcome {
        let outcome = running.run(progress, &kept, into);
        if outcome.is_err() {
            running.put_back(kept_id, kept);
        }
        outcome
    };
    match runner.start_another(JobKind::ImportNotes, work) {
        Ok(job) => Ok(jobs::accepted(job)),
        Err(error) => {
            import.put_back(id, prepared);
            Err(error)
        }
    }
}

/// Undoes an import.
///
/// The pages that it created go to the trash, those that it updated get their earlier text as a new revision, and its
/// files are deleted. Pages that were changed since, or are being edited, stay.
#[utoipa::path(post, path = "/api/imports/{id}/undo", tag = "jobs", params(("id" = String, Path)), responses(
    (status = 200, body = UndoneMigrationDto),
    (status = 404, description = "`import_not_found`", body = ErrorBody),
    (status = 409, description = "`import_undone`", body = ErrorBody),
))]
async fn notes_import_undo(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(id): ApiPath<MigrationId>,
) -> Result<Json<UndoneMigrationDto>, ApiError> {
    let user = acting.get()?.id;
    let undo = move |wiki: &Wiki| Ok(wiki.migrations().undo(id, user)?);
    let UndoneMigration {
        trashed,
        restored,
        kept,
    } = blocking(&wiki, undo).await?;
    Ok(Json(UndoneMigrationDto {
        trashed,
        restored,
        kept: kept.iter().map(ToString::to_string).collect(),
    }))
}
