//! The engine: turns a request into a thumbnail in the cache (docs/spec/thumbnails.md, Requests).
//!
//! A request is answered at once if the thumbnail is in the cache or is known to be impossible. Otherwise it
//! joins the flight for the same thumbnail, or queues one. Workers are threads; a waiting client holds only a
//! [`Ticket`].

mod error;
mod failure_log;
mod failures;
mod maker;
mod queue;
mod single_flight;
mod ticket;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

use fumikura_fs::{PictureVersion, Source, SourceFile, ThumbId};
use fumikura_image::{Decode, Rendition, Variant};
use parking_lot::Mutex;

pub use error::ThumbError;
pub use ticket::{Outcome, Thumbnail, Ticket};

use crate::cache::{Cache, CacheStats, Capacity, EvictionStats, Maintenance};
use crate::priority::Priority;
use failure_log::FailureLog;
use failures::Failures;
pub(crate) use maker::MadeCallback;
use maker::Maker;
use single_flight::{RequestMode, SingleFlight};

/// The response to a request that does not wait.
#[derive(Debug, Clone)]
pub enum QueueResponse {
    /// The thumbnail is already in the cache.
    Made(Arc<Thumbnail>),
    /// The thumbnail will be made, even if the ticket is dropped.
    Queued(Ticket),
}

/// The response to a request for bytes.
#[derive(Debug, Clone)]
pub enum BytesResponse {
    /// The bytes are available.
    Ready(Arc<[u8]>),
    /// The ticket will report that they are available, or the reason why they are not.
    Pending(Ticket),
}

/// The current and past work of the engine since its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EngineStats {
    /// The number of requests that have a place in the queue.
    pub queued: usize,
    /// The number of requests that wait for a place.
    pub waiting: usize,
    /// The number of places in the queue.
    pub capacity: usize,
    /// The number of threads that make thumbnails.
    pub workers: usize,
    /// The number of requests whose thumbnail was in the cache.
    pub hits: u64,
    /// The number of requests whose thumbnail was not.
    pub misses: u64,
    /// The number of thumbnails made.
    pub generated: u64,
    /// The number of thumbnails that could not be made.
    pub failed: u64,
}

