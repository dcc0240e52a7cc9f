//! The limits themselves.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::Decision;

/// The length of the minute window. An entry of exactly this age is outside.
pub const WINDOW: Duration = Duration::from_secs(60);

/// The numbers of requests that are granted. A limit of 0 grants none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Requests of one client in any 60 seconds.
    pub per_minute: u32,
    /// Requests of one client in a local calendar day.
    pub daily: u32,
    /// Requests of all clients together in a local calendar day; `None` for no limit.
    pub daily_total: Option<NonZeroU32>,
}

impl Limits {
    /// The defaults of the specification: 20 a minute, 1,000 a day.
    pub const DEFAULT: Self = Self {
        per_minute: 20,
        daily: 1000,
        daily_total: None,
    };

    /// Returns the decision if a limit of 0 refuses every request; no count is needed for it. `day_left` is
    /// the number of seconds until the local day ends.
    pub(crate) fn refusal(&self, day_left: u64) -> Option<Decision> {
        if self.daily == 0 {
            return Some(Decision::DailyLimit {
                retry_after: day_left,
            });
        }
        (self.per_minute == 0).then_some(Decision::MinuteLimit {
            retry_after: WINDOW.as_secs(),
        })
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
