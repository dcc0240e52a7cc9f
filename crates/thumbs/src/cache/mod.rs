//! The cache on disk: where thumbnails lie, how they get there, and how the folder is kept ours, and
//! within what it may hold.
//!
//! Nothing in it is needed: a thumbnail that is missing is made again. So files are placed
//! atomically but not synced; a file that a power cut left empty counts as missing.

mod capacity;
mod census;
mod collector;
mod find;
mod hot;
mod keeper;
mod layout;
mod ledger;
mod pool;
mod tag;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;

pub use capacity::Capacity;
pub(crate) use keeper::Keeper;
pub use pool::{Candidate, Pool, SAMPLES};
pub use tag::CacheFolderError;

use crate::fingerprint::PictureVersion;
use crate::platform;
use crate::variant::Variant;
use census::Census;
use collector::Collector;
use hot::Hot;
use layout::Leaf;
use ledger::{Change, Ledger};

/// The folder of the thumbnails.
pub(crate) struct Cache {
    top: PathBuf,
    capacity: Capacity,
    ledger: Ledger,
    hot: Hot,
    evicted: AtomicU64,
    /// Held by whoever makes room.
    collecting: Mutex<()>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

/// What the cache holds, and may hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CacheStats {
    /// Bytes of all thumbnails, as far as they have been counted.
    pub used_bytes: u64,
    /// Thumbnails.
    pub files: u64,
    /// What it may hold.
    pub capacity: Capacity,
    /// Whether they are being counted.
    pub scanning: bool,
    /// Thumbnails that were deleted to make room, since the start.
    pub evicted: u64,
}

/// What was deleted to make room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Freed {
    /// Thumbnails.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl CacheStats {
    /// Bytes that go when room is made now.
    #[must_use]
    pub fn excess_bytes(&self) -> u64 {
        self.used_bytes.saturating_sub(self.capacity.low_mark())
    }
}

