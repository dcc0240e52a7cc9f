//! The parameter `at` of reading operations: the wiki as of a moment.

use fumikura_base::clock::Clock;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::error::{ApiError, ErrorCode};

/// The description of the parameter.
pub(super) const AT: &str = "The wiki as of this moment: RFC 3339, or a time or the end of a day in the server's time \
    zone (`2026-05-12T14:30`, `2026-05-12`); never in the future";

/// The difference of a browser's clock that is accepted.
const CLOCKS_APART: SignedDuration = SignedDuration::from_secs(60);

/// Reads the parameter.
pub(super) fn moment(at: Option<&str>, clock: &dyn Clock) -> Result<Option<Timestamp>, ApiError> {
    let now = clock.now();
    let moment = at.map(|at| {
        let read = read(at, now, TimeZone::system());
        read.map_err(|reason| ApiError::new(ErrorCode::InvalidTime, format!("{at:?} {reason}")))
    });
    moment.transpose()
}

/// Reads the parameter of an operation that also has a revision.
pub(super) fn moment_of(
    revision: Option<u64>,
    at: Option<&str>,
    clock: &dyn Clock,
) -> Result<Option<Timestamp>, ApiError> {
    if revision.is_some() && at.is_some() {
        let message = "rev and at exclude each other: give only one";
        return Err(ApiError::new(ErrorCode::BadRequest, message));
    }
    moment(at, clock)
}

/// Reads a moment, or returns the reason why it is none. Today's end is now.
fn read(text: &str, now: Timestamp, zone: TimeZone) -> Result<Timestamp, &'static str> {
    const UNREADABLE: &str = "is not a time such as 2026-05-12T14:30:00Z, nor a date";
    let moment = if let Ok(moment) = text.parse() {
        moment
    } else if let Ok(day) = Date::strptime("%Y-%m-%d", text) {
        let is_today = now.to_zoned(zone.clone()).date() == day;
        let end = day.to_zoned(zone).and_then(|start| start.end_of_day());
        let end = end.map_err(|_out_of_range| UNREADABLE)?;
        if is_today { now } else { end.timestamp() }
    } else {
        let time: DateTime = text.parse().map_err(|_invalid| UNREADABLE)?;
        let zoned = time.to_zoned(zone).map_err(|_out_of_range| UNREADABLE)?;
        zoned.timestamp()
    };
    if moment.duration_since(now) > CLOCKS_APART {
        return Err("is in the future");
    }
    Ok(moment.min(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        let now = "2026-11-18T12:00:00Z".parse().unwrap();
        let zone = TimeZone::fixed(jiff::tz::offset(9));
        let found = read(text, now, zone).map(|moment| moment.to_string());
        let found = found.as_deref().map_err(|reason| *reason);
        match (found, expected) {
            (Err(found), Err(expected)) => assert!(found.contains(expected), "{text}: {found}"),
            (found, expected) => assert_eq!(found, expected, "{text}"),
        }
    }

    #[test]
    fn moments_are_times_or_ends_of_days() {
        check("2026-05-12T14:30:00Z", Ok("2026-05-12T14:30:00Z"));
        check("2026-05-12T14:30:00.5+09:00", Ok("2026-05-12T05:30:00.5Z"));
        check("2026-05-12T14:30", Ok("2026-05-12T05:30:00Z"));
        check("2026-05-12 14:30", Ok("2026-05-12T05:30:00Z"));
        check("2026-05-12", Ok("2026-05-12T14:59:59.999999999Z"));
        check("2026-11-18", Ok("2026-11-18T12:00:00Z"));
    }

    #[test]
    fn other_texts_are_no_moments() {
        for text in ["", "yesterday", "2026-13-01", "2026-05-12T25:00", "12"] {
            check(text, Err("is not a time"));
        }
        check("2026-11-18T12:00:59Z", Ok("2026-11-18T12:00:00Z"));
        for text in ["2026-11-18T12:01:01Z", "2026-11-19", "2026-11-18T21:02"] {
            check(text, Err("in the future"));
        }
    }
}