pub(crate) struct Engine {
    maker: Arc<Maker>,
    flights: Arc<SingleFlight>,
    workers: Mutex<Vec<JoinHandle<()>>>,
    worker_count: usize,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Engine {
    pub(crate) fn start(
        cache: Cache,
        (decoder, on_made): (Arc<dyn Decode>, MadeCallback),
        conditions: &str,
        workers: usize,
        capacity: usize,
    ) -> io::Result<Self> {
        let cache = Arc::new(cache);
        let failure_log = FailureLog::new(Arc::clone(&cache), conditions);
        let engine = Self {
            maker: Arc::new(Maker {
                maintenance: Maintenance::start(Arc::clone(&cache))?,
                cache,
                decoder,
                failures: Failures::with_log(failure_log),
                on_made,
                generated: AtomicU64::new(0),
                failed: AtomicU64::new(0),
            }),
            flights: Arc::new(SingleFlight::new(capacity)),
            workers: Mutex::default(),
            worker_count: workers,
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        };
        for number in 0..workers {
            let (maker, flights) = (Arc::clone(&engine.maker), Arc::clone(&engine.flights));
            let worker = thread::Builder::new()
                .name(format!("thumbs-{number}"))
                .spawn(move || work(&maker, &flights))?;
            engine.lock_workers().push(worker);
        }
        Ok(engine)
    }

    /// Returns the contents of the cache.
    pub(crate) fn cache_stats(&self) -> CacheStats {
        self.maker.cache.stats()
    }

    /// Sets the capacity of the cache. Eviction starts soon if it is too full.
    pub(crate) fn set_capacity(&self, capacity: Capacity) {
        self.maker.cache.set_capacity(capacity);
        if self.maker.cache.is_too_full() {
            self.maker.maintenance.make_room();
        }
    }

    /// Deletes a thumbnail if `confirm` returns true. Returns its size in bytes, or `None` if it stays or did not
    /// exist.
    pub(crate) fn remove_if(
        &self,
        id: ThumbId,
        variant: Variant,
        confirm: &dyn Fn() -> bool,
    ) -> io::Result<Option<u64>> {
        self.maker.cache.remove_if(id, variant, confirm)
    }

    /// Returns the size of a thumbnail in bytes, or `None` if it does not exist.
    pub(crate) fn size(&self, thumbnail: &Thumbnail) -> Option<u64> {
        self.maker
            .cache
            .size(thumbnail.version.id, thumbnail.variant)
    }

    /// True if the file of a thumbnail exists.
    pub(crate) fn contains(&self, id: ThumbId, variant: Variant) -> bool {
        self.maker.cache.contains(id, variant)
    }

    /// True if the file of a thumbnail is not a whole picture of its format.
    pub(crate) fn is_damaged(&self, id: ThumbId, variant: Variant) -> io::Result<bool> {
        self.maker.cache.is_damaged(id, variant)
    }

    /// Calls `each` with every thumbnail and its size in bytes, until it returns false.
    pub(crate) fn each_thumbnail(
        &self,
        each: &mut dyn FnMut(ThumbId, Variant, u64) -> bool,
    ) -> io::Result<()> {
        self.maker.cache.each_thumbnail(each)
    }

    /// Evicts thumbnails down to the low mark, as long as `should_continue` returns true.
    pub(crate) fn evict(
        &self,
        should_continue: &mut dyn FnMut(EvictionStats) -> bool,
    ) -> io::Result<EvictionStats> {
        self.maker.cache.evict(should_continue)
    }

    /// Returns a ticket in any case. If the queue is full, the request waits for a place.
    pub(crate) fn request_wait(
        &self,
        source_file: &SourceFile,
        variant: Variant,
        priority: Priority,
    ) -> Ticket {
        if let Some(outcome) = self.lookup(source_file.version(), variant) {
            return Ticket::ready(outcome);
        }
        self.flights
            .join(source_file, variant, priority, RequestMode::Wait)
            .unwrap_or_else(|refusal| Ticket::ready(Err(refusal)))
    }

    /// Requests the bytes, like [`request_wait`](Self::request_wait).
    pub(crate) fn request_bytes(
        &self,
        source_file: &SourceFile,
        variant: Variant,
        priority: Priority,
    ) -> BytesResponse {
        // Any failure means that the thumbnail can't be used. Making it again reports the cause.
        if let Ok(Some(bytes)) = self.maker.cache.load(source_file.version(), variant) {
            self.hits.fetch_add(1, Ordering::Relaxed);
            return BytesResponse::Ready(bytes);
        }
        BytesResponse::Pending(self.request_wait(source_file, variant, priority))
    }

    /// Returns the bytes of a thumbnail that was made for this request, or still exists.
    pub(crate) fn load(&self, thumbnail: &Thumbnail) -> io::Result<Option<Arc<[u8]>>> {
        let cached = self
            .maker
            .cache
            .load(thumbnail.version, thumbnail.variant)?;
        Ok(cached.or_else(|| thumbnail.made.clone()))
    }

    /// Requests a thumbnail. Fails if the queue is full.
    pub(crate) fn try_request(
        &self,
        source_file: &SourceFile,
        variant: Variant,
        priority: Priority,
    ) -> Result<QueueResponse, ThumbError> {
        if let Some(outcome) = self.lookup(source_file.version(), variant) {
            return outcome.map(QueueResponse::Made);
        }
        self.flights
            .join(source_file, variant, priority, RequestMode::Detach)
            .map(QueueResponse::Queued)
    }

    /// Makes a rendition of a picture in the calling thread.
    pub(crate) fn render(
        &self,
        source: &Source,
        rendition: Rendition,
    ) -> Result<Vec<u8>, ThumbError> {
        self.maker.produce(source, |decoder, file, length| {
            decoder.render(file, length, rendition)
        })
    }

    /// Makes frames of an animated picture in the calling thread.
    pub(crate) fn frames(&self, source: &Source, from: u32) -> Result<Vec<u8>, ThumbError> {
        self.maker.produce(source, |decoder, file, length| {
            decoder.frames(file, length, from)
        })
    }

    /// True if decoding this state of a picture is known to fail.
    pub(crate) fn is_undecodable(&self, version: PictureVersion) -> bool {
        self.maker.failures.contains(version)
    }

    pub(crate) fn stats(&self) -> EngineStats {
        let (queued, waiting) = self.flights.queued();
        EngineStats {
            queued,
            waiting,
            capacity: self.flights.capacity(),
            workers: self.worker_count,
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            generated: self.maker.generated.load(Ordering::Relaxed),
            failed: self.maker.failed.load(Ordering::Relaxed),
        }
    }

    /// Completes running requests, and fails all others.
    pub(crate) fn shut_down(&self) {
        for flight in self.flights.close() {
            flight.end(Err(ThumbError::ShuttingDown));
        }
        self.maker.maintenance.stop();
        self.maker.decoder.shut_down();
        let workers = std::mem::take(&mut *self.lock_workers());
        for worker in workers {
            if worker.join().is_err() {
                tracing::error!("a thumbnail worker had panicked");
            }
        }
    }

    fn lookup(&self, version: PictureVersion, variant: Variant) -> Option<Outcome> {
        let outcome = self.maker.lookup(version, variant);
        let counter = match outcome {
            Some(Ok(_)) => &self.hits,
            Some(Err(_)) | None => &self.misses,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        outcome
    }

    fn lock_workers(&self) -> parking_lot::MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.workers.lock()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.shut_down();
    }
}

/// Runs a worker.
fn work(maker: &Maker, flights: &SingleFlight) {
    while let Some(flight) = flights.next() {
        // Nothing here should panic. If it does, one request fails and the worker continues.
        let made = catch_unwind(AssertUnwindSafe(|| {
            maker.make(&flight.source_file, flight.variant)
        }));
        flight.end(made.unwrap_or(Err(ThumbError::Failed)));
    }
}
