//! The engine: from a request to a thumbnail in the cache (docs/spec/thumbnails.md, Requests).
//!
//! A request is answered at once where the thumbnail lies in the cache or is known to be
//! impossible. Otherwise it joins the flight for the same thumbnail, or queues one. Workers are
//! threads; whoever waits holds only a [`Ticket`].

mod error;
mod failures;
mod flight;
mod make;
mod marks;
mod queue;
mod ticket;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

pub use error::ThumbError;
pub use ticket::{Outcome, Thumbnail, Ticket};

use crate::access::Found;
use crate::cache::{Cache, CacheStats, Capacity, Freed, Keeper};
use crate::decode::Decode;
use crate::fingerprint::{PictureVersion, ThumbId};
use crate::priority::Priority;
use crate::variant::Variant;
use failures::Failures;
use flight::{Asking, Flights};
use make::Maker;
pub(crate) use make::Notice;
use marks::Marks;

/// The answer to a request that does not wait.
#[derive(Debug, Clone)]
pub enum Accepted {
    /// The thumbnail lies in the cache already.
    Made(Arc<Thumbnail>),
    /// It will be made, whether the ticket is kept or not.
    Queued(Ticket),
}

/// The answer to a request for bytes.
#[derive(Debug, Clone)]
pub enum Requested {
    /// They are at hand.
    Here(Arc<[u8]>),
    /// They will be there when the ticket says so, or it is known why not.
    Coming(Ticket),
}

/// What the engine has in hand and has done since it was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EngineStats {
    /// Requests that have a place in the queue.
    pub queued: usize,
    /// Requests that wait for a place.
    pub waiting: usize,
    /// How many places the queue has.
    pub capacity: usize,
    /// Threads that make thumbnails.
    pub workers: usize,
    /// Requests whose thumbnail lay in the cache.
    pub hits: u64,
    /// Requests whose thumbnail did not.
    pub misses: u64,
    /// Thumbnails made.
    pub generated: u64,
    /// Thumbnails that could not be made.
    pub failed: u64,
}

pub(crate) struct Engine {
    maker: Arc<Maker>,
    flights: Arc<Flights>,
    workers: Mutex<Vec<JoinHandle<()>>>,
    worker_count: usize,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Engine {
    pub(crate) fn start(
        cache: Cache,
        (decoder, notice): (Arc<dyn Decode>, Notice),
        conditions: &str,
        workers: usize,
        capacity: usize,
    ) -> io::Result<Self> {
        let cache = Arc::new(cache);
        let marks = Marks::new(Arc::clone(&cache), conditions);
        let engine = Self {
            maker: Arc::new(Maker {
                keeper: Keeper::start(Arc::clone(&cache))?,
                cache,
                decoder,
                failures: Failures::of(marks),
                notice,
                generated: AtomicU64::new(0),
                failed: AtomicU64::new(0),
            }),
            flights: Arc::new(Flights::new(capacity)),
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

    /// What the cache holds.
    pub(crate) fn cache_stats(&self) -> CacheStats {
        self.maker.cache.stats()
    }

    /// What the cache may hold from now on; room is made soon if there is too much.
    pub(crate) fn set_capacity(&self, capacity: Capacity) {
        self.maker.cache.set_capacity(capacity);
        if self.maker.cache.is_too_full() {
            self.maker.keeper.make_room();
        }
    }

    /// Deletes a thumbnail; its bytes, or none if it was not there.
    pub(crate) fn remove(&self, id: ThumbId, variant: Variant) -> io::Result<Option<u64>> {
        self.maker.cache.remove(id, variant)
    }

    /// Whether there is a file of a thumbnail.
    pub(crate) fn contains(&self, id: ThumbId, variant: Variant) -> bool {
        self.maker.cache.contains(id, variant)
    }

    /// Calls `each` with every thumbnail and its bytes, until it says no.
    pub(crate) fn survey(
        &self,
        each: &mut dyn FnMut(ThumbId, Variant, u64) -> bool,
    ) -> io::Result<()> {
        self.maker.cache.survey(each)
    }

    /// Has `listener` called when the cache holds something else, or a thumbnail could not be made.
    pub(crate) fn listen(&self, listener: impl Fn() + Send + Sync + 'static) {
        self.maker.cache.listen(listener);
    }

    /// Makes room in the cache, down to its low mark, as long as `goes_on` says yes.
    pub(crate) fn collect(&self, goes_on: &mut dyn FnMut(Freed) -> bool) -> io::Result<Freed> {
        self.maker.cache.collect(goes_on)
    }

    /// A ticket in any case; where the queue is full, the request waits for a place.
    pub(crate) fn request_wait(
        &self,
        found: &Found,
        variant: Variant,
        priority: Priority,
    ) -> Ticket {
        if let Some(outcome) = self.known(found.version(), variant) {
            return Ticket::ready(outcome);
        }
        self.flights
            .board(found, variant, priority, Asking::Waiting)
            .unwrap_or_else(|refusal| Ticket::ready(Err(refusal)))
    }

    /// As [`request_wait`](Self::request_wait), for the bytes.
    pub(crate) fn request_bytes(
        &self,
        found: &Found,
        variant: Variant,
        priority: Priority,
    ) -> Requested {
        // Any failure means that it can't be used; making it again tells why.
        if let Ok(Some(bytes)) = self.maker.cache.load(found.version(), variant) {
            self.hits.fetch_add(1, Ordering::Relaxed);
            return Requested::Here(bytes);
        }
        Requested::Coming(self.request_wait(found, variant, priority))
    }

    /// The bytes of a thumbnail that was made for this request, or is still there.
    pub(crate) fn load(&self, thumbnail: &Thumbnail) -> io::Result<Option<Arc<[u8]>>> {
        let kept = self
            .maker
            .cache
            .load(thumbnail.version, thumbnail.variant)?;
        Ok(kept.or_else(|| thumbnail.made.clone()))
    }

    /// Refused where the queue is full.
    pub(crate) fn try_request(
        &self,
        found: &Found,
        variant: Variant,
        priority: Priority,
    ) -> Result<Accepted, ThumbError> {
        if let Some(outcome) = self.known(found.version(), variant) {
            return outcome.map(Accepted::Made);
        }
        self.flights
            .board(found, variant, priority, Asking::Leaving)
            .map(Accepted::Queued)
    }

    /// Whether decoding this state of a picture is known to fail.
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

    /// Finishes what runs, and tells all others that they will not be served.
    pub(crate) fn shut_down(&self) {
        for flight in self.flights.close() {
            flight.end(Err(ThumbError::ShuttingDown));
        }
        self.maker.keeper.stop();
        self.maker.decoder.shut_down();
        let workers = std::mem::take(&mut *self.lock_workers());
        for worker in workers {
            if worker.join().is_err() {
                tracing::error!("a thumbnail worker had panicked");
            }
        }
    }

    fn known(&self, version: PictureVersion, variant: Variant) -> Option<Outcome> {
        let known = self.maker.known(version, variant);
        let counter = match known {
            Some(Ok(_)) => &self.hits,
            Some(Err(_)) | None => &self.misses,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        known
    }

    fn lock_workers(&self) -> std::sync::MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.shut_down();
    }
}

/// A worker's life.
fn work(maker: &Maker, flights: &Flights) {
    while let Some(flight) = flights.next() {
        // Nothing here should panic; if it does, one request fails and the worker lives on.
        let made = catch_unwind(AssertUnwindSafe(|| {
            maker.make(&flight.found, flight.variant)
        }));
        flight.end(made.unwrap_or(Err(ThumbError::Failed)));
    }
}
