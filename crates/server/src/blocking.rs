//! Work that waits for the disk: on threads of its own, so that no request waits for another, or, where
//! that wait is nearly always too short to be worth a change of threads, on the spot.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use crate::app::App;
use crate::error::{ApiError, ErrorCode};

/// Brief work that took longer than this waited for a disk.
const SLOW: Duration = Duration::from_millis(50);
/// How long after that nothing is done on the spot.
const CAUTIOUS: Duration = Duration::from_secs(5);

/// Runs `work` where it may wait for the disk; a panic fails this request alone.
pub(crate) async fn blocking<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let app = Arc::clone(app);
    match tokio::task::spawn_blocking(move || work(&app)).await {
        Ok(outcome) => outcome,
        Err(panic) => Err(ApiError::internal(
            ErrorCode::Internal,
            "Something went wrong inside the program",
            &panic,
        )),
    }
}

/// As [`blocking`], for work that asks the disk for nothing but what the kernel nearly always has in
/// memory. A change of threads and back takes longer than such work.
pub(crate) async fn brief<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    match app.spots.take(Handle::current().metrics().num_workers()) {
        Some(_spot) => work(app),
        None => blocking(app, work).await,
    }
}

/// How many threads that answer requests do brief work just now. One of them never does, and so answers
/// whatever the disk does: a folder of another machine may let everybody wait who looks at it.
pub(crate) struct Spots {
    taken: AtomicUsize,
    /// In milliseconds since `began`.
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

    /// A place on one of so many threads, if there is one.
    fn take(&self, threads: usize) -> Option<Spot<'_>> {
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

/// A place that is taken.
struct Spot<'a> {
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
    fn one_thread_is_never_taken() {
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
    fn after_a_wait_nothing_is_done_on_the_spot_for_a_while() {
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
