//! The schedule of the marking run.

use std::time::Duration;

use jiff::civil::{Date, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
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
    /// The last successful run.
    last: Option<Timestamp>,
    failures: u32,
    not_before: Option<Timestamp>,
}

impl Schedule {
    /// Creates a schedule in a time zone, with the time of the last successful run.
    #[must_use]
    pub fn new(zone: TimeZone, last: Option<Timestamp>) -> Self {
        Self {
            zone,
            last,
            failures: 0,
            not_before: None,
        }
    }

    /// Returns the time of the last successful run.
    #[must_use]
    pub fn last(&self) -> Option<Timestamp> {
        self.last
    }

    /// Returns true if a run is due. A last run in the future was made under a clock that was ahead, and does not
    /// count.
    #[must_use]
    pub fn is_due(&self, now: Timestamp) -> bool {
        if self.is_pausing(now) {
            return false;
        }
        let start = self.latest_start(now);
        self.last.is_none_or(|last| last < start || now < last)
    }

    /// Records a successful run.
    pub fn succeeded(&mut self, now: Timestamp) {
        self.last = Some(now);
        self.failures = 0;
        self.not_before = None;
    }

    /// Records a failed run; the next one is due after a pause.
    pub fn record_failure(&mut self, now: Timestamp) {
        let pause = MIN_RETRY_DELAY
            .saturating_mul(1 << self.failures.min(10))
            .min(MAX_RETRY_DELAY);
        self.failures += 1;
        self.not_before = Some(now + pause);
    }

    /// True during the pause after a failed run. No pause is longer than the longest one, even if the clock was set
    /// back since.
    fn is_pausing(&self, now: Timestamp) -> bool {
        self.not_before
            .is_some_and(|end| now < end && end <= now + MAX_RETRY_DELAY)
    }

    /// Returns the latest time at which a run became due.
    fn latest_start(&self, now: Timestamp) -> Timestamp {
        let today = now.to_zoned(self.zone.clone()).date();
        let yesterday = today.saturating_sub(1.days());
        let starts = [today, yesterday].map(|date| self.start_on(date));
        // Only the ends of the range of timestamps have no such time.
        let past = starts.into_iter().flatten().find(|start| *start <= now);
        past.unwrap_or(now)
    }

    /// Returns the time from which a run is due on a date: its first 00:40, or the first instant after the gap that
    /// contains it.
    fn start_on(&self, date: Date) -> Result<Timestamp, jiff::Error> {
        let run = date.to_datetime(RUN_AT);
        let begun = self.zone.to_ambiguous_timestamp(run);
        let AmbiguousOffset::Gap { before, .. } = begun.offset() else {
            return begun.compatible();
        };
        // By the offset before the gap, the time is at its end or later.
        let in_gap = before.to_timestamp(run)?;
        let end = self.zone.preceding(in_gap + Duration::from_nanos(1)).next();
        end.map_or(Ok(in_gap), |transition| Ok(transition.timestamp()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// Returns a schedule in a zone, which is named or described by a POSIX rule.
    fn schedule(zone: &str) -> Schedule {
        let found = TimeZone::get(zone).or_else(|_| TimeZone::posix(zone));
        Schedule::new(found.unwrap(), None)
    }

    /// Checks that runs become due at exactly these times, after one at `first`.
    #[track_caller]
    fn check_starts(zone: &str, first: &str, starts: &[&str]) {
        let mut schedule = schedule(zone);
        schedule.succeeded(at(first));
        let second = Duration::from_secs(1);
        for start in starts.iter().map(|start| at(start)) {
            assert!(!schedule.is_due(start - second), "{zone}: before {start}");
            assert!(schedule.is_due(start), "{zone}: {start}");
            schedule.succeeded(start);
        }
    }

    #[test]
    fn runs_once_a_date_after_forty_past_midnight() {
        let mut schedule = schedule("Asia/Tokyo");
        let noon = at("2026-02-24T03:00:00Z");
        assert!(schedule.is_due(noon), "a missed run is made up for");
        let starts = ["2026-02-24T15:40:00Z", "2026-02-25T15:40:00Z"];
        check_starts("Asia/Tokyo", "2026-02-24T03:00:00Z", &starts);
        // Between midnight and 00:40, the run of the day before counts.
        check_starts("Asia/Tokyo", "2026-02-24T15:10:00Z", &starts);
        schedule.succeeded(noon);
        assert_eq!(schedule.last(), Some(noon));
    }

    #[test]
    fn clock_changes_neither_skip_nor_repeat_runs() {
        for (zone, before, starts) in [
            // 00:00 to 00:59 do not exist on the first date.
            (
                "America/Santiago",
                "2026-09-05T12:00:00Z",
                ["2026-09-06T04:00:00Z", "2026-09-07T03:40:00Z"],
            ),
            (
                "Africa/Cairo",
                "2026-04-23T12:00:00Z",
                ["2026-04-23T22:00:00Z", "2026-04-24T21:40:00Z"],
            ),
            // The gap begins at 00:40, or ends just after it.
            (
                "XXX0YYY,J60/0:40,J300/3",
                "2026-02-28T12:00:00Z",
                ["2026-03-01T00:40:00Z", "2026-03-01T23:40:00Z"],
            ),
            (
                "XXX0YYY,J60/-0:15,J300/3",
                "2026-02-28T12:00:00Z",
                ["2026-02-28T23:45:00Z", "2026-03-01T23:40:00Z"],
            ),
            // The whole of 30 December did not exist.
            (
                "Pacific/Apia",
                "2011-12-29T12:00:00Z",
                ["2011-12-30T10:00:00Z", "2011-12-30T10:40:00Z"],
            ),
            // 00:40 comes twice on this date, an hour apart.
            (
                "Atlantic/Azores",
                "2026-10-24T12:00:00Z",
                ["2026-10-25T00:40:00Z", "2026-10-26T01:40:00Z"],
            ),
        ] {
            check_starts(zone, before, &starts);
        }
    }

    #[test]
    fn run_under_a_clock_ahead_stops_no_later_one() {
        let mut schedule = schedule("UTC");
        schedule.succeeded(at("2029-02-24T12:00:00Z"));
        schedule.record_failure(at("2029-02-24T13:00:00Z"));
        let now = at("2026-02-24T12:00:00Z");
        assert!(schedule.is_due(now), "the clock was set back");
        schedule.succeeded(now);
        assert!(!schedule.is_due(at("2026-02-25T00:39:59Z")));
        assert!(schedule.is_due(at("2026-02-25T00:40:00Z")));
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
