//! Searching for pages: typical queries, from an empty one to one without results.

use anyhow::Result;

use crate::subject::Subject;
use fumikura_tests::times::Times;

/// The number of pages that are requested.
const LIMIT: usize = 20;
/// The number of times that each query is run.
const ROUNDS: usize = 40;

const TYPED: [&str; 12] = [
    "",
    "a",
    "旅",
    "winter",
    "winter lantern",
    "京都",
    "写真 旅行",
    "/文庫",
    "9999",
    "wntr",
    "てがみ",
    "ｶﾒﾗ",
];

/// The times of searches.
pub(crate) struct Search {
    /// The first search, which reads all names.
    pub(crate) first: Times,
    /// The other searches, by query.
    pub(crate) typed: Vec<(&'static str, Times)>,
}

impl Search {
    pub(crate) fn measure(subject: &Subject) -> Result<Self> {
        let mut first = Times::default();
        first.measure(|| subject.search("x", LIMIT))?;
        let mut typed = Vec::with_capacity(TYPED.len());
        for text in TYPED {
            let mut times = Times::default();
            for _ in 0..ROUNDS {
                times.measure(|| subject.search(text, LIMIT))?;
            }
            typed.push((text, times));
        }
        Ok(Self { first, typed })
    }

    /// Returns the slowest of the 95th percentiles, in milliseconds.
    pub(crate) fn slowest(&self) -> f64 {
        let each = self.typed.iter().map(|(_, times)| times.percentile(95));
        each.fold(0.0, f64::max)
    }
}
