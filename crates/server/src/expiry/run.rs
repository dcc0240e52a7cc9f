//! Runs that mark expired artifacts: daily, or at a user's request.

use std::sync::Arc;
use std::time::Duration;

use fumikura_fs::AccessError;
use fumikura_ttl::{Amount, MarkedRun};
use jiff::Timestamp;
use tokio::time::{MissedTickBehavior, interval};

use super::results::{Run, Trigger};
use super::{Completeness, locked, state};
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::events::Event;
use crate::jobs::Progress;

/// The time between two checks for a due run, and between two writes of the index.
const TICK: Duration = Duration::from_secs(30);

/// The time from the start until a lost index is rebuilt.
const REBUILD_AFTER: Duration = Duration::from_secs(60);

/// The time between two steps of a run.
const STEP_INTERVAL: Duration = Duration::from_micros(50);

impl App {
    /// Rebuilds a lost index, writes the index periodically, and starts due runs, until the program stops.
    pub(crate) async fn expire_on_schedule(self: Arc<Self>) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = self.stopped() => return,
                _ = ticks.tick() => {}
            }
            if let Err(error) = self.expire_if_due().await {
                tracing::warn!("expiry: {}", error.message);
            }
        }
    }

    /// Starts a run if one is due, and writes the index.
    ///
    /// # Errors
    /// `storage_failed` if the policies can't be read, or the index can't be written.
    pub async fn expire_if_due(self: &Arc<Self>) -> Result<(), ErrorBody> {
        Ok(blocking(self, Self::expiry_tick).await?)
    }

    fn expiry_tick(&self) -> Result<(), ApiError> {
        // Not right after the start, when the cache is scanned.
        if !self.expiry.is_complete() && self.clock.monotonic() >= REBUILD_AFTER {
            self.rebuild_expiry_index();
        }
        let is_trusted = self.expiry.clock_jump().is_none();
        let now = self.clock.now();
        let is_due = locked(&self.expiry.timing).schedule.is_due(now);
        if is_due && is_trusted && self.expiry.completeness() != Completeness::Lost {
            self.mark_expired(Trigger::Schedule, None)?;
        }
        self.expiry.flush().map_err(unwritable)
    }

    /// Marks expired artifacts, which are removed later.
    pub(crate) fn mark_expired(
        &self,
        trigger: Trigger,
        progress: Option<&Progress>,
    ) -> Result<Run, ApiError> {
        let _alone = locked(&self.expiry.running);
        let at = self.clock.now();
        if let Some(clock_jump) = self.expiry.clock_jump() {
            return Err(ApiError::new(ErrorCode::ClockJumped, clock_jump));
        }
        if !self.expiry.is_complete() {
            self.rebuild_expiry_index();
        }
        let marked = self.mark(at, progress);
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
            counts: self.expiry.index().report(at).counts,
            error: error.as_ref().map(|error| error.body().message.clone()),
        };
        self.note_run(&run);
        match error {
            None => Ok(run),
            Some(error) => Err(error),
        }
    }

    fn mark(&self, at: Timestamp, progress: Option<&Progress>) -> Result<Marks, ApiError> {
        // Marks must not depend on reads that are not written yet.
        self.expiry.flush().map_err(unwritable)?;
        let policies = self.expiry.policies.read()?;
        let roots = self.pictures.roots().list();
        let unavailable = self.unavailable_groups(&roots);
        let policy_of = |group: &str| (!unavailable.contains(group)).then(|| policies.of(group));
        let mut marks = Marks::default();
        let mut run = self.expiry.index().begin_marking(policy_of, at);
        self.mark_all(&mut run);
        marks.blobs = run.blobs;
        marks.manifests = run.manifests;
        for root in roots {
            let group = root.root.id().to_string();
            if policies.of(&group).removes_gone() && !unavailable.contains(&group) {
                marks.gone += self.mark_gone(root.root.id(), &group, progress)?;
            }
        }
        Ok(marks)
    }

    fn mark_all(&self, run: &mut MarkedRun) {
        while self.expiry.index().mark_some(run) {
            // Gives other threads a chance at the index: a lock that is reacquired at once would starve them.
            std::thread::sleep(STEP_INTERVAL);
        }
    }

    /// Marks thumbnails of missing pictures. If a part of the root can't be read, none is marked.
    fn mark_gone(
        &self,
        root: fumikura_fs::RootId,
        group: &str,
        progress: Option<&Progress>,
    ) -> Result<u64, ApiError> {
        let since = self.clock.now();
        let goes_on = || progress.is_none_or(|progress| progress.advance(0, 0).is_ok());
        let existing = match self.pictures.existing_ids(root, &goes_on) {
            // A folder without any file may be an unmounted mount point.
            Ok(Some(existing)) if !existing.is_empty() => existing,
            Ok(_) | Err(AccessError::FolderUnavailable { .. }) => return Ok(0),
            Err(error) => {
                tracing::warn!("missing pictures can't be detected in {group}: {error}");
                return Ok(0);
            }
        };
        let begin = |existing| {
            let index = self.expiry.index();
            index.begin_marking_gone(group, existing, since)
        };
        let mut run = begin(existing);
        self.mark_all(&mut run);
        Ok(run.blobs)
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
        let now = self.clock.now();
        let last_success = {
            let mut timing = locked(&self.expiry.timing);
            match run.error {
                None => timing.schedule.succeeded(now),
                Some(_) => timing.schedule.record_failure(now),
            }
            timing.schedule.last()
        };
        {
            let mut state = locked(&self.expiry.shared.state);
            state.last_success = last_success;
            state.runs.insert(0, run.clone());
            state.runs.truncate(state::MAX_RESULTS);
        }
        self.expiry.shared.pending.notify_waiters();
        self.events.publish(Event::TtlRun { counts: *counts });
    }

    /// Returns the artifacts that would expire now: with a number of days, in one group or in all that follow
    /// the default policy; or with the current policies.
    pub(crate) fn preview_expiry(&self, of: Preview<'_>) -> Result<Amount, ApiError> {
        let policies = self.expiry.policies.read()?;
        let unavailable = self.unavailable_groups(&self.pictures.roots().list());
        let now = self.clock.now();
        let days_of = |group: &str| match of {
            Preview::Group(one, days) => (one == group).then_some(days),
            Preview::Default(days) => (!policies.roots.contains_key(group)).then_some(days),
            Preview::Run => {
                let policy = policies.of(group);
                policy.is_enabled().then_some(policy.ttl_days())
            }
        };
        let index = self.expiry.index();
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
pub(crate) enum Preview<'a> {
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

pub(super) fn unwritable(error: std::io::Error) -> ApiError {
    let message = "The index of cached artifacts can't be written";
    ApiError::internal(ErrorCode::StorageFailed, message, &error)
}
