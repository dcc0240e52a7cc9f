//! Marking runs.

use std::collections::HashSet;

use jiff::Timestamp;

use super::{Index, cutoff, is_expired};
use crate::artifact::{Row, packed_seconds};
use crate::{ArtifactKey, GroupName, Kind, Policy, Status};

/// The maximum number of rows that one step of a marking run marks.
const BATCH: usize = 100;
/// The maximum number of rows that one step examines: the index is locked for that time.
const STEP: usize = 10_000;
/// A marking run, which processes the index step by step.
#[derive(Debug)]
pub struct MarkedRun {
    rule: Rule,
    next: Option<ArtifactKey>,
    is_over: bool,
    /// The number of marked thumbnails.
    pub blobs: u64,
    /// The number of marked folder indexes.
    pub manifests: u64,
}

/// The rule of a run.
#[derive(Debug)]
enum Rule {
    /// Artifacts that were not read for long: the latest expired read of each group; `None` for a group without
    /// expiry.
    Unread(Vec<Option<u32>>),
    /// Thumbnails of a group whose pictures no longer exist or have changed.
    Gone {
        group: Option<u16>,
        /// The ids of the pictures that exist.
        existing: HashSet<[u8; 20]>,
        /// The start of the scan for pictures: a thumbnail that was made or read since then is kept.
        since: u32,
    },
}

impl Rule {
    fn marks(&self, row: &Row) -> bool {
        match self {
            Self::Unread(cutoffs) => {
                let cutoff = cutoffs.get(usize::from(row.group)).copied().flatten();
                is_expired(row, cutoff)
            }
            Self::Gone {
                group,
                existing,
                since,
            } => {
                *group == Some(row.group)
                    && row.kind == Kind::Blob
                    && row.status == Status::Active
                    && row.read_at < *since
                    && !existing.contains(&row.key.id)
            }
        }
    }
}

impl MarkedRun {
    fn new(rule: Rule) -> Self {
        Self {
            rule,
            next: None,
            is_over: false,
            blobs: 0,
            manifests: 0,
        }
    }
}

impl Index {
    /// Begins a marking run. `policy_of` returns the policy of each group, or `None` for an unavailable group,
    /// which is skipped.
    #[must_use]
    pub fn begin_marking(
        &self,
        policy_of: impl Fn(&str) -> Option<Policy>,
        now: Timestamp,
    ) -> MarkedRun {
        let of_group = |group: &GroupName| {
            let policy = policy_of(group).filter(|policy| policy.is_enabled())?;
            cutoff(policy, now)
        };
        MarkedRun::new(Rule::Unread(self.groups.iter().map(of_group).collect()))
    }

    /// Begins to mark the thumbnails of a group whose pictures no longer exist. `existing` holds the ids of
    /// the existing pictures, from a scan that started at `since`.
    #[must_use]
    pub fn begin_marking_gone(
        &self,
        group: &str,
        existing: HashSet<[u8; 20]>,
        since: Timestamp,
    ) -> MarkedRun {
        MarkedRun::new(Rule::Gone {
            group: self.known_group(group),
            existing,
            since: packed_seconds(since.as_second()),
        })
    }

    /// Marks at most a hundred artifacts. Returns true if the run continues. Artifacts may be added, removed
    /// and read between two steps.
    pub fn mark_some(&mut self, run: &mut MarkedRun) -> bool {
        if run.is_over {
            return false;
        }
        self.merge();
        let start = match run.next {
            None => 0,
            Some(key) => self.rows.partition_point(|row| row.key < key),
        };
        let mut marked = Vec::new();
        let end = self.rows.len().min(start + STEP);
        let mut at = start;
        while at < end && marked.len() < BATCH {
            let row = &mut self.rows[at];
            if run.rule.marks(row) {
                row.status = Status::PendingDestruction;
                marked.push(*row);
            }
            at += 1;
        }
        for row in marked {
            match row.kind {
                Kind::Blob => run.blobs += 1,
                Kind::Manifest => run.manifests += 1,
            }
            self.pending.push_back(row.key);
            self.changes.put(row);
        }
        run.next = self.rows.get(at).map(|row| row.key);
        run.is_over = run.next.is_none();
        !run.is_over
    }
}
