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
    pub(crate) counts: CountsDto,
    /// The error of a failed run.
    pub(crate) error: Option<String>,
}

/// The numbers of artifacts that are being removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = TtlCounts)]
pub(crate) struct CountsDto {
    /// Expired thumbnails that wait for cleanup.
    pub(crate) expired_blobs: u64,
    /// Expired folder indexes that wait for cleanup.
    pub(crate) expired_manifests: u64,
    /// Thumbnails that are being removed.
    pub(crate) processing_blobs: u64,
    /// Folder indexes that are being removed.
    pub(crate) processing_manifests: u64,
    /// Thumbnails that could not be removed.
    pub(crate) error_blobs: u64,
    /// Folder indexes that could not be removed.
    pub(crate) error_manifests: u64,
}

impl From<Counts> for CountsDto {
    fn from(counts: Counts) -> Self {
        Self {
            expired_blobs: counts.expired_blobs,
            expired_manifests: counts.expired_manifests,
            processing_blobs: counts.processing_blobs,
            processing_manifests: counts.processing_manifests,
            error_blobs: counts.error_blobs,
            error_manifests: counts.error_manifests,
        }
    }
}
