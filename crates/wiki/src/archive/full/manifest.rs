//! The manifest of a full archive: the entries with its rows, and their hashes.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::rows::HexDigest;

/// The last entry of a full archive.
pub(in crate::archive) const FULL_MANIFEST: &str = "fumikura-full.json";
/// The version of the full archives that this program writes, and the only one that it reads.
pub(in crate::archive) const FULL_VERSION: u64 = 1;

/// The entries with rows, one JSON object a line. They are ordered by their keys, and each key is there once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableName {
    Users,
    Settings,
    Pages,
    Revisions,
    Files,
    Unsaved,
    Imports,
    ImportedItems,
}

impl TableName {
    /// All of them, in the order of an archive.
    pub(super) const ALL: [Self; 8] = [
        Self::Users,
        Self::Settings,
        Self::Pages,
        Self::Revisions,
        Self::Files,
        Self::Unsaved,
        Self::Imports,
        Self::ImportedItems,
    ];

    /// Returns the name of the entry.
    pub(super) fn entry(self) -> &'static str {
        match self {
            Self::Users => "users.jsonl",
            Self::Settings => "settings.jsonl",
            Self::Pages => "pages.jsonl",
            Self::Revisions => "revisions.jsonl",
            Self::Files => "files.jsonl",
            Self::Unsaved => "unsaved.jsonl",
            Self::Imports => "imports.jsonl",
            Self::ImportedItems => "imported-items.jsonl",
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FullManifest {
    pub(super) version: u64,
    /// The time of the archive's snapshot.
    pub(super) exported_at: Timestamp,
    pub(super) tables: Vec<TableEntry>,
    /// The contents that were lost before the export.
    pub(super) missing: Vec<HexDigest>,
    /// The albums of pictures, of which the wiki knows nothing else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) albums: Vec<Value>,
}

/// An entry with rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableEntry {
    pub(super) entry: String,
    pub(super) rows: u64,
    pub(super) bytes: u64,
    pub(super) sha256: HexDigest,
}

/// Returns the name of the entry with the contents of files that have this SHA-256.
pub(super) fn contents_entry(sha256: HexDigest) -> String {
    format!("files/{sha256}")
}
