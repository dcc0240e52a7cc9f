//! Tests of the cache: lookup, marks of use, counting and eviction.

use fumikura_base::clock::ManualClock;
use fumikura_base::entropy::SeededEntropy;
use fumikura_fs::{Ctime, ThumbId};

use super::*;
use std::fs::{self, File, FileTimes};
use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

struct Fixture {
    outer: TempDir,
    clock: Arc<ManualClock>,
}

impl Fixture {
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
    let mut scan = cache.begin_count(is_first);
    while !cache.count(&mut scan) {}
}

/// Returns a picture whose status was changed on 9 September 2001.
fn version(number: u8) -> PictureVersion {
    PictureVersion {
        id: ThumbId::from_bytes([number; 20]),
        ctime: Ctime {
            seconds: 1_000_000_000,
            nanoseconds: 123_456_789,
        },
    }
}

fn last_used(path: &Path) -> SystemTime {
    fs::metadata(path).unwrap().accessed().unwrap()
}

fn set_last_used(path: &Path, time: SystemTime) {
    let times = FileTimes::new().set_accessed(time);
    File::open(path).unwrap().set_times(times).unwrap();
}

fn totals(cache: &Cache) -> (u64, u64) {
    let stats = cache.stats();
    (stats.files, stats.used_bytes)
}

#[test]
fn placed_thumbnail_is_found_and_counted() {
    let fixture = Fixture::new();
    let cache = fixture.cache(1000);
    let variant = Variant::default();
    assert_eq!(cache.find(version(1), variant), None);
    let path = cache.place(version(1), variant, b"bytes").unwrap();
    assert_eq!(cache.find(version(1), variant), Some(path.clone()));
    assert_eq!(fs::read(&path).unwrap(), b"bytes");
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    assert_eq!(totals(&cache), (1, 5));
    cache.place(version(1), variant, b"other bytes").unwrap();
    assert_eq!(totals(&cache), (1, 11));
    assert_eq!(totals(&fixture.cache(1000)), (1, 11));
}

#[test]
fn empty_file_counts_as_missing() {
    let cache = Fixture::new().cache(1000);
    let path = cache
        .place(version(1), Variant::default(), b"bytes")
        .unwrap();
    fs::write(path, b"").unwrap();
    assert_eq!(cache.find(version(1), Variant::default()), None);
}

#[test]
fn link_counts_as_missing_and_is_replaced() {
    let fixture = Fixture::new();
    let cache = fixture.cache(1000);
    let variant = Variant::default();
    let path = cache.place(version(1), variant, b"bytes").unwrap();
    let other = fixture.outer.path().join("other");
    fs::rename(&path, &other).unwrap();
    std::os::unix::fs::symlink(&other, &path).unwrap();
    assert_eq!(cache.find(version(1), variant), None);
    assert_eq!(cache.load(version(1), variant).unwrap(), None);
    cache.place(version(1), variant, b"again").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"again");
    assert_eq!(fs::read(other).unwrap(), b"bytes");
}

#[test]
fn deleted_folder_is_claimed_again() {
    let fixture = Fixture::new();
    let cache = fixture.cache(1000);
    fs::remove_dir_all(fixture.top()).unwrap();
    cache
        .place(version(1), Variant::default(), b"bytes")
        .unwrap();
    assert!(fixture.top().join("CACHEDIR.TAG").is_file());
}

#[test]
fn foreign_folder_in_its_place_is_untouched() {
    let fixture = Fixture::new();
    let cache = fixture.cache(1000);
    fs::remove_dir_all(fixture.top()).unwrap();
    fs::create_dir(fixture.top()).unwrap();
    fs::write(fixture.top().join("thesis.odt"), "dear").unwrap();
    assert!(
        cache
            .place(version(1), Variant::default(), b"bytes")
            .is_err()
    );
    assert_eq!(fs::read_dir(fixture.top()).unwrap().count(), 1);
}

