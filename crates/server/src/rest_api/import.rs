//! `/api/import`: imports an archive that an export made.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;

use axum::body::BodyDataStream;
use axum::extract::{Extension, FromRequest, Request};
use axum::http::header::{CONTENT_TYPE, EXPECT};
use axum::response::Response;
use fumikura_base::own_file;
use fumikura_wiki::{
    ImportError, ImportReport, ImportRequest, ImportWarning, OnConflict, RestoreReport,
    StorageError, is_full_archive,
};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::albums::of_archive;
use crate::blocking::blocking;
use crate::config::Config;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::events::Event;
use crate::guard::Caller;
use crate::jobs::{self, JobError, JobKind, JobOutcome, Progress, StartedJob};
use crate::operations::watching;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiQuery};
use crate::rest_api::upload::{PIECE, declared_length, drain, next, wait_until_stopping};
use crate::services::Import;
use crate::stopping::Stopping;

#[derive(Deserialize)]
struct ImportQuery {
    #[serde(default)]
    on_conflict: OnConflict,
}

/// An archive that the user chose in the window.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ChosenArchive {
    /// The grant of its file.
    grant: String,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(wiki_import))
}

/// Starts a job that imports an archive, completely or not at all.
///
/// The body is the archive itself (`application/zip`), or `{grant}` (`application/json`) for a file that the user
/// chose. The whole archive is checked before anything is changed. Pages and files keep their ids unless the ids are in
/// use here. A page at the path of an archived page stops the import, is kept (`skip`), or gets the archive's text as a
/// new revision and the archive's files (`replace`). The root page of a new wiki never conflicts. A locked page stops
/// the import.
///
/// The job's result is `{created, replaced, unchanged, skipped, assets, ignored, warnings: [{page, link, before,
/// after}], existing: [{page, path}]}`. In `existing`, `page` was created and links to an earlier page at `path` that
/// is not part of the archive. The job's errors are `invalid_archive`, `path_taken`, `locked`, `too_large`,
/// `disk_full`; nothing has changed then.
///
/// A full archive (`GET /api/export?form=full`) replaces an empty wiki, with its users and settings; `on_conflict` does
/// not apply, and no user is needed. The wiki may have users, and an unedited root page. Anything else is
/// the job's error `not_empty`. The job's result is `{restored: true, users, pages, revisions, assets, missing}`, with the
/// ids of files whose contents were lost before the export.
#[utoipa::path(post, path = "/api/import", tag = "jobs",
    params(("on_conflict" = inline(Option<OnConflict>), Query, description = "The treatment of existing pages at \
        the same paths")),
    request_body(content(
        ("application/zip"),
        (ChosenArchive = "application/json"),
    )), responses(
        (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
        (status = 403, description = "`grant_invalid`", body = ErrorBody),
        (status = 413, description = "`too_large`", body = ErrorBody),
        (status = 415, description = "`unsupported_media_type`", body = ErrorBody),
        (status = 507, description = "`disk_full`", body = ErrorBody),
    ))]
async fn wiki_import(
    Part(import): Part<Import>,
    Extension(caller): Extension<Caller>,
    ApiQuery(ImportQuery { on_conflict }): ApiQuery<ImportQuery>,
    request: Request,
) -> Result<Response, ApiError> {
    let kind = request.headers().get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    let archive = match kind.to_ascii_lowercase().as_str() {
        "application/zip" => receive(&import, request).await?,
        "application/json" => {
            let ApiJson(ChosenArchive { grant }) = ApiJson::from_request(request, &()).await?;
            let open = move |import: &Import| {
                copy_of(&import.config, &import.grants.take_by(&grant, caller)?)
            };
            blocking(&import, open).await?
        }
        _ => {
            return Err(ApiError::new(
                ErrorCode::UnsupportedMediaType,
                "an archive is application/zip",
            ));
        }
    };
    let runner = Arc::clone(&import.runner);
    let work = move |progress: &Progress| import.run(progress, archive, on_conflict);
    Ok(jobs::accepted(runner.start_another(JobKind::Import, work)?))
}

/// Writes the body to a temporary file as it arrives.
async fn receive(import: &Import, request: Request) -> Result<File, ApiError> {
    let file = blocking(&import.config, unnamed_file).await?;
    receive_into(file, &import.config, &import.stopping, request).await
}

/// Writes the body to a file as it arrives.
pub(super) async fn receive_into(
    file: File,
    config: &Arc<Config>,
    stopping: &Stopping,
    request: Request,
) -> Result<File, ApiError> {
    let limit = config.import_limit;
    let (head, body) = request.into_parts();
    let mut body = body.into_data_stream();
    let refused = if declared_length(&head.headers).is_some_and(|length| length > limit) {
        // A client that sent `Expect` has not sent the body yet.
        if head.headers.contains_key(EXPECT) {
            return Err(too_large(limit));
        }
        too_large(limit)
    } else {
        match spool(file, config, stopping, &mut body).await {
            Ok(archive) => return Ok(archive),
            Err(error) => error,
        }
    };
    drain(body);
    Err(refused)
}

