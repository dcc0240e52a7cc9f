//! The manifest of an archive: its pages and files, and their entries (docs/STORAGE.md).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::id::{AssetId, PageId};

/// The version of the archives that this program writes, and the only one that it reads.
pub(super) const VERSION: u64 = 1;

/// The last entry of an archive, as JSON.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) version: u64,
    /// The time of the archive's snapshot.
    pub(super) exported_at: Timestamp,
    pub(super) pages: Vec<PageEntry>,
    pub(super) assets: Vec<AssetEntry>,
}

/// A page's latest text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PageEntry {
    pub(super) id: PageId,
    pub(super) path: String,
    /// The entry's name.
    pub(super) file: String,
    pub(super) revision: u64,
    pub(super) updated_at: Timestamp,
    /// The name of its author.
    pub(super) user_name: String,
}

/// A file that belongs to a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct AssetEntry {
    pub(super) id: AssetId,
    pub(super) page: PageId,
    pub(super) file_name: String,
    /// The entry's name.
    pub(super) file: String,
    pub(super) mime: String,
    /// The size in bytes.
    pub(super) size: u64,
    /// The SHA-256 of the contents, in hexadecimal digits.
    pub(super) sha256: String,
}
