//! A record in a list.

use fumikura_hashes::{FilePath, FileState, Problem, RecordKind, RecordRow};
use fumikura_wiki::AssetOwner;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::names::name_in_json;

/// The kind of a record's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HashRecordKind {
    /// The name contains the encoded path.
    Encoded,
    /// A hash, because the encoded path is too long.
    Fallback,
    /// A hash, from before encoded names.
    Legacy,
    /// A hash whose kind the record does not show.
    Hashed,
    /// Begins as an encoded name but is not one.
    Malformed,
    /// Not the name of a record.
    Foreign,
    /// A file of the wiki. It has no record, because the wiki keeps its hash.
    Asset,
}

impl From<RecordKind> for HashRecordKind {
    fn from(kind: RecordKind) -> Self {
        match kind {
            RecordKind::Encoded => Self::Encoded,
            RecordKind::Fallback => Self::Fallback,
            RecordKind::Legacy => Self::Legacy,
            RecordKind::Hashed => Self::Hashed,
            RecordKind::Malformed => Self::Malformed,
            RecordKind::Foreign => Self::Foreign,
        }
    }
}

/// A record, or a file in a hash folder that is not a usable record.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct HashItem {
    /// The recorded file; null if the record does not contain it. For a file of the wiki, the path of its
    /// page and its name.
    pub path: Option<String>,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<String>,
    /// The record's file name; for a file of the wiki, its id.
    pub name: String,
    /// The name's kind.
    pub kind: HashRecordKind,
    /// The state found by the last verification; null before the first.
    pub state: Option<FileState>,
    /// `sha256:` and 64 hexadecimal digits.
    pub content_hash: Option<String>,
    /// The file's size in bytes when it was recorded.
    pub size: Option<u64>,
    /// The time at which these contents were recorded.
    pub recorded_at: Option<Timestamp>,
    /// The time at which the contents were last found to be as recorded.
    pub verified_at: Option<Timestamp>,
    /// True if the path has bytes that are not UTF-8 and were replaced by another program.
    pub lossy: bool,
    /// True if a later program wrote the record, so that it is not overwritten.
    pub newer: bool,
    /// True if the record contains another program's analysis.
    pub analysis: bool,
    /// The reason why it is not a usable record.
    pub reason: Option<String>,
    /// The kind of the reason, for programs.
    pub reason_code: Option<&'static str>,
    /// The page that owns the file, if it is a file of the wiki.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<HashOwner>,
}

/// The page that owns a file of the wiki.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct HashOwner {
    /// The page's id; null if the page was deleted permanently.
    page_id: Option<String>,
    /// The path of the page, or its last one.
    path: String,
}

impl From<&AssetOwner> for HashOwner {
    fn from(owner: &AssetOwner) -> Self {
        let page_id = match owner {
            AssetOwner::Page { page_id, .. } => Some(page_id.to_string()),
            AssetOwner::Erased { .. } => None,
        };
        Self {
            page_id,
            path: owner.path().to_string(),
        }
    }
}

impl HashItem {
    pub(super) fn of_row(path: &FilePath, row: &RecordRow) -> Self {
        let (text, path_bytes) = name_in_json(path.as_bytes());
        Self {
            path: Some(text),
            path_bytes,
            name: name_in_json(&row.name).0,
            kind: row.kind.into(),
            state: row.state,
            content_hash: Some(row.digest.to_string()),
            size: row.stat.map(|stat| stat.size),
            recorded_at: row.recorded_at,
            verified_at: row.verified_at,
            lossy: row.is_lossy,
            newer: row.is_newer,
            analysis: row.has_analysis,
            reason: None,
            reason_code: None,
            page: None,
        }
    }

    pub(super) fn of_problem(problem: &Problem) -> Self {
        let (path, path_bytes) = problem.path.as_deref().map(name_in_json).unzip();
        Self {
            path,
            path_bytes: path_bytes.flatten(),
            name: name_in_json(&problem.name).0,
            kind: problem.kind.into(),
            state: Some(problem.state),
            content_hash: None,
            size: None,
            recorded_at: None,
            verified_at: None,
            lossy: false,
            newer: false,
            analysis: false,
            reason: Some(problem.reason.to_string()),
            reason_code: Some(problem.reason.code.word()),
            page: None,
        }
    }
}
