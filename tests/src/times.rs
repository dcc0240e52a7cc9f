//! Times of one thing done many times.

use std::time::Instant;

/// Times, each of one round, in milliseconds.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// Does it once and keeps the time that it took.
    pub fn measure<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.push(start.elapsed().as_secs_f64() * 1000.0);
        result
    }

    /// Keeps a time that somebody else has measured, in milliseconds.
    pub fn push(&mut self, ms: f64) {
        self.0.push(ms);
    }

    /// Keeps all of these as well.
    pub fn extend(&mut self, others: &Self) {
        self.0.extend(&others.0);
    }

    /// How many rounds there were.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The time that so many of a hundred rounds stayed below, in milliseconds; not a number of none.
    #[must_use]
    pub fn percentile(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted.get(at).copied().unwrap_or(f64::NAN)
    }

    /// The time that half of the rounds stayed below, in milliseconds.
    #[must_use]
    pub fn median(&self) -> f64 {
        self.percentile(50)
    }
}
