//! Parses records in every format that was ever written.

use std::io::{self, Read};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::json::Fields;
use super::{Format, Notes, PreviousHash, Record, SCHEMA};
use crate::contents::{RIGHTS, ReadError};
use crate::digest::{Digest, InvalidDigest};
use crate::path::{FilePath, InvalidPath};
use crate::stat::FileStat;

/// The largest record; go-safe-cmd-runner has the same limit.
pub const MAX_RECORD_BYTES: u64 = 128 * 1024 * 1024;
/// The fields with which go-safe-cmd-runner describes a program, in its order.
pub(super) const ANALYSIS: [&str; 6] = [
    "syscall_analysis",
    "deps",
    "symbol_analysis",
    "shebang_chain",
    "analysis_warnings",
    "debug",
];
/// The additional fields of older formats.
const OLDER_ANALYSIS: [&str; 2] = ["dyn_lib_deps", "shebang_interpreter"];
/// The object with this program's notes.
pub(super) const NOTES: &str = "fumikura";

/// The reason why a file is not a record.
#[derive(Debug, thiserror::Error)]
pub enum InvalidRecord {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It has more than [`MAX_RECORD_BYTES`].
    #[error("the record is larger than 128 MiB")]
    TooLarge,
    #[error("the record is empty")]
    Empty,
    /// Neither JSON nor two lines of text.
    #[error("the record is not JSON: {0}")]
    Json(#[source] serde_json::Error),
    /// A field is missing.
    #[error("the record has no “{0}”")]
    NoField(&'static str),
    /// A field has another type or an invalid value.
    #[error("the record's “{field}” can't be read: {reason}")]
    Field { field: &'static str, reason: String },
    #[error("the record's path: {0}")]
    Path(#[from] InvalidPath),
    /// The hash in it is invalid.
    #[error("the record's hash: {0}")]
    Digest(#[from] InvalidDigest),
}

/// Reads the record in a file. Links are not followed.
///
/// # Errors
/// [`InvalidRecord`].
pub fn load(path: &Path) -> Result<Record, InvalidRecord> {
    Ok(load_with_stat(path)?.0)
}

/// Reads the record in a file, and the file's status before that.
///
/// # Errors
/// [`InvalidRecord`].
pub(crate) fn load_with_stat(path: &Path) -> Result<(Record, FileStat), InvalidRecord> {
    let file = FilePath::try_from(path)?.open_file()?;
    let metadata = file.metadata().map_err(ReadError::from)?;
    let length = metadata.len();
    if length > MAX_RECORD_BYTES {
        return Err(InvalidRecord::TooLarge);
    }
    let mut bytes = Vec::with_capacity(length as usize);
    file.take(MAX_RECORD_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error: io::Error| ReadError::from(error))?;
    if bytes.len() as u64 > MAX_RECORD_BYTES {
        return Err(InvalidRecord::TooLarge);
    }
    Ok((parse(&bytes)?, FileStat::from(&metadata)))
}

/// Reads a record.
pub(crate) fn parse(bytes: &[u8]) -> Result<Record, InvalidRecord> {
    match bytes.first() {
        None => Err(InvalidRecord::Empty),
        Some(b'/') => parse_text(bytes),
        Some(_) => {
            let fields: Fields = serde_json::from_slice(bytes).map_err(InvalidRecord::Json)?;
            parse_fields(fields)
        }
    }
}

/// Parses the oldest format: the path and the hash, on a line each. The path may contain line breaks.
fn parse_text(bytes: &[u8]) -> Result<Record, InvalidRecord> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    let end = end.ok_or(InvalidRecord::NoField("hash"))?;
    let digits = std::str::from_utf8(&bytes[end + 1..]).map_err(|_| InvalidDigest::Digits)?;
    Ok(Record {
        path: FilePath::new(&bytes[..end])?,
        digest: Digest::from_hex(digits)?,
        format: Format::Text,
        notes: Notes::default(),
        has_notes: false,
        analysis: Vec::new(),
        has_older_analysis: false,
    })
}

fn parse_fields(mut fields: Fields) -> Result<Record, InvalidRecord> {
    if let Some(format) = fields.take("format") {
        return parse_file_hash(fields, &format);
    }
    let version: u64 = required(&mut fields, "schema_version")?;
    let path: String = required(&mut fields, "file_path")?;
    let hash: String = required(&mut fields, "content_hash")?;
    let notes = fields.take(NOTES);
    let written: WrittenNotes = match &notes {
        Some(notes) => read_field(NOTES, notes)?,
        None => WrittenNotes::default(),
    };
    let has_older =
        |name: &str| ANALYSIS.contains(&name) && version < SCHEMA || OLDER_ANALYSIS.contains(&name);
    let has_older_analysis = fields.0.iter().any(|(name, _)| has_older(name));
    let analysis = fields.0.into_iter();
    Ok(Record {
        path: written.path(path)?,
        digest: hash.parse()?,
        format: Format::Schema(version),
        has_notes: notes.is_some(),
        notes: written.into(),
        analysis: analysis
            .filter(|(name, _)| ANALYSIS.contains(&&**name))
            .collect(),
        has_older_analysis,
    })
}

/// Parses the format with `"format": "file-hash"`.
fn parse_file_hash(mut fields: Fields, format: &RawValue) -> Result<Record, InvalidRecord> {
    #[derive(Deserialize)]
    struct File {
        path: String,
        hash: Hash,
    }
    #[derive(Deserialize)]
    struct Hash {
        algorithm: String,
        value: String,
    }
    let format: String = read_field("format", format)?;
    if format != "file-hash" {
        let reason = format!("“{format}” is not known");
        return Err(InvalidRecord::Field {
            field: "format",
            reason,
        });
    }
    let file: File = required(&mut fields, "file")?;
    if file.hash.algorithm != "sha256" {
        return Err(InvalidDigest::Algorithm.into());
    }
    Ok(Record {
        path: FilePath::new(file.path)?,
        digest: Digest::from_hex(&file.hash.value)?,
        format: Format::FileHash,
        notes: Notes::default(),
        has_notes: false,
        analysis: Vec::new(),
        has_older_analysis: false,
    })
}

/// The notes in their JSON form. Another version may have written them, so no field is required.
#[derive(Default, Deserialize)]
struct WrittenNotes {
    size: Option<u64>,
    mtime_ns: Option<i64>,
    ctime_ns: Option<i64>,
    inode: Option<u64>,
    mode: Option<u32>,
    recorded_at: Option<Timestamp>,
    verified_at: Option<Timestamp>,
    path_b64: Option<String>,
    #[serde(default)]
    history: Vec<PreviousHash>,
}

impl WrittenNotes {
    /// Returns the path in its own bytes, which must read as the text beside them.
    fn path(&self, text: String) -> Result<FilePath, InvalidRecord> {
        let Some(encoded) = &self.path_b64 else {
            return Ok(FilePath::new(text)?);
        };
        let bytes = STANDARD
            .decode(encoded)
            .map_err(|error| InvalidRecord::Field {
                field: "path_b64",
                reason: error.to_string(),
            })?;
        if String::from_utf8_lossy(&bytes) != text {
            return Err(InvalidRecord::Field {
                field: "path_b64",
                reason: String::from("it is not the same path as “file_path”"),
            });
        }
        Ok(FilePath::new(bytes)?)
    }
}

impl From<WrittenNotes> for Notes {
    fn from(written: WrittenNotes) -> Self {
        let WrittenNotes {
            size,
            mtime_ns,
            ctime_ns,
            inode,
            mode,
            recorded_at,
            verified_at,
            history,
            ..
        } = written;
        let stat = || {
            Some(FileStat {
                size: size?,
                mtime_ns: mtime_ns?.into(),
                ctime_ns: ctime_ns?.into(),
                inode: inode?,
            })
        };
        Self {
            stat: stat(),
            mode: mode.map(|mode| mode & RIGHTS),
            recorded_at,
            verified_at,
            history,
        }
    }
}

fn required<T: DeserializeOwned>(
    fields: &mut Fields,
    name: &'static str,
) -> Result<T, InvalidRecord> {
    let value = fields.take(name).ok_or(InvalidRecord::NoField(name))?;
    read_field(name, &value)
}

fn read_field<T: DeserializeOwned>(
    field: &'static str,
    value: &RawValue,
) -> Result<T, InvalidRecord> {
    serde_json::from_str(value.get()).map_err(|error| InvalidRecord::Field {
        field,
        reason: error.to_string(),
    })
}
