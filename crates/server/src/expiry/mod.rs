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

use fumikura_base::clock::Clock;
use fumikura_fs::{PictureVersion, RootId, ThumbId};
use fumikura_image::Variant;
use fumikura_library::FolderKey;
use fumikura_pictures::CacheEvent;
use fumikura_ttl::{
    Artifact, ArtifactKey, ClockGuard, ClockJump, Index, IndexFile, Kind, LoadError, RemovalLog,
    Remover, Schedule,
};
use jiff::tz::TimeZone;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

use crate::config::Config;
use failed_pictures::FailedPictures;
pub(crate) use policies::{Policies, StoredPolicies};
pub(crate) use results::{CountsDto, Run, Trigger};
pub(crate) use run::Preview;
use state::StateFile;
pub(crate) use state::{Collection, State};

/// The group of thumbnails of the wiki's own files.
pub(crate) const ASSETS: &str = "assets";
/// The group of artifacts without a known root.
pub(crate) const UNKNOWN: &str = "unknown";

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
    clock: Arc<dyn Clock>,
}

struct Files {
    index: IndexFile,
    state: StateFile,
    is_rebuilt: bool,
}

struct Timing {
    schedule: Schedule,
    guard: ClockGuard,
    clock_jump: Option<ClockJump>,
}

impl Expiry {
    /// Loads the index and the state.
    pub(crate) fn open(config: &Config, clock: Arc<dyn Clock>) -> Self {
        let folder = config.cache_dir.join("ttl");
        let mut file = IndexFile::new(folder.clone());
        let loaded = file.load().inspect_err(|error| match error {
            LoadError::Missing => tracing::debug!("{error}; it is rebuilt"),
            LoadError::Damaged | LoadError::TooNew(_) | LoadError::Io(_) => {
                tracing::warn!("{error}; it is rebuilt");
            }
        });
        // The index of an empty cache is complete.
        let is_rebuilt = loaded.is_ok() || is_empty(&config.thumbs_dir);
        let state_file = StateFile::new(folder);
        let (state, removal_log) = state_file.load();
        let (now, monotonic) = (clock.now(), clock.monotonic());
        let (guard, clock_jump) = ClockGuard::begin(now, monotonic, state.last_seen);
        if let Some(clock_jump) = clock_jump {
            tracing::warn!("{clock_jump}");
        }
        Self {
            policies: Policies::new(&config.data_dir),
            timing: Mutex::new(Timing {
                schedule: Schedule::new(TimeZone::system(), state.last_date),
                guard,
                clock_jump,
            }),
            shared: Arc::new(Shared {
                index: Mutex::new(loaded.unwrap_or_default()),
                removal_log: Mutex::new(removal_log),
                state: Mutex::new(state),
                pending: Notify::new(),
                clock,
            }),
            file: Mutex::new(Files {
                index: file,
                state: state_file,
                is_rebuilt,
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

    /// Returns the reason why nothing expires at the moment, if the clock is not trusted.
    pub(crate) fn clock_jump(&self) -> Option<ClockJump> {
        let now = self.shared.clock.now();
        let clock_jump = locked(&self.timing).clock_jump;
        clock_jump.filter(|clock_jump| now < clock_jump.until)
    }

    /// Returns true if the index has all artifacts of the cache.
    pub(crate) fn is_complete(&self) -> bool {
        locked(&self.file).is_rebuilt
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

    /// Compares the clocks. A jump is accepted after an hour without another one.
    fn check_clock(&self) {
        let (now, monotonic) = (self.shared.clock.now(), self.shared.clock.monotonic());
        let mut timing = locked(&self.timing);
        if let Err(clock_jump) = timing.guard.check(now, monotonic) {
            tracing::warn!("{clock_jump}");
            timing.schedule.put_off(clock_jump.until);
            timing.clock_jump = Some(clock_jump);
        }
    }

    /// Writes changes. A failed write is retried the next time.
    pub(crate) fn flush(&self) -> std::io::Result<()> {
        let mut files = locked(&self.file);
        if !files.is_rebuilt {
            // An incomplete index would be taken for a complete one.
            return Ok(());
        }
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
        if let Err(error) = self.flush() {
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
            CacheEvent::FolderRead { key } => {
                locked(&self.index).touch(folder_key(key), now);
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
        bytes: Option<usize>,
        owner: impl FnOnce() -> Option<RootId>,
    ) {
        let now = self.shared.clock.now();
        let key = thumbnail_key(version.id, variant);
        if locked(&self.shared.index).touch(key, now) {
            return;
        }
        let Some(bytes) = bytes else { return };
        let group = group_of(owner(), ASSETS);
        locked(&self.shared.index).record(key, Kind::Blob, &group, bytes as u64, now);
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

/// Returns true if a folder of thumbnails contains at most its marker file.
fn is_empty(thumbs: &Path) -> bool {
    std::fs::read_dir(thumbs).is_ok_and(|entries| entries.count() <= 1)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock()
}
