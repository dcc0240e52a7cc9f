//! The schedule of the marking run.

use std::time::Duration;

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// The time of day of the marking run.
const RUN_AT: Time = Time::constant(0, 40, 0, 0);
/// The first pause after a failed run; each further one is twice as long.
const MIN_RETRY_DELAY: Duration = Duration::from_secs(60);
/// The longest pause.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(60 * 60);

/// A schedule with one marking run for each local date, at or after 00:40; a missed run is due at once.
#[derive(Debug, Clone)]
pub struct Schedule {
    zone: TimeZone,
    /// The date of the last successful run.
    last: Option<Date>,
    failures: u32,
    not_before: Option<Timestamp>,
}

impl Schedule {
    /// Creates a schedule in a time zone, with the date of the last run.
    #[must_use]
    pub fn new(zone: TimeZone, last: Option<Date>) -> Self {
        Self {
            zone,
            last,
            failures: 0,
            not_before: None,
        }
    }

    /// Returns the date of the last successful run.
    #[must_use]
    pub fn last(&self) -> Option<Date> {
        self.last
    }

    /// Returns true if a run is due.
    #[must_use]
    pub fn is_due(&self, now: Timestamp) -> bool {
        if self.not_before.is_some_and(|not_before| now < not_before) {
            return false;
        }
        let date = self.latest_run_date(now);
        self.last.is_none_or(|last| last < date)
    }

    /// Records a successful run.
    pub fn succeeded(&mut self, now: Timestamp) {
        self.last = Some(self.latest_run_date(now));
        self.failures = 0;
        self.not_before = None;
    }

    /// Records a failed run; the next one is due after a pause.
    pub fn record_failure(&mut self, now: Timestamp) {
        let pause = MIN_RETRY_DELAY
            .saturating_mul(1 << self.failures.min(10))
            .min(MAX_RETRY_DELAY);
        self.failures += 1;
        self.put_off(now + pause);
    }

    /// Delays the next run until this instant.
    pub fn put_off(&mut self, until: Timestamp) {
        self.not_before = Some(until);
    }

    /// Returns the latest date whose 00:40 has passed. A date without a 00:40 counts from the first instant
    /// after the gap; one with two counts from the first.
    fn latest_run_date(&self, now: Timestamp) -> Date {
        let date = now.to_zoned(self.zone.clone()).date();
        let run = date.to_datetime(RUN_AT);
        // In a gap this is the first instant after it, at the same distance from midnight; in a fold it is
        // the earlier one.
        let begun = self.zone.to_ambiguous_timestamp(run).compatible();
        match begun {
            Ok(begun) if now < begun => date.saturating_sub(1.days()),
            Ok(_) | Err(_) => date,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn schedule(zone: &str) -> Schedule {
        Schedule::new(TimeZone::get(zone).unwrap(), None)
    }

    #[test]
    fn runs_once_a_date_after_forty_past_midnight() {
        let mut schedule = schedule("Asia/Tokyo");
        assert!(
            schedule.is_due(at("2026-02-24T03:00:00Z")),
            "a missed run is made up for"
        );
        schedule.succeeded(at("2026-02-24T03:00:00Z"));
        assert!(!schedule.is_due(at("2026-02-24T15:39:59.999Z")));
        assert!(schedule.is_due(at("2026-02-24T15:40:00Z")));
        schedule.succeeded(at("2026-02-24T15:40:00Z"));
        assert!(!schedule.is_due(at("2026-02-25T15:39:00Z")));
        assert_eq!(schedule.last().unwrap().to_string(), "2026-02-25");
        // Between midnight and 00:40, the run of the day before counts.
        let mut schedule = Schedule::new(TimeZone::get("Asia/Tokyo").unwrap(), None);
        schedule.succeeded(at("2026-02-24T15:10:00Z"));
        assert_eq!(schedule.last().unwrap().to_string(), "2026-02-24");
        assert!(schedule.is_due(at("2026-02-24T15:40:00Z")));
    }

    #[test]
    fn clock_changes_neither_skip_nor_repeat_runs() {
        // 00:00 to 00:59 do not exist on this date.
        let mut santiago = schedule("America/Santiago");
        santiago.succeeded(at("2026-09-05T12:00:00Z"));
        assert!(!santiago.is_due(at("2026-09-06T03:59:59Z")));
        assert!(santiago.is_due(at("2026-09-06T04:40:00Z")));
        santiago.succeeded(at("2026-09-06T04:40:00Z"));
        assert!(!santiago.is_due(at("2026-09-07T02:00:00Z")));
        // 00:40 comes twice on this date, an hour apart.
        let mut azores = schedule("Atlantic/Azores");
        azores.succeeded(at("2026-10-24T12:00:00Z"));
        assert!(azores.is_due(at("2026-10-25T00:40:00Z")));
        azores.succeeded(at("2026-10-25T00:40:00Z"));
        assert!(!azores.is_due(at("2026-10-25T01:40:00Z")));
    }

    #[test]
    fn failed_run_is_repeated_with_growing_pauses() {
        let mut schedule = schedule("UTC");
        let mut now = at("2026-02-24T12:00:00Z");
        for pause in [60, 120, 240] {
            schedule.record_failure(now);
            assert!(!schedule.is_due(now + Duration::from_secs(pause - 1)));
            now += Duration::from_secs(pause);
            assert!(schedule.is_due(now));
        }
        for _ in 0..20 {
            schedule.record_failure(now);
        }
        assert!(schedule.is_due(now + MAX_RETRY_DELAY));
    }
}
