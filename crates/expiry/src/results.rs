//! The results of runs.

use fumikura_ttl::Counts;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The origin of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = TtlTrigger))]
pub enum Trigger {
    /// The schedule.
    Schedule,
    /// A user.
    Request,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = TtlRun))]
pub struct Run {
    /// The time at which it began.
    pub at: Timestamp,
    /// Its origin.
    pub trigger: Trigger,
    /// The number of thumbnails marked because they had not been read for long.
    pub marked_blobs: u64,
    /// The number of folder indexes marked.
    pub marked_manifests: u64,
    /// The number of thumbnails marked because their pictures are missing.
    pub marked_gone: u64,
    /// The artifacts that are being removed, after the run.
    pub counts: Counts,
    /// The error of a failed run.
    pub error: Option<String>,
}
