//! The whole: roots, listings, originals and thumbnails behind one value.

use std::io;
use std::path::Path;
use std::sync::Arc;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;

use crate::access::{AccessError, Found, Source};
use crate::cache::{
    Cache, CacheEvent, CacheEvents, CacheFolderError, CacheStats, Capacity, FolderKey, Freed,
};
use crate::config::Config;
use crate::decode::{Decode, InProcess, embedded};
use crate::engine::{
    Accepted, Engine, EngineStats, Notice, Requested, ThumbError, Thumbnail, Ticket,
};
use crate::files::Files;
use crate::fingerprint::ThumbId;
use crate::info::PictureInfo;
use crate::listing::{
    EntryKind, Folders, HeadersRead, ListQuery, Listed, Listing, Reach, RootPictures,
};
use crate::original::{Original, OriginalError};
use crate::path::{PathError, RelPath, clean_absolute};
use crate::platform;
use crate::priority::Priority;
use crate::roots::{Root, RootId, Roots, RootsFileError};
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
    /// The system gives no more threads.
    #[error("the threads of the pictures can't be started: {0}")]
    Threads(#[source] io::Error),
}

/// Pictures: the folders that may be read, what is in them, and thumbnails.
///
/// Every call here may ask the disk and is therefore made where blocking is allowed; only a
/// [`Ticket`] is waited for elsewhere. Dropping the value shuts it down.
pub struct Thumbs {
    roots: Arc<Roots>,
    pub(crate) folders: Arc<Folders>,
    files: Files,
    pub(crate) engine: Engine,
    pub(crate) events: Arc<CacheEvents>,
}

impl Thumbs {
    /// Takes the folder of the thumbnails, reads the roots and starts the workers. What the folder
    /// holds is counted, and what a crash left unfinished swept up, in a thread of its own.
    ///
    /// # Errors
    /// [`OpenError`]; a folder that holds other things is refused and left as it is.
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

    /// As [`open`](Self::open), with a decoder of the caller's own, whatever the configuration says.
    ///
    /// # Errors
    /// As [`open`](Self::open).
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
        // What decides, beside the picture, whether it can be decoded.
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

    /// The folders that may be read.
    #[must_use]
    pub fn roots(&self) -> &Roots {
        &self.roots
    }

    /// What a person does with files.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Names a place by a root and the bytes of a path beneath it.
    ///
    /// # Errors
    /// [`AccessError`] for an unknown root, and a path that is malformed or climbs.
    pub fn source(&self, root: RootId, path: &[u8]) -> Result<Source, AccessError> {
        let path = RelPath::parse(path)?;
        let root = self
            .roots
            .get(root)
            .ok_or(AccessError::RootNotFound(root))?;
        Ok(Source::new(root, path))
    }

    /// Names a place by its absolute path (`source=`), which is cleaned lexically; the innermost
    /// root that holds it owns it.
    ///
    /// # Errors
    /// [`AccessError`] for a path that is not absolute, or beneath no root.
    pub fn source_at(&self, path: &[u8]) -> Result<Source, AccessError> {
        let malformed = AccessError::InvalidPath(PathError::NotAbsolute);
        let path = clean_absolute(path).ok_or(malformed)?;
        let (root, path) = self
            .roots
            .owner_of(&path)
            .ok_or(AccessError::OutsideRoots)?;
        Ok(Source::new(root, path))
    }

    /// As [`source_at`](Self::source_at), for a caller who may be anyone: the path must lie beneath a folder that
    /// this launch was told to allow ([`Roots::allow_for_session`]), whatever else is open.
    ///
    /// # Errors
    /// [`AccessError`] for a path that is not absolute, or beneath no such folder; decided before the disk is asked.
    pub fn allowed_source_at(&self, path: &[u8]) -> Result<Source, AccessError> {
        let malformed = AccessError::InvalidPath(PathError::NotAbsolute);
        let path = clean_absolute(path).ok_or(malformed)?;
        let (root, path) = self
            .roots
            .allowed_owner_of(&path)
            .ok_or(AccessError::OutsideRoots)?;
        Ok(Source::new(root, path))
    }

