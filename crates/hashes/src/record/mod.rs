//! Records: each is a file that describes the contents of another one.

mod json;
mod read;
mod write;

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::contents::Contents;
use crate::digest::Digest;
use crate::path::FilePath;
use crate::stat::FileStat;
use crate::state::Baseline;

pub(crate) use read::load_with_stat;
pub use read::{InvalidRecord, MAX_RECORD_BYTES, load};

/// The format that is written.
pub const SCHEMA: u64 = 23;
/// The number of replaced hashes that a record keeps. The oldest are dropped.
const HISTORY: usize = 100;

/// The format that a record was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Two lines of text: the path and the hash.
    Text,
    /// JSON with `"format": "file-hash"`.
    FileHash,
    /// JSON with a `schema_version`.
    Schema(u64),
}

#[derive(Debug, Clone)]
pub struct Record {
    pub path: FilePath,
    /// The hash of the contents.
    pub digest: Digest,
    /// The format that it was read from.
    pub format: Format,
    /// This program's notes; empty in another program's record.
    pub notes: Notes,
    /// True if the record has notes.
    pub has_notes: bool,
    /// Another program's analysis of these contents, by field, as it was written.
    pub analysis: Vec<(String, Box<RawValue>)>,
    /// True if it has an analysis in the form of an older format, which is dropped.
    pub has_older_analysis: bool,
}

/// This program's notes in a record. Each part may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    /// Size, times and inode at the last read of the file.
    pub stat: Option<FileStat>,
    /// The rights to read, write and execute the file at that time.
    pub mode: Option<u32>,
    /// The time at which these contents were recorded.
    pub recorded_at: Option<Timestamp>,
    /// The time at which the contents last matched the record.
    pub verified_at: Option<Timestamp>,
    /// Hashes that were replaced, the newest first.
    pub history: Vec<PreviousHash>,
}

/// A hash that was replaced by another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviousHash {
    /// The old hash.
    pub content_hash: String,
    /// The time of the replacement.
    pub replaced_at: Timestamp,
    /// The state of the file at that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<crate::state::FileState>,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("text"),
            Self::FileHash => f.write_str("file-hash 1.0"),
            Self::Schema(version) => write!(f, "schema {version}"),
        }
    }
}

impl Record {
    /// Reads a record in any of its formats.
    ///
    /// # Errors
    /// [`InvalidRecord`].
    pub fn parse(bytes: &[u8]) -> Result<Self, InvalidRecord> {
        read::parse(bytes)
    }

    /// Creates a record of contents that were just read.
    #[must_use]
    pub fn new(path: FilePath, read: &Contents, now: Timestamp) -> Self {
        Self {
            path,
            digest: read.digest,
            format: Format::Schema(SCHEMA),
            notes: Notes {
                stat: Some(read.stat),
                mode: Some(read.mode),
                recorded_at: Some(now),
                verified_at: Some(now),
                history: Vec::new(),
            },
            has_notes: true,
            analysis: Vec::new(),
            has_older_analysis: false,
        }
    }

    /// Returns the record after the file was read again. The analysis stays as long as the contents do, and a
    /// replaced hash is added to the history with the state that was found.
    #[must_use]
    pub fn renewed(&self, read: &Contents, state: crate::state::FileState, now: Timestamp) -> Self {
        let mut record = Self::new(self.path.clone(), read, now);
        record.notes.history.clone_from(&self.notes.history);
        if read.digest == self.digest {
            record.notes.recorded_at = self.notes.recorded_at.or(Some(now));
            // Older formats have another structure.
            if self.format == Format::Schema(SCHEMA) {
                record.analysis.clone_from(&self.analysis);
            }
        } else {
            let replaced = PreviousHash {
                content_hash: self.digest.to_string(),
                replaced_at: now,
                state: Some(state),
            };
            record.notes.history.insert(0, replaced);
            record.notes.history.truncate(HISTORY);
        }
        record
    }

    /// Returns the part with which files are compared.
    #[must_use]
    pub fn baseline(&self) -> Baseline {
        let Notes {
            recorded_at,
            verified_at,
            ..
        } = self.notes;
        Baseline {
            digest: self.digest,
            stat: self.notes.stat,
            read_at: recorded_at.max(verified_at),
        }
    }

    /// Returns true if a run of this program made the record by reading the file. A record that was imported from a
    /// list, and one of another program, has no size and times of the file.
    #[must_use]
    pub fn is_made_from_contents(&self) -> bool {
        self.notes.stat.is_some()
    }

    /// Returns true if a later version of the format is needed to write the record without losing anything.
    #[must_use]
    pub fn is_newer(&self) -> bool {
        matches!(self.format, Format::Schema(version) if version > SCHEMA)
    }
}