impl Cache {
    /// Makes and marks the folder, or recognises it; it is counted later. `memory` bytes are kept at hand.
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
            capacity,
            ledger: Ledger::default(),
            hot: Hot::new(memory),
            evicted: AtomicU64::new(0),
            collecting: Mutex::default(),
            clock,
            entropy,
        })
    }

    /// Puts a thumbnail into its place, at once and as a whole.
    pub(crate) fn place(
        &self,
        version: PictureVersion,
        variant: Variant,
        bytes: &[u8],
    ) -> io::Result<PathBuf> {
        let id = version.id;
        let path = layout::path_of(&self.top, id, variant);
        let leaf = path.parent().expect("BUG: a thumbnail lies in a shard");
        let unfinished = match write(leaf, bytes) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.make_leaf(leaf)?;
                write(leaf, bytes)?
            }
            result => result?,
        };
        self.ledger.change(Leaf::of(id), || {
            let before = fs::symlink_metadata(&path)
                .ok()
                .filter(fs::Metadata::is_file);
            let placed = unfinished.persist(&path).map_err(|error| error.error)?;
            // Where that can't be noted, or a crash comes first, it counts like one of an earlier version. Before it
            // was in its place it could have been taken for one that a crash left unfinished long ago.
            if let Err(error) = platform::note_source(&placed, version.ctime) {
                tracing::debug!(%error, "of what a thumbnail was made can't be noted");
            }
            self.hot.forget((id, variant));
            let change = Change {
                before: before.map(|metadata| metadata.len()),
                after: Some(length(bytes)),
            };
            Ok(((), change))
        })?;
        Ok(path)
    }

    /// Makes a shard on demand. Where the whole folder has gone it is taken anew, mark and all.
    fn make_leaf(&self, leaf: &Path) -> io::Result<()> {
        tag::claim(&self.top).map_err(|error| match error {
            // What the file system says, a full disk say, is told as such.
            CacheFolderError::Io { ref source, .. } => io::Error::new(source.kind(), error),
            CacheFolderError::Foreign(_) | CacheFolderError::NotAFolder(_) => {
                io::Error::other(error)
            }
        })?;
        platform::create_private_folder(leaf)
    }

    /// Begins to count what there is.
    fn begin_count(&self, is_first: bool) -> Census {
        Census::begin(&self.top, &self.ledger, is_first)
    }

    /// Goes on counting, by one shard, and deletes what a crash left unfinished there more than an hour
    /// ago. True when all is counted.
    fn count(&self, census: &mut Census) -> bool {
        let now = self.clock.now();
        let Some(found) = census.step(&self.top, &self.ledger, now) else {
            return false;
        };
        if found.failed > 0 {
            let failed = found.failed;
            tracing::warn!(failed, "the thumbnails could not all be looked at");
        }
        if found.swept > 0 {
            tracing::info!(deleted = found.swept, "unfinished thumbnails swept up");
        }
        true
    }

    /// The folder, as long as it is marked as ours.
    pub(crate) fn folder(&self) -> Option<&Path> {
        tag::is_ours(&self.top).then_some(&*self.top)
    }

    /// Whether room must be made.
    pub(crate) fn is_too_full(&self) -> bool {
        self.ledger.held().bytes > self.capacity.high_mark()
    }

    /// Deletes the thumbnails that were not used for longest, nearly, until no more is left than the
    /// low mark allows or `goes_on` says no. Waits for another one that does so.
    pub(crate) fn collect(&self, goes_on: &mut dyn FnMut(Freed) -> bool) -> io::Result<Freed> {
        let _alone = self
            .collecting
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        Collector::new(self, &*self.entropy).collect(self.capacity.low_mark(), goes_on)
    }

    /// Has `listener` called whenever [`stats`](Self::stats) are others, from any thread.
    pub(crate) fn listen(&self, listener: impl Fn() + Send + Sync + 'static) {
        self.ledger.listen(listener);
    }

    /// Tells the listener to look again.
    pub(crate) fn tell(&self) {
        self.ledger.tell();
    }

    pub(crate) fn stats(&self) -> CacheStats {
        let (held, scanning) = self.ledger.reading();
        CacheStats {
            used_bytes: held.bytes,
            files: held.files,
            capacity: self.capacity,
            scanning,
            evicted: self.evicted.load(Ordering::Relaxed),
        }
    }
}