    /// Names a place in a folder of the program's own, which is no root: nobody who asks by an id or
    /// a path comes there.
    ///
    /// # Errors
    /// [`AccessError`] for paths that are malformed, and one beneath the folder that climbs.
    pub fn own_source(&self, folder: &Path, beneath: &Path) -> Result<Source, AccessError> {
        let malformed = AccessError::InvalidPath(PathError::NotAbsolute);
        let folder = std::path::absolute(folder)?;
        let folder = clean_absolute(platform::bytes_of(folder.as_os_str())).ok_or(malformed)?;
        let path = RelPath::parse(platform::bytes_of(beneath.as_os_str()))?;
        Ok(Source::new(Arc::new(Root::own(folder)), path))
    }

    /// A page of a folder's entries.
    ///
    /// # Errors
    /// [`AccessError`] when there is no folder that may be read.
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
    /// [`AccessError`] when the root can't be read.
    pub fn pictures(&self, root: RootId) -> Result<RootPictures, AccessError> {
        let root = self
            .roots
            .get(root)
            .ok_or(AccessError::RootNotFound(root))?;
        self.folders.pictures(&root)
    }

    /// What is known of the folders beneath a root that may be read no more is forgotten; what is kept of them on the
    /// disk goes with time.
    pub fn forget(&self, root: RootId) {
        self.folders.forget(root);
    }

    /// Somebody still looks at a folder: the headers of its pictures are read on.
    pub fn keep_reading(&self, source: &Source) {
        self.folders.renew(source.root(), source.path());
    }

    /// Has `listener` called when more is known of a folder's pictures, from a thread that reads. The first one stays.
    pub fn listen_to_headers(&self, listener: impl Fn(HeadersRead) + Send + Sync + 'static) {
        self.folders.listen(listener);
    }

    /// Has `listener` called when a listing that was begun before all names were read is whole. The first one stays.
    pub fn listen_to_listings(&self, listener: impl Fn(Listed) + Send + Sync + 'static) {
        self.folders.listen_to_listings(listener);
    }

    /// The picture itself, typed by its content.
    ///
    /// # Errors
    /// [`OriginalError`] when the file can't be read, or is no picture.
    pub fn original(&self, source: &Source) -> Result<Original, OriginalError> {
        Original::open(source)
    }

    /// The small JPEG that a camera has put among a picture's notes, as it lies there; none if there is none.
    ///
    /// # Errors
    /// [`OriginalError`] when the file can't be read, or is no picture.
    pub fn embedded(&self, source: &Source) -> Result<(Found, Option<Vec<u8>>), OriginalError> {
        let Original { file, found, .. } = Original::open(source)?;
        let embedded = embedded(file, found.stat().size);
        Ok((found, embedded))
    }

    /// What is known of a picture.
    ///
    /// # Errors
    /// [`OriginalError`] when the file can't be read, or is no picture.
    pub fn info(&self, source: &Source) -> Result<PictureInfo, OriginalError> {
        PictureInfo::read(source)
    }

    /// What the sidecar beside a picture says of it; nothing if there is none.
    ///
    /// # Errors
    /// [`SidecarError`] when there is no such file, or its sidecar can't be read.
    pub fn marks(&self, source: &Source) -> Result<Marks, SidecarError> {
        sidecar::marks(source)
    }

    /// Changes what the sidecar beside a picture says of it, or makes one. The picture's own file stays as it is. When
    /// this returns, the change is on the disk.
    ///
    /// # Errors
    /// [`SidecarError`] when there is no such file, it is no picture by its name, or its sidecar can't be read or
    /// written; then it is as it was.
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

    /// The tags of a folder's pictures, or of all beneath it, as far as they have been read, those that are given most
    /// often first.
    ///
    /// # Errors
    /// [`AccessError`] when there is no such folder.
    pub fn tags(&self, folder: &Source, reach: Reach) -> Result<Vec<(Tag, usize)>, AccessError> {
        self.folders
            .tags(folder.root_itself(), folder.path(), reach)
    }

