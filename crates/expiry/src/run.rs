//! Runs that mark expired artifacts: daily, or at a user's request.

use std::time::Duration;

use fumikura_fs::{AccessError, RootId};
use fumikura_ttl::{Amount, MarkedRun};
use jiff::Timestamp;

use crate::error::ExpiryError;
use crate::expiry::{Completeness, Expiry, ExpiryEvent, locked};
use crate::results::{Run, Trigger};
use crate::state::MAX_RESULTS;

/// The time from the start until a lost index is rebuilt.
const REBUILD_AFTER: Duration = Duration::from_secs(60);

/// The time between two steps of a run.
const STEP_INTERVAL: Duration = Duration::from_micros(50);

impl Expiry {
    /// Rebuilds a lost index, starts a run if one is due, and writes the index.
    ///
    /// # Errors
    /// [`ExpiryError`] if the policies can't be read, or the index can't be written.
    pub fn run_if_due(&self) -> Result<(), ExpiryError> {
        // Not right after the start, when the cache is scanned.
        if !self.is_complete() && self.monotonic() >= REBUILD_AFTER {
            self.rebuild_index();
        }
        let is_trusted = self.clock_jump().is_none();
        let now = self.now();
        let is_due = locked(&self.timing).schedule.is_due(now);
        if is_due && is_trusted && self.completeness() != Completeness::Lost {
            self.mark_expired(Trigger::Schedule, &|| true)?;
        }
        self.flush().map_err(ExpiryError::IndexUnwritable)
    }

    /// Marks expired artifacts, which are removed later. Missing pictures are no longer looked for once `goes_on`
    /// returns false.
    ///
    /// # Errors
    /// [`ExpiryError`]; the run is recorded as failed, except after a jump of the clock.
    pub fn mark_expired(
        &self,
        trigger: Trigger,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Run, ExpiryError> {
        let _alone = locked(&self.running);
        let at = self.now();
        if let Some(clock_jump) = self.clock_jump() {
            return Err(clock_jump.into());
        }
        if !self.is_complete() {
            self.rebuild_index();
        }
        let marked = self.mark(at, goes_on);
        let (marks, error) = match marked {
            Ok(marks) => (marks, None),
            Err(error) => (Marks::default(), Some(error)),
        };
        let run = Run {
            at,
            trigger,
            marked_blobs: marks.blobs,
            marked_manifests: marks.manifests,
            marked_gone: marks.gone,
            counts: self.index().report(at).counts,
            error: error.as_ref().map(ToString::to_string),
        };
        self.note_run(&run);
        match error {
            None => Ok(run),
            Some(error) => Err(error),
        }
    }

    fn mark(&self, at: Timestamp, goes_on: &dyn Fn() -> bool) -> Result<Marks, ExpiryError> {
        // Marks must not depend on reads that are not written yet.
        self.flush().map_err(ExpiryError::IndexUnwritable)?;
        let policies = self.policies().read()?;
        let roots = self.pictures.roots().list();
        let unavailable = self.unavailable_groups(&roots);
        let policy_of = |group: &str| (!unavailable.contains(group)).then(|| policies.of(group));
        let mut marks = Marks::default();
        let mut run = self.index().begin_marking(policy_of, at);
        self.mark_all(&mut run);
        marks.blobs = run.blobs;
        marks.manifests = run.manifests;
        for root in roots {
            let group = root.root.id().to_string();
            if policies.of(&group).removes_gone() && !unavailable.contains(&group) {
                marks.gone += self.mark_gone(root.root.id(), &group, goes_on);
            }
        }
        Ok(marks)
    }

    fn mark_all(&self, run: &mut MarkedRun) {
        while self.index().mark_some(run) {
            // Gives other threads a chance at the index: a lock that is reacquired at once would starve them.
            std::thread::sleep(STEP_INTERVAL);
        }
    }

    /// Marks thumbnails of missing pictures. If a part of the root can't be read, none is marked.
    fn mark_gone(&self, root: RootId, group: &str, goes_on: &dyn Fn() -> bool) -> u64 {
        let since = self.now();
        let existing = match self.pictures.existing_ids(root, goes_on) {
            // A folder without any file may be an unmounted mount point.
            Ok(Some(existing)) if !existing.is_empty() => existing,
            Ok(_) | Err(AccessError::FolderUnavailable { .. }) => return 0,
            Err(error) => {
                tracing::warn!("missing pictures can't be detected in {group}: {error}");
                return 0;
            }
        };
        let begin = |existing| {
            let index = self.index();
            index.begin_marking_gone(group, existing, since)
        };
        let mut run = begin(existing);
        self.mark_all(&mut run);
        run.blobs
    }

    fn note_run(&self, run: &Run) {
        let Run {
            marked_blobs,
            marked_manifests,
            marked_gone,
            counts,
            ..
        } = run;
        tracing::info!(
            marked_blobs,
            marked_manifests,
            marked_gone,
            expired_blobs = counts.expired_blobs,
            expired_manifests = counts.expired_manifests,
            processing_blobs = counts.processing_blobs,
            processing_manifests = counts.processing_manifests,
            error_blobs = counts.error_blobs,
            error_manifests = counts.error_manifests,
            error = run.error.as_deref().unwrap_or("none"),
            "expired artifacts were marked"
        );
        let now = self.now();
        let last_success = {
            let mut timing = locked(&self.timing);
            match run.error {
                None => timing.schedule.succeeded(now),
                Some(_) => timing.schedule.record_failure(now),
            }
            timing.schedule.last()
        };
        {
            let mut state = locked(&self.shared.state);
            state.last_success = last_success;
            state.runs.insert(0, run.clone());
            state.runs.truncate(MAX_RESULTS);
        }
        self.notify(ExpiryEvent::Marked(*counts));
    }

    /// Returns the artifacts that would expire now: with a number of days, in one group or in all that follow
    /// the default policy; or with the current policies.
    ///
    /// # Errors
    /// [`ExpiryError::PoliciesUnreadable`].
    pub fn preview(&self, of: Preview<'_>) -> Result<Amount, ExpiryError> {
        let policies = self.policies().read()?;
        let unavailable = self.unavailable_groups(&self.pictures.roots().list());
        let now = self.now();
        let days_of = |group: &str| match of {
            Preview::Group(one, days) => (one == group).then_some(days),
            Preview::Default(days) => (!policies.roots.contains_key(group)).then_some(days),
            Preview::Run => {
                let policy = policies.of(group);
                policy.is_enabled().then_some(policy.ttl_days())
            }
        };
        let index = self.index();
        let mut sum = Amount::default();
        for usage in index.report(now).groups {
            let group = &*usage.group;
            let Some(days) = days_of(group).filter(|_| !unavailable.contains(group)) else {
                continue;
            };
            let amount = index.preview(group, days, now);
            sum.artifacts += amount.artifacts;
            sum.bytes += amount.bytes;
        }
        Ok(sum)
    }
}

/// The policies of a preview.
#[derive(Debug, Clone, Copy)]
pub enum Preview<'a> {
    /// A group with this number of days.
    Group(&'a str, u32),
    /// All groups that follow the default policy, with this number of days.
    Default(u32),
    /// A run with the current policies.
    Run,
}

#[derive(Debug, Default)]
struct Marks {
    blobs: u64,
    manifests: u64,
    gone: u64,
}
