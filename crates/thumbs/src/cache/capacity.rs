//! The capacity of the cache (docs/spec/thumbnails.md, Capacity).

/// The limit of the cache, and the marks at which eviction starts and stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capacity {
    limit: u64,
    high: f64,
    low: f64,
}

impl Capacity {
    /// Creates a capacity of at most `limit` bytes. Above `high` times the limit, the least recently used
    /// thumbnails are evicted until no more than `low` times the limit is left. Returns `None` unless 0 <
    /// `low` < `high` ≤ 1, and for a limit of 0.
    #[must_use]
    pub fn new(limit: u64, high: f64, low: f64) -> Option<Self> {
        (limit > 0 && 0.0 < low && low < high && high <= 1.0).then_some(Self { limit, high, low })
    }

    /// Returns the limit in bytes.
    #[must_use]
    pub fn limit(self) -> u64 {
        self.limit
    }

    /// Returns the part of the limit above which thumbnails are evicted.
    #[must_use]
    pub fn high(self) -> f64 {
        self.high
    }

    /// Returns the part of the limit that is left after eviction.
    #[must_use]
    pub fn low(self) -> f64 {
        self.low
    }

    /// Returns the high mark in bytes.
    pub(super) fn high_mark(self) -> u64 {
        part(self.limit, self.high)
    }

    pub(super) fn low_mark(self) -> u64 {
        part(self.limit, self.low)
    }
}

impl Default for Capacity {
    fn default() -> Self {
        Self {
            limit: 1024 * 1024 * 1024,
            high: 0.90,
            low: 0.75,
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a part of a number of bytes, which need not be exact beyond 8 PiB"
)]
fn part(limit: u64, ratio: f64) -> u64 {
    (limit as f64 * ratio) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_match_the_specification() {
        let capacity = Capacity::default();
        assert_eq!(capacity.limit(), 1_073_741_824);
        assert_eq!(capacity.high_mark(), 966_367_641);
        assert_eq!(capacity.low_mark(), 805_306_368);
    }

    #[test]
    fn invalid_watermarks_are_refused() {
        assert!(Capacity::new(1, 1.0, 0.5).is_some());
        for (limit, high, low) in [
            (0, 0.9, 0.7),
            (1, 0.7, 0.9),
            (1, 0.9, 0.9),
            (1, 1.1, 0.9),
            (1, 0.9, 0.0),
            (1, f64::NAN, 0.5),
            (1, 0.9, f64::NAN),
        ] {
            assert_eq!(
                Capacity::new(limit, high, low),
                None,
                "{limit} {high} {low}"
            );
        }
    }
}
