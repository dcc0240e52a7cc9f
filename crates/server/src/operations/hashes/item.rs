//! A record as it is listed.

use fumikura_hashes::{FilePath, Problem, RecordKind, Row, State};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::wiki_files::HashOwner;
use crate::rest_api::name_in_json;

/// The kind of a record's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HashRecordKind {
    /// The path is written in the name.
    Encoded,
    /// A hash, as the encoded path is too long.
    Fallback,
    /// A hash, from before encoded names.
    Legacy,
    /// A hash, of which the record does not show the kind.
    Hashed,
    /// Begins as an encoded name and is none.
    Malformed,
    /// No name of a record.
    Foreign,
    /// A file of the wiki, which has no record: the wiki keeps its hash.
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

/// The state of a file or a record; docs/spec/hash-files.md describes each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HashState {
    /// As recorded.
    Ok,
    /// Contents and time differ.
    Changed,
    /// The contents differ and nothing else: the disk lost them.
    Corrupt,
    /// The contents differ, and the time was put back.
    Altered,
    /// The time differs and nothing else.
    Touched,
    /// No record.
    New,
    /// The contents are at another path.
    Moved,
    /// Gone.
    Missing,
    /// The folder is not there: its disk is not connected.
    RootAway,
    /// The file cannot be read.
    Unreadable,
    /// The contents differ, and the record is too young to tell why.
    Racy,
    /// The contents differ from a record without times.
    Differs,
    /// A record whose file is gone.
    Orphan,
    /// A record or name that makes no sense.
    Malformed,
    /// A record under another path's name, or one of two for a path.
    Collision,
    /// A record under an older name.
    Legacy,
    /// Not a record.
    Foreign,
}

impl From<State> for HashState {
    fn from(state: State) -> Self {
        match state {
            State::Ok => Self::Ok,
            State::Changed => Self::Changed,
            State::Corrupt => Self::Corrupt,
            State::Altered => Self::Altered,
            State::Touched => Self::Touched,
            State::New => Self::New,
            State::Moved => Self::Moved,
            State::Missing => Self::Missing,
            State::RootAway => Self::RootAway,
            State::Unreadable => Self::Unreadable,
            State::Racy => Self::Racy,
            State::Differs => Self::Differs,
            State::Orphan => Self::Orphan,
            State::Malformed => Self::Malformed,
            State::Collision => Self::Collision,
            State::Legacy => Self::Legacy,
            State::Foreign => Self::Foreign,
        }
    }
}

/// A record, or a file in a hash folder that is no usable one.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct HashItem {
    /// The recorded file; null where the record does not say it. Of a file of the wiki, the path of its page and its
    /// name.
    pub path: Option<String>,
    /// The path's bytes in base64, where they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<String>,
    /// The record's file name; of a file of the wiki, its id.
    pub name: String,
    /// The name's kind.
    pub kind: HashRecordKind,
    /// The state that the last verification found; null before the first.
    pub state: Option<HashState>,
    /// `sha256:` and 64 digits.
    pub content_hash: Option<String>,
    /// Bytes, when the file was recorded.
    pub size: Option<u64>,
    /// When these contents were recorded.
    pub recorded_at: Option<Timestamp>,
    /// When they were last found to be those recorded.
    pub verified_at: Option<Timestamp>,
    /// True if the path has bytes that are not UTF-8 and were replaced by another program.
    pub lossy: bool,
    /// True if a later program wrote the record, so that it is not overwritten.
    pub newer: bool,
    /// True if another program's analysis is in it.
    pub analysis: bool,
    /// Why it is no usable record.
    pub reason: Option<String>,
    /// The kind of the reason, for programs.
    pub reason_code: Option<&'static str>,
    /// The page that owns the file, if it is one of the wiki.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<HashOwner>,
}

impl HashItem {
    pub(super) fn of_row(path: &FilePath, row: &Row) -> Self {
        let (text, path_bytes) = name_in_json(path.as_bytes());
        Self {
            path: Some(text),
            path_bytes,
            name: name_in_json(&row.name).0,
            kind: row.kind.into(),
            state: row.state.map(HashState::from),
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
            state: Some(problem.state.into()),
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
