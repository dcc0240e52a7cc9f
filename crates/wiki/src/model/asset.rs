//! Files that belong to pages (docs/spec/wiki.md, Files).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::file_name::FileName;
use crate::id::UserId;
use crate::model::micros;
use crate::path::PagePath;

/// A file's row. Its contents lie in the asset folder, under its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AssetInfo {
    /// The name it came with.
    pub(crate) original_name: FileName,
    /// The name it has now; unique among the live files of its page.
    pub(crate) file_name: FileName,
    /// What its contents are, as they tell.
    pub(crate) mime: String,
    /// In bytes.
    pub(crate) size: u64,
    #[serde(with = "micros")]
    pub(crate) created_at: Timestamp,
    /// SHA-256 of the contents.
    pub(crate) sha256: [u8; 32],
    /// Who brought it.
    pub(crate) user: UserId,
    pub(crate) state: AssetState,
}

/// Whether a file is there, in the bin, or without a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum AssetState {
    /// It belongs to its page.
    Live,
    /// It was deleted and can be restored.
    Deleted {
        /// When.
        #[serde(with = "micros")]
        at: Timestamp,
        /// Whether its page's deletion took it along: then it comes back with the page.
        with_page: bool,
    },
    /// Its page was deleted for good: a zombie (docs/spec/wiki.md, Files).
    Orphaned {
        /// When.
        #[serde(with = "micros")]
        at: Timestamp,
        /// Where the page last stood.
        last_path: PagePath,
    },
}
