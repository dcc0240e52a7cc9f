//! Files that belong to pages (docs/spec/wiki.md, Files).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::file_name::FileName;
use crate::id::UserId;
use crate::model::micros;
use crate::path::PagePath;

/// A file's row. Its contents are in the asset folder, under its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AssetInfo {
    /// The name of the file as it was added.
    pub(crate) original_name: FileName,
    /// The current name, unique among the live files of its page.
    pub(crate) file_name: FileName,
    /// The media type, determined from the contents.
    pub(crate) mime: String,
    /// The size in bytes.
    pub(crate) size: u64,
    #[serde(with = "micros")]
    pub(crate) created_at: Timestamp,
    /// SHA-256 of the contents.
    pub(crate) sha256: [u8; 32],
    /// The user who added it.
    pub(crate) user: UserId,
    pub(crate) state: AssetState,
}

/// The state of a file: live, in the trash, or without a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum AssetState {
    /// It belongs to its page.
    Live,
    /// It was deleted and can be restored.
    Deleted {
        /// The time of the deletion.
        #[serde(with = "micros")]
        at: Timestamp,
        /// True if it was deleted with its page: then it is restored with the page.
        with_page: bool,
    },
    /// Its page was erased: an orphaned asset (docs/spec/wiki.md, Files).
    Orphaned {
        /// The time of the erasure.
        #[serde(with = "micros")]
        at: Timestamp,
        last_path: PagePath,
    },
}
