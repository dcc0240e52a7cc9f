//! Marking runs.

use std::collections::HashSet;

use jiff::Timestamp;

use super::{Index, cutoff, is_expired};
use crate::artifact::{Row, packed_seconds};
use crate::{ArtifactKey, GroupName, Kind, Policy, Status};

/// How many rows one step of a marking run marks.
const BATCH: usize = 100;
/// How many rows one step looks at: the index is locked for that long.
const STEP: usize = 10_000;
/// A marking run, which goes through the index step by step.
#[derive(Debug)]
pub struct MarkedRun {
    rule: Rule,
    next: Option<ArtifactKey>,
    is_over: bool,
    /// Thumbnails that were marked.
    pub blobs: u64,
    /// Folder indexes that were marked.
    pub manifests: u64,
}

/// The rule of a run.
#[derive(Debug)]
enum Rule {
    /// Artifacts that were not read for long: for each group the latest read that has expired; none where nothing expires.
    Unread(Vec<Option<u32>>),
    /// Thumbnails of a group whose pictures are gone, or are others by now.
    Gone {
        group: Option<u16>,
        /// The ids of the pictures that exist.
        existing: HashSet<[u8; 20]>,
        /// When it was begun to look for them: a thumbnail that was made or read since then stays.
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
        MarkedRun::new(Rule::Unread(self.groups.iter().map(of_group).collect()))
    }

    /// Begins to mark the thumbnails of a group whose pictures are gone. `existing` has the ids of those that are there,
    /// which it was begun to look for at `since`.
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
