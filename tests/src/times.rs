//! Durations of one thing done many times.

use std::time::Instant;

/// Durations, one for each round, in milliseconds.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// Runs `work` once and records its duration.
    pub fn measure<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.push(start.elapsed().as_secs_f64() * 1000.0);
        result
    }

    /// Records a duration that was measured elsewhere, in milliseconds.
    pub fn push(&mut self, ms: f64) {
        self.0.push(ms);
    }

    /// Records all of these as well.
    pub fn extend(&mut self, others: &Self) {
        self.0.extend(&others.0);
    }

    /// Returns the number of rounds.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the percentile of the durations, in milliseconds; not a number if there are none.
    #[must_use]
    pub fn percentile(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted.get(at).copied().unwrap_or(f64::NAN)
    }

    /// Returns the median of the durations, in milliseconds.
    #[must_use]
    pub fn median(&self) -> f64 {
        self.percentile(50)
    }
}
