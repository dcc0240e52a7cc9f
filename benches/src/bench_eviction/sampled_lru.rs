//! The cache's own eviction code, on shards in memory instead of folders.

use fumikura_base::entropy::{SeededEntropy, random_bytes};
use fumikura_thumbs::{Candidate, EvictionPool};

use crate::Cache;
use crate::exact_lru::marks;
use crate::traces::OBJECTS;

const SHARDS: usize = 65_536;

/// A cache that samples random shards.
pub(crate) struct SampledLru {
    limit: usize,
    count: usize,
    /// The last recorded use of each object in the cache.
    used: Vec<Option<u64>>,
    shards: Vec<Vec<u32>>,
    /// The period after a recorded use in which no further use is recorded.
    touched_for: u64,
    entropy: SeededEntropy,
}

impl SampledLru {
    pub(crate) fn new(limit: usize, seed: u64, touched_for: u64) -> Self {
        Self {
            limit,
            count: 0,
            used: vec![None; OBJECTS],
            shards: vec![Vec::new(); SHARDS],
            touched_for,
            entropy: SeededEntropy::new(seed),
        }
    }

    fn make_room(&mut self, left: usize) {
        let filled = (0..SHARDS).filter(|shard| !self.shards[*shard].is_empty());
        let mut filled: Vec<usize> = filled.collect();
        let mut pool = EvictionPool::default();
        while self.count > left {
            let random = |end| below(&self.entropy, end);
            let chosen = pool.choose(&mut filled, random, |shard| {
                let shard = &self.shards[shard];
                if shard.is_empty() {
                    return None;
                }
                let key = shard[random(shard.len())];
                let used = self.used[key as usize];
                let used = used.expect("BUG: an object in a shard is in the cache");
                Some(Candidate { key, used })
            });
            let gone = chosen
                .expect("BUG: the cache is too full, so it is not empty")
                .key;
            self.used[gone as usize] = None;
            self.shards[shard_of(gone)].retain(|object| *object != gone);
            self.count -= 1;
        }
    }
}

impl Cache for SampledLru {
    fn request(&mut self, object: u32, tick: u64) -> bool {
        let used = &mut self.used[object as usize];
        if let Some(noted) = used {
            if tick - *noted >= self.touched_for {
                *noted = tick;
            }
            return true;
        }
        *used = Some(tick);
        self.shards[shard_of(object)].push(object);
        self.count += 1;
        let (high, low) = marks(self.limit);
        if self.count > high {
            self.make_room(low);
        }
        false
    }
}

/// Returns the shard of an object. Ids are hashes: objects that are requested together are in different shards.
fn shard_of(object: u32) -> usize {
    (object.wrapping_mul(0x9E37_79B1) >> 16) as usize
}

fn below(entropy: &SeededEntropy, end: usize) -> usize {
    let random = u64::from_le_bytes(random_bytes(entropy));
    usize::try_from(random % end as u64).expect("BUG: smaller than a length")
}
