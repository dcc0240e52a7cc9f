//! The state of expiry, and the events that update it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use fumikura_base::clock::Clock;
use fumikura_fs::{PictureVersion, Roots, SourceFile, ThumbId};
use fumikura_image::Variant;
use fumikura_pictures::{CacheEvent, Pictures};
use fumikura_thumbs::Thumbnail;
use fumikura_ttl::{
    ArtifactKey, ClockGuard, ClockJump, Counts, Index, IndexFile, Kind, LoadError, RemovalLog,
    Remover, Report, Schedule, UNKNOWN,
};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use parking_lot::{Mutex, MutexGuard};

use crate::artifact_file::{ASSETS, folder_key, group_of, thumbnail_key};
use crate::failed_pictures::FailedPictures;
use crate::policies::Policies;
use crate::state::{Collection, ExpiryState, StateFile};

/// The time without a successful run after which users are warned.
const OVERDUE: SignedDuration = SignedDuration::from_hours(3 * 24);
/// The time after the start in which a due run may still begin.
const FIRST_RUN_WITHIN: Duration = Duration::from_secs(5 * 60);

/// The files of expiry and of the cache.
#[derive(Debug, Clone)]
pub struct ExpiryConfig {
    /// The folder of the index.
    pub index: PathBuf,
    /// The file of the policies.
    pub policies: PathBuf,
    /// The folder of the thumbnails.
    pub thumbnails: PathBuf,
    /// The folder of the folder indexes.
    pub folder_indexes: PathBuf,
    /// The number of cleanup workers; with 0 nothing is removed.
    pub workers: usize,
}

/// A notification for the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpiryEvent {
    /// A run marked artifacts, which are now to be removed.
    Marked(Counts),
    /// Failed removals are to be retried.
    Retry,
}

/// Returns the ids of the thumbnails of the wiki's own files.
pub type WikiThumbnails = Box<dyn Fn() -> HashSet<ThumbId> + Send + Sync>;

type Listener = Box<dyn Fn(ExpiryEvent) + Send + Sync>;

/// Expiry of the cache's artifacts.
pub struct Expiry {
    pub(crate) shared: Arc<Shared>,
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) wiki_thumbnails: WikiThumbnails,
    policies: Policies,
    pub(crate) file: Mutex<ExpiryFiles>,
    /// The schedule of runs, and the state of the clock check.
    pub(crate) timing: Mutex<Timing>,
    /// Held during a run.
    pub(crate) running: Mutex<()>,
    workers: usize,
    /// The number of artifacts removed since the start, and their size in bytes.
    pub(crate) removed: AtomicU64,
    pub(crate) removed_bytes: AtomicU64,
    pub(crate) failed_pictures: Mutex<FailedPictures>,
    listener: OnceLock<Listener>,
    stopping: AtomicBool,
}

/// The state that cache events update.
pub(crate) struct Shared {
    index: Mutex<Index>,
    pub(crate) removal_log: Mutex<RemovalLog>,
    pub(crate) state: Mutex<ExpiryState>,
    roots: Arc<Roots>,
    clock: Arc<dyn Clock>,
}

pub(crate) struct ExpiryFiles {
    index: IndexFile,
    state: StateFile,
    pub(crate) completeness: Completeness,
}

/// The knowledge of the cache's artifacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Completeness {
    /// The index has all artifacts.
    Complete,
    /// The last launch ended without closing the index: it may lack the latest changes.
    Unclean,
    /// The index was lost.
    Lost,
}

pub(crate) struct Timing {
    pub(crate) schedule: Schedule,
    guard: ClockGuard,
    /// The jump of the clock that was logged last.
    logged: Option<SignedDuration>,
}

