//! The values of findings and records in reports.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::Serialize;

use crate::folder::{Index, Problem, RecordKind, RecordRow};
use crate::path::FilePath;
use crate::removed::RemovedRecord;
use crate::run::{Finding, Report, Summary};
use crate::state::FileState;

#[derive(Serialize)]
pub(super) struct FindingFields<'a> {
    pub(super) path: Cow<'a, str>,
    pub(super) state: FileState,
    pub(super) expected: Option<String>,
    pub(super) actual: Option<String>,
    pub(super) size: Option<u64>,
    pub(super) mtime: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) path_bytes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) to_bytes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) files: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<&'a str>,
}

impl<'a> From<&'a Finding> for FindingFields<'a> {
    fn from(finding: &'a Finding) -> Self {
        let to = finding.to.as_ref();
        Self {
            path: finding.path.to_text(),
            state: finding.state,
            expected: finding.expected.map(|digest| digest.to_string()),
            actual: finding.actual.map(|digest| digest.to_string()),
            size: finding.size,
            mtime: finding.mtime,
            path_bytes: base64_unless_text(finding.path.as_bytes()),
            to: to.map(FilePath::to_text),
            to_bytes: to.and_then(|to| base64_unless_text(to.as_bytes())),
            files: finding.files,
            reason: finding.reason.as_deref(),
        }
    }
}

/// A usable record.
#[derive(Serialize)]
pub(super) struct RecordFields<'a> {
    pub(super) path: Cow<'a, str>,
    pub(super) name: Cow<'a, str>,
    pub(super) kind: RecordKind,
    pub(super) state: Option<FileState>,
    pub(super) content_hash: String,
    pub(super) size: Option<u64>,
    pub(super) mtime: Option<Timestamp>,
    pub(super) recorded_at: Option<Timestamp>,
    pub(super) verified_at: Option<Timestamp>,
    pub(super) is_lossy: bool,
    pub(super) is_newer: bool,
    pub(super) has_analysis: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) path_bytes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name_bytes: Option<String>,
}

impl<'a> RecordFields<'a> {
    fn new(path: &'a FilePath, row: &'a RecordRow) -> Self {
        Self {
            path: path.to_text(),
            name: String::from_utf8_lossy(&row.name),
            kind: row.kind,
            state: row.state,
            content_hash: row.digest.to_string(),
            size: row.stat.map(|stat| stat.size),
            mtime: row.stat.and_then(|stat| stat.mtime()),
            recorded_at: row.recorded_at,
            verified_at: row.verified_at,
            is_lossy: row.is_lossy,
            is_newer: row.is_newer,
            has_analysis: row.has_analysis,
            path_bytes: base64_unless_text(path.as_bytes()),
            name_bytes: base64_unless_text(&row.name),
        }
    }
}

/// A file that is not a usable record.
#[derive(Serialize)]
pub(super) struct ProblemFields<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) kind: RecordKind,
    pub(super) state: FileState,
    pub(super) path: Option<Cow<'a, str>>,
    pub(super) reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) path_bytes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name_bytes: Option<String>,
}

impl<'a> From<&'a Problem> for ProblemFields<'a> {
    fn from(problem: &'a Problem) -> Self {
        let path = problem.path.as_deref();
        Self {
            name: String::from_utf8_lossy(&problem.name),
            kind: problem.kind,
            state: problem.state,
            path: path.map(String::from_utf8_lossy),
            reason: &problem.reason,
            path_bytes: path.and_then(base64_unless_text),
            name_bytes: base64_unless_text(&problem.name),
        }
    }
}

/// A record that was set aside.
#[derive(Serialize)]
pub(super) struct RemovedFields<'a> {
    path: Cow<'a, str>,
    content_hash: String,
    size: Option<u64>,
    recorded_at: Option<Timestamp>,
    removed_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
}

impl<'a> From<&'a RemovedRecord> for RemovedFields<'a> {
    fn from(record: &'a RemovedRecord) -> Self {
        Self {
            path: record.path.to_text(),
            content_hash: record.digest.to_string(),
            size: record.size,
            recorded_at: record.recorded_at,
            removed_at: record.removed_at,
            path_bytes: base64_unless_text(record.path.as_bytes()),
        }
    }
}

/// Returns the usable records of an index, by path.
pub(super) fn records(index: &Index) -> impl Iterator<Item = RecordFields<'_>> {
    let rows = index.rows.iter();
    rows.map(|(path, row)| RecordFields::new(path, row))
}

/// Returns the states that occur and their counts, then the numbers of files that were read and were not, unless
/// there were none of either.
pub(super) fn summary(report: &Report) -> impl Iterator<Item = (&'static str, u64)> {
    let reading = [("read", report.files_read), ("unread", report.files_unread)];
    let has_files = report.files_read + report.files_unread > 0;
    states(&report.summary).chain(reading.into_iter().filter(move |_| has_files))
}

/// Returns the states that occur and their counts. `ok` is always among them.
pub(super) fn states(summary: &Summary) -> impl Iterator<Item = (&'static str, u64)> {
    let states = FileState::ALL.into_iter();
    let counted = states.map(|state| (state, summary.count(state)));
    counted
        .filter(|(state, count)| *state == FileState::Ok || *count > 0)
        .map(|(state, count)| (state.word(), count))
}

/// Returns the word for a kind, as in JSON.
pub(super) fn kind_word(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Encoded => "encoded",
        RecordKind::Fallback => "fallback",
        RecordKind::Legacy => "legacy",
        RecordKind::Hashed => "hashed",
        RecordKind::Malformed => "malformed",
        RecordKind::Foreign => "foreign",
    }
}

fn base64_unless_text(bytes: &[u8]) -> Option<String> {
    match std::str::from_utf8(bytes) {
        Ok(_) => None,
        Err(_) => Some(STANDARD.encode(bytes)),
    }
}
