//! The schedule of backups: one a day, while the program is idle.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use fumikura_wiki::{BackupCause, StorageError, list_backups};
use jiff::Timestamp;
use tokio::time::{MissedTickBehavior, interval};

use crate::blocking::blocking;
use crate::error::ApiError;
use crate::jobs::JobKind;
use crate::services::Backup;
use crate::stopping::Stopping;

/// The time between two checks for a due backup.
const TICK: Duration = Duration::from_secs(60);
/// The time without requests after which the program is idle.
const IDLE: Duration = Duration::from_secs(120);
/// The age of the newest backup from which on one is due.
const DUE: Duration = Duration::from_secs(20 * 60 * 60);
/// The age from which on it no longer waits for an idle program.
const OVERDUE: Duration = Duration::from_secs(36 * 60 * 60);

/// The time after which a backup is tried again that failed or was cancelled.
const RETRY: Duration = Duration::from_secs(60 * 60);

/// Makes due backups until the program stops.
pub(crate) async fn run_on_schedule(backup: Arc<Backup>, stopping: Arc<Stopping>) {
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The program has just started, and its user waits for the first page.
    ticks.tick().await;
    let mut next_attempt = Duration::ZERO;
    loop {
        tokio::select! {
            () = stopping.started() => return,
            _ = ticks.tick() => {}
        }
        match blocking(&backup, |backup| backup.is_due()).await {
            Ok(false) => {
                let stopping = Arc::clone(&stopping);
                // The disk of the second place may have been connected.
                let copy = move |backup: &Backup| {
                    backup.copy_if_reachable(&mut |_, _| match stopping.has_started() {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    });
                    Ok(())
                };
                if let Err(error) = blocking(&backup, copy).await {
                    tracing::warn!("copy of a backup: {}", error.body().message);
                }
            }
            Ok(true) if backup.clock.monotonic() < next_attempt => {}
            Ok(true) => {
                next_attempt = backup.clock.monotonic() + RETRY;
                let made = Arc::clone(&backup);
                backup.runner.start_next(JobKind::Backup, move |progress| {
                    made.make(progress, &made.config.backups(), BackupCause::Schedule)
                });
            }
            Err(error) => tracing::warn!("scheduled backup: {}", error.body().message),
        }
    }
}

impl Backup {
    /// True if the newest backup is old enough, and the program idle enough, for the next one. Paused jobs do not count: they
    /// may stay paused for long.
    pub(crate) fn is_due(&self) -> Result<bool, ApiError> {
        if !self.wiki.settings()?.daily_backups || self.runner.jobs.has_active() {
            return Ok(false);
        }
        let listed = list_backups(&self.config.backups()).map_err(StorageError::from)?;
        let times = listed.iter().map(|backup| backup.record.taken_at);
        let quiet = self.activity.quiet_for(self.clock.monotonic());
        Ok(match age(times, self.clock.now()) {
            None => quiet >= IDLE,
            Some(age) => age >= DUE && (quiet >= IDLE || age >= OVERDUE),
        })
    }
}

/// Returns the age of the newest backup, which come first. Those that are far in the future do not count: the clock was
/// wrong when they were made.
fn age(mut newest_first: impl Iterator<Item = Timestamp>, now: Timestamp) -> Option<Duration> {
    let age = |at: Timestamp| now.duration_since(at);
    let is_plausible =
        |at: &Timestamp| !age(*at).is_negative() || age(*at).unsigned_abs() < OVERDUE;
    let newest = newest_first.find(is_plausible)?;
    Some(Duration::try_from(age(newest)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backup_of_the_future_has_no_age() {
        let now = "2026-11-18T12:00:00Z".parse().unwrap();
        let age = |times: &[&str]| {
            let times = times.iter().map(|at| at.parse().unwrap());
            super::age(times, now)
        };
        assert_eq!(age(&[]), None);
        let hour = Some(Duration::from_secs(3600));
        assert_eq!(age(&["2026-11-18T11:00:00Z"]), hour);
        assert_eq!(age(&["2026-11-18T13:00:00Z"]), Some(Duration::ZERO));
        assert_eq!(age(&["2027-11-18T12:00:00Z"]), None);
        assert_eq!(age(&["2027-11-18T12:00:00Z", "2026-11-18T11:00:00Z"]), hour);
    }
}
