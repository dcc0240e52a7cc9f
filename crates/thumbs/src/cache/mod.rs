//! The cache on disk: the places of thumbnails, the marked folder that contains them, and its capacity.
//!
//! All of it is expendable: a missing thumbnail is made again. So files are placed atomically but not synced;
//! a file that a power cut left empty counts as missing.

mod capacity;
mod events;
mod eviction_pool;
mod evictor;
mod key;
mod layout;
mod ledger;
mod lookup;
mod maintenance;
mod memory;
mod relocation;
mod tag;
mod usage_scan;

use std::fs::{File, FileTimes};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fumikura_base::clock::Clock;
use fumikura_base::dir_handle::{DirHandle, TemporaryFile, is_file, size};
use fumikura_base::entropy::Entropy;
use fumikura_base::own_file;
use fumikura_fs::{PictureVersion, ThumbId, platform};
use parking_lot::{Mutex, RwLock};

pub use capacity::Capacity;
pub(crate) use events::Events;
pub use events::ThumbsEvent;
pub use eviction_pool::{Candidate, EvictionPool, SAMPLES};
pub use key::stored_key;
pub(crate) use maintenance::Maintenance;
pub use relocation::{MoveOutcome, can_hold_cache, move_cache};
pub use tag::CacheFolderError;

use evictor::Evictor;
use fumikura_image::{DecodeError, Format, PictureKind, Variant, is_truncated, kind_of};
use key::stored_version;
use layout::Shard;
use ledger::{Change, Ledger};
use memory::MemoryCache;
use usage_scan::UsageScan;

/// The folder of the thumbnails.
pub(crate) struct Cache {
    top: PathBuf,
    capacity: RwLock<Capacity>,
    events: Arc<Events>,
    ledger: Ledger,
    memory: MemoryCache,
    evicted: AtomicU64,
    /// Serializes eviction runs.
    evicting: Mutex<()>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

/// The contents of the cache, and its capacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CacheStats {
    /// The bytes of all thumbnails counted so far.
    pub used_bytes: u64,
    /// The number of thumbnails.
    pub files: u64,
    pub capacity: Capacity,
    /// True while the thumbnails are counted for the first time.
    pub scanning: bool,
    /// The number of thumbnails evicted since the start.
    pub evicted: u64,
}

/// The thumbnails that an eviction run deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EvictionStats {
    /// The number of thumbnails.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

impl CacheStats {
    /// Returns the number of bytes that eviction would delete now.
    #[must_use]
    pub fn excess_bytes(&self) -> u64 {
        self.used_bytes.saturating_sub(self.capacity.low_mark())
    }
}

impl Cache {
    /// Creates and marks the folder, or recognises it. It is counted later. `memory` is the size of the
    /// memory cache in bytes.
    pub(crate) fn open(
        top: PathBuf,
        capacity: Capacity,
        memory: u64,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, CacheFolderError> {
        tag::claim(&top)?;
        Ok(Self {
            top,
            capacity: RwLock::new(capacity),
            events: Arc::default(),
            ledger: Ledger::default(),
            memory: MemoryCache::new(memory),
            evicted: AtomicU64::new(0),
            evicting: Mutex::default(),
            clock,
            entropy,
        })
    }

    /// Publishes evictions and changes of the statistics to these events.
    pub(crate) fn with_events(self, events: Arc<Events>) -> Self {
        Self {
            ledger: Ledger::new(Arc::clone(&events)),
            events,
            ..self
        }
    }

    /// Sets the capacity. Thumbnails beyond it stay until the next eviction.
    pub(crate) fn set_capacity(&self, capacity: Capacity) {
        *self.capacity.write() = capacity;
        self.events.publish(ThumbsEvent::StatsChanged);
    }

    fn capacity(&self) -> Capacity {
        *self.capacity.read()
    }

    /// Deletes a thumbnail if `confirm` returns true, while no thumbnail is placed or deleted. Returns its size in
    /// bytes, or `None` if it stays or did not exist.
    pub(crate) fn remove_if(
        &self,
        id: ThumbId,
        variant: Variant,
        confirm: &dyn Fn() -> bool,
    ) -> io::Result<Option<u64>> {
        let (id, variant) = stored_key(id, variant);
        let (shard, name) = (Shard::of(id), layout::name_of(id, variant));
        let removed = self.ledger.change(shard, || {
            if !confirm() {
                return Ok((None, Change::NONE));
            }
            let folder = shard.open(&self.top)?;
            let stat = folder.stat(Path::new(&name))?;
            // Anything but a file is not ours, and stays.
            folder.remove_file(&name)?;
            self.memory.forget((id, variant));
            let size = size(&stat);
            Ok((Some(size), Change::removal(size)))
        });
        match removed {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            removed => removed,
        }
    }

    /// True if the file of a thumbnail exists, whatever it was made of.
    pub(crate) fn contains(&self, id: ThumbId, variant: Variant) -> bool {
        let (id, variant) = stored_key(id, variant);
        let folder = Shard::of(id).open(&self.top);
        let name = layout::name_of(id, variant);
        let found = folder.and_then(|folder| folder.stat(Path::new(&name)));
        found.is_ok_and(|found| is_file(&found))
    }

    /// True if the file of a thumbnail is not a whole picture of its format. A missing file is not damaged.
    pub(crate) fn is_damaged(&self, id: ThumbId, variant: Variant) -> io::Result<bool> {
        let (id, variant) = stored_key(id, variant);
        let folder = Shard::of(id).open(&self.top);
        let name = layout::name_of(id, variant);
        let mut file = match folder.and_then(|folder| folder.file(Path::new(&name))) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        let metadata = file.metadata()?;
        let length = metadata.len();
        if !(1..=own_file::ITEM).contains(&length) {
            return Ok(true);
        }
        let used = platform::last_used(&metadata)?;
        let damaged = is_damaged(&mut file, variant.format, length);
        // Reading it for a check is no use.
        let times = platform::used_at(FileTimes::new(), used);
        if platform::last_used(&file.metadata()?)? != used {
            file.set_times(times)?;
        }
        damaged
    }

    /// Calls `each` with every thumbnail and its size in bytes, until it returns false.
    pub(crate) fn each_thumbnail(
        &self,
        each: &mut dyn FnMut(ThumbId, Variant, u64) -> bool,
    ) -> io::Result<()> {
        usage_scan::each_thumbnail(&self.top, each)
    }

    /// Places a thumbnail atomically.
    pub(crate) fn place(
        &self,
        version: PictureVersion,
        variant: Variant,
        bytes: &[u8],
    ) -> io::Result<PathBuf> {
        let (version, variant) = stored_version(version, variant);
        let id = version.id;
        let (shard, name) = (Shard::of(id), layout::name_of(id, variant));
        let folder = match shard.open(&self.top) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.create_shard(shard)?,
            opened => opened?,
        };
        let unfinished = write(&folder, bytes)?;
        self.ledger.change(shard, || {
            let before = folder.stat(Path::new(&name)).ok().filter(is_file);
            let (placed, unfinished) = unfinished.into_parts();
            unfinished.replace(&folder, &name)?;
            // If the status time can't be stored, or a crash comes first, the file counts like one of an
            // earlier version. It is stored only after the file is in place: before, the old time could make
            // the file look like one that a crash left unfinished long ago.
            if let Err(error) = platform::store_source_ctime(&placed, version.ctime) {
                tracing::debug!(%error, "the source version of a thumbnail can't be stored");
            }
            self.memory.forget((id, variant));
            let change = Change {
                before: before.map(|stat| size(&stat)),
                after: Some(length(bytes)),
            };
            Ok(((), change))
        })?;
        Ok(layout::path_of(&self.top, id, variant))
    }