#[test]
fn nothing_is_deleted_in_an_unmarked_folder() {
    let fixture = Fixture::new();
    let cache = fixture.cache(1000);
    let path = cache
        .place(version(1), Variant::default(), &[1; 900])
        .unwrap();
    let stale = path.with_file_name(".thumb-abcdefgh1234.tmp");
    fs::write(&stale, "half").unwrap();
    fixture.clock.advance(Duration::from_secs(2 * 60 * 60));
    let tag = fixture.top().join("CACHEDIR.TAG");
    fs::write(&tag, "another program's").unwrap();
    assert_eq!(
        cache.evict(&mut |_| true).unwrap(),
        EvictionStats::default()
    );
    count(&cache, false);
    assert!(path.exists() && stale.exists());
    fs::remove_file(&tag).unwrap();
    fs::remove_file(&stale).unwrap();
    fs::remove_dir_all(fixture.top()).unwrap();
    // The folder is marked again, and stays within its capacity as before.
    let path = cache
        .place(version(1), Variant::default(), &[1; 900])
        .unwrap();
    fs::write(path.with_file_name(".thumb-abcdefgh1234.tmp"), "half").unwrap();
    fixture.clock.advance(Duration::from_secs(2 * 60 * 60));
    count(&cache, false);
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    assert_eq!(cache.evict(&mut |_| true).unwrap().files, 1);
}

#[test]
fn use_is_recorded_once_a_day() {
    let fixture = Fixture::new();
    let cache = fixture.cache(1000);
    let path = cache
        .place(version(1), Variant::default(), b"bytes")
        .unwrap();
    let first_use = last_used(&path);
    let made = fs::metadata(&path).unwrap().modified().unwrap();
    fixture
        .clock
        .advance(Duration::from_secs(24 * 60 * 60 - 60));
    cache.find(version(1), Variant::default()).unwrap();
    assert_eq!(last_used(&path), first_use);
    fixture.clock.advance(Duration::from_secs(120));
    cache.find(version(1), Variant::default()).unwrap();
    assert_eq!(last_used(&path), SystemTime::from(fixture.clock.now()));
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), made);
    // A time from a clock that was set back later would keep it for ever.
    set_last_used(
        &path,
        SystemTime::from(fixture.clock.now() + SignedDuration::from_hours(100)),
    );
    cache.find(version(1), Variant::default()).unwrap();
    assert_eq!(last_used(&path), SystemTime::from(fixture.clock.now()));
}

fn later(earlier: PictureVersion, seconds: i64) -> PictureVersion {
    let mut later = earlier;
    later.ctime.seconds += seconds;
    later
}

#[test]
fn thumbnail_of_another_status_is_no_hit() {
    let fixture = Fixture::new();
    let cache = fixture.cache(1000);
    let variant = Variant::default();
    cache.place(version(1), variant, b"bytes").unwrap();
    for other in [later(version(1), 1), later(version(1), -1)] {
        assert_eq!(cache.find(other, variant), None);
        assert_eq!(cache.load(other, variant).unwrap(), None);
    }
    assert_eq!(load(&cache, 1).unwrap(), b"bytes");
    assert_eq!(cache.load(later(version(1), 1), variant).unwrap(), None);
    cache
        .place(later(version(1), 1), variant, b"other")
        .unwrap();
    assert_eq!(load(&cache, 1), None);
    assert_eq!(totals(&cache), (1, 5));
}

#[test]
fn unversioned_thumbnail_counts_until_picture_changes() {
    let fixture = Fixture::new();
    let cache = fixture.cache(1000);
    let variant = Variant::default();
    let path = cache.place(version(1), variant, b"bytes").unwrap();
    // The state that earlier versions left: last changed when it was made.
    let made = SystemTime::now();
    File::open(&path).unwrap().set_modified(made).unwrap();
    assert_eq!(cache.find(version(1), variant), Some(path));
    let now = Timestamp::try_from(made).unwrap().as_second();
    let changed = later(version(1), now - 1_000_000_000 + 1);
    assert_eq!(cache.find(changed, variant), None);
}

fn load(cache: &Cache, number: u8) -> Option<Vec<u8>> {
    let loaded = cache.load(version(number), Variant::default()).unwrap();
    loaded.map(|bytes| bytes.to_vec())
}

#[test]
fn loaded_thumbnail_is_served_from_memory() {
    let fixture = Fixture::new();
    let cache = fixture.cache(1000);
    assert_eq!(load(&cache, 1), None);
    let path = cache
        .place(version(1), Variant::default(), b"bytes")
        .unwrap();
    assert_eq!(load(&cache, 1).unwrap(), b"bytes");
    let aside = path.with_file_name("aside");
    fs::rename(&path, &aside).unwrap();
    assert_eq!(load(&cache, 1).unwrap(), b"bytes");
    // Once a day the existence of the file is checked.
    fixture.clock.advance(Duration::from_secs(24 * 60 * 60));
    assert_eq!(load(&cache, 1), None);
    fs::rename(&aside, &path).unwrap();
    assert_eq!(load(&cache, 1).unwrap(), b"bytes");
}

