//! Former paths and deletions of pages.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::id::DeletionId;
use crate::model::micros;
use crate::path::PagePath;

/// The paths that a page has left, each once, the latest last. An erased page keeps only its last path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FormerPaths {
    pub(crate) paths: Vec<FormerPath>,
}

/// A path that a page has left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FormerPath {
    pub(crate) path: PagePath,
    /// The time when the page last left it.
    #[serde(with = "micros")]
    pub(crate) left_at: Timestamp,
}

/// The deletion of a page into the trash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Deletion {
    #[serde(with = "micros")]
    pub(crate) deleted_at: Timestamp,
    /// The name of the user who deleted it, at that time.
    pub(crate) user_name: String,
    /// The id shared by the pages that were deleted together, so that they are restored together.
    pub(crate) group: DeletionId,
}
