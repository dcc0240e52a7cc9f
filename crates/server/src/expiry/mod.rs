//! Expiry of cached thumbnails and folder indexes: the index of the cache, its policies, and its runs
//! (docs/spec/ttl.md).

mod cleanup;
mod failed_pictures;
mod policies;
mod rebuild;
mod results;
mod run;
mod state;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fumikura_base::clock::Clock;
use fumikura_fs::{PictureVersion, RootId, Roots, ThumbId};
use fumikura_image::Variant;
use fumikura_library::FolderKey;
use fumikura_pictures::CacheEvent;
use fumikura_ttl::{
    Artifact, ArtifactKey, ClockGuard, ClockJump, Index, IndexFile, Kind, LoadError, RemovalLog,
    Remover, Schedule, UNKNOWN,
};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

use crate::config::Config;
use failed_pictures::FailedPictures;
pub(crate) use policies::{Policies, StoredPolicies};
pub(crate) use results::{Run, Trigger};
pub(crate) use run::Preview;
use state::StateFile;
pub(crate) use state::{Collection, State};

/// The group of thumbnails of the wiki's own files.
pub(crate) const ASSETS: &str = "assets";

/// The time without a successful run after which users are warned.
const OVERDUE: SignedDuration = SignedDuration::from_hours(3 * 24);
/// The time after the start in which a due run may still begin.
const FIRST_RUN_WITHIN: Duration = Duration::from_secs(5 * 60);

/// Expiry of the cache's artifacts.
pub(crate) struct Expiry {
    shared: Arc<Shared>,
    pub(crate) policies: Policies,
    file: Mutex<Files>,
    /// The schedule of runs, and the state of the clock check.
    timing: Mutex<Timing>,
    /// Held during a run.
    running: Mutex<()>,
    workers: usize,
    /// The number of artifacts removed since the start, and their size in bytes.
    removed: AtomicU64,
    removed_bytes: AtomicU64,
    failed_pictures: Mutex<FailedPictures>,
}

/// The state that cache events update.
struct Shared {
    index: Mutex<Index>,
    removal_log: Mutex<RemovalLog>,
    state: Mutex<State>,
    /// Notified if there may be artifacts to remove.
    pending: Notify,
    roots: Arc<Roots>,
    clock: Arc<dyn Clock>,
}

struct Files {
    index: IndexFile,
    state: StateFile,
    completeness: Completeness,
}

/// The knowledge of the cache's artifacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Completeness {
    /// The index has all artifacts.
    Complete,
    /// The last launch ended without closing the index: it may lack the latest changes.
    Unclean,
    /// The index was lost.
    Lost,
}

struct Timing {
    schedule: Schedule,
    guard: ClockGuard,
    /// The jump of the clock that was logged last.
    logged: Option<SignedDuration>,
}

