//! Where pages stood before, and how they were deleted.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::id::DeletionId;
use crate::model::micros;
use crate::path::PagePath;

/// The paths that a page has left by being renamed, each once, the latest last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FormerPaths {
    pub(crate) paths: Vec<FormerPath>,
}

/// A path that a page has left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FormerPath {
    pub(crate) path: PagePath,
    /// When the page left it last.
    #[serde(with = "micros")]
    pub(crate) left_at: Timestamp,
}

/// How a page came into the bin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Deletion {
    #[serde(with = "micros")]
    pub(crate) deleted_at: Timestamp,
    /// The name of whoever deleted it, as it was then.
    pub(crate) user_name: String,
    /// Shared by the pages that were deleted in one go, so that they come back together.
    pub(crate) group: DeletionId,
}
