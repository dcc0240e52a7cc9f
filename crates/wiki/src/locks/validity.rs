//! Decides if a lock counts at a moment: by its own lifetime, and by the extra time after the
//! machine has slept or its clock was set back.
//!
//! A sleeping machine renews nothing, so a lock that expired meanwhile counts for another minute
//! after waking. Sleep is detected by comparing the clocks: the wall clock has run ahead of the
//! monotonic one, which stops during sleep. The clocks are compared on each decision about a lock.

use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;

use crate::id::{LockToken, PageId, UserId};
use crate::model::lock::LockInfo;

/// The largest difference between the clocks' progress that counts as a correction of one of them.
const TOLERANCE: SignedDuration = SignedDuration::from_secs(5);
/// The time after waking for which a lock counts that expired while the machine slept.
const GRACE: Duration = Duration::from_secs(60);

/// A moment at which locks are evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    now: Timestamp,
    /// The reading of the monotonic clock.
    awake: Duration,
    grace: Option<Grace>,
}

/// A period in which certain locks count, regardless of the wall clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Grace {
    /// The grace covers the locks that counted at this time.
    since: Timestamp,
    /// The reading of the monotonic clock at the end of the period.
    until: Duration,
}

impl Moment {
    /// The first moment, without a previous one to compare with.
    pub(crate) fn first(clock: &dyn Clock) -> Self {
        Self {
            now: clock.now(),
            awake: clock.monotonic(),
            grace: None,
        }
    }

    /// True if the lock holds its page.
    pub(crate) fn is_active(&self, lock: &LockInfo) -> bool {
        self.is_unexpired(lock) || self.grace_of(lock).is_some()
    }

    /// The time at which the lock ends unless it is renewed.
    pub(crate) fn end(&self, lock: &LockInfo) -> Timestamp {
        let end_of_grace = self.grace_of(lock).map(|left| self.now + left);
        match (self.is_unexpired(lock), end_of_grace) {
            (true, Some(end_of_grace)) => lock.expire.max(end_of_grace),
            (false, Some(end_of_grace)) => end_of_grace,
            (true | false, None) => lock.expire,
        }
    }

    /// True if the lock has begun and not ended. A lock that begins later was granted before the
    /// clock was set back. It could otherwise last longer by that difference.
    fn is_unexpired(&self, lock: &LockInfo) -> bool {
        let ahead = lock.token.timestamp().duration_since(self.now);
        ahead <= TOLERANCE && self.now < lock.expire
    }

    /// The remaining grace of the lock.
    fn grace_of(&self, lock: &LockInfo) -> Option<Duration> {
        let grace = self.grace.filter(|grace| lock.expire > grace.since)?;
        grace.until.checked_sub(self.awake)
    }

    /// The moment after this one, at the readings `now` and `awake`. `lifetime` is that of a lock.
    fn next(&self, now: Timestamp, awake: Duration, lifetime: Duration) -> Self {
        let passed = SignedDuration::try_from(awake.saturating_sub(self.awake));
        let passed = passed.unwrap_or(SignedDuration::MAX);
        let ahead = now.duration_since(self.now).saturating_sub(passed);
        let duration = if ahead > TOLERANCE {
            Some(GRACE)
        } else if ahead < -TOLERANCE {
            // The clock was set back. No lock becomes shorter by that, and none lasts longer than a new one.
            Some(lifetime)
        } else {
            None
        };
        // Locks that count by grace when the machine falls asleep again get the next grace too.
        let since = self.grace.map_or(self.now, |old| old.since.min(self.now));
        let grace = match (duration, self.grace) {
            (Some(duration), old) => {
                let until = awake.saturating_add(duration);
                let until = old.map_or(until, |old| until.max(old.until));
                Some(Grace { since, until })
            }
            (None, old) => old.filter(|old| awake < old.until),
        };
        Self { now, awake, grace }
    }
}

/// The clocks of locks, with the last evaluated moment, to which the next one is compared.
pub(crate) struct LockTime {
    clock: Arc<dyn Clock>,
    last: Mutex<Moment>,
    lifetime: Duration,
}

impl LockTime {
    /// Reads the clocks for the first time.
    pub(crate) fn new(clock: Arc<dyn Clock>, lifetime: Duration) -> Self {
        Self {
            last: Mutex::new(Moment::first(&*clock)),
            clock,
            lifetime,
        }
    }

    /// Reads the clocks.
    pub(crate) fn moment(&self) -> Moment {
        let mut last = self.last.lock();
        *last = last.next(self.clock.now(), self.clock.monotonic(), self.lifetime);
        *last
    }

    /// The lifetime of a lock from its token's time.
    pub(crate) fn lifetime(&self) -> Duration {
        self.lifetime
    }

