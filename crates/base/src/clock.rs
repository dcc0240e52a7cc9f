//! Time as an argument: the trait that everything asks, the system's clock, and one for tests.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use jiff::Timestamp;

/// Where the time comes from.
///
/// Two readings, because they tell different stories: the wall clock is what people see and what
/// is stored; the monotonic one only ever counts the time that this process was awake, so that a
/// machine that slept is recognised by the wall clock having run ahead.
pub trait Clock: Send + Sync + 'static {
    /// The wall clock, in UTC.
    fn now(&self) -> Timestamp;

    /// Time since some fixed moment in this process's life; never goes back.
    fn monotonic(&self) -> Duration;
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    started: Instant,
}

impl SystemClock {
    /// A clock whose monotonic reading starts at zero now.
    #[must_use]
    pub fn new() -> Self {
        Self {
            started: Instant::now(),
        }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }
}

/// A clock that stands still until it is told to move.
#[derive(Debug)]
pub struct ManualClock {
    reading: Mutex<Reading>,
}

#[derive(Debug, Clone, Copy)]
struct Reading {
    now: Timestamp,
    monotonic: Duration,
}

impl ManualClock {
    /// A clock that shows `now`.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self {
            reading: Mutex::new(Reading {
                now,
                monotonic: Duration::ZERO,
            }),
        }
    }

    /// Lets both readings run on by `by`.
    pub fn advance(&self, by: Duration) {
        let mut reading = self.lock();
        reading.now += by;
        reading.monotonic += by;
    }

    /// Lets only the wall clock run on, as it does while the machine sleeps.
    pub fn sleep(&self, by: Duration) {
        self.lock().now += by;
    }

    /// Puts the wall clock back, as someone who sets it may.
    pub fn put_back(&self, by: Duration) {
        self.lock().now -= by;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Reading> {
        self.reading
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        self.lock().now
    }

    fn monotonic(&self) -> Duration {
        self.lock().monotonic
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_moves_the_wall_clock_alone() {
        let clock = ManualClock::new(Timestamp::UNIX_EPOCH);
        clock.advance(Duration::from_secs(5));
        clock.sleep(Duration::from_secs(60));
        assert_eq!(clock.now().as_second(), 65);
        assert_eq!(clock.monotonic(), Duration::from_secs(5));
    }
}
