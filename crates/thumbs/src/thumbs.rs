//! The facade: roots, listings, originals and thumbnails behind one value.

use std::io;
use std::sync::Arc;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use fumikura_fs::{AccessError, Found, RelPath, RootId, Roots, RootsFileError, Source, ThumbId};

use crate::cache::{
    Cache, CacheEvent, CacheEvents, CacheFolderError, CacheStats, Capacity, FolderKey, Freed,
};
use crate::config::Config;
use crate::decode::{Decode, InProcess, embedded};
use crate::engine::{
    Accepted, Engine, EngineStats, Notice, Requested, ThumbError, Thumbnail, Ticket,
};
use crate::files::Files;
use crate::info::PictureInfo;
use crate::listing::{
    EntryKind, Folders, HeadersRead, ListQuery, Listed, Listing, Reach, RootPictures,
};
use crate::original::{Original, OriginalError};
use crate::priority::Priority;
use crate::sidecar::{self, Marks, MarksChange, MarksOutcome, SidecarError, Tag};
use crate::variant::Variant;
use crate::worker;

/// The thumbnails can't be started.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder of the thumbnails can't be used.
    #[error(transparent)]
    Cache(#[from] CacheFolderError),
    /// The list of roots can't be used.
    #[error(transparent)]
    Roots(#[from] RootsFileError),
    /// The system has no more threads.
    #[error("the threads of the pictures can't be started: {0}")]
    Threads(#[source] io::Error),
}

/// Pictures: the folders that may be read, their contents, and thumbnails.
///
/// Every call here may access the disk and is therefore made where blocking is allowed; only a [`Ticket`] is
/// awaited elsewhere. Dropping the value shuts it down.
pub struct Thumbs {
    roots: Arc<Roots>,
    pub(crate) folders: Arc<Folders>,
    files: Files,
    pub(crate) engine: Engine,
    pub(crate) events: Arc<CacheEvents>,
}

impl Thumbs {
    /// Opens the folder of the thumbnails, reads the roots and starts the workers. A separate thread counts
    /// the contents of the folder, and deletes unfinished files left by a crash.
    ///
    /// # Errors
    /// [`OpenError`]; a folder with other contents is refused and left as it is.
    pub fn open(
        config: Config,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, OpenError> {
        let limits = config.limits;
        let decoder: Arc<dyn Decode> = match config.worker.clone() {
            Some(worker) => worker::decoder(worker, limits).map_err(OpenError::Threads)?,
            None => Arc::new(InProcess::new(limits)),
        };
        Self::open_with(config, clock, entropy, decoder)
    }

    /// Opens as [`open`](Self::open) does, with the caller's own decoder, whatever the configuration says.
    ///
    /// # Errors
    /// The same as of [`open`](Self::open).
    pub fn open_with(
        config: Config,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        decoder: Arc<dyn Decode>,
    ) -> Result<Self, OpenError> {
        let roots = Roots::open(config.roots_file, Arc::clone(&clock), Arc::clone(&entropy))?;
        let roots = Arc::new(roots);
        let cache = Cache::open(
            config.thumbs,
            config.capacity,
            config.memory,
            Arc::clone(&clock),
            Arc::clone(&entropy),
        )?;
        let events = Arc::new(CacheEvents::new(Arc::clone(&roots)));
        let cache = cache.with_events(Arc::clone(&events));
        let files = Files::new(
            Arc::clone(&roots),
            config.undo,
            config.home_bin,
            clock,
            Arc::clone(&entropy),
        );
        let told = Arc::clone(&events);
        let folders = Folders::start(config.folders, config.patience, entropy, told)
            .map_err(OpenError::Threads)?;
        let folders = Arc::new(folders);
        // The conditions, beside the picture, that decide whether it can be decoded.
        let version = env!("CARGO_PKG_VERSION");
        let worker = config.worker.as_ref().map(|worker| worker.limits);
        let conditions = format!("version {version}, {:?}, {worker:?}", config.limits);
        let workers = config.workers.max(1);
        let noting = Arc::clone(&folders);
        let told = Arc::clone(&events);
        let notice: Notice = Box::new(move |found, variant, made| {
            told.thumbnail_made(found, variant, made.bytes.len() as u64);
            if let Some(hash) = &made.hash {
                noting.note(found.source(), found.stat(), hash);
            }
        });
        let making = (decoder, notice);
        let engine = Engine::start(cache, making, &conditions, workers, config.queue_size)
            .map_err(OpenError::Threads)?;
        Ok(Self {
            roots,
            folders,
            files,
            engine,
            events,
        })
    }

    /// Returns the folders that may be read.
    #[must_use]
    pub fn roots(&self) -> &Arc<Roots> {
        &self.roots
    }

    /// Returns the file operations.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Returns a page of a folder's entries.
    ///
    /// # Errors
    /// [`AccessError`] if there is no folder that may be read.
    pub fn list(
        &self,
        root: RootId,
        path: &[u8],
        query: &ListQuery,
    ) -> Result<Listing, AccessError> {
        let path = RelPath::parse(path)?;
        let root = self
            .roots
            .get(root)
            .ok_or(AccessError::RootNotFound(root))?;
        let mut listing = self.folders.list(&root, &path, query)?;
        for entry in &mut listing.entries {
            let version = entry.version();
            entry.undecodable = version.is_some_and(|version| self.engine.is_undecodable(version));
        }
        Ok(listing)
    }

    /// Lists all pictures of a root, and has their headers and sidecars read for a while.
    ///
    /// # Errors
    /// [`AccessError`] if the root can't be read.
    pub fn pictures(&self, root: RootId) -> Result<RootPictures, AccessError> {
        let root = self
            .roots
            .get(root)
            .ok_or(AccessError::RootNotFound(root))?;
        self.folders.pictures(&root)
    }

    /// Forgets the metadata of the folders beneath a root that may no longer be read. Their cached metadata
    /// on disk is deleted in the course of time.
    pub fn forget(&self, root: RootId) {
        self.folders.forget(root);
    }

    /// Continues to read the headers of a folder's pictures, because a client still shows it.
    pub fn keep_reading(&self, source: &Source) {
        self.folders.renew(source.root(), source.path());
    }

    /// Sets the listener, which is called from a reading thread if more metadata of a folder's pictures is
    /// known. The first listener is kept.
    pub fn listen_to_headers(&self, listener: impl Fn(HeadersRead) + Send + Sync + 'static) {
        self.folders.listen(listener);
    }

    /// Sets the listener, which is called if a listing that was returned before all names were read is
    /// complete. The first listener is kept.
    pub fn listen_to_listings(&self, listener: impl Fn(Listed) + Send + Sync + 'static) {
        self.folders.listen_to_listings(listener);
    }

    /// Opens the picture's own file, typed by its content.
    ///
    /// # Errors
    /// [`OriginalError`] if the file can't be read, or is not a picture.
    pub fn original(&self, source: &Source) -> Result<Original, OriginalError> {
        Original::open(source)
    }

    /// Returns the small JPEG that a camera stored in a picture's notes, as it is, or `None` if there is none.
    ///
    /// # Errors
    /// [`OriginalError`] if the file can't be read, or is not a picture.
    pub fn embedded(&self, source: &Source) -> Result<(Found, Option<Vec<u8>>), OriginalError> {
        let Original { file, found, .. } = Original::open(source)?;
        let embedded = embedded(file, found.stat().size);
        Ok((found, embedded))
    }

    /// Returns the information about a picture.
    ///
    /// # Errors
    /// [`OriginalError`] if the file can't be read, or is not a picture.
    pub fn info(&self, source: &Source) -> Result<PictureInfo, OriginalError> {
        PictureInfo::read(source)
    }

    /// Returns the marks in the sidecar beside a picture. They are empty if there is none.
    ///
    /// # Errors
    /// [`SidecarError`] if there is no such file, or its sidecar can't be read.
    pub fn marks(&self, source: &Source) -> Result<Marks, SidecarError> {
        sidecar::marks(source)
    }

    /// Changes the marks in the sidecar beside a picture, or creates one. The picture's own file stays
    /// unchanged. When this returns, the change is durable.
    ///
    /// # Errors
    /// [`SidecarError`] if there is no such file, it is not a picture by its name, or its sidecar can't be
    /// read or written; then the sidecar is unchanged.
    pub fn mark(
        &self,
        source: &Source,
        change: &MarksChange,
    ) -> Result<MarksOutcome, SidecarError> {
        if EntryKind::of_file(source.path().name()) != EntryKind::Picture {
            return Err(SidecarError::NotAPicture);
        }
        let _alone = self.files.hold_names();
        let outcome = sidecar::set_marks(source, change)?;
        if let Some(written) = &outcome.written {
            self.folders.mark(source, written, &outcome.after);
        }
        Ok(outcome)
    }

    /// Returns the tags of a folder's pictures, or of all beneath it, as far as they have been read, the most
    /// frequent first.
    ///
    /// # Errors
    /// [`AccessError`] if there is no such folder.
    pub fn tags(&self, folder: &Source, reach: Reach) -> Result<Vec<(Tag, usize)>, AccessError> {
        self.folders
            .tags(folder.root_itself(), folder.path(), reach)
    }

    /// Requests a thumbnail and waits for a place if the queue is full (as `/get` does). A known outcome is
    /// in the ticket at once.
    #[must_use]
    pub fn request_wait(&self, found: &Found, variant: Variant, priority: Priority) -> Ticket {
        self.engine.request_wait(found, variant, priority)
    }

    /// Requests a thumbnail unless the queue is full (as `/queue` does). It is made even if no client waits for it.
    ///
    /// # Errors
    /// [`ThumbError::QueueFull`], [`ThumbError::ShuttingDown`], or a known failure.
    pub fn try_request(
        &self,
        found: &Found,
        variant: Variant,
        priority: Priority,
    ) -> Result<Accepted, ThumbError> {
        self.engine.try_request(found, variant, priority)
    }

    /// Requests a thumbnail's bytes, as [`request_wait`](Self::request_wait) requests its file.
    #[must_use]
    pub fn request_bytes(&self, found: &Found, variant: Variant, priority: Priority) -> Requested {
        self.engine.request_bytes(found, variant, priority)
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

    /// Sets the listener. It is called whenever the contents of the cache change, a count starts or ends, or
    /// a thumbnail could not be made: often, from any thread, and while others wait. The first listener is
    /// kept.
    pub fn listen(&self, listener: impl Fn() + Send + Sync + 'static) {
        self.engine.listen(listener);
    }

    /// Sets the listener, which is called with events of the files of the cache, from any thread, and while
    /// others wait. The first listener is kept.
    pub fn listen_to_cache(&self, listener: impl Fn(CacheEvent) + Send + Sync + 'static) {
        self.events.listen(listener);
    }

    /// Returns the innermost root that contains a picture, or `None` for a picture of the program's own.
    #[must_use]
    pub fn owner(&self, source: &Source) -> Option<RootId> {
        self.events.owner(source)
    }

    /// Sets the capacity of the cache. Eviction starts soon if it is too full.
    pub fn set_capacity(&self, capacity: Capacity) {
        self.engine.set_capacity(capacity);
    }

    /// Deletes a thumbnail from the cache. Returns its size in bytes, or `None` if it did not exist.
    ///
    /// # Errors
    /// If it can't be deleted.
    pub fn remove_thumbnail(&self, id: ThumbId, variant: Variant) -> io::Result<Option<u64>> {
        self.engine.remove(id, variant)
    }

    /// True if the cache contains a file of a thumbnail.
    #[must_use]
    pub fn has_thumbnail(&self, id: ThumbId, variant: Variant) -> bool {
        self.engine.contains(id, variant)
    }

    /// Deletes the index of a folder from the cache. Returns its size in bytes, or `None` if it did not
    /// exist. The metadata of the folder in memory stays.
    ///
    /// # Errors
    /// If it can't be deleted.
    pub fn remove_folder_index(&self, key: FolderKey) -> io::Result<Option<u64>> {
        self.folders.remove_kept(key)
    }

    /// True if the cache contains an index of a folder.
    #[must_use]
    pub fn has_folder_index(&self, key: FolderKey) -> bool {
        self.folders.contains_kept(key)
    }

    /// Evicts thumbnails now: deletes approximately the least recently used ones, until no more is left than
    /// the low mark allows, or `goes_on` returns false. `goes_on` is called with the amount deleted so far.
    ///
    /// # Errors
    /// If many consecutive files can't be deleted, for example because the folder is read-only.
    pub fn collect(&self, goes_on: &mut dyn FnMut(Freed) -> bool) -> io::Result<Freed> {
        self.engine.collect(goes_on)
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
        // A thread that reads names may hold them for ever.
        self.folders.end();
    }
}