#[test]
fn memory_hit_records_use_once_a_day() {
    let fixture = Fixture::new();
    let cache = fixture.cache(1000);
    let path = cache
        .place(version(1), Variant::default(), b"bytes")
        .unwrap();
    set_last_used(&path, SystemTime::from(fixture.clock.now()));
    load(&cache, 1).unwrap();
    let first_use = last_used(&path);
    fixture
        .clock
        .advance(Duration::from_secs(24 * 60 * 60 - 60));
    load(&cache, 1).unwrap();
    assert_eq!(last_used(&path), first_use);
    fixture.clock.advance(Duration::from_secs(120));
    load(&cache, 1).unwrap();
    let marked = SystemTime::from(fixture.clock.now());
    assert_eq!(last_used(&path), marked);
    set_last_used(&path, first_use);
    fixture.clock.advance(Duration::from_secs(60));
    load(&cache, 1).unwrap();
    assert_eq!(
        last_used(&path),
        first_use,
        "not so soon after the last mark"
    );
}

#[test]
fn replaced_thumbnail_leaves_the_memory_cache() {
    let cache = Fixture::new().cache(1000);
    cache.place(version(1), Variant::default(), b"old").unwrap();
    load(&cache, 1).unwrap();
    cache.place(version(1), Variant::default(), b"new").unwrap();
    assert_eq!(load(&cache, 1).unwrap(), b"new");
}

#[test]
fn evicted_thumbnail_leaves_the_memory_cache() {
    let fixture = Fixture::new();
    let cache = fixture.cache(10);
    cache
        .place(version(1), Variant::default(), &[0; 100])
        .unwrap();
    load(&cache, 1).unwrap();
    assert_eq!(cache.evict(&mut |_| true).unwrap().files, 1);
    assert_eq!(load(&cache, 1), None);
}

#[test]
fn unreadable_thumbnail_is_an_error() {
    let cache = Fixture::new().cache(1000);
    let path = cache
        .place(version(1), Variant::default(), b"bytes")
        .unwrap();
    let shard = path.parent().unwrap();
    fs::remove_dir_all(shard).unwrap();
    std::os::unix::fs::symlink(shard, shard).unwrap();
    assert!(cache.load(version(1), Variant::default()).is_err());
    assert_eq!(cache.find(version(1), Variant::default()), None);
}

#[test]
fn least_recently_used_thumbnails_are_evicted() {
    let fixture = Fixture::new();
    let cache = fixture.cache(1000);
    let now = SystemTime::from(fixture.clock.now());
    let mut paths = Vec::new();
    for number in 1..=10 {
        assert!(!cache.is_too_full(), "{number}");
        let path = cache
            .place(version(number), Variant::default(), &[0; 100])
            .unwrap();
        let ago = Duration::from_secs(60 * u64::from(100 - number));
        set_last_used(&path, now - ago);
        paths.push(path);
    }
    assert!(cache.is_too_full());
    let foreign = paths[0].with_file_name("thesis.odt");
    fs::write(&foreign, vec![0; 1000]).unwrap();
    let freed = cache.evict(&mut |_| true).unwrap();
    assert_eq!((freed.files, freed.bytes), (3, 300));
    assert_eq!((totals(&cache), cache.stats().evicted), ((7, 700), 3));
    let left: Vec<bool> = paths.iter().map(|path| path.exists()).collect();
    assert_eq!(left, [[false; 3].as_slice(), &[true; 7]].concat());
    assert!(foreign.exists());
    assert_eq!(
        cache.evict(&mut |_| true).unwrap(),
        EvictionStats::default()
    );
}

#[test]
fn eviction_ends_when_empty_and_recount_corrects_totals() {
    let fixture = Fixture::new();
    let cache = fixture.cache(10);
    let path = cache
        .place(version(1), Variant::default(), &[0; 100])
        .unwrap();
    cache
        .place(version(2), Variant::default(), &[0; 100])
        .unwrap();
    // Another program deletes the file.
    fs::remove_file(path).unwrap();
    assert_eq!(cache.evict(&mut |_| true).unwrap().files, 1);
    assert_eq!(totals(&cache), (1, 100));
    count(&cache, false);
    assert_eq!(totals(&cache), (0, 0));
}

#[test]
fn eviction_can_be_stopped() {
    let fixture = Fixture::new();
    let cache = fixture.cache(10);
    cache
        .place(version(1), Variant::default(), &[0; 100])
        .unwrap();
    assert_eq!(
        cache.evict(&mut |_| false).unwrap(),
        EvictionStats::default()
    );
    assert_eq!(totals(&cache), (1, 100));
}
