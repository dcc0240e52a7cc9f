//! The maintenance thread of the cache: evicts when it is too full, and recounts it from time to time.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

use super::Cache;
use super::usage_scan::UsageScan;

/// The intervals of the thread's work.
#[derive(Debug, Clone, Copy)]
struct Intervals {
    /// The time between two counts: another program may have changed the cache.
    count_interval: Duration,
    /// The time that a recount runs without a pause, and the pause after it. A recount thus takes a tenth of
    /// the time of one processor and of the disk, and eviction can run in between.
    slice: Duration,
    pause: Duration,
    /// The delay before eviction is retried after a failure.
    retry_after: Duration,
}

impl Default for Intervals {
    fn default() -> Self {
        Self {
            count_interval: Duration::from_secs(60 * 60),
            slice: Duration::from_millis(5),
            pause: Duration::from_millis(45),
            retry_after: Duration::from_secs(60),
        }
    }
}

/// The thread and the state that wakes it.
pub(crate) struct Maintenance {
    shared: Arc<SharedMaintenance>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct SharedMaintenance {
    is_full: Mutex<bool>,
    wake: Condvar,
    stop: AtomicBool,
}

impl Maintenance {
    /// Starts the thread. It counts the contents of the cache, then evicts on request and recounts from time to time.
    pub(crate) fn start(cache: Arc<Cache>) -> io::Result<Self> {
        Self::start_with(cache, Intervals::default())
    }

    fn start_with(cache: Arc<Cache>, intervals: Intervals) -> io::Result<Self> {
        let shared = Arc::new(SharedMaintenance::default());
        let own = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("thumbs-upkeep".into())
            .spawn(move || run(&cache, &own, intervals))?;
        Ok(Self {
            shared,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Requests eviction, because the cache is too full. Returns at once.
    pub(crate) fn make_room(&self) {
        *self.shared.is_full() = true;
        self.shared.wake.notify_one();
    }

    /// Interrupts the current work and returns when the thread has ended. May be called twice.
    pub(crate) fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        // The lock is taken, so that the notification can't be missed between check and wait.
        drop(self.shared.is_full());
        self.shared.wake.notify_one();
        let thread = self.thread.lock().take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the maintenance thread of the thumbnail cache had panicked");
        }
    }
}

impl SharedMaintenance {
    fn is_full(&self) -> MutexGuard<'_, bool> {
        self.is_full.lock()
    }

