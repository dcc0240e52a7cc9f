//! Jobs with a report: recording, verifying, migrating and tidying.

use std::sync::Arc;

use fumikura_hashes::{
    FilePath, HashFolder, RecordOptions, Report, RunError, RunObserver, Scope, VerifyOptions,
    WalkOptions, check_list, lists,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::folders::OWN;
use super::places::RecordedPlace;
use super::repair::file_path;
use super::report::summary;
use super::stored_report::{HashRun, StoredReport};
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::Caller;
use crate::jobs::{JobError, JobKind, JobOutcome, Progress, StartedJob};
use crate::names::name_in_json;
use crate::services::Hashes;

/// A selection of files in a folder.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct FileChoice {
    /// Patterns of names to skip, as in `.gitignore`.
    pub ignore: Vec<String>,
    /// True if folders on other file systems are entered.
    pub other_file_systems: bool,
}

/// Files to record.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct HashRecord {
    /// The hash folder: `own`, or a grant.
    pub dir: Option<String>,
    /// The file or folder.
    #[serde(flatten)]
    pub place: RecordedPlace,
    /// The selection of files in a folder.
    #[serde(flatten)]
    pub choice: FileChoice,
    /// True if unchanged files are read as well.
    pub full: bool,
    /// True if malformed records are overwritten.
    pub force: bool,
    /// Confirms writing into another program's hash folder.
    pub confirm_foreign: bool,
}

/// Files to verify: those of a place, or all recorded files.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct HashVerify {
    /// The hash folder: `own`, or a grant.
    pub dir: Option<String>,
    /// The file or folder.
    #[serde(flatten)]
    pub place: RecordedPlace,
    /// The selection of files in a folder.
    #[serde(flatten)]
    pub choice: FileChoice,
    /// True if only files are read whose size or times have changed. Without it, every file is read.
    pub quick: bool,
    /// The opposite of `quick`, for clients that know only this field.
    pub full: Option<bool>,
    /// True if an interrupted verification of the same files is continued.
    pub resume: bool,
    /// The recorded file or folder of which the place is a copy. Every file of the copy is read.
    pub original: Option<String>,
    /// Its path's bytes in base64, if they are not UTF-8.
    pub original_bytes: Option<String>,
}

/// A request to rename records that have older names.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct HashMigrate {
    /// The hash folder: `own`, or a grant.
    pub dir: Option<String>,
    /// True if the run only reports its changes.
    pub dry_run: bool,
    /// Confirms writing into another program's hash folder.
    pub confirm_foreign: bool,
}

/// A request to set aside records of missing files.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct HashTidy {
    /// The hash folder: `own`, or a grant.
    pub dir: Option<String>,
    /// True if the run only reports its changes.
    pub dry_run: bool,
}

impl HashVerify {
    fn is_quick(&self) -> Result<bool, ApiError> {
        if self.quick && self.full == Some(true) {
            let message = "quick and full exclude each other";
            return Err(ApiError::new(ErrorCode::BadRequest, message));
        }
        Ok(self.quick || self.full == Some(false))
    }
}

impl From<FileChoice> for WalkOptions {
    fn from(choice: FileChoice) -> Self {
        Self {
            ignore: choice.ignore,
            other_file_systems: choice.other_file_systems,
        }
    }
}

/// Starts a job that records files.
///
/// # Errors
/// `foreign_folder`, `unsafe_folder`, `grant_invalid`, and those of naming a file.
pub(crate) async fn hash_record(
    hashes: &Arc<Hashes>,
    request: HashRecord,
    caller: Caller,
) -> Result<StartedJob, ErrorBody> {
    let dir = request.dir.clone();
    let (folder, path, options) = blocking(hashes, move |hashes| {
        let folder = hashes.hash_folder(request.dir.as_deref(), caller)?;
        require_confirmation(&folder, request.confirm_foreign)?;
        let path = request.place.resolve_named(hashes)?;
        let options = RecordOptions {
            full: request.full,
            force: request.force,
            walk: request.choice.into(),
        };
        Ok((folder, path, options))
    })
    .await?;
    let run = hash_run(hashes, JobKind::RecordHashes, dir).of(Some(&path));
    Ok(start_run(hashes, run, move |hashes, observer| {
        let now = || hashes.clock.now();
        folder.record(&[path], &options, &now, observer)
    })?)
}