async fn spool(
    mut file: File,
    config: &Arc<Config>,
    stopping: &Stopping,
    body: &mut BodyDataStream,
) -> Result<File, ApiError> {
    let limit = config.import_limit;
    let (mut piece, mut length) = (Vec::with_capacity(PIECE), 0_u64);
    let mut ending = pin!(wait_until_stopping(stopping));
    while let Some(bytes) = next(body, ending.as_mut()).await? {
        length = length.saturating_add(bytes.len() as u64);
        if length > limit {
            return Err(too_large(limit));
        }
        piece.extend_from_slice(&bytes);
        if piece.len() >= PIECE {
            (file, piece) = write(config, file, piece).await?;
        }
    }
    (file, _) = write(config, file, piece).await?;
    Ok(file)
}

/// Writes a chunk and returns its buffer for the next one.
async fn write(
    config: &Arc<Config>,
    mut file: File,
    mut piece: Vec<u8>,
) -> Result<(File, Vec<u8>), ApiError> {
    blocking(config, move |_| {
        file.write_all(&piece).map_err(StorageError::from)?;
        piece.clear();
        Ok((file, piece))
    })
    .await
}

/// Copies the file that the user chose. Later changes to the file have no effect.
fn copy_of(config: &Config, path: &Path) -> Result<File, ApiError> {
    let limit = config.import_limit;
    let not_there = |error: io::Error| {
        let message = match error.kind() == io::ErrorKind::InvalidData {
            true => "this is not a file",
            false => "the file can't be read",
        };
        ApiError::new(ErrorCode::NotFound, message)
    };
    let chosen = own_file::open_users(path).map_err(not_there)?;
    let mut chosen = chosen.take(limit + 1);
    let mut copy = unnamed_file(config)?;
    let length = io::copy(&mut chosen, &mut copy).map_err(StorageError::from)?;
    if length > limit {
        return Err(too_large(limit));
    }
    Ok(copy)
}

fn too_large(limit: u64) -> ApiError {
    let message = format!("the archive is too large: at most {limit} bytes are allowed");
    ApiError::new(ErrorCode::TooLarge, message)
}

/// The limit of the unpacked size, as a multiple of the limit of an archive's size.
const UNPACKED: u64 = 10;
/// The maximum number of warnings in a job's result.
const MAX_WARNINGS: usize = 1000;

/// Creates an unnamed file beside the data. The system deletes it when it is closed.
fn unnamed_file(config: &Config) -> Result<File, ApiError> {
    let file = tempfile::tempfile_in(&config.data_dir);
    Ok(file.map_err(StorageError::from)?)
}

impl Import {
    /// Imports an archive as the acting user. The archive is checked whole first, which can be observed, paused
    /// and cancelled. Then it is applied whole or not at all, which can't be interrupted.
    fn run(&self, progress: &Progress, archive: File, on_conflict: OnConflict) -> JobOutcome {
        if is_full_archive(&archive)? {
            return self.restore(progress, archive);
        }
        let request = ImportRequest {
            user: self.acting.get()?.id,
            on_conflict,
            limit: self.config.import_limit.saturating_mul(UNPACKED),
        };
        let planned = self
            .wiki
            .archives()
            .plan_import(archive, request, &mut watching(progress));
        let imported = planned.and_then(|plan| self.wiki.archives().apply_import(plan));
        match imported {
            Ok(imported) => Ok(written(&imported)),
            Err(ImportError::Cancelled) => Err(JobError::Cancelled),
            Err(error) => Err(error.into()),
        }
    }

    /// Puts a full archive in place of an empty wiki.
    fn restore(&self, progress: &Progress, archive: File) -> JobOutcome {
        let archives = self.wiki.archives();
        let limit = self.config.import_limit.saturating_mul(UNPACKED);
        let aside = &self.config.data_dir;
        let planned = archives.plan_restore(archive, limit, aside, &mut watching(progress));
        let albums = match &planned {
            Ok(plan) => of_archive(plan.albums())?,
            Err(_) => Vec::new(),
        };
        match planned.and_then(|plan| archives.apply_restore(plan)) {
            Ok(report) => {
                self.albums.import(albums).map_err(ApiError::from)?;
                self.events.publish(Event::AlbumsChanged);
                Ok(restored(&report))
            }
            Err(ImportError::Cancelled) => Err(JobError::Cancelled),
            Err(error) => Err(error.into()),
        }
    }
}

/// Returns the job's result for a full archive.
fn restored(report: &RestoreReport) -> Value {
    let missing: Vec<String> = report.missing.iter().map(ToString::to_string).collect();
    json!({
        "restored": true,
        "users": report.users,
        "pages": report.pages,
        "revisions": report.revisions,
        "assets": report.assets,
        "missing": missing,
    })
}

/// Returns the job's result.
fn written(imported: &ImportReport) -> Value {
    let mut ignored = 0;
    let (mut warnings, mut existing) = (Vec::new(), Vec::new());
    for warning in &imported.warnings {
        match warning {
            ImportWarning::OtherEntries(entries) => ignored = *entries,
            ImportWarning::Existing { page, target } => {
                existing.push(json!({"page": page, "path": target}));
            }
            ImportWarning::Link(page, warning) => warnings.push(json!({
                "page": page,
                "link": warning.link,
                "before": warning.before,
                "after": warning.after,
            })),
        }
    }
    warnings.truncate(MAX_WARNINGS);
    existing.truncate(MAX_WARNINGS);
    json!({
        "created": imported.created.len(),
        "replaced": imported.replaced.len(),
        "unchanged": imported.unchanged,
        "skipped": imported.skipped,
        "assets": imported.added.len(),
        "ignored": ignored,
        "warnings": warnings,
        "existing": existing,
    })
}
