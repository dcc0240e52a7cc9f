//! Summaries of the index: counts, usage, previews and failures.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::artifact::Row;
use crate::{Artifact, GroupName, Kind, Status};

/// A removal that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovalFailure {
    pub artifact: Artifact,
    pub reason: String,
    /// The number of attempts.
    pub attempts: u32,
    /// The time of the next attempt, in seconds since 1970.
    pub retry_at: i64,
}

/// The numbers of artifacts that are being removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = TtlCounts))]
pub struct Counts {
    /// Expired thumbnails that wait for cleanup.
    pub expired_blobs: u64,
    /// Expired folder indexes that wait for cleanup.
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

/// The number of artifacts, and their size in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = TtlAmount))]
pub struct Amount {
    /// The number of artifacts.
    pub artifacts: u64,
    /// The size of the artifacts in bytes.
    pub bytes: u64,
}

/// The contents of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupUsage {
    pub group: GroupName,
    /// Thumbnails.
    pub blobs: Amount,
    /// Folder indexes.
    pub manifests: Amount,
}

impl GroupUsage {
    /// Returns the number of both.
    #[must_use]
    pub fn artifacts(&self) -> u64 {
        self.blobs.artifacts + self.manifests.artifacts
    }
}

/// The age classes of a report, by upper bound in days since the last read; the last class has no bound.
pub const AGES: [Option<u32>; 6] = [Some(1), Some(7), Some(30), Some(90), Some(365), None];

/// A report of all artifacts by group, age and state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The artifacts of each group.
    pub groups: Vec<GroupUsage>,
    /// The artifacts by the time of their last read, in the order of [`AGES`].
    pub ages: [Amount; AGES.len()],
    /// The artifacts in each state before removal.
    pub counts: Counts,
}

impl Report {
    pub(crate) fn new(groups: &[GroupName]) -> Self {
        let nothing = |group: &GroupName| GroupUsage {
            group: Arc::clone(group),
            blobs: Amount::default(),
            manifests: Amount::default(),
        };
        Self {
            groups: groups.iter().map(nothing).collect(),
            ages: [Amount::default(); AGES.len()],
            counts: Counts::default(),
        }
    }

    pub(crate) fn count(&mut self, row: &Row, now: u32) {
        let bytes = u64::from(row.size);
        let group = &mut self.groups[usize::from(row.group)];
        match row.kind {
            Kind::Blob => group.blobs.add(bytes),
            Kind::Manifest => group.manifests.add(bytes),
        }
        let days = now.saturating_sub(row.read_at) / 86_400;
        let is_younger = |end: &Option<u32>| end.is_none_or(|end| days < end);
        let age = AGES.iter().position(is_younger);
        self.ages[age.expect("BUG: the last age has no end")].add(bytes);
        self.counts.count(row.status, row.kind);
    }
}

impl Amount {
    fn add(&mut self, bytes: u64) {
        self.artifacts += 1;
        self.bytes += bytes;
    }
}

impl Counts {
    fn count(&mut self, status: Status, kind: Kind) {
        let count = match (status, kind) {
            (Status::Active, _) => return,
            (Status::PendingDestruction, Kind::Blob) => &mut self.expired_blobs,
            (Status::PendingDestruction, Kind::Manifest) => &mut self.expired_manifests,
            (Status::Processing, Kind::Blob) => &mut self.processing_blobs,
            (Status::Processing, Kind::Manifest) => &mut self.processing_manifests,
            (Status::Error, Kind::Blob) => &mut self.error_blobs,
            (Status::Error, Kind::Manifest) => &mut self.error_manifests,
        };
        *count += 1;
    }
}
