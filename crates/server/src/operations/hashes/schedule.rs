//! Rolling verification: its settings, and the part that runs while the program is idle.

use std::sync::Arc;
use std::time::Duration;

use fumikura_hashes::{Report, Schedule, State, Summary, Watch};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use tokio::time::{MissedTickBehavior, interval};
use utoipa::ToSchema;

use super::list::oldest_verification;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::events::Event;

/// The time between two looks at whether there is something to do.
const TICK: Duration = Duration::from_secs(60);
/// The time without requests after which the program is idle.
const IDLE: Duration = Duration::from_secs(60);
/// Bytes that are read before the next look.
const PART: u64 = 2 << 30;

/// The settings of rolling verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct HashSchedule {
    enabled: bool,
    /// Each recorded file is read within so many days.
    days: u32,
    /// The most GiB that are read in a day.
    gib_a_day: u32,
    /// When the record was verified that was verified longest ago; null if one never was.
    oldest_verified_at: Option<Timestamp>,
    /// Records.
    recorded: usize,
}

/// New settings of rolling verification.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewHashSchedule {
    enabled: bool,
    /// 1 to 3650.
    days: u32,
    /// 1 to 100000.
    gib_a_day: u32,
}

impl App {
    /// The settings of rolling verification.
    ///
    /// # Errors
    /// `unsafe_folder`, `storage_failed`.
    pub async fn hash_schedule(self: &Arc<Self>) -> Result<HashSchedule, ErrorBody> {
        Ok(blocking(self, schedule).await?)
    }

    /// Changes the settings of rolling verification.
    ///
    /// # Errors
    /// `invalid_value`, `unsafe_folder`, `hashes_busy`.
    pub async fn set_hash_schedule(
        self: &Arc<Self>,
        new: NewHashSchedule,
    ) -> Result<HashSchedule, ErrorBody> {
        let work = move |app: &App| {
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
            let set = app.own_hash_folder()?.set_schedule(Schedule {
                enabled: new.enabled,
                days: new.days,
                gib_a_day: new.gib_a_day,
            });
            set.map_err(super::folders::unusable)?;
            schedule(app)
        };
        Ok(blocking(self, work).await?)
    }

    /// Calls `listener` with the findings of rolling verification.
    pub fn listen_to_hashes(&self, listener: impl Fn(HashesFound) + Send + Sync + 'static) {
        self.hashes.listen(Box::new(listener));
    }

    /// Verifies a part whenever the program is idle, until it ends.
    pub(crate) async fn verify_while_idle(self: Arc<Self>) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = self.stopped() => return,
                _ = ticks.tick() => {}
            }
            if !self.is_idle(IDLE) {
                continue;
            }
            let outcome = blocking(&self, |app| app.verify_part()).await;
            if let Err(error) = outcome {
                tracing::warn!("rolling verification: {}", error.body().message);
            }
        }
    }

    /// Verifies the next part, and reports what was found.
    fn verify_part(&self) -> Result<(), ApiError> {
        if !self.config.hashes().is_dir() {
            return Ok(());
        }
        let now = self.clock.now();
        let today = now.to_zoned(TimeZone::system()).date();
        let folder = self.own_hash_folder()?;
        let report = folder.verify_next(PART, today, now, &WhileIdle(self))?;
        if let Some(report) = report.filter(|report| !report.summary.is_clean()) {
            self.report_found(&report);
        }
        Ok(())
    }

    fn report_found(&self, report: &Report) {
        let found = HashesFound::from(&report.summary);
        if found == HashesFound::default() {
            return;
        }
        self.events.publish(Event::hashes_found(found));
        self.hashes.tell(found);
    }
}

/// The findings of rolling verification.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct HashesFound {
    /// Files that the disk damaged.
    pub corrupt: u64,
    /// Changed files.
    pub changed: u64,
    /// Files that are gone or cannot be read.
    pub missing: u64,
}

impl From<&Summary> for HashesFound {
    fn from(summary: &Summary) -> Self {
        let count = |states: &[State]| states.iter().map(|state| summary.count(*state)).sum();
        Self {
            corrupt: count(&[State::Corrupt, State::Racy]),
            changed: count(&[State::Changed, State::Altered, State::Differs]),
            missing: count(&[State::Missing, State::Unreadable]),
        }
    }
}

/// Ends the part at the next request.
struct WhileIdle<'a>(&'a App);

impl Watch for WhileIdle<'_> {
    fn advance(&self, _done: u64, _total: u64) -> bool {
        self.0.is_idle(Duration::from_secs(1))
    }
}

fn schedule(app: &App) -> Result<HashSchedule, ApiError> {
    let folder = app.own_hash_folder()?;
    let Schedule {
        enabled,
        days,
        gib_a_day,
    } = folder.schedule().map_err(super::folders::unusable)?;
    let index = app.hashes.index(&folder)?;
    Ok(HashSchedule {
        enabled,
        days,
        gib_a_day,
        oldest_verified_at: oldest_verification(&index),
        recorded: index.rows.len(),
    })
}
