//! The durations of several operations in each round. They take turns, so that a disturbance affects all of them.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::Result;

/// The durations in seconds.
#[derive(Default)]
pub(crate) struct Rounds {
    rounds: Vec<BTreeMap<String, f64>>,
    /// The operations, in the order in which they were first measured.
    names: Vec<String>,
}

impl Rounds {
    pub(crate) fn begin(&mut self) {
        self.rounds.push(BTreeMap::new());
    }

    /// Measures an operation of the current round.
    pub(crate) fn measure<T>(&mut self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let start = Instant::now();
        let result = work()?;
        let seconds = start.elapsed().as_secs_f64();
        if self.names.iter().all(|known| known != name) {
            self.names.push(name.to_owned());
        }
        let round = self.rounds.last_mut().expect("BUG: no round has begun");
        round.insert(name.to_owned(), seconds);
        Ok(result)
    }

    pub(crate) fn count(&self) -> usize {
        self.rounds.len()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    pub(crate) fn median(&self, name: &str) -> f64 {
        self.median_of(|round| sum(round, &[name]))
    }

    /// Returns the median of the ratios of the sums of operations in the same round.
    pub(crate) fn ratio(&self, of: &[&str], to: &[&str]) -> f64 {
        self.median_of(|round| sum(round, of) / sum(round, to))
    }

    fn median_of(&self, figure: impl Fn(&BTreeMap<String, f64>) -> f64) -> f64 {
        let mut figures: Vec<f64> = self.rounds.iter().map(figure).collect();
        figures.sort_unstable_by(f64::total_cmp);
        figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

fn sum(round: &BTreeMap<String, f64>, names: &[&str]) -> f64 {
    let seconds = names.iter().map(|name| round.get(*name));
    seconds.map(|seconds| seconds.unwrap_or(&f64::NAN)).sum()
}
