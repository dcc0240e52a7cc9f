//! The limit on work that request threads do inline.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The duration above which inline work has waited for a disk.
const SLOW: Duration = Duration::from_millis(50);
/// The time after that for which no work runs inline.
const INLINE_BAN: Duration = Duration::from_secs(5);

/// The request threads that run work inline. One thread never does, so it answers even if a disk
/// hangs, for example that of a network folder.
pub(crate) struct InlineWork {
    running: AtomicUsize,
    /// The end of the pause, in milliseconds since `began`.
    paused_until: AtomicU64,
    began: Instant,
}

impl InlineWork {
    pub(crate) fn new() -> Self {
        Self {
            running: AtomicUsize::new(0),
            paused_until: AtomicU64::new(0),
            began: Instant::now(),
        }
    }

    /// Permits work on one of that many threads, if one is free.
    pub(crate) fn try_start(&self, threads: usize) -> Option<InlinePermit<'_>> {
        let started_at = self.began.elapsed();
        if millis(started_at) < self.paused_until.load(Ordering::Relaxed) {
            return None;
        }
        let free = |running| (running + 1 < threads).then_some(running + 1);
        self.running
            .fetch_update(Ordering::AcqRel, Ordering::Relaxed, free)
            .ok()?;
        Some(InlinePermit {
            work: self,
            started_at,
        })
    }
}

/// A permit to work inline, until it is dropped.
pub(crate) struct InlinePermit<'a> {
    work: &'a InlineWork,
    started_at: Duration,
}

impl Drop for InlinePermit<'_> {
    fn drop(&mut self) {
        let now = self.work.began.elapsed();
        if now.saturating_sub(self.started_at) > SLOW {
            let until = millis(now + INLINE_BAN);
            self.work.paused_until.store(until, Ordering::Relaxed);
        }
        self.work.running.fetch_sub(1, Ordering::AcqRel);
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
        let work = InlineWork::new();
        assert!(work.try_start(1).is_none());
        let first = work.try_start(3);
        let second = work.try_start(3);
        assert!(first.is_some() && second.is_some());
        assert!(work.try_start(3).is_none());
        drop(first);
        assert!(work.try_start(3).is_some());
    }

    #[test]
    fn slow_inline_work_disables_inlining_for_a_while() {
        let mut work = InlineWork::new();
        work.began = work.began.checked_sub(2 * SLOW).unwrap();
        let mut permit = work.try_start(3).unwrap();
        permit.started_at = Duration::ZERO;
        drop(permit);
        assert!(work.try_start(3).is_none());
        work.paused_until.store(0, Ordering::Relaxed);
        assert!(work.try_start(3).is_some());
    }
}