fn write(leaf: &Path, bytes: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::Builder::new()
        .prefix(layout::UNFINISHED_PREFIX)
        .suffix(layout::UNFINISHED_SUFFIX)
        .rand_bytes(layout::UNFINISHED_RANDOM)
        .tempfile_in(leaf)?;
    file.write_all(bytes)?;
    Ok(file)
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).expect("BUG: a length is no longer than 64 bits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{File, FileTimes};
    use std::time::{Duration, SystemTime};

    use fumikura_base::clock::ManualClock;
    use fumikura_base::entropy::SeededEntropy;
    use jiff::{SignedDuration, Timestamp};
    use tempfile::TempDir;

    use crate::fingerprint::ThumbId;
    use crate::stat::Ctime;

    struct House {
        outer: TempDir,
        clock: Arc<ManualClock>,
    }

    impl House {
        fn new() -> Self {
            Self {
                outer: tempfile::tempdir().unwrap(),
                clock: Arc::new(ManualClock::new(Timestamp::now())),
            }
        }

        fn top(&self) -> PathBuf {
            self.outer.path().join("thumbs")
        }

        fn cache(&self, limit: u64) -> Cache {
            let capacity = Capacity::new(limit, 0.9, 0.75).unwrap();
            let entropy = Arc::new(SeededEntropy::new(1));
            let cache =
                Cache::open(self.top(), capacity, 1 << 20, self.clock.clone(), entropy).unwrap();
            count(&cache, true);
            cache
        }
    }

    fn count(cache: &Cache, is_first: bool) {
        let mut census = cache.begin_count(is_first);
        while !cache.count(&mut census) {}
    }

    /// Some picture whose status was changed on 9 September 2001.
    fn id(number: u8) -> PictureVersion {
        PictureVersion {
            id: ThumbId::from_bytes([number; 20]),
            ctime: Ctime {
                seconds: 1_000_000_000,
                nanoseconds: 123_456_789,
            },
        }
    }

    fn used(path: &Path) -> SystemTime {
        fs::metadata(path).unwrap().accessed().unwrap()
    }

    fn set_used(path: &Path, time: SystemTime) {
        let times = FileTimes::new().set_accessed(time);
        File::open(path).unwrap().set_times(times).unwrap();
    }

    fn held(cache: &Cache) -> (u64, u64) {
        let stats = cache.stats();
        (stats.files, stats.used_bytes)
    }

    #[test]
    fn what_is_placed_is_found_and_counted_and_nothing_lies_beside_it() {
        let house = House::new();
        let cache = house.cache(1000);
        let variant = Variant::default();
        assert_eq!(cache.find(id(1), variant), None);
        let path = cache.place(id(1), variant, b"bytes").unwrap();
        assert_eq!(cache.find(id(1), variant), Some(path.clone()));
        assert_eq!(fs::read(&path).unwrap(), b"bytes");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        assert_eq!(held(&cache), (1, 5));
        cache.place(id(1), variant, b"other bytes").unwrap();
        assert_eq!(held(&cache), (1, 11));
        assert_eq!(held(&house.cache(1000)), (1, 11));
    }

    #[test]
    fn an_empty_file_counts_as_missing() {
        let cache = House::new().cache(1000);
        let path = cache.place(id(1), Variant::default(), b"bytes").unwrap();
        fs::write(path, b"").unwrap();
        assert_eq!(cache.find(id(1), Variant::default()), None);
    }

    #[test]
    fn a_folder_that_was_deleted_is_taken_anew() {
        let house = House::new();
        let cache = house.cache(1000);
        fs::remove_dir_all(house.top()).unwrap();
        cache.place(id(1), Variant::default(), b"bytes").unwrap();
        assert!(house.top().join("CACHEDIR.TAG").is_file());
    }

    #[test]
    fn a_foreign_folder_that_took_its_place_is_left_alone() {
        let house = House::new();
        let cache = house.cache(1000);
        fs::remove_dir_all(house.top()).unwrap();
        fs::create_dir(house.top()).unwrap();
        fs::write(house.top().join("thesis.odt"), "dear").unwrap();
        assert!(cache.place(id(1), Variant::default(), b"bytes").is_err());
        assert_eq!(fs::read_dir(house.top()).unwrap().count(), 1);
    }

    #[test]
    fn in_a_folder_that_lost_its_mark_nothing_is_deleted() {
        let house = House::new();
        let cache = house.cache(1000);
        let path = cache.place(id(1), Variant::default(), &[1; 900]).unwrap();
        let stale = path.with_file_name(".thumb-abcdefgh1234.tmp");
        fs::write(&stale, "half").unwrap();
        house.clock.advance(Duration::from_secs(2 * 60 * 60));
        let tag = house.top().join("CACHEDIR.TAG");
        fs::write(&tag, "another program's").unwrap();
        assert_eq!(cache.collect(&mut |_| true).unwrap(), Freed::default());
        count(&cache, false);
        assert!(path.exists() && stale.exists());
        fs::remove_file(&tag).unwrap();
        fs::remove_file(&stale).unwrap();
        fs::remove_dir_all(house.top()).unwrap();
        // Marked anew, it is kept within its room as before.
        let path = cache.place(id(1), Variant::default(), &[1; 900]).unwrap();
        fs::write(path.with_file_name(".thumb-abcdefgh1234.tmp"), "half").unwrap();
        house.clock.advance(Duration::from_secs(2 * 60 * 60));
        count(&cache, false);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        assert_eq!(cache.collect(&mut |_| true).unwrap().files, 1);
    }

    #[test]
    fn a_thumbnail_is_marked_as_used_once_a_day() {
        let house = House::new();
        let cache = house.cache(1000);
        let path = cache.place(id(1), Variant::default(), b"bytes").unwrap();
        let begun = used(&path);
        let made = fs::metadata(&path).unwrap().modified().unwrap();
        house.clock.advance(Duration::from_secs(24 * 60 * 60 - 60));
        cache.find(id(1), Variant::default()).unwrap();
        assert_eq!(used(&path), begun);
        house.clock.advance(Duration::from_secs(120));
        cache.find(id(1), Variant::default()).unwrap();
        assert_eq!(used(&path), SystemTime::from(house.clock.now()));
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), made);
        // A clock that was set back would keep it for ever.
        set_used(
            &path,
            SystemTime::from(house.clock.now() + SignedDuration::from_hours(100)),
        );
        cache.find(id(1), Variant::default()).unwrap();
        assert_eq!(used(&path), SystemTime::from(house.clock.now()));
    }

    fn later(version: PictureVersion, seconds: i64) -> PictureVersion {
        let mut later = version;
        later.ctime.seconds += seconds;
        later
    }

    #[test]
    fn thumbnail_of_another_status_is_no_hit() {
        let house = House::new();
        let cache = house.cache(1000);
        let variant = Variant::default();
        cache.place(id(1), variant, b"bytes").unwrap();
        for other in [later(id(1), 1), later(id(1), -1)] {
            assert_eq!(cache.find(other, variant), None);
            assert_eq!(cache.load(other, variant).unwrap(), None);
        }
        assert_eq!(load(&cache, 1).unwrap(), b"bytes");
        assert_eq!(cache.load(later(id(1), 1), variant).unwrap(), None);
        cache.place(later(id(1), 1), variant, b"other").unwrap();
        assert_eq!(load(&cache, 1), None);
        assert_eq!(held(&cache), (1, 5));
    }

    #[test]
    fn thumbnail_of_an_earlier_version_counts_until_a_change() {
        let house = House::new();
        let cache = house.cache(1000);
        let variant = Variant::default();
        let path = cache.place(id(1), variant, b"bytes").unwrap();
        // As earlier versions left it: last changed when it was made.
        let made = SystemTime::now();
        File::open(&path).unwrap().set_modified(made).unwrap();
        assert_eq!(cache.find(id(1), variant), Some(path));
        let now = Timestamp::try_from(made).unwrap().as_second();
        let changed = later(id(1), now - 1_000_000_000 + 1);
        assert_eq!(cache.find(changed, variant), None);
    }

    fn load(cache: &Cache, number: u8) -> Option<Vec<u8>> {
        let loaded = cache.load(id(number), Variant::default()).unwrap();
        loaded.map(|bytes| bytes.to_vec())
    }

    #[test]
    fn what_was_loaded_once_needs_no_disk() {
        let house = House::new();
        let cache = house.cache(1000);
        assert_eq!(load(&cache, 1), None);
        let path = cache.place(id(1), Variant::default(), b"bytes").unwrap();
        assert_eq!(load(&cache, 1).unwrap(), b"bytes");
        let aside = path.with_file_name("aside");
        fs::rename(&path, &aside).unwrap();
        assert_eq!(load(&cache, 1).unwrap(), b"bytes");
        // But for once a day, when it is looked whether it is there still.
        house.clock.advance(Duration::from_secs(24 * 60 * 60));
        assert_eq!(load(&cache, 1), None);
        fs::rename(&aside, &path).unwrap();
        assert_eq!(load(&cache, 1).unwrap(), b"bytes");
    }

    #[test]
    fn what_is_used_from_memory_is_marked_as_used_once_a_day() {
        let house = House::new();
        let cache = house.cache(1000);
        let path = cache.place(id(1), Variant::default(), b"bytes").unwrap();
        set_used(&path, SystemTime::from(house.clock.now()));
        load(&cache, 1).unwrap();
        let begun = used(&path);
        house.clock.advance(Duration::from_secs(24 * 60 * 60 - 60));
        load(&cache, 1).unwrap();
        assert_eq!(used(&path), begun);
        house.clock.advance(Duration::from_secs(120));
        load(&cache, 1).unwrap();
        let marked = SystemTime::from(house.clock.now());
        assert_eq!(used(&path), marked);
        set_used(&path, begun);
        house.clock.advance(Duration::from_secs(60));
        load(&cache, 1).unwrap();
        assert_eq!(used(&path), begun, "not so soon after the last mark");
    }

    #[test]
    fn what_is_placed_anew_is_not_remembered_as_it_was() {
        let cache = House::new().cache(1000);
        cache.place(id(1), Variant::default(), b"old").unwrap();
        load(&cache, 1).unwrap();
        cache.place(id(1), Variant::default(), b"new").unwrap();
        assert_eq!(load(&cache, 1).unwrap(), b"new");
    }

    #[test]
    fn what_is_deleted_to_make_room_leaves_the_memory_too() {
        let house = House::new();
        let cache = house.cache(10);
        cache.place(id(1), Variant::default(), &[0; 100]).unwrap();
        load(&cache, 1).unwrap();
        assert_eq!(cache.collect(&mut |_| true).unwrap().files, 1);
        assert_eq!(load(&cache, 1), None);
    }

    #[test]
    fn what_can_t_be_read_says_so() {
        let cache = House::new().cache(1000);
        let path = cache.place(id(1), Variant::default(), b"bytes").unwrap();
        let leaf = path.parent().unwrap();
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(&path, leaf.join("loop")).unwrap();
        std::os::unix::fs::symlink("loop", &path).unwrap();
        assert!(cache.load(id(1), Variant::default()).is_err());
        assert_eq!(cache.find(id(1), Variant::default()), None);
    }

    #[test]
    fn room_is_made_of_what_was_not_used_for_longest() {
        let house = House::new();
        let cache = house.cache(1000);
        let now = SystemTime::from(house.clock.now());
        let mut paths = Vec::new();
        for number in 1..=10 {
            assert!(!cache.is_too_full(), "{number}");
            let path = cache
                .place(id(number), Variant::default(), &[0; 100])
                .unwrap();
            let ago = Duration::from_secs(60 * u64::from(100 - number));
            set_used(&path, now - ago);
            paths.push(path);
        }
        assert!(cache.is_too_full());
        let foreign = paths[0].with_file_name("thesis.odt");
        fs::write(&foreign, vec![0; 1000]).unwrap();
        let freed = cache.collect(&mut |_| true).unwrap();
        assert_eq!((freed.files, freed.bytes), (3, 300));
        assert_eq!((held(&cache), cache.stats().evicted), ((7, 700), 3));
        let left: Vec<bool> = paths.iter().map(|path| path.exists()).collect();
        assert_eq!(left, [[false; 3].as_slice(), &[true; 7]].concat());
        assert!(foreign.exists());
        assert_eq!(cache.collect(&mut |_| true).unwrap(), Freed::default());
    }

    #[test]
    fn room_is_made_until_nothing_is_left_and_counters_that_were_wrong_are_right_again() {
        let house = House::new();
        let cache = house.cache(10);
        let path = cache.place(id(1), Variant::default(), &[0; 100]).unwrap();
        cache.place(id(2), Variant::default(), &[0; 100]).unwrap();
        // By another program.
        fs::remove_file(path).unwrap();
        assert_eq!(cache.collect(&mut |_| true).unwrap().files, 1);
        assert_eq!(held(&cache), (1, 100));
        count(&cache, false);
        assert_eq!(held(&cache), (0, 0));
    }

    #[test]
    fn making_room_can_be_stopped() {
        let house = House::new();
        let cache = house.cache(10);
        cache.place(id(1), Variant::default(), &[0; 100]).unwrap();
        assert_eq!(cache.collect(&mut |_| false).unwrap(), Freed::default());
        assert_eq!(held(&cache), (1, 100));
    }
}
