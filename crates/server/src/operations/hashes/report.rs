//! Reports of runs, returned in parts.

use std::collections::BTreeMap;

use fumikura_hashes::{FileState, Finding, Report, SkippedEntries};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::lists::SkippedLine;
use super::stored_report::{HashRun, StoredReport};
use crate::error::{ErrorBody, ErrorCode};
use crate::names::name_in_json;
use crate::services::Hashes;

const LIMIT: usize = 100;
const MAX_LIMIT: usize = 1000;

/// A query of findings.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct HashReportQuery {
    /// Returns only findings of this state.
    pub state: Option<FileState>,
    /// The number of findings to skip.
    pub offset: usize,
    /// The number of findings, at most 1000; 100 by default.
    pub limit: Option<usize>,
}

/// The report of a run.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct HashReport {
    #[serde(flatten)]
    run: HashRun,
    /// The number of files in each state, and in `read` and `unread` the numbers of files that were read, and that
    /// were not because their size and times are unchanged. No state counts the latter.
    summary: BTreeMap<&'static str, u64>,
    /// The number of all matching findings.
    total: usize,
    /// The findings, gravest states first, then by path. Files that are as recorded have none.
    findings: Vec<HashFinding>,
    skipped: HashSkipped,
    /// The number of files read.
    files_read: u64,
    /// The number of bytes read.
    bytes_read: u64,
    /// The number of records written.
    written: u64,
    /// The number of those that replaced a record of other contents, because the files had changed. `summary`
    /// counts them as `ok`.
    replaced: u64,
    /// True if the run was cancelled.
    cancelled: bool,
}

/// The reports of this launch, the latest first.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct HashReports {
    reports: Vec<HashReportEntry>,
}

/// A report in the list of reports.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
struct HashReportEntry {
    /// The id of its job.
    job: String,
    #[serde(flatten)]
    run: HashRun,
    /// The number of files in each state.
    summary: BTreeMap<&'static str, u64>,
    /// True if the run was cancelled.
    cancelled: bool,
}

/// A fact about a file or a record that a user should know.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
struct HashFinding {
    path: String,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    state: FileState,
    /// The recorded hash.
    expected: Option<String>,
    /// The hash of the current contents.
    actual: Option<String>,
    /// The current size in bytes; of a missing file, the recorded one.
    size: Option<u64>,
    /// The time of the last change; of a missing file, the recorded one.
    mtime: Option<Timestamp>,
    /// The new path of a file that moved.
    to: Option<String>,
    /// The new path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    to_bytes: Option<String>,
    /// The number of files that the finding covers, if it is about a folder.
    files: Option<u64>,
    /// The reason why a file could not be read, or a record is invalid.
    reason: Option<String>,
    /// The kind of the reason, for programs.
    reason_code: Option<&'static str>,
}

/// Entries that a run skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct HashSkipped {
    /// Symbolic links.
    links: u64,
    /// Pipes, sockets and devices.
    special: u64,
    /// Recorded files that the patterns of `ignore` leave out.
    left_out: u64,
    /// Folders on other file systems, which were not entered.
    file_systems: Vec<String>,
    /// Lines of a list that were not used: the first thousand.
    lines: Vec<SkippedLine>,
    /// The number of all such lines.
    lines_total: u64,
}

/// Returns the list of the reports of this launch.
pub(crate) fn hash_reports(hashes: &Hashes) -> HashReports {
    let reports = hashes.folders.reports();
    let entries = reports.iter().map(|(job, stored)| HashReportEntry {
        job: job.clone(),
        run: stored.run.clone(),
        summary: summary(&stored.report),
        cancelled: stored.report.is_cancelled,
    });
    HashReports {
        reports: entries.collect(),
    }
}

/// Returns a part of the report of a run of this launch.
///
/// # Errors
/// `job_not_found`.
pub(crate) fn hash_report(
    hashes: &Hashes,
    job: &str,
    part: &HashReportQuery,
) -> Result<HashReport, Box<ErrorBody>> {
    let limit = part.limit.unwrap_or(LIMIT);
    if limit > MAX_LIMIT {
        let message = "limit is at most 1000";
        return Err(Box::new(ErrorBody::new(ErrorCode::BadRequest, message)));
    }
    let stored = hashes.folders.report(job).ok_or_else(|| {
        let message = "there is no report of such a job";
        Box::new(ErrorBody::new(ErrorCode::JobNotFound, message))
    })?;
    Ok(HashReport::new(&stored, part.state, part.offset, limit))
}

impl HashReport {
    fn new(stored: &StoredReport, state: Option<FileState>, offset: usize, limit: usize) -> Self {
        let report = &stored.report;
        let matching = || {
            let findings = report.findings.iter();
            findings.filter(|finding| state.is_none_or(|state| state == finding.state))
        };
        Self {
            run: stored.run.clone(),
            summary: summary(report),
            total: matching().count(),
            findings: matching()
                .skip(offset)
                .take(limit)
                .map(HashFinding::from)
                .collect(),
            skipped: HashSkipped::from(&report.skipped),
            files_read: report.files_read,
            bytes_read: report.bytes_read,
            written: report.written,
            replaced: report.replaced,
            cancelled: report.is_cancelled,
        }
    }
}

/// Returns the number of files in each state, and in `read` and `unread` the numbers of files that were read and
/// were not. `ok` is always present, the last two if the run was of any files.
pub(super) fn summary(report: &Report) -> BTreeMap<&'static str, u64> {
    let mut states: BTreeMap<_, _> = report
        .summary
        .0
        .iter()
        .map(|(state, count)| (state.word(), *count))
        .collect();
    states.entry(FileState::Ok.word()).or_default();
    if report.files_read + report.files_unread > 0 {
        states.insert("read", report.files_read);
        states.insert("unread", report.files_unread);
    }
    states
}

impl From<&Finding> for HashFinding {
    fn from(finding: &Finding) -> Self {
        let (path, path_bytes) = name_in_json(finding.path.as_bytes());
        let to = finding.to.as_ref();
        let (to, to_bytes) = to.map(|to| name_in_json(to.as_bytes())).unzip();
        Self {
            path,
            path_bytes,
            state: finding.state,
            expected: finding.expected.map(|digest| digest.to_string()),
            actual: finding.actual.map(|digest| digest.to_string()),
            size: finding.size,
            mtime: finding.mtime,
            to,
            to_bytes: to_bytes.flatten(),
            files: finding.files,
            reason: finding.reason.as_ref().map(ToString::to_string),
            reason_code: finding.reason.as_ref().map(|reason| reason.code.word()),
        }
    }
}

impl From<&SkippedEntries> for HashSkipped {
    fn from(skipped: &SkippedEntries) -> Self {
        let file_systems = skipped.file_systems.iter();
        Self {
            links: skipped.links,
            special: skipped.special,
            left_out: skipped.left_out,
            file_systems: file_systems
                .map(|path| name_in_json(path.as_bytes()).0)
                .collect(),
            lines: skipped.lines.iter().map(SkippedLine::from).collect(),
            lines_total: skipped.lines.count(),
        }
    }
}
