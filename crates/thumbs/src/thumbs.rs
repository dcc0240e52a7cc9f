//! The facade: the cache, and the engine that fills it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use fumikura_fs::{PictureVersion, Source, SourceFile, ThumbId};
use fumikura_image::{Decode, InProcess, Limits, Rendition, Variant};

use crate::cache::{
    Cache, CacheFolderError, CacheStats, Capacity, Events, EvictionStats, ThumbsEvent,
};
use crate::engine::{
    BytesResponse, Engine, EngineStats, MadeCallback, QueueResponse, ThumbError, Thumbnail, Ticket,
};
use crate::priority::Priority;
use crate::worker::{self, WorkerConfig};

/// The configuration of the thumbnails.
#[derive(Debug, Clone)]
pub struct ThumbsConfig {
    /// The folder of the cache. Created if it is missing.
    pub folder: PathBuf,
    /// The number of threads that make thumbnails, at least one.
    pub workers: usize,
    /// The number of places in the queue, at least one.
    pub queue_size: usize,
    /// The capacity of the cache.
    pub capacity: Capacity,
    /// The maximum size of the thumbnails in memory, in bytes.
    pub memory: u64,
    /// The limits for decoding one picture.
    pub limits: Limits,
    /// The processes that decode pictures. `None` decodes in this process.
    pub worker: Option<WorkerConfig>,
}

