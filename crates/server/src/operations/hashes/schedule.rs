//! Rolling verification: its settings, and its runs while the program is idle.

use std::sync::Arc;
use std::time::Duration;

use fumikura_hashes::{FileState, PartBounds, Report, RunObserver, Schedule, StoredFiles, Summary};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use tokio::time::{MissedTickBehavior, interval};
use utoipa::ToSchema;

use super::list::oldest_verification;
use super::wiki_files::{self, WikiFiles};
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::events::{Event, HashesFound};
use crate::services::Hashes;
use crate::stopping::Stopping;

/// The time between two checks for work.
const TICK: Duration = Duration::from_secs(60);
/// The time without requests after which the program is idle.
const IDLE: Duration = Duration::from_secs(60);
/// The number of bytes that are read between two checks.
const PART_BYTES: u64 = 2 << 30;

/// The settings of rolling verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct HashSchedule {
    enabled: bool,
    /// The number of days within which each recorded file is read.
    days: u32,
    /// The maximum number of GiB read per day.
    gib_a_day: u32,
    /// The oldest time of a last verification, of recorded files and files of the wiki; null if one was never
    /// verified.
    oldest_verified_at: Option<Timestamp>,
    /// The number of records.
    recorded: usize,
    /// The number of files of the wiki.
    wiki_files: usize,
    /// The number of files that the last verification found changed, missing or unreadable, and of unusable
    /// records.
    unsound: usize,
}

/// New settings of rolling verification.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewHashSchedule {
    enabled: bool,
    /// 1 to 3650.
    days: u32,
    /// 1 to 100000.
    gib_a_day: u32,
}

impl Hashes {
    /// Returns the settings of rolling verification.
    ///
    /// # Errors
    /// `unsafe_folder`, `storage_failed`.
    pub(crate) async fn schedule(self: &Arc<Self>) -> Result<HashSchedule, ErrorBody> {
        Ok(blocking(self, schedule).await?)
    }

    /// Changes the settings of rolling verification.
    ///
    /// # Errors
    /// `invalid_value`, `unsafe_folder`, `hashes_busy`.
    pub(crate) async fn set_schedule(
        self: &Arc<Self>,
        new: NewHashSchedule,
    ) -> Result<HashSchedule, ErrorBody> {
        let work = move |hashes: &Hashes| {
            if !Schedule::DAYS.contains(&new.days) {
                return Err(ApiError::new(
                    ErrorCode::InvalidValue,
                    "days is from 1 to 3650",
                ));
            }
            if !Schedule::GIB_A_DAY.contains(&new.gib_a_day) {
                let message = "gib_a_day is from 1 to 100000";
                return Err(ApiError::new(ErrorCode::InvalidValue, message));
            }
            let set = hashes.own_hash_folder()?.set_schedule(Schedule {
                enabled: new.enabled,
                days: new.days,
                gib_a_day: new.gib_a_day,
            });
            set.map_err(super::state::unusable)?;
            schedule(hashes)
        };
        Ok(blocking(self, work).await?)
    }

    /// Sets the listener for the findings of rolling verification.
    pub fn listen(&self, listener: impl Fn(HashesFound) + Send + Sync + 'static) {
        self.folders.listen(Box::new(listener));
    }

