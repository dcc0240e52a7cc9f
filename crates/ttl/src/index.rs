//! The index of all artifacts, in memory.

mod marking;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use jiff::Timestamp;

pub use marking::MarkedRun;

use crate::artifact::{Row, packed_seconds};
use crate::summary::{Amount, RemovalFailure, Report};
use crate::{Artifact, ArtifactKey, GroupName, Kind, Policy, Status};

/// The first pause after a failed removal, in seconds; each further one is twice as long.
const MIN_RETRY_DELAY: i64 = 60;
/// The maximum pause, in seconds.
const MAX_RETRY_DELAY: i64 = 24 * 60 * 60;
/// The group number of a row that was removed but not taken out yet.
const REMOVED_GROUP: u16 = u16::MAX;
/// The group of artifacts whose group is not known, or does not fit into the list of groups.
pub const UNKNOWN: &str = "unknown";

/// All artifacts. A million of them take 36 MB.
#[derive(Debug, Default)]
pub struct Index {
    groups: Vec<GroupName>,
    /// The rows in the order of their keys; changed in place.
    rows: Vec<Row>,
    /// The rows that are not in `rows` yet.
    fresh: BTreeMap<ArtifactKey, Row>,
    dead: usize,
    pending: VecDeque<ArtifactKey>,
    failures: HashMap<ArtifactKey, FailedRemoval>,
    changes: Changes,
}

/// Changes that are not in the file yet; the last one of each artifact.
#[derive(Debug, Default)]
struct Changes {
    groups: Vec<GroupName>,
    /// The value is none for a removed artifact. A tree never moves all of its entries at once, which would
    /// block other threads.
    rows: BTreeMap<ArtifactKey, Option<Row>>,
}

/// A change that is not in the file yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    Group(GroupName),
    Put(Row),
    Remove(ArtifactKey),
}

#[derive(Debug, Clone)]
struct FailedRemoval {
    reason: String,
    attempts: u32,
    retry_at: i64,
}

/// A removal of an artifact's file, in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "the index waits for what comes of it"]
pub struct Cleanup {
    pub artifact: Artifact,
}

impl Index {
    pub(crate) fn restored(groups: Vec<GroupName>, rows: Vec<Row>) -> Self {
        let pending = rows
            .iter()
            .filter(|row| row.status == Status::PendingDestruction);
        let pending = pending.map(|row| row.key).collect();
        // The reason of a failed removal is not stored; the removal is retried at once.
        let failed = rows.iter().filter(|row| row.status == Status::Error);
        let failures = failed
            .map(|row| (row.key, FailedRemoval::unknown()))
            .collect();
        Self {
            groups,
            rows,
            pending,
            failures,
            ..Self::default()
        }
    }