    /// Creates a shard on demand. If the whole folder was deleted, it is created and marked again.
    fn create_shard(&self, shard: Shard) -> io::Result<DirHandle> {
        tag::claim(&self.top).map_err(|error| match error {
            // An error of the file system, such as a full disk, keeps its kind.
            CacheFolderError::Io { ref source, .. } => io::Error::new(source.kind(), error),
            CacheFolderError::Foreign(_) | CacheFolderError::NotAFolder(_) => {
                io::Error::other(error)
            }
        })?;
        shard.create(&self.top)
    }

    fn begin_count(&self, is_first: bool) -> UsageScan {
        UsageScan::begin(&self.top, &self.ledger, is_first)
    }

    /// Counts the next shard, and deletes files that a crash left unfinished there more than an hour ago.
    /// Returns true if the count is complete.
    fn count(&self, scan: &mut UsageScan) -> bool {
        let now = self.clock.now();
        let Some(found) = scan.step(&self.top, &self.ledger, now) else {
            return false;
        };
        if found.failed > 0 {
            let failed = found.failed;
            tracing::warn!(failed, "some thumbnails could not be examined");
        }
        if found.deleted > 0 {
            tracing::info!(deleted = found.deleted, "unfinished thumbnails deleted");
        }
        true
    }

    /// Returns the folder as long as it is marked as ours.
    pub(crate) fn folder(&self) -> Option<&Path> {
        tag::is_ours(&self.top).then_some(&*self.top)
    }

    /// True if eviction is needed.
    pub(crate) fn is_too_full(&self) -> bool {
        self.ledger.usage().bytes > self.capacity().high_mark()
    }

    /// Evicts approximately the least recently used thumbnails, until no more is left than the low mark
    /// allows or `should_continue` returns false. Waits for an eviction that is already running.
    pub(crate) fn evict(
        &self,
        should_continue: &mut dyn FnMut(EvictionStats) -> bool,
    ) -> io::Result<EvictionStats> {
        let _alone = self.evicting.lock();
        let low_mark = self.capacity().low_mark();
        let freed = Evictor::new(self, &*self.entropy).evict(low_mark, should_continue)?;
        self.events.publish(ThumbsEvent::EvictionEnded(freed));
        Ok(freed)
    }

    /// Publishes that a thumbnail could not be made.
    pub(crate) fn publish_failure(&self) {
        self.events.publish(ThumbsEvent::StatsChanged);
    }

    pub(crate) fn stats(&self) -> CacheStats {
        let (usage, scanning) = self.ledger.usage_and_counting();
        CacheStats {
            used_bytes: usage.bytes,
            files: usage.files,
            capacity: self.capacity(),
            scanning,
            evicted: self.evicted.load(Ordering::Relaxed),
        }
    }
}

fn write<'a>(shard: &'a DirHandle, bytes: &[u8]) -> io::Result<TemporaryFile<'a>> {
    let mut file = shard.temporary_file(layout::UNFINISHED_PREFIX, 0o600)?;
    file.write_all(bytes)?;
    Ok(file)
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).expect("BUG: a length is no longer than 64 bits")
}

/// True if a file of this length is not a whole picture of a format.
fn is_damaged(file: &mut File, format: Format, length: u64) -> io::Result<bool> {
    let kind = match format {
        Format::Jpg => PictureKind::Jpeg,
        Format::Png => PictureKind::Png,
        Format::Webp => PictureKind::Webp,
    };
    match kind_of(file) {
        Ok(found) if found == kind => is_truncated(kind, file, length),
        Ok(_) | Err(DecodeError::NotAPicture) => Ok(true),
        Err(error) => Err(io::Error::other(error)),
    }
}

#[cfg(test)]
mod tests;