impl Expiry {
    /// Loads the index and the state.
    pub(crate) fn open(config: &Config, roots: &Arc<Roots>, clock: Arc<dyn Clock>) -> Self {
        let folder = config.cache_dir.join("ttl");
        let mut file = IndexFile::new(folder.clone());
        let loaded = file.load().inspect_err(|error| match error {
            LoadError::Missing => tracing::debug!("{error}; it is rebuilt"),
            LoadError::Damaged | LoadError::TooNew(_) | LoadError::Io(_) => {
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
            (Err(_), _) if is_empty(config) => Completeness::Complete,
            (Err(_), _) => Completeness::Lost,
        };
        let index = loaded.unwrap_or_default();
        let state_file = StateFile::new(folder);
        let (mut state, removal_log) = state_file.load();
        let (now, monotonic) = (clock.now(), clock.monotonic());
        state.since.get_or_insert(now);
        let last_seen = state.last_seen.or_else(|| index.last_read());
        Self {
            policies: Policies::new(&config.data_dir),
            timing: Mutex::new(Timing {
                schedule: Schedule::new(TimeZone::system(), state.last_success),
                guard: ClockGuard::begin(now, monotonic, last_seen),
                logged: None,
            }),
            shared: Arc::new(Shared {
                index: Mutex::new(index),
                removal_log: Mutex::new(removal_log),
                state: Mutex::new(state),
                pending: Notify::new(),
                roots: Arc::clone(roots),
                clock,
            }),
            file: Mutex::new(Files {
                index: file,
                state: state_file,
                completeness,
            }),
            running: Mutex::new(()),
            workers: config.ttl_workers,
            removed: AtomicU64::new(0),
            removed_bytes: AtomicU64::new(0),
            failed_pictures: Mutex::default(),
        }
    }

    /// Returns the listener for events of the cache.
    pub(crate) fn listener(&self) -> impl Fn(CacheEvent) + Send + Sync + 'static {
        let shared = Arc::clone(&self.shared);
        move |event| shared.note(event)
    }

    /// Returns the number of cleanup workers.
    pub(crate) fn workers(&self) -> usize {
        self.workers
    }

    /// Returns the number of artifacts removed since the start, and their size in bytes.
    pub(crate) fn removed(&self) -> (u64, u64) {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (count(&self.removed), count(&self.removed_bytes))
    }

    /// Compares the clocks. Returns the reason why nothing expires at the moment, if the clock is not trusted.
    pub(crate) fn clock_jump(&self) -> Option<ClockJump> {
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
    pub(crate) fn last_success(&self) -> Option<Timestamp> {
        locked(&self.shared.state).last_success
    }

    /// Returns true if no run has succeeded for three days, although this launch has had the time for one.
    pub(crate) fn is_overdue(&self) -> bool {
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
    pub(crate) fn is_complete(&self) -> bool {
        self.completeness() == Completeness::Complete
    }

    fn completeness(&self) -> Completeness {
        locked(&self.file).completeness
    }

    /// Returns the number of artifacts that were made again after their removal.
    pub(crate) fn regenerated(&self, by: Remover) -> u64 {
        locked(&self.shared.removal_log).regenerated(by)
    }

    /// Returns the results of the last runs.
    pub(crate) fn state(&self) -> State {
        locked(&self.shared.state).clone()
    }

    pub(crate) fn index(&self) -> MutexGuard<'_, Index> {
        locked(&self.shared.index)
    }

    /// Writes changes. A failed write is retried the next time.
    pub(crate) fn flush(&self) -> std::io::Result<()> {
        self.write(&mut locked(&self.file))
    }

    /// Writes changes, and closes the index if it is complete. The next launch scans the cache after any other end.
    pub(crate) fn close(&self) -> std::io::Result<()> {
        let mut files = locked(&self.file);
        self.write(&mut files)?;
        match files.completeness {
            Completeness::Complete => files.index.close(),
            Completeness::Unclean | Completeness::Lost => Ok(()),
        }
    }

    /// Keeps the index from being closed, because thumbnails are still being made at the end: the next launch finds them.
    pub(crate) fn leave_open(&self) {
        locked(&self.file).completeness = Completeness::Unclean;
    }

    fn write(&self, files: &mut Files) -> std::io::Result<()> {
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
    /// no longer open. Returns true if the artifact is known.
    fn note_read(&self, key: ArtifactKey, now: Timestamp, group: impl FnOnce() -> String) -> bool {
        let mut index = locked(&self.index);
        let Some(known_group) = index.touch(key, now) else {
            return false;
        };
        if !self.is_settled(known_group) {
            index.assign(key, &group());
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
    /// reader has it already. `owner` returns the root of its picture.
    pub(crate) fn thumbnail_read(
        &self,
        version: PictureVersion,
        variant: Variant,
        bytes: Option<u64>,
        owner: impl Fn() -> Option<RootId>,
    ) {
        let now = self.shared.clock.now();
        let key = thumbnail_key(version.id, variant);
        let group = || group_of(owner(), ASSETS);
        if self.shared.note_read(key, now, group) {
            return;
        }
        let Some(bytes) = bytes else { return };
        locked(&self.shared.index).record(key, Kind::Blob, &group(), bytes, now);
    }

    /// Keeps a thumbnail whose path is returned without a read: its removal ends, and the next run marks it again.
    pub(crate) fn thumbnail_named(&self, version: PictureVersion, variant: Variant) {
        self.index().spare(&thumbnail_key(version.id, variant));
    }

    /// Wakes the cleanup workers.
    pub(crate) fn wake_cleanup(&self) {
        self.shared.pending.notify_waiters();
    }
}

/// Returns the key of a thumbnail.
pub(crate) fn thumbnail_key(id: ThumbId, variant: Variant) -> ArtifactKey {
    ArtifactKey {
        id: id.to_bytes(),
        variant: variant.number(),
    }
}

fn folder_key(key: FolderKey) -> ArtifactKey {
    ArtifactKey {
        id: key.0,
        variant: 0,
    }
}

/// Returns the group of a root, or of artifacts without one.
fn group_of(owner: Option<RootId>, without: &str) -> String {
    owner.map_or_else(|| without.to_owned(), |root| root.to_string())
}

/// An artifact's file.
pub(crate) enum ArtifactFile {
    Thumbnail(ThumbId, Variant),
    Folder(FolderKey),
}

impl ArtifactFile {
    /// Returns the file of an artifact. `None` for a variant that this version does not make.
    pub(crate) fn of(artifact: &Artifact) -> Option<Self> {
        let ArtifactKey { id, variant } = artifact.key;
        match artifact.kind {
            Kind::Manifest => Some(Self::Folder(FolderKey(id))),
            Kind::Blob => {
                let variant = Variant::from_number(variant)?;
                Some(Self::Thumbnail(ThumbId::from_bytes(id), variant))
            }
        }
    }
}

/// Returns true if there are no artifacts: a folder of thumbnails contains at most its marker file, and no folder has an
/// index.
fn is_empty(config: &Config) -> bool {
    let entries = |folder: &Path| match std::fs::read_dir(folder) {
        Ok(entries) => Some(entries.count()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some(0),
        Err(_) => None,
    };
    let has_at_most = |folder: &Path, most| entries(folder).is_some_and(|count| count <= most);
    has_at_most(&config.thumbs_dir, 1) && has_at_most(&config.folder_indexes(), 0)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock()
}
