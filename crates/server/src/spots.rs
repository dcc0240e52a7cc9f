//! The limit on work that request threads do inline.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The duration above which inline work has waited for a disk.
const SLOW: Duration = Duration::from_millis(50);
/// The time after that for which no work runs inline.
const CAUTIOUS: Duration = Duration::from_secs(5);

/// The number of request threads that run work inline. One thread never does, so it answers even if a disk
/// hangs, for example that of a network folder.
pub(crate) struct Spots {
    taken: AtomicUsize,
    /// The end of the pause, in milliseconds since `began`.
    cautious_until: AtomicU64,
    began: Instant,
}

impl Spots {
    pub(crate) fn new() -> Self {
        Self {
            taken: AtomicUsize::new(0),
            cautious_until: AtomicU64::new(0),
            began: Instant::now(),
        }
    }

    /// Reserves a spot on one of that many threads, if one is free.
    pub(crate) fn take(&self, threads: usize) -> Option<Spot<'_>> {
        let at = self.began.elapsed();
        if millis(at) < self.cautious_until.load(Ordering::Relaxed) {
            return None;
        }
        let free = |taken| (taken + 1 < threads).then_some(taken + 1);
        self.taken
            .fetch_update(Ordering::AcqRel, Ordering::Relaxed, free)
            .ok()?;
        Some(Spot { spots: self, at })
    }
}

/// A reserved spot.
pub(crate) struct Spot<'a> {
    spots: &'a Spots,
    at: Duration,
}

impl Drop for Spot<'_> {
    fn drop(&mut self) {
        let now = self.spots.began.elapsed();
        if now.saturating_sub(self.at) > SLOW {
            let until = millis(now + CAUTIOUS);
            self.spots.cautious_until.store(until, Ordering::Relaxed);
        }
        self.spots.taken.fetch_sub(1, Ordering::AcqRel);
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_thread_never_works_inline() {
        let spots = Spots::new();
        assert!(spots.take(1).is_none());
        let first = spots.take(3);
        let second = spots.take(3);
        assert!(first.is_some() && second.is_some());
        assert!(spots.take(3).is_none());
        drop(first);
        assert!(spots.take(3).is_some());
    }

    #[test]
    fn slow_inline_work_disables_inlining_for_a_while() {
        let mut spots = Spots::new();
        spots.began = spots.began.checked_sub(2 * SLOW).unwrap();
        let mut spot = spots.take(3).unwrap();
        spot.at = Duration::ZERO;
        drop(spot);
        assert!(spots.take(3).is_none());
        spots.cautious_until.store(0, Ordering::Relaxed);
        assert!(spots.take(3).is_some());
    }
}