/// Starts a job that compares files with their records.
///
/// # Errors
/// `unsafe_folder`, `grant_invalid`, and those of naming a file.
pub(crate) async fn hash_verify(
    hashes: &Arc<Hashes>,
    request: HashVerify,
    caller: Caller,
) -> Result<StartedJob, ErrorBody> {
    if request.original.is_some() || request.original_bytes.is_some() {
        return hash_verify_copy(hashes, request, caller).await;
    }
    let dir = request.dir.clone();
    let (folder, path, options) = blocking(hashes, move |hashes| {
        let folder = hashes.hash_folder(request.dir.as_deref(), caller)?;
        let options = VerifyOptions {
            quick: request.is_quick()?,
            resume: request.resume,
            is_part: false,
            walk: request.choice.into(),
        };
        Ok((folder, request.place.resolve(hashes)?, options))
    })
    .await?;
    let run = hash_run(hashes, JobKind::VerifyHashes, dir).of(path.as_ref());
    let scope = scope(path);
    Ok(start_run(hashes, run, move |hashes, observer| {
        folder.verify(&scope, &options, hashes.clock.now(), observer)
    })?)
}

/// Starts a job that compares a copy with the records of its original.
async fn hash_verify_copy(
    hashes: &Arc<Hashes>,
    request: HashVerify,
    caller: Caller,
) -> Result<StartedJob, ErrorBody> {
    let dir = request.dir.clone();
    let (folder, original, copy, walk) = blocking(hashes, move |hashes| {
        let folder = hashes.hash_folder(request.dir.as_deref(), caller)?;
        let (path, path_bytes) = (&request.original, &request.original_bytes);
        let original = file_path(path.as_deref(), path_bytes.as_deref())?;
        let copy = request.place.resolve_named(hashes)?;
        Ok((folder, original, copy, request.choice.into()))
    })
    .await?;
    let mut run = hash_run(hashes, JobKind::VerifyHashes, dir).of(Some(&copy));
    run.original = Some(name_in_json(original.as_bytes()).0);
    Ok(start_run(hashes, run, move |_, observer| {
        folder.verify_copy(&original, &copy, &walk, observer)
    })?)
}

/// Starts a job that compares files with the hashes in a list. Relative names are resolved against the place.
///
/// # Errors
/// `invalid_value` if the list is invalid, and those of naming a folder.
pub(crate) async fn hash_check(
    hashes: &Arc<Hashes>,
    place: RecordedPlace,
    list: Vec<u8>,
) -> Result<StartedJob, ErrorBody> {
    let (base, list) = blocking(hashes, move |hashes| {
        let list = lists::parse(&list);
        let list = list.map_err(|error| ApiError::new(ErrorCode::InvalidValue, error))?;
        Ok((place.resolve_named(hashes)?, list))
    })
    .await?;
    let run = hash_run(hashes, JobKind::CheckHashes, None).of(Some(&base));
    Ok(start_run(hashes, run, move |_, observer| {
        check_list(&list, &base, true, observer)
    })?)
}

/// Starts a job that gives records with older names the encoded name.
///
/// # Errors
/// Those of [`hash_record`].
pub(crate) async fn hash_migrate(
    hashes: &Arc<Hashes>,
    request: HashMigrate,
    caller: Caller,
) -> Result<StartedJob, ErrorBody> {
    let dry_run = request.dry_run;
    let mut run = hash_run(hashes, JobKind::MigrateHashes, request.dir.clone());
    run.dry_run = dry_run;
    let folder = blocking(hashes, move |hashes| {
        let folder = hashes.hash_folder(request.dir.as_deref(), caller)?;
        require_confirmation(&folder, request.confirm_foreign || dry_run)?;
        Ok(folder)
    })
    .await?;
    Ok(start_run(hashes, run, move |_, _| folder.migrate(dry_run))?)
}

