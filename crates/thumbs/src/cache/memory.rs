//! Recently requested thumbnails in memory. Their size is bounded; the least recently used ones are evicted first.
//!
//! Each entry also stores the status of the picture of which it was made, since files can take over each other's id.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::SystemTime;

use fumikura_fs::{Ctime, ThumbId};
use parking_lot::{Mutex, MutexGuard};

use fumikura_image::Variant;

/// A picture and the variant of its thumbnail.
pub(super) type Key = (ThumbId, Variant);

/// The minimum memory of an entry apart from its bytes. It counts too, because otherwise many small entries
/// would exceed the limit.
const OVERHEAD: u64 = 256;
/// The divisor of the limit that gives the largest stored entry. A larger one would evict too many useful entries.
const MAX_ENTRY_DIVISOR: u64 = 8;

/// The thumbnails in memory.
pub(super) struct MemoryCache {
    limit: u64,
    state: Mutex<MemoryState>,
}

#[derive(Default)]
struct MemoryState {
    entries: HashMap<Key, MemoryEntry>,
    /// The entries by use, the least recently used first.
    by_use: BTreeMap<u64, Key>,
    next_use: u64,
    bytes: u64,
}

struct MemoryEntry {
    source: Ctime,
    bytes: Arc<[u8]>,
    /// The time at which its file was last marked as used.
    marked: SystemTime,
    last_use: u64,
}

impl MemoryCache {
    /// Creates a memory cache of at most `limit` bytes. It stores nothing if that is 0.
    pub(super) fn new(limit: u64) -> Self {
        Self {
            limit,
            state: Mutex::default(),
        }
    }

    /// Returns a stored thumbnail of this status of the picture, and the time at which its file was last
    /// marked as used. The entry becomes the most recently used one.
    pub(super) fn get(&self, key: Key, source: Ctime) -> Option<(Arc<[u8]>, SystemTime)> {
        let mut state = self.lock();
        let last_use = state.next_use();
        let entry = state.entries.get_mut(&key)?;
        if entry.source != source {
            return None;
        }
        let before = std::mem::replace(&mut entry.last_use, last_use);
        let found = (Arc::clone(&entry.bytes), entry.marked);
        state.by_use.remove(&before);
        state.by_use.insert(last_use, key);
        Some(found)
    }

    /// Stores a thumbnail unless it is too large. Evicts others to make room.
    pub(super) fn put(&self, key: Key, source: Ctime, bytes: Arc<[u8]>, marked: SystemTime) {
        let size = size(&bytes);
        let mut state = self.lock();
        state.forget(key);
        if size > self.limit / MAX_ENTRY_DIVISOR {
            return;
        }
        while state.bytes + size > self.limit {
            let Some((_, oldest)) = state.by_use.first_key_value() else {
                break;
            };
            let oldest = *oldest;
            state.forget(oldest);
        }
        let last_use = state.next_use();
        state.bytes += size;
        state.by_use.insert(last_use, key);
        let entry = MemoryEntry {
            source,
            bytes,
            marked,
            last_use,
        };
        state.entries.insert(key, entry);
    }

    /// Records that the file of a thumbnail was marked as used.
    pub(super) fn mark(&self, key: Key, marked: SystemTime) {
        if let Some(entry) = self.lock().entries.get_mut(&key) {
            entry.marked = marked;
        }
    }

    /// Removes a thumbnail that no longer exists.
    pub(super) fn forget(&self, key: Key) {
        self.lock().forget(key);
    }

    fn lock(&self) -> MutexGuard<'_, MemoryState> {
        self.state.lock()
    }
}

impl MemoryState {
    fn forget(&mut self, key: Key) {
        if let Some(entry) = self.entries.remove(&key) {
            self.by_use.remove(&entry.last_use);
            self.bytes -= size(&entry.bytes);
        }
    }

    fn next_use(&mut self) -> u64 {
        self.next_use += 1;
        self.next_use
    }
}

fn size(bytes: &[u8]) -> u64 {
    super::length(bytes) + OVERHEAD
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const THEN: SystemTime = SystemTime::UNIX_EPOCH;
    const NOW: Ctime = Ctime {
        seconds: 2,
        nanoseconds: 3,
    };

    fn key(number: u8) -> Key {
        (ThumbId::from_bytes([number; 20]), Variant::default())
    }

    fn put(memory: &MemoryCache, number: u8, length: usize) {
        memory.put(key(number), NOW, vec![number; length].into(), THEN);
    }

    fn contains(memory: &MemoryCache, number: u8) -> bool {
        memory.lock().entries.contains_key(&key(number))
    }

    #[test]
    fn least_recently_used_entry_is_evicted_first() {
        let memory = MemoryCache::new(10 * (100 + OVERHEAD));
        (0..10).for_each(|number| put(&memory, number, 100));
        let (bytes, marked) = memory.get(key(0), NOW).unwrap();
        assert_eq!((&*bytes, marked), (&[0; 100][..], THEN));
        put(&memory, 10, 100);
        assert!(contains(&memory, 0) && !contains(&memory, 1) && contains(&memory, 10));
        memory.forget(key(0));
        assert!(memory.get(key(0), NOW).is_none());
        put(&memory, 11, 100);
        assert!(contains(&memory, 2));
    }

    #[test]
    fn oversized_entry_is_not_stored_and_evicts_nothing() {
        let memory = MemoryCache::new(8 * 1000);
        put(&memory, 1, 100);
        put(&memory, 2, 1000 - 256);
        put(&memory, 3, 1001 - 256);
        assert!(contains(&memory, 1) && contains(&memory, 2) && !contains(&memory, 3));
        put(&memory, 1, 1001);
        assert!(!contains(&memory, 1));
        put(&MemoryCache::new(0), 1, 0);
    }

    #[test]
    fn time_of_last_mark_is_stored() {
        let memory = MemoryCache::new(1 << 20);
        put(&memory, 1, 100);
        let later = THEN + std::time::Duration::from_secs(1);
        memory.mark(key(1), later);
        memory.mark(key(2), later);
        assert_eq!(memory.get(key(1), NOW).unwrap().1, later);
        assert!(memory.get(key(2), NOW).is_none());
    }

    #[test]
    fn entry_of_other_picture_status_is_no_hit() {
        let memory = MemoryCache::new(1 << 20);
        put(&memory, 1, 100);
        assert!(memory.get(key(1), Ctime::default()).is_none());
        assert!(memory.get(key(1), NOW).is_some());
    }

    proptest! {
        /// Stored and removed entries never exceed the limit, and their contents are right.
        #[test]
        fn size_never_exceeds_the_limit(
            limit in 0..20_000_u64,
            steps in prop::collection::vec((0..12_u8, 0..3000_usize, 0..4_u8), 0..200),
        ) {
            let memory = MemoryCache::new(limit);
            for (number, length, step) in steps {
                match step {
                    0 | 1 => put(&memory, number, length),
                    2 => memory.forget(key(number)),
                    _ => if let Some((bytes, _)) = memory.get(key(number), NOW) {
                        prop_assert!(bytes.iter().all(|byte| *byte == number));
                    },
                }
                let state = memory.lock();
                let sizes: u64 = state.entries.values().map(|entry| size(&entry.bytes)).sum();
                prop_assert_eq!(sizes, state.bytes);
                prop_assert!(state.bytes <= limit);
                prop_assert_eq!(state.by_use.len(), state.entries.len());
                for (last_use, key) in &state.by_use {
                    prop_assert_eq!(state.entries[key].last_use, *last_use);
                }
            }
        }
    }
}
