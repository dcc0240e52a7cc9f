//! A guard against jumps of the wall clock: a clock that is a year ahead would expire everything.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// The largest tolerated difference between the two clocks.
const TOLERANCE: SignedDuration = SignedDuration::from_hours(24);
/// The time for which the clock must run steadily before it is trusted again.
pub(crate) const SETTLING: Duration = Duration::from_secs(60 * 60);

/// Compares the wall clock with the monotonic one, and with the last stored time.
#[derive(Debug, Clone, Copy)]
pub struct ClockGuard {
    wall: Timestamp,
    monotonic: Duration,
}

/// A jump of the wall clock by more than a day against the monotonic one, or back from the last stored time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the clock has jumped by {} hours; nothing is deleted for an hour", .jump.as_hours())]
pub struct ClockJump {
    /// The length of the jump; negative for a jump back.
    pub jump: SignedDuration,
    /// The time at which the clock is trusted again, unless it jumps again.
    pub until: Timestamp,
}

impl ClockGuard {
    /// Creates a guard that starts now. `last_seen` is the wall clock of an earlier launch, if known: only a
    /// clock that is more than a day behind it is suspicious, because the machine may have been off for
    /// months.
    ///
    /// # Errors
    /// [`ClockJump`], next to the guard, if the clock is behind the last stored time.
    #[must_use]
    pub fn begin(
        now: Timestamp,
        monotonic: Duration,
        last_seen: Option<Timestamp>,
    ) -> (Self, Option<ClockJump>) {
        let guard = Self {
            wall: now,
            monotonic,
        };
        let behind = last_seen.map(|seen| now.duration_since(seen));
        let jump = behind.filter(|jump| *jump < -TOLERANCE);
        (guard, jump.map(|jump| ClockJump::at(jump, now)))
    }

    /// Compares the clocks and continues from these readings. Sleep counts as a jump of the wall clock only
    /// beyond a day; a run then waits an hour, which costs nothing.
    pub fn check(&mut self, now: Timestamp, monotonic: Duration) -> Result<(), ClockJump> {
        let passed = monotonic.saturating_sub(self.monotonic);
        let passed = SignedDuration::try_from(passed).unwrap_or(SignedDuration::MAX);
        let jump = now.duration_since(self.wall) - passed;
        *self = Self {
            wall: now,
            monotonic,
        };
        match jump.abs() > TOLERANCE {
            true => Err(ClockJump::at(jump, now)),
            false => Ok(()),
        }
    }
}

impl ClockJump {
    fn at(jump: SignedDuration, now: Timestamp) -> Self {
        Self {
            jump,
            until: now + SETTLING,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    #[test]
    fn jumps_of_more_than_a_day_are_suspicious() {
        let start: Timestamp = "2026-02-24T12:00:00Z".parse().unwrap();
        let (mut guard, clock_jump) = ClockGuard::begin(start, Duration::ZERO, None);
        assert_eq!(clock_jump, None);
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
    fn clock_behind_an_earlier_launch_is_suspicious() {
        let seen: Timestamp = "2026-02-24T12:00:00Z".parse().unwrap();
        let begin = |now| ClockGuard::begin(now, Duration::ZERO, Some(seen)).1;
        assert!(begin(seen - DAY * 2).is_some());
        assert_eq!(begin(seen - DAY), None);
        assert_eq!(begin(seen + DAY * 400), None, "the machine was off");
    }
}
