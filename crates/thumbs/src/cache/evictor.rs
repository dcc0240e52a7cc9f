//! Eviction: deletes the least recently used thumbnails until the low mark is reached
//! (docs/spec/thumbnails.md, Eviction). Meanwhile thumbnails are placed and found as usual.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

use fumikura_base::entropy::{Entropy, random_bytes};
use fumikura_fs::{ThumbId, platform};
use fumikura_image::Variant;

use super::eviction_pool::{Candidate, EvictionPool};
use super::layout::Shard;
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
    path: PathBuf,
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
        let CachedFile {
            shard,
            path,
            thumbnail,
        } = &candidate.key;
        let deleted = self.cache.ledger.change(Shard(*shard), || {
            let metadata = fs::symlink_metadata(path)?;
            if !metadata.is_file() || platform::last_used(&metadata)? != candidate.used {
                return Ok((None, Change::NONE));
            }
            fs::remove_file(path)?;
            self.cache.memory.forget(*thumbnail);
            Ok((Some(metadata.len()), Change::removal(metadata.len())))
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
    let entries = usage_scan::entries(&shard.path(&cache.top), &mut ScanReport::default());
    let own = entries.into_iter().filter_map(|entry| {
        let thumbnail = shard.thumbnail(platform::bytes_of(&entry.file_name()))?;
        Some((entry, thumbnail))
    });
    let mut own: Vec<_> = own.collect();
    while !own.is_empty() {
        let (entry, thumbnail) = own.swap_remove(random_below(entropy, own.len()));
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file);
        if let Some(used) = metadata.and_then(|metadata| platform::last_used(&metadata).ok()) {
            let key = CachedFile {
                shard: shard.0,
                path: entry.path(),
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
    use std::fs::FileTimes;
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
}
