//! Marking runs.

use jiff::Timestamp;

use super::{Change, Index, cutoff, is_expired};
use crate::{ArtifactKey, GroupName, Kind, Policy, Status};

/// How many rows one step of a marking run marks.
const BATCH: usize = 100;
/// How many rows one step looks at: the index is locked for that long.
const STEP: usize = 10_000;
/// A marking run, which goes through the index step by step.
#[derive(Debug)]
pub struct MarkedRun {
    /// For each group, the latest read that has expired; none where nothing expires.
    cutoffs: Vec<Option<u32>>,
    next: Option<ArtifactKey>,
    is_over: bool,
    /// Thumbnails that were marked.
    pub blobs: u64,
    /// Folder indexes that were marked.
    pub manifests: u64,
}

impl Index {
    /// Begins a marking run. `policy_of` gives the policy of each group; none for one that is away, which is left alone.
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
        MarkedRun {
            cutoffs: self.groups.iter().map(of_group).collect(),
            next: None,
            is_over: false,
            blobs: 0,
            manifests: 0,
        }
    }

    /// Marks at most a hundred artifacts. Returns whether the run goes on. Between two steps artifacts may come, go and be
    /// read.
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
            let cutoff = run.cutoffs.get(usize::from(row.group)).copied().flatten();
            if is_expired(row, cutoff) {
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
            self.changes.push(Change::Put(row));
        }
        run.next = self.rows.get(at).map(|row| row.key);
        run.is_over = run.next.is_none();
        !run.is_over
    }
}