impl Expiry {
    /// Loads the index and the state, and resolves removals that a crash interrupted.
    #[must_use]
    pub fn open(
        config: &ExpiryConfig,
        pictures: Arc<Pictures>,
        wiki_thumbnails: WikiThumbnails,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let mut file = IndexFile::new(config.index.clone());
        let loaded = file.load().inspect_err(|error| match error {
            LoadError::Missing => tracing::debug!("{error}; it is rebuilt"),
            LoadError::Damaged | LoadError::OtherVersion(_) | LoadError::Io(_) => {
                tracing::warn!("{error}; it is rebuilt");
            }
        });
        let was_closed = file.mark_open().unwrap_or_else(|error| {
            tracing::warn!("the index of cached artifacts can't be marked as open: {error}");
            false
        });
        let completeness = match (&loaded, was_closed) {
            (Ok(_), true) => Completeness::Complete,
            (Ok(_), false) => Completeness::Unclean,
            // The index of an empty cache is complete.
            (Err(_), _) if is_cache_empty(config) => Completeness::Complete,
            (Err(_), _) => Completeness::Lost,
        };
        let index = loaded.unwrap_or_default();
        let state_file = StateFile::new(config.index.clone());
        let (mut state, removal_log) = state_file.load();
        let (now, monotonic) = (clock.now(), clock.monotonic());
        state.since.get_or_insert(now);
        let last_seen = state.last_seen.or_else(|| index.last_read());
        let expiry = Self {
            policies: Policies::new(config.policies.clone()),
            timing: Mutex::new(Timing {
                schedule: Schedule::new(TimeZone::system(), state.last_success),
                guard: ClockGuard::begin(now, monotonic, last_seen),
                logged: None,
            }),
            shared: Arc::new(Shared {
                index: Mutex::new(index),
                removal_log: Mutex::new(removal_log),
                state: Mutex::new(state),
                roots: Arc::clone(pictures.roots()),
                clock,
            }),
            pictures,
            wiki_thumbnails,
            file: Mutex::new(ExpiryFiles {
                index: file,
                state: state_file,
                completeness,
            }),
            running: Mutex::new(()),
            workers: config.workers,
            removed: AtomicU64::new(0),
            removed_bytes: AtomicU64::new(0),
            failed_pictures: Mutex::default(),
            listener: OnceLock::new(),
            stopping: AtomicBool::new(false),
        };
        expiry.reclaim();
        expiry
    }

    /// Sets the listener. Later calls have no effect.
    pub fn listen(&self, listener: impl Fn(ExpiryEvent) + Send + Sync + 'static) {
        self.listener.get_or_init(|| Box::new(listener));
    }

    pub(crate) fn notify(&self, event: ExpiryEvent) {
        if let Some(listener) = self.listener.get() {
            listener(event);
        }
    }