/// The thumbnails can't be started.
#[derive(Debug, thiserror::Error)]
pub enum OpenThumbsError {
    /// The folder of the cache can't be used.
    #[error(transparent)]
    Cache(#[from] CacheFolderError),
    /// The system has no more threads.
    #[error("the threads of the thumbnails can't be started: {0}")]
    Threads(#[source] io::Error),
}

/// Thumbnails, in memory and on the disk, made on request.
///
/// Every call here may access the disk and is therefore made where blocking is allowed; only a [`Ticket`] is
/// awaited elsewhere. Dropping the value shuts it down.
pub struct Thumbs {
    engine: Engine,
    events: Arc<Events>,
}

impl Thumbs {
    /// Opens the folder of the cache and starts the workers. A separate thread counts the contents of the folder, and
    /// deletes unfinished files left by a crash.
    ///
    /// # Errors
    /// [`OpenThumbsError`]; a folder with other contents is refused and left as it is.
    pub fn open(
        config: ThumbsConfig,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, OpenThumbsError> {
        let limits = config.limits;
        let decoder: Arc<dyn Decode> = match config.worker.clone() {
            Some(worker) => worker::decoder(worker, limits).map_err(OpenThumbsError::Threads)?,
            None => Arc::new(InProcess::new(limits)),
        };
        Self::open_with(config, clock, entropy, decoder)
    }

    /// Opens as [`open`](Self::open) does, with the caller's own decoder, whatever the configuration says.
    ///
    /// # Errors
    /// The same as of [`open`](Self::open).
    pub fn open_with(
        config: ThumbsConfig,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        decoder: Arc<dyn Decode>,
    ) -> Result<Self, OpenThumbsError> {
        let events = Arc::new(Events::default());
        let cache = Cache::open(
            config.folder,
            config.capacity,
            config.memory,
            clock,
            entropy,
        )?;
        let cache = cache.with_events(Arc::clone(&events));
        // The conditions, beside the picture, that decide whether it can be decoded.
        let version = env!("CARGO_PKG_VERSION");
        let worker = config.worker.as_ref().map(|worker| worker.limits);
        let conditions = format!("version {version}, {:?}, {worker:?}", config.limits);
        let publisher = Arc::clone(&events);
        let on_made: MadeCallback = Box::new(move |source_file, variant, made| {
            publisher.publish(ThumbsEvent::Made {
                source_file: source_file.clone(),
                variant,
                bytes: made.bytes.len() as u64,
                hash: made.hash.clone(),
            });
        });
        let making = (decoder, on_made);
        let workers = config.workers.max(1);
        let engine = Engine::start(cache, making, &conditions, workers, config.queue_size)
            .map_err(OpenThumbsError::Threads)?;
        Ok(Self { engine, events })
    }

    /// Returns true if this version of a picture was found to be undecodable.
    #[must_use]
    pub fn is_undecodable(&self, version: PictureVersion) -> bool {
        self.engine.is_undecodable(version)
    }

    /// Returns true if a request for this thumbnail is answered at once: it is in the cache, or can't be made.
    #[must_use]
    pub fn is_settled(&self, source_file: &SourceFile, variant: Variant) -> bool {
        let version = source_file.version();
        self.engine.contains(version.id, variant) || self.engine.is_undecodable(version)
    }

    /// Requests a thumbnail and waits for a place if the queue is full (as `/get` does). A known outcome is
    /// in the ticket at once.
    #[must_use]
    pub fn request_wait(
        &self,
        source_file: &SourceFile,
        variant: Variant,
        priority: Priority,
    ) -> Ticket {
        self.engine.request_wait(source_file, variant, priority)
    }

    /// Requests a thumbnail unless the queue is full (as `/queue` does). It is made even if no client waits for it.
    ///
    /// # Errors
    /// [`ThumbError::QueueFull`], [`ThumbError::ShuttingDown`], or a known failure.
    pub fn try_request(
        &self,
        source_file: &SourceFile,
        variant: Variant,
        priority: Priority,
    ) -> Result<QueueResponse, ThumbError> {
        self.engine.try_request(source_file, variant, priority)
    }

    /// Requests a thumbnail's bytes, as [`request_wait`](Self::request_wait) requests its file.
    #[must_use]
    pub fn request_bytes(
        &self,
        source_file: &SourceFile,
        variant: Variant,
        priority: Priority,
    ) -> BytesResponse {
        self.engine.request_bytes(source_file, variant, priority)
    }

    /// Makes a picture for other programs, by the same decoding processes. It is not cached.
    ///
    /// # Errors
    /// [`ThumbError`] if the file can't be read, keeps changing, or can't be decoded.
    pub fn render(&self, source: &Source, rendition: Rendition) -> Result<Vec<u8>, ThumbError> {
        self.engine.render(source, rendition)
    }

    /// Returns an animated WebP with frames of an animated picture, from an index on, as [`Decode::frames`] does. It is not
    /// cached.
    ///
    /// [`Decode::frames`]: fumikura_image::Decode::frames
    ///
    /// # Errors
    /// [`ThumbError`] if the file can't be read, keeps changing, or can't be decoded.
    pub fn frames(&self, source: &Source, from: u32) -> Result<Vec<u8>, ThumbError> {
        self.engine.frames(source, from)
    }

    /// Returns the bytes of a thumbnail, or `None` if it was in the cache and was deleted since.
    ///
    /// # Errors
    /// If it exists but can't be read.
    pub fn load(&self, thumbnail: &Thumbnail) -> io::Result<Option<Arc<[u8]>>> {
        self.engine.load(thumbnail)
    }

    /// Returns the current and past work of the engine.
    #[must_use]
    pub fn stats(&self) -> EngineStats {
        self.engine.stats()
    }

    /// Returns the contents of the cache, and its capacity.
    #[must_use]
    pub fn cache_stats(&self) -> CacheStats {
        self.engine.cache_stats()
    }

    /// Sets the listener for events, which is called from any thread, and while others wait. The first listener is
    /// kept.
    pub fn listen(&self, listener: impl Fn(ThumbsEvent) + Send + Sync + 'static) {
        self.events.listen(listener);
    }

    /// Calls `each` with every thumbnail of the cache and its size in bytes, until it returns false.
    ///
    /// # Errors
    /// If a folder of the cache can't be read.
    pub fn each_thumbnail(
        &self,
        each: &mut dyn FnMut(ThumbId, Variant, u64) -> bool,
    ) -> io::Result<()> {
        self.engine.each_thumbnail(each)
    }

    /// Sets the capacity of the cache. Eviction starts soon if it is too full.
    pub fn set_capacity(&self, capacity: Capacity) {
        self.engine.set_capacity(capacity);
    }

    /// Deletes a thumbnail from the cache if `confirm` returns true. It is called while no thumbnail is placed or
    /// deleted, and [`size`](Self::size) waits for its result. Returns the size in bytes, or `None` if the thumbnail
    /// stays or did not exist.
    ///
    /// # Errors
    /// If it can't be deleted.
    pub fn remove_thumbnail_if(
        &self,
        id: ThumbId,
        variant: Variant,
        confirm: &dyn Fn() -> bool,
    ) -> io::Result<Option<u64>> {
        self.engine.remove_if(id, variant, confirm)
    }

    /// Returns the size of a thumbnail in bytes, or `None` if it no longer exists. A deletion that has begun comes
    /// first.
    #[must_use]
    pub fn size(&self, thumbnail: &Thumbnail) -> Option<u64> {
        self.engine.size(thumbnail)
    }

    /// True if the cache contains a file of a thumbnail.
    #[must_use]
    pub fn has_thumbnail(&self, id: ThumbId, variant: Variant) -> bool {
        self.engine.contains(id, variant)
    }

    /// True if the file of a thumbnail is not a whole picture of its format. A missing file is not damaged.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn is_damaged(&self, id: ThumbId, variant: Variant) -> io::Result<bool> {
        self.engine.is_damaged(id, variant)
    }

    /// Evicts thumbnails now: deletes approximately the least recently used ones, until no more is left than
    /// the low mark allows, or `should_continue` returns false. It is called with the amount deleted so far.
    ///
    /// # Errors
    /// If many consecutive files can't be deleted, for example because the folder is read-only.
    pub fn evict(
        &self,
        should_continue: &mut dyn FnMut(EvictionStats) -> bool,
    ) -> io::Result<EvictionStats> {
        self.engine.evict(should_continue)
    }

    /// Stops accepting requests, finishes the thumbnails that are being made, and answers all others with
    /// [`ThumbError::ShuttingDown`]. Returns when no thread is left. May be called twice.
    pub fn shut_down(&self) {
        self.engine.shut_down();
    }
}

impl Drop for Thumbs {
    fn drop(&mut self) {
        self.shut_down();
    }
}
