//! What the index says of its artifacts: counts, usage, previews and failures.

use crate::{Artifact, GroupName};

/// A removal that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The artifact.
    pub artifact: Artifact,
    /// Why.
    pub reason: String,
    /// How often it was tried.
    pub attempts: u32,
    /// When it is tried again, in seconds since 1970.
    pub retry_at: i64,
}

/// How many artifacts are in each state on their way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Expired thumbnails, which wait for cleanup.
    pub expired_blobs: u64,
    /// Expired folder indexes.
    pub expired_manifests: u64,
    /// Thumbnails that are being removed.
    pub processing_blobs: u64,
    /// Folder indexes that are being removed.
    pub processing_manifests: u64,
    /// Thumbnails that could not be removed.
    pub error_blobs: u64,
    /// Folder indexes that could not be removed.
    pub error_manifests: u64,
}

/// What would expire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Preview {
    /// Artifacts.
    pub artifacts: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What a group holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupUsage {
    /// The group.
    pub group: GroupName,
    /// Thumbnails.
    pub blobs: u64,
    /// Folder indexes.
    pub manifests: u64,
    /// Bytes of both.
    pub bytes: u64,
}
