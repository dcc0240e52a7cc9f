//! Local calendar days.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// The days of one time zone. The days around the last instant are cached, because most queries are about
/// today.
#[derive(Debug, Clone)]
pub struct Calendar {
    zone: TimeZone,
    cached: Option<Days>,
}

/// Three successive days: the one of an instant, and its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Days {
    dates: [Date; 3],
    /// The starts of the three days, and of the fourth, in seconds since 1970.
    starts: [i64; 4],
}

/// The index of the current day in the arrays of [`Days`].
const TODAY: usize = 1;

impl Calendar {
    /// Returns the calendar of `zone`.
    #[must_use]
    pub fn new(zone: TimeZone) -> Self {
        Self { zone, cached: None }
    }

    /// Returns the calendar of the system's time zone.
    #[must_use]
    pub fn system() -> Self {
        Self::new(TimeZone::system())
    }

    /// Returns the day of `now`, and its neighbours.
    pub(crate) fn days_around(&mut self, now: Timestamp) -> Days {
        if let Some(days) = self.cached.filter(|days| days.is_today(now)) {
            return days;
        }
        let days = Days::days_around(&self.zone, now);
        *self.cached.insert(days)
    }
}

impl Days {
    fn days_around(zone: &TimeZone, now: Timestamp) -> Self {
        let today = now.to_zoned(zone.clone()).date();
        let date = |offset: i64| today.saturating_add(offset.days());
        // A day without a local midnight starts with its first instant. Instants outside the calendar's range
        // are the last.
        let start = |date: Date| {
            let midnight = date.to_zoned(zone.clone());
            let start = midnight.and_then(|midnight| midnight.start_of_day());
            start
                .map_or(Timestamp::MAX, |start| start.timestamp())
                .as_second()
        };
        Self {
            dates: [date(-1), today, date(1)],
            starts: [
                start(date(-1)),
                start(today),
                start(date(1)),
                start(date(2)),
            ],
        }
    }

    fn is_today(&self, now: Timestamp) -> bool {
        (self.starts[TODAY]..self.starts[TODAY + 1]).contains(&now.as_second())
    }

    pub(crate) fn today(&self) -> Date {
        self.dates[TODAY]
    }

    pub(crate) fn dates(&self) -> [Date; 3] {
        self.dates
    }

    pub(crate) fn starts(&self) -> [i64; 4] {
        self.starts
    }

    /// Returns the seconds until today ends, rounded up; at least 1.
    pub(crate) fn left(&self, now: Timestamp) -> u64 {
        let end = self.starts[TODAY + 1];
        u64::try_from(end - now.as_second()).unwrap_or(0).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(zone: &str, now: &str, date: &str, left: u64) {
        let zone = TimeZone::get(zone).unwrap();
        let now: Timestamp = now.parse().unwrap();
        let days = Calendar::new(zone).days_around(now);
        assert_eq!(
            (days.today().to_string().as_str(), days.left(now)),
            (date, left)
        );
    }

    #[test]
    fn days_end_at_local_midnight() {
        check("Asia/Tokyo", "2026-02-24T14:59:59Z", "2026-02-24", 1);
        check("Asia/Tokyo", "2026-02-24T14:59:59.9Z", "2026-02-24", 1);
        check("Asia/Tokyo", "2026-02-24T15:00:00Z", "2026-02-25", 86_400);
        check("Asia/Tokyo", "2026-01-31T15:00:00Z", "2026-02-01", 86_400);
        check("Asia/Tokyo", "2028-02-28T15:00:00Z", "2028-02-29", 86_400);
    }

    #[test]
    fn days_of_clock_changes_have_their_own_length() {
        // 23 and 25 hours.
        check(
            "Europe/Berlin",
            "2026-03-28T23:00:00Z",
            "2026-03-29",
            23 * 3600,
        );
        check(
            "Europe/Berlin",
            "2026-10-24T22:00:00Z",
            "2026-10-25",
            25 * 3600,
        );
        // 00:00 does not exist: the day starts at 01:00.
        check("America/Santiago", "2026-09-06T03:59:59Z", "2026-09-05", 1);
        check(
            "America/Santiago",
            "2026-09-06T04:00:00Z",
            "2026-09-06",
            23 * 3600,
        );
    }

    #[test]
    fn cache_follows_the_day() {
        let mut calendar = Calendar::new(TimeZone::UTC);
        let mut date = |now: &str| {
            calendar
                .days_around(now.parse().unwrap())
                .today()
                .to_string()
        };
        assert_eq!(date("2026-02-24T10:00:00Z"), "2026-02-24");
        assert_eq!(date("2026-02-24T23:59:59Z"), "2026-02-24");
        assert_eq!(date("2026-02-25T00:00:00Z"), "2026-02-25");
        assert_eq!(date("2026-02-24T23:59:59Z"), "2026-02-24");
    }
}