    /// Ends cleanup and scans of the cache as soon as possible.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    pub(crate) fn monotonic(&self) -> Duration {
        self.shared.clock.monotonic()
    }

    /// Returns the policies.
    #[must_use]
    pub fn policies(&self) -> &Policies {
        &self.policies
    }

    /// Returns the listener for events of the cache.
    pub fn listener(&self) -> impl Fn(CacheEvent) + Send + Sync + 'static {
        let shared = Arc::clone(&self.shared);
        move |event| shared.note(event)
    }

    /// Returns the number of cleanup workers.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// Returns the number of artifacts removed since the start, and their size in bytes.
    #[must_use]
    pub fn removed(&self) -> (u64, u64) {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (count(&self.removed), count(&self.removed_bytes))
    }

    /// Compares the clocks. Returns the reason why nothing expires at the moment, if the clock is not trusted.
    #[must_use]
    pub fn clock_jump(&self) -> Option<ClockJump> {
        let mut timing = locked(&self.timing);
        // Read under the lock: the guard needs the readings in their order.
        let (now, monotonic) = (self.shared.clock.now(), self.shared.clock.monotonic());
        let clock_jump = timing.guard.check(now, monotonic).err();
        let jump = clock_jump.map(|clock_jump| clock_jump.jump);
        if let Some(clock_jump) = clock_jump.filter(|_| timing.logged != jump) {
            tracing::warn!("{clock_jump}");
        }
        timing.logged = jump;
        clock_jump
    }

    /// Returns the time of the last successful run.
    #[must_use]
    pub fn last_success(&self) -> Option<Timestamp> {
        locked(&self.shared.state).last_success
    }

    /// Returns true if no run has succeeded for three days, although this launch has had the time for one.
    #[must_use]
    pub fn is_overdue(&self) -> bool {
        let (now, monotonic) = (self.shared.clock.now(), self.shared.clock.monotonic());
        if monotonic < FIRST_RUN_WITHIN || self.clock_jump().is_some() {
            return false;
        }
        let state = locked(&self.shared.state);
        let known = [state.since, state.last_success].into_iter().flatten();
        // Times of a clock that was ahead do not count.
        let last = known.filter(|time| *time <= now).max();
        last.is_some_and(|last| now.duration_since(last) >= OVERDUE)
    }

    /// Returns true if the index has all artifacts of the cache.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.completeness() == Completeness::Complete
    }

    pub(crate) fn completeness(&self) -> Completeness {
        locked(&self.file).completeness
    }

    /// Returns the number of artifacts that were made again after their removal.
    #[must_use]
    pub fn regenerated(&self, by: Remover) -> u64 {
        locked(&self.shared.removal_log).regenerated(by)
    }

    /// Returns the results of the last runs.
    #[must_use]
    pub fn state(&self) -> ExpiryState {
        locked(&self.shared.state).clone()
    }

    /// Returns the index, locked.
    pub fn index(&self) -> MutexGuard<'_, Index> {
        locked(&self.shared.index)
    }

    /// Returns the contents of the index by group and age, as of now.
    #[must_use]
    pub fn report(&self) -> Report {
        self.index().report(self.shared.clock.now())
    }

    /// Returns the roots whose pictures the cache has.
    #[must_use]
    pub fn roots(&self) -> &Roots {
        &self.shared.roots
    }

    /// Writes changes. A failed write is retried the next time.
    ///
    /// # Errors
    /// If the files can't be written.
    pub fn flush(&self) -> std::io::Result<()> {
        self.write(&mut locked(&self.file))
    }

    /// Writes changes, and closes the index if it is complete. The next launch scans the cache after any other end.
    ///
    /// # Errors
    /// Those of [`flush`](Self::flush).
    pub fn close(&self) -> std::io::Result<()> {
        let mut files = locked(&self.file);
        self.write(&mut files)?;
        match files.completeness {
            Completeness::Complete => files.index.close(),
            Completeness::Unclean | Completeness::Lost => Ok(()),
        }
    }

    /// Keeps the index from being closed, because thumbnails are still being made at the end: the next launch finds them.
    pub fn leave_open(&self) {
        locked(&self.file).completeness = Completeness::Unclean;
    }

    fn write(&self, files: &mut ExpiryFiles) -> std::io::Result<()> {
        let save = files.index.prepare(&mut self.index());
        files.index.write(save)?;
        let state = {
            let mut state = locked(&self.shared.state);
            state.last_seen = Some(self.shared.clock.now());
            state.clone()
        };
        let removal_log = locked(&self.shared.removal_log).to_bytes();
        files.state.write(&state, &removal_log)
    }
}

impl Drop for Expiry {
    fn drop(&mut self) {
        if let Err(error) = self.close() {
            tracing::warn!("the index of cached artifacts can't be written: {error}");
        }
    }
}

impl Shared {
    fn note(&self, event: CacheEvent) {
        let now = self.clock.now();
        match event {
            CacheEvent::ThumbnailMade {
                owner,
                id,
                variant,
                bytes,
            } => {
                let key = thumbnail_key(id, variant);
                locked(&self.removal_log).record_made(&key, now);
                let group = group_of(owner, ASSETS);
                locked(&self.index).record(key, Kind::Blob, &group, bytes, now);
            }
            CacheEvent::ThumbnailEvicted { id, variant } => {
                self.evicted(thumbnail_key(id, variant));
            }
            CacheEvent::FolderWritten { owner, key, bytes } => {
                let key = folder_key(key);
                locked(&self.removal_log).record_made(&key, now);
                let group = group_of(owner, UNKNOWN);
                locked(&self.index).record(key, Kind::Manifest, &group, bytes, now);
            }
            CacheEvent::FolderRead { owner, key } => {
                self.note_read(folder_key(key), now, || group_of(owner, UNKNOWN));
            }
            CacheEvent::FolderEvicted { key } => self.evicted(folder_key(key)),
            CacheEvent::EvictionEnded(freed) if freed.files > 0 => {
                locked(&self.state).collections.insert(
                    0,
                    Collection {
                        at: now,
                        artifacts: freed.files,
                        bytes: freed.bytes,
                    },
                );
            }
            CacheEvent::EvictionEnded(_) => {}
        }
    }

