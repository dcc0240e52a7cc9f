//! Eviction: deletes the least recently used thumbnails until the low mark is reached
//! (docs/spec/thumbnails.md, Eviction). Meanwhile thumbnails are placed and found as usual.

use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

use fumikura_base::dir_handle::{accessed, is_file, size};
use fumikura_base::entropy::{Entropy, random_bytes};
use fumikura_fs::{ThumbId, platform};
use fumikura_image::Variant;

use super::eviction_pool::{Candidate, EvictionPool};
use super::layout::{Shard, name_of};
use super::ledger::Change;
use super::usage_scan::{self, ScanReport};
use super::{Cache, EvictionStats, ThumbsEvent};

/// The number of consecutive failures to delete a file after which eviction stops, for example because the
/// folder is read-only.
const MAX_FAILURES: u32 = 32;

/// An eviction run.
pub(super) struct Evictor<'a> {
    cache: &'a Cache,
    entropy: &'a dyn Entropy,
    /// The shards that may contain thumbnails.
    shards: Vec<Shard>,
    pool: EvictionPool<CachedFile, SystemTime>,
}

/// The place of a thumbnail.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CachedFile {
    shard: u16,
    thumbnail: (ThumbId, Variant),
}

impl<'a> Evictor<'a> {
    pub(super) fn new(cache: &'a Cache, entropy: &'a dyn Entropy) -> Self {
        Self {
            shards: usage_scan::list_shards(&cache.top, &mut ScanReport::default()),
            cache,
            entropy,
            pool: EvictionPool::default(),
        }
    }

