//! Times of one thing done many times.

use std::time::{Duration, Instant};

/// Times, each of one round.
#[derive(Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    /// Does it once and keeps the time that it took.
    pub(crate) fn measure<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.0.push(start.elapsed());
        result
    }

    /// The time that so many of a hundred rounds stayed below, in milliseconds.
    pub(crate) fn percentile(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let at = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted
            .get(at)
            .map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
    }

    pub(crate) fn median(&self) -> f64 {
        self.percentile(50)
    }
}
