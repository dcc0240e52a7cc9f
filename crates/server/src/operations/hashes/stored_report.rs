//! Reports of runs, stored for this launch.

use fumikura_hashes::{FilePath, Report};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::jobs::JobKind;
use crate::names::name_in_json;

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(super) struct HashRun {
    /// The kind of the job.
    pub(super) kind: JobKind,
    /// The hash folder: `own`, or a grant.
    pub(super) dir: String,
    /// The file or folder that was recorded or verified; null for all recorded files.
    pub(super) path: Option<String>,
    /// The recorded file or folder of which `path` is a copy; null if its own records were used.
    pub(super) original: Option<String>,
    /// True if the run was a dry run, which changes nothing.
    pub(super) dry_run: bool,
    /// The time at which it began.
    pub(super) started_at: Timestamp,
}

impl HashRun {
    pub(super) fn of(mut self, path: Option<&FilePath>) -> Self {
        self.path = path.map(|path| name_in_json(path.as_bytes()).0);
        self
    }
}

/// A report and its run.
#[derive(Debug)]
pub(super) struct StoredReport {
    pub(super) run: HashRun,
    pub(super) report: Report,
}
