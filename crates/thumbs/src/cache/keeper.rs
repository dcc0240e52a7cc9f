//! The thread that keeps the cache within what it may hold, and its numbers true.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::Cache;

/// How long after a count all is counted anew: another program may have deleted from the cache.
const COUNT_EVERY: Duration = Duration::from_secs(6 * 60 * 60);
/// How long after room could not be made it is tried again.
const AGAIN_AFTER: Duration = Duration::from_secs(60);

/// The thread, and how it is woken.
pub(crate) struct Keeper {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    is_full: Mutex<bool>,
    woken: Condvar,
    stop: AtomicBool,
}

impl Keeper {
    /// Counts what the cache holds, and from then on makes room whenever it is told to.
    pub(crate) fn start(cache: Arc<Cache>) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("thumbs-keeper".into())
            .spawn(move || keep(&cache, &own))?;
        Ok(Self {
            shared,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// There is too much: room is made soon. Waits for nothing.
    pub(crate) fn make_room(&self) {
        *self.shared.is_full() = true;
        self.shared.woken.notify_one();
    }

    /// Ends what it is at, and returns when the thread has ended. May be called twice.
    pub(crate) fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        // Under the lock, so that it can't be missed between looking and waiting.
        drop(self.shared.is_full());
        self.shared.woken.notify_one();
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("keeping the thumbnails within their room had panicked");
        }
    }
}

impl Shared {
    fn is_full(&self) -> MutexGuard<'_, bool> {
        self.is_full.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is too much, or `until` comes, or everything ends. What was too much before
    /// counts only if `heeds_full`.
    fn wait(&self, until: Instant, heeds_full: bool) {
        let mut is_full = self.is_full();
        loop {
            let is_woken = (heeds_full && *is_full) || self.stop.load(Ordering::Relaxed);
            let left = until.saturating_duration_since(Instant::now());
            if is_woken || left.is_zero() {
                break;
            }
            let waited = self.woken.wait_timeout(is_full, left);
            is_full = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *is_full = false;
    }
}

/// The thread's life.
fn keep(cache: &Cache, shared: &Shared) {
    let mut is_first = true;
    while !shared.stop.load(Ordering::Relaxed) && cache.count(is_first, &shared.stop) {
        is_first = false;
        let next_count = Instant::now() + COUNT_EVERY;
        while Instant::now() < next_count && !shared.stop.load(Ordering::Relaxed) {
            if !make_room(cache, shared) {
                // The numbers may be wrong, or the disk: both are looked at again, but not at once.
                shared.wait(Instant::now() + AGAIN_AFTER, false);
                break;
            }
            shared.wait(next_count, true);
        }
    }
}

/// Makes room if there is too much. False if there is too much after that.
fn make_room(cache: &Cache, shared: &Shared) -> bool {
    if !cache.is_too_full() {
        return true;
    }
    match cache.collect(&mut |_| !shared.stop.load(Ordering::Relaxed)) {
        Ok(freed) => {
            tracing::info!(
                files = freed.files,
                bytes = freed.bytes,
                "room was made for thumbnails"
            );
            !cache.is_too_full()
        }
        Err(error) => {
            tracing::warn!(%error, "no room can be made for thumbnails");
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::Capacity;
    use crate::fingerprint::ThumbId;
    use crate::variant::Variant;
    use fumikura_base::clock::SystemClock;
    use fumikura_base::entropy::SeededEntropy;

    #[test]
    fn what_was_there_is_counted_and_room_is_made_when_it_is_told_to() {
        let outer = tempfile::tempdir().unwrap();
        let open = || {
            let capacity = Capacity::new(1000, 0.9, 0.75).unwrap();
            let (clock, entropy) = (
                Arc::new(SystemClock::new()),
                Arc::new(SeededEntropy::new(1)),
            );
            Arc::new(Cache::open(outer.path().join("thumbs"), capacity, clock, entropy).unwrap())
        };
        let place = |cache: &Cache, number: u8| {
            let id = ThumbId::from_bytes([number; 20]);
            cache.place(id, Variant::default(), &[0; 100]).unwrap();
        };
        let reach = |cache: &Cache, files: u64| {
            let patience = Instant::now() + Duration::from_secs(20);
            while cache.stats().files != files || cache.stats().scanning {
                assert!(Instant::now() < patience, "{:?}", cache.stats());
                thread::sleep(Duration::from_millis(2));
            }
        };
        let before = open();
        (0..8).for_each(|number| place(&before, number));

        let cache = open();
        let keeper = Keeper::start(Arc::clone(&cache)).unwrap();
        reach(&cache, 8);
        (8..10).for_each(|number| place(&cache, number));
        keeper.make_room();
        reach(&cache, 7);
        keeper.stop();
        keeper.stop();
    }
}
