//! The `Clock` trait, which makes time an argument, with the system's clock and one for tests.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use parking_lot::Mutex;

/// A source of time.
///
/// The wall clock is displayed and stored. The monotonic clock counts only while this process is awake, so a
/// wall clock that is ahead of it shows that the machine was asleep.
pub trait Clock: Send + Sync + 'static {
    /// Returns the wall clock's time, in UTC.
    fn now(&self) -> Timestamp;

    /// Returns the time since some fixed moment in this process's life. It never goes back.
    fn monotonic(&self) -> Duration;
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    started: Instant,
}

impl SystemClock {
    /// Creates a clock whose monotonic reading starts at zero now.
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

/// A clock that advances only on request.
#[derive(Debug)]
pub struct ManualClock {
    reading: Mutex<ClockReading>,
}

#[derive(Debug, Clone, Copy)]
struct ClockReading {
    now: Timestamp,
    monotonic: Duration,
}

impl ManualClock {
    /// Creates a clock that shows `now`.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self {
            reading: Mutex::new(ClockReading {
                now,
                monotonic: Duration::ZERO,
            }),
        }
    }

    /// Advances both readings by `by`.
    pub fn advance(&self, by: Duration) {
        let mut reading = self.lock();
        reading.now += by;
        reading.monotonic += by;
    }

    /// Advances only the wall clock, as when the machine sleeps.
    pub fn sleep(&self, by: Duration) {
        self.lock().now += by;
    }

    /// Sets the wall clock back, as a user may do.
    pub fn put_back(&self, by: Duration) {
        self.lock().now -= by;
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, ClockReading> {
        self.reading.lock()
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