/// Starts a job that sets aside the records of missing files.
///
/// # Errors
/// `foreign_folder` for another program's hash folder, and those of [`hash_verify`].
pub(crate) async fn hash_tidy(
    hashes: &Arc<Hashes>,
    request: HashTidy,
    caller: Caller,
) -> Result<StartedJob, ErrorBody> {
    let dry_run = request.dry_run;
    let mut run = hash_run(hashes, JobKind::TidyHashes, request.dir.clone());
    run.dry_run = dry_run;
    let folder = blocking(hashes, move |hashes| {
        let folder = hashes.hash_folder(request.dir.as_deref(), caller)?;
        require_confirmation(&folder, dry_run)?;
        Ok(folder)
    })
    .await?;
    Ok(start_run(hashes, run, move |hashes, observer| {
        folder.tidy(dry_run, hashes.clock.now(), observer)
    })?)
}

/// Returns the description of a run that begins now.
fn hash_run(hashes: &Hashes, kind: JobKind, dir: Option<String>) -> HashRun {
    HashRun {
        kind,
        dir: dir.unwrap_or_else(|| OWN.to_owned()),
        path: None,
        original: None,
        dry_run: false,
        started_at: hashes.clock.now(),
    }
}

/// Runs work that ends with a report, which is kept under the job's id.
///
/// # Errors
/// `too_much_work` if too many runs of the client wait already.
fn start_run(
    hashes: &Arc<Hashes>,
    run: HashRun,
    work: impl FnOnce(&Hashes, &dyn RunObserver) -> Result<Report, RunError> + Send + 'static,
) -> Result<StartedJob, ApiError> {
    let kind = run.kind;
    let owned = Arc::clone(hashes);
    let id = hashes.runner.start_another(kind, move |progress| {
        let report = work(&owned, &JobObserver(progress))?;
        finish(&owned, progress.job(), StoredReport { run, report })
    })?;
    Ok(StartedJob { id })
}

/// Keeps the report, also that of a cancelled run.
fn finish(hashes: &Hashes, job: &str, stored: StoredReport) -> JobOutcome {
    let StoredReport { run, report } = &stored;
    let result = json!({
        "dir": run.dir,
        "path": run.path,
        "original": run.original,
        "dry_run": run.dry_run,
        "summary": summary(report),
        "findings": report.findings.len(),
        "files_read": report.files_read,
        "written": report.written,
        "replaced": report.replaced,
        "file_systems": report.skipped.file_systems.len(),
    });
    let is_cancelled = report.is_cancelled;
    hashes.folders.keep_report(job.to_owned(), stored);
    if is_cancelled {
        Err(JobError::Cancelled)
    } else {
        Ok(result)
    }
}

pub(super) fn scope(path: Option<FilePath>) -> Scope {
    path.map_or(Scope::Everything, |path| Scope::Paths(vec![path]))
}

/// Requires a confirmation before another program's hash folder is written to.
pub(super) fn require_confirmation(
    folder: &HashFolder,
    is_confirmed: bool,
) -> Result<(), ApiError> {
    if folder.is_own() || is_confirmed {
        return Ok(());
    }
    let message =
        "these are another program's hash records; writing there needs a confirmation of its own";
    Err(ApiError::new(ErrorCode::ForeignFolder, message))
}

/// Adapts a job's progress to a run.
struct JobObserver<'a>(&'a Progress);

impl RunObserver for JobObserver<'_> {
    fn advance(&self, done: u64, total: u64) -> bool {
        self.0.advance(done, total).is_ok()
    }
}
