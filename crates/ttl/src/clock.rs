//! A guard against jumps of the wall clock: a clock that is a year ahead would expire everything.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// The largest tolerated difference between the two clocks.
const TOLERANCE: SignedDuration = SignedDuration::from_hours(24);
/// The longest time for which a machine may have been off without doubt about its clock.
const MAX_OFF: SignedDuration = SignedDuration::from_hours(30 * 24);
/// The time for which the clock must run steadily before it is trusted again, by the monotonic clock.
const SETTLING: Duration = Duration::from_secs(60 * 60);

/// Compares the wall clock with the monotonic one, and with the last stored time. After a jump, the clock is trusted
/// again only by a comparison at least an hour later.
#[derive(Debug, Clone, Copy)]
pub struct ClockGuard {
    wall: Timestamp,
    monotonic: Duration,
    doubt: Option<Doubt>,
}

/// A jump after which the clock is not trusted yet.
#[derive(Debug, Clone, Copy)]
struct Doubt {
    jump: SignedDuration,
    /// The monotonic time from which a comparison may end the doubt.
    ends: Duration,
}

/// A jump of the wall clock by more than a day against the monotonic one, or from the last stored time: by more than a
/// day back, or by more than 30 days ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the clock has jumped by {} hours; nothing is deleted for an hour", .jump.as_hours())]
pub struct ClockJump {
    /// The length of the jump; negative for a jump back.
    pub jump: SignedDuration,
    /// The time at which the clock is trusted again, unless it jumps again.
    pub until: Timestamp,
}

impl ClockGuard {
    /// Creates a guard that starts now. `last_seen` is the wall clock of an earlier launch, if known. The machine may
    /// have been off since, but the longer the time, the more likely is a clock that is ahead.
    #[must_use]
    pub fn begin(now: Timestamp, monotonic: Duration, last_seen: Option<Timestamp>) -> Self {
        let jump = last_seen.map(|seen| now.duration_since(seen));
        let jump = jump.filter(|jump| *jump < -TOLERANCE || *jump > MAX_OFF);
        Self {
            wall: now,
            monotonic,
            doubt: jump.map(|jump| Doubt::since(monotonic, jump)),
        }
    }

    /// Compares the clocks and continues from these readings. Sleep counts as a jump of the wall clock only
    /// beyond a day; a run then waits an hour, which costs nothing.
    ///
    /// # Errors
    /// [`ClockJump`] as long as the clock is not trusted.
    pub fn check(&mut self, now: Timestamp, monotonic: Duration) -> Result<(), ClockJump> {
        let passed = monotonic.saturating_sub(self.monotonic);
        let passed = SignedDuration::try_from(passed).unwrap_or(SignedDuration::MAX);
        let jump = now.duration_since(self.wall) - passed;
        self.wall = now;
        self.monotonic = monotonic;
        if jump.abs() > TOLERANCE {
            self.doubt = Some(Doubt::since(monotonic, jump));
        }
        self.doubt = self.doubt.filter(|doubt| monotonic < doubt.ends);
        match self.doubt {
            None => Ok(()),
            Some(Doubt { jump, ends }) => Err(ClockJump {
                jump,
                until: now + ends.saturating_sub(monotonic),
            }),
        }
    }
}

impl Doubt {
    fn since(monotonic: Duration, jump: SignedDuration) -> Self {
        Self {
            jump,
            ends: monotonic + SETTLING,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const DAY: Duration = Duration::from_secs(86_400);

    fn noon() -> Timestamp {
        "2026-02-24T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn jumps_of_more_than_a_day_are_suspicious() {
        let start = noon();
        let mut guard = ClockGuard::begin(start, Duration::ZERO, None);
        assert_eq!(guard.check(start + DAY * 30, DAY * 30), Ok(()));
        // A day of sleep, but not more.
        assert_eq!(guard.check(start + DAY * 31, DAY * 30), Ok(()));
        let year_ahead = start + DAY * 396;
        let clock_jump = guard.check(year_ahead, DAY * 30).unwrap_err();
        assert_eq!(
            (clock_jump.jump.as_hours(), clock_jump.until),
            (365 * 24, year_ahead + SETTLING)
        );
        assert_eq!(
            guard.check(year_ahead + SETTLING, DAY * 30 + SETTLING),
            Ok(())
        );
        assert!(guard.check(start, DAY * 31).is_err(), "set back");
    }

    #[test]
    fn clock_is_trusted_only_after_an_hour_awake() {
        let start = noon();
        let mut guard = ClockGuard::begin(start, Duration::ZERO, None);
        let ahead = start + DAY * 700;
        assert!(guard.check(ahead, Duration::ZERO).is_err());
        // The machine sleeps for two hours, which is no jump, but no hour of a steady clock either.
        let awake = ahead + SETTLING * 2;
        let clock_jump = guard.check(awake, SECOND).unwrap_err();
        assert_eq!(clock_jump.until, awake + SETTLING - SECOND);
        assert!(guard.check(awake + SETTLING, SETTLING - SECOND).is_err());
        // Corrected within the hour: it begins again.
        let clock_jump = guard.check(start + SETTLING, SETTLING).unwrap_err();
        assert!(clock_jump.jump.is_negative());
        assert_eq!(clock_jump.until, start + SETTLING * 2);
        assert_eq!(guard.check(start + SETTLING * 2, SETTLING * 2), Ok(()));
    }

    #[test]
    fn start_far_from_the_last_known_time_is_suspicious() {
        let seen = noon();
        let begin = |now: Timestamp| {
            let mut guard = ClockGuard::begin(now, SECOND, Some(seen));
            let first = guard.check(now, SECOND);
            let second = guard.check(now + SETTLING, SECOND + SETTLING);
            (first.is_ok(), second.is_ok())
        };
        for near in [seen - DAY, seen, seen + DAY * 30] {
            assert_eq!(begin(near), (true, true), "{near}: the machine was off");
        }
        for far in [seen - DAY * 2, seen + DAY * 31, seen + DAY * 1000] {
            assert_eq!(begin(far), (false, true), "{far}");
        }
    }
}