    /// Returns the number of artifacts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len() - self.dead + self.fresh.len()
    }

    /// True if there is no artifact.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Records an artifact that was made or found: it becomes active, and its last read is now. A known
    /// artifact gets the new size and group.
    pub fn record(&mut self, key: ArtifactKey, kind: Kind, group: &str, size: u64, now: Timestamp) {
        let row = Row {
            key,
            size: u32::try_from(size).unwrap_or(u32::MAX),
            read_at: packed_seconds(now.as_second()),
            group: self.group_number(group),
            kind,
            status: Status::Active,
        };
        self.failures.remove(&key);
        match self.row_mut(&key) {
            Some(existing) => *existing = row,
            None => {
                self.fresh.insert(key, row);
                self.merge_if_large();
            }
        }
        self.changes.put(row);
    }

    /// Records an artifact that a scan of the cache found. Unless it is known, it becomes active, and its
    /// last read is now. A known artifact of an unknown group gets the group. This is not a change to write on
    /// its own: an index is written as a whole after a scan.
    pub fn record_scanned(
        &mut self,
        key: ArtifactKey,
        kind: Kind,
        group: &str,
        size: u64,
        now: Timestamp,
    ) {
        if let Some(row) = self.row(&key) {
            if *self.groups[usize::from(row.group)] == *UNKNOWN {
                self.assign(key, group);
            }
            return;
        }
        let row = Row {
            key,
            size: u32::try_from(size).unwrap_or(u32::MAX),
            read_at: packed_seconds(now.as_second()),
            group: self.group_number(group),
            kind,
            status: Status::Active,
        };
        self.fresh.insert(key, row);
        self.merge_if_large();
    }

    /// Records a read of an artifact. An expired one becomes active again, unless its removal has begun.
    /// Returns the group of the artifact, or `None` if it is unknown.
    pub fn touch(&mut self, key: ArtifactKey, now: Timestamp) -> Option<&GroupName> {
        let read_at = packed_seconds(now.as_second());
        let row = self.row_mut(&key)?;
        let group = usize::from(row.group);
        // Several reads in a second count as one.
        if row.read_at < read_at || row.status != Status::Active {
            row.read_at = row.read_at.max(read_at);
            let had_failed = row.status == Status::Error;
            if row.status != Status::Processing {
                row.status = Status::Active;
            }
            let row = *row;
            if had_failed {
                self.failures.remove(&key);
            }
            self.changes.put(row);
        }
        Some(&self.groups[group])
    }

    /// Makes an expired artifact active again, even if its removal has begun. It was not read, so the next run marks it
    /// again.
    pub fn spare(&mut self, key: &ArtifactKey) {
        if self
            .row(key)
            .is_some_and(|row| row.status != Status::Active)
        {
            self.activate(key);
        }
    }

    /// Moves a known artifact to another group.
    pub fn assign(&mut self, key: ArtifactKey, group: &str) {
        let number = self.group_number(group);
        if let Some(row) = self.row_mut(&key)
            && row.group != number
        {
            row.group = number;
            let row = *row;
            self.changes.put(row);
        }
    }

    /// Removes an artifact that no longer exists, for any reason.
    pub fn remove(&mut self, key: &ArtifactKey) {
        self.failures.remove(key);
        if self.fresh.remove(key).is_none() {
            let Some(row) = self.row_mut(key) else {
                return;
            };
            row.group = REMOVED_GROUP;
            self.dead += 1;
            self.merge_if_large();
        }
        self.changes.rows.insert(*key, None);
    }

    /// Returns the keys of all artifacts, in their order.
    pub fn keys(&mut self) -> Vec<ArtifactKey> {
        self.merge();
        let rows = self.rows.iter();
        rows.map(|row| row.key).collect()
    }

    /// Returns the time of the last read of any artifact.
    #[must_use]
    pub fn last_read(&self) -> Option<Timestamp> {
        let seconds = self.all().map(|row| row.read_at).max()?;
        Timestamp::from_second(seconds.into()).ok()
    }

    #[must_use]
    pub fn get(&self, key: &ArtifactKey) -> Option<Artifact> {
        self.row(key).map(|row| self.artifact(row))
    }

    /// Returns the amount that would expire in a group after this number of days.
    #[must_use]
    pub fn preview(&self, group: &str, ttl_days: u32, now: Timestamp) -> Amount {
        let mut preview = Amount::default();
        let (Some(number), Ok(policy)) = (self.known_group(group), Policy::new(true, ttl_days))
        else {
            return preview;
        };
        let Some(cutoff) = cutoff(policy, now) else {
            return preview;
        };
        let expired = self
            .all()
            .filter(|row| row.group == number && is_expired(row, Some(cutoff)));
        for row in expired {
            preview.artifacts += 1;
            preview.bytes += u64::from(row.size);
        }
        preview
    }

    /// Returns a report of all artifacts by group, age and state.
    #[must_use]
    pub fn report(&self, now: Timestamp) -> Report {
        let mut report = Report::new(&self.groups);
        let now = packed_seconds(now.as_second());
        for row in self.all() {
            report.count(row, now);
        }
        report.groups.retain(|usage| usage.artifacts() > 0);
        report
    }

    /// Returns the artifacts of a group, or all.
    #[must_use]
    pub fn artifacts(&self, group: Option<&str>) -> Vec<Artifact> {
        let number = match group.map(|group| self.known_group(group)) {
            Some(None) => return Vec::new(),
            Some(number) => number,
            None => None,
        };
        let of_group = self
            .all()
            .filter(|row| number.is_none_or(|number| row.group == number));
        of_group.map(|row| self.artifact(row)).collect()
    }

    /// Returns the failed removals.
    #[must_use]
    pub fn failures(&self) -> Vec<RemovalFailure> {
        let failures = self.failures.iter().filter_map(|(key, failed)| {
            Some(RemovalFailure {
                artifact: self.get(key)?,
                reason: failed.reason.clone(),
                attempts: failed.attempts,
                retry_at: failed.retry_at,
            })
        });
        let mut failures: Vec<_> = failures.collect();
        failures.sort_by_key(|failure| failure.artifact.key);
        failures
    }

    /// Returns true if an artifact may wait for removal, or for a retry.
    #[must_use]
    pub fn has_cleanup(&self, now: Timestamp) -> bool {
        !self.pending.is_empty() || self.failures.values().any(|failed| failed.is_due(now))
    }

    /// Returns the number of artifacts in the queue for removal, including those that were read since.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.pending.len()
    }

    /// Returns the next artifact to remove, and sets its state to processing. `may_clean` returns false for
    /// unavailable groups, whose artifacts keep their state.
    pub fn next_cleanup(
        &mut self,
        may_clean: impl Fn(&str) -> bool,
        now: Timestamp,
    ) -> Option<Cleanup> {
        let key = self
            .next_pending(&may_clean)
            .or_else(|| self.next_retry(&may_clean, now))?;
        let row = self.row_mut(&key).expect("BUG: the artifact was found");
        row.status = Status::Processing;
        let row = *row;
        self.changes.put(row);
        let artifact = self.artifact(&row);
        Some(Cleanup { artifact })
    }

    fn next_pending(&mut self, may_clean: &impl Fn(&str) -> bool) -> Option<ArtifactKey> {
        for _ in 0..self.pending.len() {
            let key = self.pending.pop_front()?;
            let Some(row) = self.row(&key) else {
                continue;
            };
            match row.status {
                Status::PendingDestruction if may_clean(&self.groups[usize::from(row.group)]) => {
                    return Some(key);
                }
                Status::PendingDestruction => self.pending.push_back(key),
                // The artifact was read in the meantime, or is in the queue twice.
                Status::Active | Status::Processing | Status::Error => {}
            }
        }
        None
    }

    fn next_retry(&self, may_clean: &impl Fn(&str) -> bool, now: Timestamp) -> Option<ArtifactKey> {
        let due = self
            .failures
            .iter()
            .filter(|(_, failed)| failed.is_due(now));
        let mut due: Vec<_> = due.collect();
        due.sort_by_key(|(key, failed)| (failed.retry_at, **key));
        let may = |key: &ArtifactKey| {
            let row = self.row(key).filter(|row| row.status == Status::Error);
            row.is_some_and(|row| may_clean(&self.groups[usize::from(row.group)]))
        };
        due.into_iter().map(|(key, _)| *key).find(may)
    }

    /// Returns true if a removal may go on. An artifact that was read or recreated since it began is active instead.
    /// Call this together with the deletion of the file, so that no read comes between.
    pub fn confirm_cleanup(&mut self, cleanup: &Cleanup) -> bool {
        let Artifact { key, read_at, .. } = &cleanup.artifact;
        let row = self.row(key);
        match row.filter(|row| row.status == Status::Processing) {
            None => false,
            Some(row) if i64::from(row.read_at) == *read_at => true,
            Some(_) => {
                self.activate(key);
                false
            }
        }
    }

    /// Ends a removal. A missing file counts as removed. An artifact that was recreated in the meantime is
    /// kept. One that was read in the meantime and could not be removed is active again.
    pub fn end_cleanup(&mut self, cleanup: Cleanup, removed: Result<(), String>, now: Timestamp) {
        let Artifact { key, read_at, .. } = cleanup.artifact;
        let row = self.row_mut(&key);
        let Some(row) = row.filter(|row| row.status == Status::Processing) else {
            return;
        };
        let was_read = i64::from(row.read_at) > read_at;
        match removed {
            Ok(()) => self.remove(&key),
            Err(_) if was_read => self.activate(&key),
            Err(reason) => self.fail(key, reason, now),
        }
    }

    fn activate(&mut self, key: &ArtifactKey) {
        if let Some(row) = self.row_mut(key) {
            row.status = Status::Active;
            let row = *row;
            self.failures.remove(key);
            self.changes.put(row);
        }
    }

    fn fail(&mut self, key: ArtifactKey, reason: String, now: Timestamp) {
        let attempts = self.failures.get(&key).map_or(0, |failed| failed.attempts) + 1;
        let pause = MIN_RETRY_DELAY
            .saturating_mul(1 << (attempts - 1).min(20))
            .min(MAX_RETRY_DELAY);
        let failed = FailedRemoval {
            reason,
            attempts,
            retry_at: now.as_second().saturating_add(pause),
        };
        self.failures.insert(key, failed);
        let row = self.row_mut(&key).expect("BUG: the artifact was found");
        row.status = Status::Error;
        let row = *row;
        self.changes.put(row);
    }

    /// Makes failed removals due at once; all of them, or one.
    pub fn retry(&mut self, key: Option<&ArtifactKey>) {
        let is_meant = |one: &ArtifactKey| key.is_none_or(|key| key == one);
        for (key, failed) in &mut self.failures {
            if is_meant(key) {
                failed.retry_at = 0;
            }
        }
    }

    /// Resolves the removals that a crash interrupted: an artifact whose file exists is active again, until
    /// the next run marks it; any other is removed.
    pub fn reclaim(&mut self, exists: impl Fn(&Artifact) -> bool) {
        let processing = self.all().filter(|row| row.status == Status::Processing);
        let processing: Vec<_> = processing.map(|row| self.artifact(row)).collect();
        for artifact in processing {
            match exists(&artifact) {
                true => self.activate(&artifact.key),
                false => self.remove(&artifact.key),
            }
        }
    }

    /// Takes the changes since the last call.
    pub(crate) fn take_changes(&mut self) -> Vec<Change> {
        let Changes { groups, rows } = std::mem::take(&mut self.changes);
        let groups = groups.into_iter().map(Change::Group);
        let rows = rows.into_iter().map(|(key, row)| match row {
            Some(row) => Change::Put(row),
            None => Change::Remove(key),
        });
        groups.chain(rows).collect()
    }

    /// Returns the number of changes.
    pub(crate) fn changed(&self) -> usize {
        self.changes.groups.len() + self.changes.rows.len()
    }

    /// Returns the list of groups, and all rows in their order.
    pub(crate) fn parts(&mut self) -> (&[GroupName], &[Row]) {
        self.merge();
        (&self.groups, &self.rows)
    }

    fn artifact(&self, row: &Row) -> Artifact {
        Artifact {
            key: row.key,
            group: Arc::clone(&self.groups[usize::from(row.group)]),
            kind: row.kind,
            size: row.size,
            read_at: row.read_at.into(),
            status: row.status,
        }
    }

    fn all(&self) -> impl Iterator<Item = &Row> {
        let old = self.rows.iter().filter(|row| row.group != REMOVED_GROUP);
        old.chain(self.fresh.values())
    }

    fn row(&self, key: &ArtifactKey) -> Option<&Row> {
        match self.rows.binary_search_by_key(key, |row| row.key) {
            Ok(at) if self.rows[at].group != REMOVED_GROUP => Some(&self.rows[at]),
            Ok(_) | Err(_) => self.fresh.get(key),
        }
    }

    fn row_mut(&mut self, key: &ArtifactKey) -> Option<&mut Row> {
        match self.rows.binary_search_by_key(key, |row| row.key) {
            Ok(at) if self.rows[at].group != REMOVED_GROUP => Some(&mut self.rows[at]),
            Ok(_) | Err(_) => self.fresh.get_mut(key),
        }
    }

    fn known_group(&self, name: &str) -> Option<u16> {
        let at = self.groups.iter().position(|group| **group == *name)?;
        u16::try_from(at).ok()
    }

    fn group_number(&mut self, name: &str) -> u16 {
        if let Some(number) = self.known_group(name) {
            return number;
        }
        // One number is reserved for the group without a name, and one for removed rows.
        let is_full = self.groups.len() + 2 >= usize::from(REMOVED_GROUP);
        let name = if is_full { UNKNOWN } else { name };
        if let Some(number) = self.known_group(name) {
            return number;
        }
        let group: GroupName = name.into();
        self.changes.groups.push(Arc::clone(&group));
        self.groups.push(group);
        u16::try_from(self.groups.len() - 1).expect("BUG: the number of groups is limited")
    }

    fn merge_if_large(&mut self) {
        if self.fresh.len() + self.dead > (self.rows.len() / 8).max(1024) {
            self.merge();
        }
    }

    /// Merges fresh rows into the others, and drops removed ones.
    fn merge(&mut self) {
        if self.dead > 0 {
            self.rows.retain(|row| row.group != REMOVED_GROUP);
            self.dead = 0;
        }
        if self.fresh.is_empty() {
            return;
        }
        self.rows
            .extend(std::mem::take(&mut self.fresh).into_values());
        // Both halves are sorted, so this merges them.
        self.rows.sort_by_key(|row| row.key);
    }
}

impl Changes {
    fn put(&mut self, row: Row) {
        self.rows.insert(row.key, Some(row));
    }
}

impl FailedRemoval {
    fn unknown() -> Self {
        Self {
            reason: "it failed before the program was restarted".to_owned(),
            attempts: 1,
            retry_at: 0,
        }
    }

    /// True if the pause has ended. No pause is longer than the maximum, even if the clock was set back since.
    fn is_due(&self, now: Timestamp) -> bool {
        let left = self.retry_at.saturating_sub(now.as_second());
        !(1..=MAX_RETRY_DELAY).contains(&left)
    }
}

/// Returns the latest expired read: a read exactly as old as the policy's limit has expired. None before
/// 1970.
fn cutoff(policy: Policy, now: Timestamp) -> Option<u32> {
    let cutoff = now.as_second() - policy.ttl_seconds();
    u32::try_from(cutoff).ok()
}

fn is_expired(row: &Row, cutoff: Option<u32>) -> bool {
    row.status == Status::Active && cutoff.is_some_and(|cutoff| row.read_at <= cutoff)
}

#[cfg(test)]
mod tests;
