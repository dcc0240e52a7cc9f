//! Import and export of other programs' lists of hashes.

use std::sync::Arc;

use fumikura_hashes::{ExportFormat, FilePath, ImportOutcome, Reason, export, lists};
use serde::Serialize;
use utoipa::ToSchema;

use super::places::RecordedPlace;
use crate::blocking::queued;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::Caller;
use crate::names::name_in_json;
use crate::services::Hashes;
use crate::shares::WorkKind;

/// The outcome of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct HashImport {
    /// `sha256sum`, `bsd`, `hashdeep` or `rhash`.
    #[schema(value_type = String)]
    format: lists::ListFormat,
    /// The number of records that were made.
    imported: u64,
    /// The number of files whose record has the same hash already.
    known: u64,
    /// Files whose record has another hash: the first thousand. The record is kept.
    conflicts: Vec<HashConflict>,
    /// The number of all such files.
    conflicts_total: u64,
    /// Files whose names have another Unicode form than in the list: the first thousand.
    other_forms: Vec<OtherForm>,
    /// The number of all such files.
    other_forms_total: u64,
    /// Lines that were skipped: the first thousand.
    skipped: Vec<SkippedLine>,
    /// The number of all such lines.
    skipped_total: u64,
}

/// A file whose record and list have different hashes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct HashConflict {
    path: String,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    /// The recorded hash.
    expected: String,
    /// The list's hash.
    actual: String,
}

/// A file whose name has another Unicode form than in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct OtherForm {
    /// The number of the line, from 1.
    line: usize,
    path: String,
}

/// A line that was skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct SkippedLine {
    /// The number of the line, from 1.
    line: usize,
    reason: String,
    /// The kind of the reason, for programs.
    reason_code: &'static str,
}

/// A request for an export of records, or of a job's report.
#[derive(Debug, Clone)]
pub(crate) struct HashExport {
    /// The hash folder: `own`, or a grant.
    pub dir: Option<String>,
    /// Exports only records of files in this place, with names relative to it.
    pub place: RecordedPlace,
    /// A job whose report is exported instead.
    pub job: Option<String>,
    /// The format.
    pub format: ExportFormat,
}

/// An export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HashExported {
    /// The proposed file name.
    pub name: String,
    /// The media type.
    pub media_type: &'static str,
    /// The contents.
    pub contents: Vec<u8>,
    /// The number of files that the format cannot represent.
    pub left_out: usize,
}

/// Returns the proposed name and the media type of an export.
fn export_file(format: ExportFormat, what: &str) -> (String, &'static str) {
    match format {
        ExportFormat::Sha256sums => ("SHA256SUMS".to_owned(), "text/plain; charset=utf-8"),
        ExportFormat::Hashdeep => (format!("{what}.hashdeep.txt"), "text/plain; charset=utf-8"),
        ExportFormat::Rhash => (format!("{what}.sha256"), "text/plain; charset=utf-8"),
        ExportFormat::Json => (format!("{what}.json"), "application/json"),
        ExportFormat::Csv => (format!("{what}.csv"), "text/csv; charset=utf-8"),
        ExportFormat::Text => (format!("{what}.txt"), "text/plain; charset=utf-8"),
    }
}

/// Makes a record of each file in a list that has none.
///
/// # Errors
/// `invalid_value` if the list is invalid, `hashes_busy`, and those of naming a folder.
pub(crate) async fn hash_import(
    hashes: &Arc<Hashes>,
    place: RecordedPlace,
    list: Vec<u8>,
) -> Result<HashImport, ErrorBody> {
    let work = move |hashes: &Hashes| {
        let base = place.resolve_named(hashes)?;
        let list = lists::parse(&list);
        let list = list.map_err(|error| ApiError::new(ErrorCode::InvalidValue, error))?;
        let folder = hashes.own_hash_folder()?;
        let imported = folder.import(&list, &base, true, hashes.clock.now())?;
        Ok(HashImport::new(list.format, &imported))
    };
    Ok(queued(&hashes.shares, WorkKind::HashRepair, hashes, work).await?)
}

/// Exports records, or a report, in some format.
///
/// # Errors
/// `job_not_found`; `invalid_value` for a report in a format for records; those of naming a folder.
pub(crate) async fn hash_export(
    hashes: &Arc<Hashes>,
    wanted: HashExport,
    caller: Caller,
) -> Result<HashExported, ErrorBody> {
    let write = move |hashes: &Hashes| write(hashes, &wanted, caller);
    Ok(queued(&hashes.shares, WorkKind::HashRepair, hashes, write).await?)
}

fn write(hashes: &Hashes, wanted: &HashExport, caller: Caller) -> Result<HashExported, ApiError> {
    let mut contents = Vec::new();
    let mut left_out = 0;
    let what = match &wanted.job {
        Some(job) => {
            write_report(hashes, job, wanted.format, &mut contents)?;
            "hash-report"
        }
        None => {
            let folder = hashes.hash_folder(wanted.dir.as_deref(), caller)?;
            let within: Option<FilePath> = wanted.place.resolve(hashes)?;
            let index = hashes.folders.index(&folder)?;
            let written = export(&mut contents, &index, within.as_ref(), wanted.format);
            left_out = written.map_err(super::state::unusable)?.len();
            "hash-records"
        }
    };
    let (name, media_type) = export_file(wanted.format, what);
    Ok(HashExported {
        name,
        media_type,
        contents,
        left_out,
    })
}

fn write_report(
    hashes: &Hashes,
    job: &str,
    format: ExportFormat,
    out: &mut Vec<u8>,
) -> Result<(), ApiError> {
    let stored = hashes
        .folders
        .report(job)
        .ok_or_else(|| ApiError::new(ErrorCode::JobNotFound, "there is no report of such a job"))?;
    let written = match format {
        ExportFormat::Json => lists::report_json(out, &stored.report),
        ExportFormat::Csv => lists::report_csv(out, &stored.report),
        ExportFormat::Text => lists::report_text(out, &stored.report),
        ExportFormat::Sha256sums | ExportFormat::Hashdeep | ExportFormat::Rhash => {
            let message = "a report is exported as json, csv or text";
            return Err(ApiError::new(ErrorCode::InvalidValue, message));
        }
    };
    written.map_err(super::state::unusable)
}

impl From<&(usize, Reason)> for SkippedLine {
    fn from((line, reason): &(usize, Reason)) -> Self {
        Self {
            line: *line,
            reason: reason.to_string(),
            reason_code: reason.code.word(),
        }
    }
}

impl HashImport {
    fn new(format: lists::ListFormat, imported: &ImportOutcome) -> Self {
        let conflicts = imported.conflicts.iter().map(|conflict| {
            let (path, path_bytes) = name_in_json(conflict.path.as_bytes());
            HashConflict {
                path,
                path_bytes,
                expected: conflict.recorded.to_string(),
                actual: conflict.listed.to_string(),
            }
        });
        let other_forms = imported.other_forms.iter().map(|(line, path)| OtherForm {
            line: *line,
            path: path.to_text().into_owned(),
        });
        let skipped = imported.skipped.iter().map(SkippedLine::from);
        Self {
            format,
            imported: imported.imported,
            known: imported.already_recorded,
            conflicts: conflicts.collect(),
            conflicts_total: imported.conflicts.count(),
            other_forms: other_forms.collect(),
            other_forms_total: imported.other_forms.count(),
            skipped: skipped.collect(),
            skipped_total: imported.skipped.count(),
        }
    }
}
