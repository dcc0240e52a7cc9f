//! The results of runs.

use fumikura_ttl::Counts;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The origin of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TtlTrigger)]
pub(crate) enum Trigger {
    /// The schedule.
    Schedule,
    /// A user.
    Request,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = TtlRun)]
pub(crate) struct Run {
    /// The time at which it began.
    pub(crate) at: Timestamp,
    pub(crate) trigger: Trigger,
    /// The number of thumbnails marked because they had not been read for long.
    pub(crate) marked_blobs: u64,
    /// The number of folder indexes marked.
    pub(crate) marked_manifests: u64,
    /// The number of thumbnails marked because their pictures are missing.
    pub(crate) marked_gone: u64,
    /// The artifacts that are being removed, after the run.
    pub(crate) counts: Counts,
    /// The error of a failed run.
    pub(crate) error: Option<String>,
}
