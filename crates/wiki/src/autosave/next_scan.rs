//! Decides when to scan for old tombstones again.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of tombstones below which no scan for old ones is made.
const MIN_TOMBSTONES: u64 = 64;

/// The number of tombstones at which the next scan is made: twice as many as the last scan left. So the average
/// cost of a save stays constant, regardless of the number of tombstones.
#[derive(Debug)]
pub(crate) struct NextScan(pub(super) AtomicU64);

impl Default for NextScan {
    fn default() -> Self {
        Self(AtomicU64::new(MIN_TOMBSTONES))
    }
}

impl NextScan {
    pub(super) fn is_due(&self, existing: u64) -> bool {
        existing >= self.0.load(Ordering::Relaxed)
    }

    pub(super) fn set_after_scan(&self, remaining: u64) {
        self.0
            .store(MIN_TOMBSTONES.max(remaining * 2), Ordering::Relaxed);
    }
}