    /// Verifies a part whenever the program is idle, until the program stops.
    pub(crate) async fn verify_while_idle(self: Arc<Self>, stopping: Arc<Stopping>) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = stopping.started() => return,
                _ = ticks.tick() => {}
            }
            if !self.is_idle(IDLE) {
                continue;
            }
            if let Err(error) = self.verify_next_part().await {
                tracing::warn!("rolling verification: {}", error.message);
            }
        }
    }

    /// Verifies the next part of the recorded files and of the wiki's files, and publishes the findings.
    ///
    /// # Errors
    /// `unsafe_folder`, `hashes_busy`, `storage_failed`.
    pub async fn verify_next_part(self: &Arc<Self>) -> Result<(), ErrorBody> {
        Ok(blocking(self, Self::verify_part).await?)
    }

    fn verify_part(&self) -> Result<(), ApiError> {
        if !self.folders.own.is_dir() {
            return Ok(());
        }
        let now = self.clock.now();
        let today = now.to_zoned(TimeZone::system()).date();
        let folder = self.own_hash_folder()?;
        if !folder.schedule().map_err(super::state::unusable)?.enabled {
            return Ok(());
        }
        let part = PartBounds {
            bytes: PART_BYTES,
            today,
            now,
        };
        let stored = StoredFiles {
            files: &wiki_files::stored_files(self)?,
            is_stored: &|file| wiki_files::is_stored(self, file),
        };
        let report = folder.verify_next(part, &stored, &IdleObserver(self))?;
        if let Some(report) = report.filter(|report| !report.summary.is_clean()) {
            self.report_found(&report);
        }
        Ok(())
    }

    /// Returns true if no request has arrived for this time, and no job is running.
    fn is_idle(&self, quiet: Duration) -> bool {
        self.activity.quiet_for(self.clock.monotonic()) >= quiet && !self.runner.jobs.has_active()
    }

    fn report_found(&self, report: &Report) {
        let found = HashesFound::from(&report.summary);
        if found == HashesFound::default() {
            return;
        }
        self.events.publish(Event::hashes_found(found));
        self.folders.publish(found);
    }
}

impl From<&Summary> for HashesFound {
    fn from(summary: &Summary) -> Self {
        let count = |states: &[FileState]| states.iter().map(|state| summary.count(*state)).sum();
        Self {
            corrupt: count(&[FileState::Corrupt, FileState::Racy]),
            changed: count(&[FileState::Changed, FileState::Altered, FileState::Differs]),
            missing: count(&[FileState::Missing, FileState::Unreadable]),
        }
    }
}

/// An observer that ends the part at the next request.
struct IdleObserver<'a>(&'a Hashes);

impl RunObserver for IdleObserver<'_> {
    fn advance(&self, _done: u64, _total: u64) -> bool {
        self.0.is_idle(Duration::from_secs(1))
    }
}

fn schedule(hashes: &Hashes) -> Result<HashSchedule, ApiError> {
    let folder = hashes.own_hash_folder()?;
    let Schedule {
        enabled,
        days,
        gib_a_day,
    } = folder.schedule().map_err(super::state::unusable)?;
    let index = hashes.folders.index(&folder)?;
    let files = WikiFiles::read(hashes)?;
    // A source without files has no oldest verification, and delays nothing.
    let recorded = (index.rows.len(), oldest_verification(&index));
    let of_wiki = (files.len(), files.oldest_verification());
    let sources = [recorded, of_wiki].into_iter();
    let oldest = sources.filter(|(files, _)| *files > 0);
    let states = index.rows.values().map(|row| row.state);
    let problems = index.problems.iter().map(|problem| Some(problem.state));
    let states = states.chain(problems).chain(files.states());
    Ok(HashSchedule {
        enabled,
        days,
        gib_a_day,
        oldest_verified_at: oldest.map(|(_, at)| at).min().flatten(),
        recorded: index.rows.len(),
        wiki_files: files.len(),
        unsound: states.filter(|state| state.is_some_and(is_unsound)).count(),
    })
}

/// True if a file in this state was not verified, or a record is unusable.
fn is_unsound(state: FileState) -> bool {
    match state {
        FileState::Ok
        | FileState::Touched
        | FileState::New
        | FileState::Legacy
        | FileState::Foreign => false,
        FileState::Changed
        | FileState::Corrupt
        | FileState::Altered
        | FileState::Moved
        | FileState::Missing
        | FileState::RootAway
        | FileState::Unreadable
        | FileState::Racy
        | FileState::Differs
        | FileState::Orphan
        | FileState::Malformed
        | FileState::Collision => true,
    }
}