    /// Evicts thumbnails until no more than `mark` bytes are held, nothing is left, or `should_continue` returns
    /// false. `should_continue` is called with the amount deleted so far.
    pub(super) fn evict(
        mut self,
        mark: u64,
        should_continue: &mut dyn FnMut(EvictionStats) -> bool,
    ) -> io::Result<EvictionStats> {
        let mut freed = EvictionStats::default();
        let mut failed = 0;
        while self.cache.ledger.usage().bytes > mark && should_continue(freed) {
            let Some(oldest) = self.choose() else { break };
            match self.delete(&oldest) {
                Ok(Some(size)) => {
                    failed = 0;
                    freed.files += 1;
                    freed.bytes += size;
                    self.cache.evicted.fetch_add(1, Ordering::Relaxed);
                }
                // The file was already deleted, or was used since it was sampled.
                Ok(None) => {}
                Err(_) if failed < MAX_FAILURES => failed += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(freed)
    }

    fn choose(&mut self) -> Option<Candidate<CachedFile, SystemTime>> {
        let Self {
            cache,
            entropy,
            shards,
            pool,
        } = self;
        pool.choose(
            shards,
            |end| random_below(*entropy, end),
            |shard| sample(cache, *entropy, shard),
        )
    }

    fn delete(&self, candidate: &Candidate<CachedFile, SystemTime>) -> io::Result<Option<u64>> {
        let CachedFile { shard, thumbnail } = &candidate.key;
        let name = name_of(thumbnail.0, thumbnail.1);
        let deleted = self.cache.ledger.change(Shard(*shard), || {
            let folder = Shard(*shard).open(&self.cache.top)?;
            let stat = folder.stat(Path::new(&name))?;
            if !is_file(&stat) || accessed(&stat) != candidate.used {
                return Ok((None, Change::NONE));
            }
            folder.remove_file(&name)?;
            self.cache.memory.forget(*thumbnail);
            let size = size(&stat);
            Ok((Some(size), Change::removal(size)))
        });
        if let Ok(Some(_)) = deleted {
            let (id, variant) = *thumbnail;
            let event = ThumbsEvent::Evicted { id, variant };
            self.cache.events.publish(event);
        }
        match deleted {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            deleted => deleted,
        }
    }
}

/// Returns a random thumbnail of a shard, or `None` if it has none.
fn sample(
    cache: &Cache,
    entropy: &dyn Entropy,
    shard: Shard,
) -> Option<Candidate<CachedFile, SystemTime>> {
    let folder = shard.open(&cache.top).ok()?;
    let entries = usage_scan::entries(&folder, &mut ScanReport::default());
    let own = entries.into_iter().filter_map(|entry| {
        let thumbnail = shard.thumbnail(platform::bytes_of(&entry.name))?;
        Some((entry, thumbnail))
    });
    let mut own: Vec<_> = own.collect();
    while !own.is_empty() {
        let (entry, thumbnail) = own.swap_remove(random_below(entropy, own.len()));
        let stat = folder.stat(Path::new(&entry.name)).ok().filter(is_file);
        if let Some(used) = stat.map(|stat| accessed(&stat)) {
            let key = CachedFile {
                shard: shard.0,
                thumbnail,
            };
            return Some(Candidate { key, used });
        }
    }
    None
}

/// Returns a random number in `0..end`.
fn random_below(entropy: &dyn Entropy, end: usize) -> usize {
    let random = u64::from_le_bytes(random_bytes(entropy));
    let end = u64::try_from(end).expect("BUG: a length is no longer than 64 bits");
    usize::try_from(random % end).expect("BUG: smaller than a length")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, FileTimes};
    use std::sync::Arc;
    use std::time::Duration;

    use fumikura_base::clock::SystemClock;
    use fumikura_base::entropy::SeededEntropy;

    use crate::cache::Capacity;
    use fumikura_fs::{Ctime, PictureVersion};

    #[test]
    fn eviction_chooses_among_the_three_oldest() {
        let outer = tempfile::tempdir().unwrap();
        let entropy = Arc::new(SeededEntropy::new(1));
        let clock = Arc::new(SystemClock::new());
        let top = outer.path().join("thumbs");
        let cache = Cache::open(top, Capacity::default(), 0, clock, entropy.clone()).unwrap();
        let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let used = |number: u8| start + Duration::from_secs(u64::from(number));
        for number in 0..12 {
            let version = PictureVersion {
                id: ThumbId::from_bytes([number; 20]),
                ctime: Ctime::default(),
            };
            let path = cache.place(version, Variant::default(), b"bytes").unwrap();
            let times = FileTimes::new().set_accessed(used(number));
            fs::File::open(path).unwrap().set_times(times).unwrap();
        }
        for _ in 0..200 {
            let chosen = Evictor::new(&cache, &*entropy).choose().unwrap();
            assert!(chosen.used <= used(2), "{chosen:?}");
        }
    }

    #[test]
    fn shard_swapped_for_a_link_is_left_alone() {
        let outer = tempfile::tempdir().unwrap();
        let (entropy, clock) = (
            Arc::new(SeededEntropy::new(1)),
            Arc::new(SystemClock::new()),
        );
        let top = outer.path().join("thumbs");
        let elsewhere = outer.path().join("elsewhere");
        let cache =
            Cache::open(top.clone(), Capacity::default(), 0, clock, entropy.clone()).unwrap();
        let version = PictureVersion {
            id: ThumbId::from_bytes([1; 20]),
            ctime: Ctime::default(),
        };
        let variant = Variant::default();
        let path = cache.place(version, variant, b"bytes").unwrap();
        let evictor = || Evictor::new(&cache, &*entropy);
        let chosen = evictor().choose().unwrap();
        // Elsewhere, a file has the same name and the same time of use.
        fs::rename(top.join("01"), &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, top.join("01")).unwrap();
        let theirs = elsewhere.join("01").join(path.file_name().unwrap());
        assert!(evictor().delete(&chosen).is_err());
        assert!(cache.remove_if(version.id, variant, &|| true).is_err());
        assert!(evictor().choose().is_none());
        assert!(cache.place(version, variant, b"others").is_err());
        let moved = crate::cache::move_cache(&top, &elsewhere).unwrap();
        assert_eq!(moved, crate::cache::MoveOutcome::Deleted(0));
        assert_eq!(fs::read(theirs).unwrap(), b"bytes");
        assert_eq!(fs::read_dir(elsewhere.join("01")).unwrap().count(), 1);
    }
}