    /// Records a read of an artifact. `group` returns its group, which replaces an unknown one, or one of a root that is
    /// no longer open. An unknown group replaces none: a read may end after its root was closed. Returns true if the
    /// artifact is known.
    fn note_read(&self, key: ArtifactKey, now: Timestamp, group: impl FnOnce() -> String) -> bool {
        let mut index = locked(&self.index);
        let Some(known_group) = index.touch(key, now) else {
            return false;
        };
        if !self.is_settled(known_group) {
            let group = group();
            if group != UNKNOWN {
                index.assign(key, &group);
            }
        }
        true
    }

    /// Returns true if an artifact of this group belongs to it for good.
    fn is_settled(&self, group: &str) -> bool {
        let is_open = |root| self.roots.get(root).is_some();
        group == ASSETS || group.parse().is_ok_and(is_open)
    }

    fn evicted(&self, key: ArtifactKey) {
        let now = self.clock.now();
        locked(&self.index).remove(&key);
        locked(&self.removal_log).record_removal(&key, Remover::Eviction, now);
    }
}

impl Expiry {
    /// Records a read of a thumbnail. `bytes` is its size, unless only its metadata was read because the
    /// reader has it already.
    pub fn thumbnail_read(
        &self,
        source_file: &SourceFile,
        version: PictureVersion,
        variant: Variant,
        bytes: Option<u64>,
    ) {
        let now = self.now();
        let key = thumbnail_key(version.id, variant);
        let group = || group_of(self.pictures.owner(source_file.source()), ASSETS);
        if self.shared.note_read(key, now, group) {
            return;
        }
        let Some(bytes) = bytes else { return };
        locked(&self.shared.index).record(key, Kind::Blob, &group(), bytes, now);
    }

    /// Keeps a thumbnail whose path is about to be returned: its removal ends, also if this is no read. Returns
    /// false if it has been deleted already.
    #[must_use]
    pub fn keep_named(
        &self,
        source_file: &SourceFile,
        thumbnail: &Thumbnail,
        is_read: bool,
    ) -> bool {
        let thumbs = self.pictures.thumbs();
        let Some(bytes) = thumbs.size(thumbnail) else {
            return false;
        };
        let (version, variant) = (thumbnail.version, thumbnail.variant);
        if is_read {
            self.thumbnail_read(source_file, version, variant, Some(bytes));
        } else {
            // The next run marks it again.
            self.index().spare(&thumbnail_key(version.id, variant));
        }
        // A removal that came first is over by now, and one that comes later is not confirmed.
        thumbs.size(thumbnail).is_some()
    }

    /// Retries one failed removal, or all, at the next cleanup.
    pub fn retry(&self, key: Option<&ArtifactKey>) {
        self.index().retry(key);
        self.notify(ExpiryEvent::Retry);
    }
}

/// Returns true if there are no artifacts: a folder of thumbnails contains at most its marker file, and no folder has an
/// index.
fn is_cache_empty(config: &ExpiryConfig) -> bool {
    let entries = |folder: &Path| match std::fs::read_dir(folder) {
        Ok(entries) => Some(entries.count()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some(0),
        Err(_) => None,
    };
    let has_at_most = |folder: &Path, most| entries(folder).is_some_and(|count| count <= most);
    has_at_most(&config.thumbnails, 1) && has_at_most(&config.folder_indexes, 0)
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock()
}