    /// Asks for a thumbnail and waits for a place where the queue is full (as `/get` does). Known
    /// outcomes are in the ticket at once.
    #[must_use]
    pub fn request_wait(&self, found: &Found, variant: Variant, priority: Priority) -> Ticket {
        self.engine.request_wait(found, variant, priority)
    }

    /// Asks for a thumbnail unless the queue is full (as `/queue` does); it is made even when
    /// nobody waits for it.
    ///
    /// # Errors
    /// [`ThumbError::QueueFull`], [`ThumbError::ShuttingDown`], or a failure that is known.
    pub fn try_request(
        &self,
        found: &Found,
        variant: Variant,
        priority: Priority,
    ) -> Result<Accepted, ThumbError> {
        self.engine.try_request(found, variant, priority)
    }

    /// Asks for a thumbnail's bytes, as [`request_wait`](Self::request_wait) asks for its file.
    #[must_use]
    pub fn request_bytes(&self, found: &Found, variant: Variant, priority: Priority) -> Requested {
        self.engine.request_bytes(found, variant, priority)
    }

    /// The bytes of a thumbnail; none if it was there before and has gone since.
    ///
    /// # Errors
    /// When it is there but can't be read.
    pub fn load(&self, thumbnail: &Thumbnail) -> io::Result<Option<Arc<[u8]>>> {
        self.engine.load(thumbnail)
    }

    /// What the engine has in hand and has done.
    #[must_use]
    pub fn stats(&self) -> EngineStats {
        self.engine.stats()
    }

    /// What the cache holds, and may hold.
    #[must_use]
    pub fn cache_stats(&self) -> CacheStats {
        self.engine.cache_stats()
    }

    /// Has `listener` called whenever the cache holds something else, is being counted or no longer, or
    /// a thumbnail could not be made: often, from any thread, and while others wait. The first one stays.
    pub fn listen(&self, listener: impl Fn() + Send + Sync + 'static) {
        self.engine.listen(listener);
    }

    /// Has `listener` called with what happens to the files of the cache, from any thread, and while others wait. The
    /// first one stays.
    pub fn listen_to_cache(&self, listener: impl Fn(CacheEvent) + Send + Sync + 'static) {
        self.events.listen(listener);
    }

    /// The innermost root that holds a picture; none of a picture of the program's own.
    #[must_use]
    pub fn owner(&self, source: &Source) -> Option<RootId> {
        self.events.owner(source)
    }

    /// What the cache may hold from now on; room is made soon if there is too much.
    pub fn set_capacity(&self, capacity: Capacity) {
        self.engine.set_capacity(capacity);
    }

    /// Deletes a thumbnail from the cache; its bytes, or none if it was not there.
    ///
    /// # Errors
    /// When it can't be deleted.
    pub fn remove_thumbnail(&self, id: ThumbId, variant: Variant) -> io::Result<Option<u64>> {
        self.engine.remove(id, variant)
    }

    /// Whether the cache has a file of a thumbnail.
    #[must_use]
    pub fn has_thumbnail(&self, id: ThumbId, variant: Variant) -> bool {
        self.engine.contains(id, variant)
    }

    /// Deletes the index of a folder from the cache; its bytes, or none if it was not there. What is known of the folder
    /// in memory stays.
    ///
    /// # Errors
    /// When it can't be deleted.
    pub fn remove_folder_index(&self, key: FolderKey) -> io::Result<Option<u64>> {
        self.folders.remove_kept(key)
    }

    /// Whether the cache has an index of a folder.
    #[must_use]
    pub fn has_folder_index(&self, key: FolderKey) -> bool {
        self.folders.contains_kept(key)
    }

    /// Makes room in the cache now: deletes the thumbnails that were not used for longest, nearly,
    /// until no more is left than the low mark allows, or `goes_on`, which is told what was deleted
    /// so far, says no.
    ///
    /// # Errors
    /// When many files in a row can't be deleted: the folder is read-only, say.
    pub fn collect(&self, goes_on: &mut dyn FnMut(Freed) -> bool) -> io::Result<Freed> {
        self.engine.collect(goes_on)
    }

    /// Takes no more requests, finishes the thumbnails that are being made, and answers all others
    /// with [`ThumbError::ShuttingDown`]. Returns when no thread is left; may be called twice.
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