    /// Generates a lock with the full lifetime.
    pub(crate) fn new_lock(&self, page: PageId, user: UserId, entropy: &dyn Entropy) -> LockInfo {
        let token = LockToken::generate(self.clock.now(), entropy);
        LockInfo {
            token,
            page,
            user,
            // The lifetime counts from the token's own time (to the millisecond), so that the two agree.
            expire: token.timestamp() + self.lifetime,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fumikura_base::entropy::SeededEntropy;

    const LIFETIME: u64 = 300;

    /// Readings of the clocks in seconds: wall, monotonic.
    type Readings = (i64, u64);

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_790_000_000 + second).unwrap()
    }

    fn lock(begun: i64) -> LockInfo {
        let entropy = SeededEntropy::new(1);
        LockInfo {
            token: LockToken::generate(at(begun), &entropy),
            page: PageId::generate(at(0), &entropy),
            user: UserId::generate(at(0), &entropy),
            expire: at(begun) + Duration::from_secs(LIFETIME),
        }
    }

    fn moment(readings: &[Readings]) -> Moment {
        let mut clocks = readings
            .iter()
            .map(|(now, awake)| (at(*now), Duration::from_secs(*awake)));
        let (now, awake) = clocks.next().unwrap();
        let first = Moment {
            now,
            awake,
            grace: None,
        };
        clocks.fold(first, |moment, (now, awake)| {
            moment.next(now, awake, Duration::from_secs(LIFETIME))
        })
    }

    /// Checks if a lock that was granted at second 0 counts after these readings, and its end.
    #[track_caller]
    fn check(readings: &[Readings], expected: Option<i64>) {
        let (moment, lock) = (moment(readings), lock(0));
        let end = moment.is_active(&lock).then(|| moment.end(&lock));
        assert_eq!(end, expected.map(at), "{readings:?}");
    }

    #[test]
    fn lock_lasts_its_lifetime_while_awake() {
        check(&[(0, 0), (299, 299)], Some(300));
        check(&[(0, 0), (300, 300)], None);
        // A small correction of the clock does not count as sleep.
        check(&[(0, 0), (300, 295)], None);
        check(&[(0, 0), (290, 290), (300, 296), (306, 301)], None);
    }

    #[test]
    fn lock_expired_in_sleep_gets_a_minute() {
        check(&[(0, 0), (10, 10), (4_010, 10)], Some(4_070));
        check(&[(0, 0), (10, 10), (4_010, 10), (4_069, 69)], Some(4_070));
        check(&[(0, 0), (10, 10), (4_010, 10), (4_070, 70)], None);
        // No reading for a while before it falls asleep, and when it wakes.
        check(&[(0, 0), (9_000, 200)], Some(9_060));
        check(&[(0, 0), (9_000, 200), (9_061, 261)], None);
    }

    #[test]
    fn short_sleep_does_not_shorten_a_lock() {
        check(&[(0, 0), (100, 10)], Some(300));
        check(&[(0, 0), (100, 10), (299, 209)], Some(300));
        check(&[(0, 0), (100, 10), (300, 210)], None);
        // The lock would end within the minute.
        check(&[(0, 0), (270, 10)], Some(330));
        check(&[(0, 0), (270, 10), (329, 69)], Some(330));
    }

    #[test]
    fn lock_expired_before_sleep_stays_expired() {
        check(&[(0, 0), (301, 301), (4_000, 301)], None);
        check(&[(0, 0), (4_000, 10), (4_070, 80), (8_000, 80)], None);
    }

    #[test]
    fn each_of_two_sleeps_gives_a_minute() {
        let twice = [(0, 0), (4_000, 10), (4_030, 40), (8_000, 40)];
        check(&twice, Some(8_060));
        check(&[&twice[..], &[(8_061, 101)]].concat(), None);
    }

    #[test]
    fn lock_granted_after_waking_lasts_its_lifetime() {
        let readings = [(0, 0), (4_000, 10), (4_020, 30), (4_100, 110)];
        let renewed = lock(4_020);
        assert!(moment(&readings).is_active(&renewed));
        assert_eq!(moment(&readings).end(&renewed), at(4_320));
        let later = [&readings[..], &[(4_320, 330)]].concat();
        assert!(!moment(&later).is_active(&renewed));
    }

    #[test]
    fn clock_set_back_neither_ends_nor_extends_locks() {
        check(&[(0, 0), (10, 10), (-7_190, 10)], Some(-6_890));
        check(
            &[(0, 0), (10, 10), (-7_190, 10), (-6_891, 309)],
            Some(-6_890),
        );
        check(&[(0, 0), (10, 10), (-7_190, 10), (-6_890, 310)], None);
        // By less than the lock's age: its own lifetime continues.
        check(&[(0, 0), (100, 100), (50, 100)], Some(350));
        check(&[(0, 0), (100, 100), (50, 100), (350, 400)], None);
        // Back, and then right again.
        let readings = [(0, 0), (10, 10), (-7_190, 10), (20, 20)];
        check(&readings, Some(310));
        check(&[&readings[..], &[(311, 311)]].concat(), None);
    }
}