    /// Waits until the cache is too full, `until` is reached, or the thread has to stop.
    fn wait(&self, until: Instant) {
        let mut is_full = self.is_full();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if *is_full || self.is_stopped() || left.is_zero() {
                break;
            }
            self.wake.wait_for(&mut is_full, left);
        }
        *is_full = false;
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Runs the thread.
fn run(cache: &Cache, shared: &SharedMaintenance, intervals: Intervals) {
    // The first count has no pauses: nothing is known before it.
    let mut first = cache.begin_count(true);
    while !shared.is_stopped() && !cache.count(&mut first) {}
    let mut count = None;
    let mut next_count = Instant::now() + intervals.count_interval;
    let mut next_try = Instant::now();
    while !shared.is_stopped() {
        let now = Instant::now();
        if now >= next_try && !make_room(cache, shared) {
            // The counts may be wrong, or the disk may fail: both are checked again, after a delay.
            next_try = Instant::now() + intervals.retry_after;
            next_count = next_count.min(next_try);
        }
        if count.is_none() && now >= next_count {
            count = Some(cache.begin_count(false));
        }
        let Some(scan) = &mut count else {
            let is_behind = cache.is_too_full();
            shared.wait(if is_behind {
                next_count.min(next_try)
            } else {
                next_count
            });
            continue;
        };
        if count_for(intervals.slice, cache, scan) {
            count = None;
            next_count = Instant::now() + intervals.count_interval;
        } else {
            shared.wait(Instant::now() + intervals.pause);
        }
    }
}

/// Counts for a while. Returns true if the count is complete.
fn count_for(slice: Duration, cache: &Cache, scan: &mut UsageScan) -> bool {
    let end = Instant::now() + slice;
    loop {
        if cache.count(scan) {
            return true;
        }
        if Instant::now() >= end {
            return false;
        }
    }
}

/// Evicts thumbnails if the cache is too full. Returns false if it is still too full after that.
fn make_room(cache: &Cache, shared: &SharedMaintenance) -> bool {
    if !cache.is_too_full() {
        return true;
    }
    match cache.evict(&mut |_| !shared.is_stopped()) {
        Ok(freed) => {
            tracing::info!(
                files = freed.files,
                bytes = freed.bytes,
                "room was made for thumbnails"
            );
            !cache.is_too_full()
        }
        Err(error) => {
            tracing::warn!(%error, "thumbnails can't be evicted");
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::Capacity;
    use fumikura_base::clock::SystemClock;
    use fumikura_base::entropy::SeededEntropy;
    use fumikura_fs::{Ctime, PictureVersion, ThumbId};
    use fumikura_image::Variant;

    struct MaintenanceFixture {
        outer: tempfile::TempDir,
    }

    impl MaintenanceFixture {
        fn new() -> Self {
            Self {
                outer: tempfile::tempdir().unwrap(),
            }
        }

        fn open(&self) -> Arc<Cache> {
            let capacity = Capacity::new(1000, 0.9, 0.75).unwrap();
            let (clock, entropy) = (
                Arc::new(SystemClock::new()),
                Arc::new(SeededEntropy::new(1)),
            );
            let top = self.outer.path().join("thumbs");
            Arc::new(Cache::open(top, capacity, 0, clock, entropy).unwrap())
        }
    }

    fn place(cache: &Cache, number: u8) -> std::path::PathBuf {
        let version = PictureVersion {
            id: ThumbId::from_bytes([number; 20]),
            ctime: Ctime::default(),
        };
        cache.place(version, Variant::default(), &[0; 100]).unwrap()
    }

    #[track_caller]
    fn wait_for_files(cache: &Cache, files: u64) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while cache.stats().files != files || cache.stats().scanning {
            assert!(Instant::now() < deadline, "{:?}", cache.stats());
            thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn existing_files_are_counted_and_excess_evicted() {
        let fixture = MaintenanceFixture::new();
        let before = fixture.open();
        (0..8).for_each(|number| drop(place(&before, number)));

        let cache = fixture.open();
        let maintenance = Maintenance::start(Arc::clone(&cache)).unwrap();
        wait_for_files(&cache, 8);
        (8..10).for_each(|number| drop(place(&cache, number)));
        maintenance.make_room();
        wait_for_files(&cache, 7);
        maintenance.stop();
        maintenance.stop();
    }

    #[test]
    fn changes_by_other_processes_are_recounted() {
        let fixture = MaintenanceFixture::new();
        let (cache, other) = (fixture.open(), fixture.open());
        let intervals = Intervals {
            count_interval: Duration::from_millis(5),
            ..Intervals::default()
        };
        let maintenance = Maintenance::start_with(Arc::clone(&cache), intervals).unwrap();
        wait_for_files(&cache, 0);
        let placed: Vec<_> = (0..5).map(|number| place(&other, number)).collect();
        wait_for_files(&cache, 5);
        std::fs::remove_file(&placed[0]).unwrap();
        wait_for_files(&cache, 4);
        // Thumbnails that other processes bring may make the cache too full.
        (5..12).for_each(|number| drop(place(&other, number)));
        wait_for_files(&cache, 7);
        maintenance.stop();
    }

    #[test]
    fn recount_does_not_block_eviction() {
        let fixture = MaintenanceFixture::new();
        let cache = fixture.open();
        (0..8).for_each(|number| drop(place(&cache, number)));
        // The pause after the first shard of the second count is longer than the test.
        let intervals = Intervals {
            count_interval: Duration::ZERO,
            slice: Duration::ZERO,
            pause: Duration::from_secs(600),
            retry_after: Duration::ZERO,
        };
        let cache = fixture.open();
        let maintenance = Maintenance::start_with(Arc::clone(&cache), intervals).unwrap();
        wait_for_files(&cache, 8);
        (8..10).for_each(|number| drop(place(&cache, number)));
        maintenance.make_room();
        wait_for_files(&cache, 7);
        maintenance.stop();
    }
}
