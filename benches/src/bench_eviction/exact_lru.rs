//! Exact LRU: the least recently used thumbnail is evicted.

use std::collections::BTreeMap;

use fumikura_thumbs::Capacity;

use crate::Cache;
use crate::traces::OBJECTS;

/// A cache that knows the order of all uses.
pub(crate) struct ExactLru {
    limit: usize,
    /// The last use of each object in the cache.
    used: Vec<Option<u64>>,
    order: BTreeMap<u64, u32>,
}

impl ExactLru {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            used: vec![None; OBJECTS],
            order: BTreeMap::new(),
        }
    }
}

impl Cache for ExactLru {
    fn request(&mut self, object: u32, tick: u64) -> bool {
        let before = self.used[object as usize].replace(tick);
        if let Some(before) = before {
            self.order.remove(&before);
        }
        self.order.insert(tick, object);
        let (high, low) = marks(self.limit);
        if self.order.len() > high {
            while self.order.len() > low {
                let oldest = self.order.pop_first();
                let (_, gone) = oldest.expect("BUG: the cache is too full, so it is not empty");
                self.used[gone as usize] = None;
            }
        }
        before.is_some()
    }
}

/// Returns the number of objects above which room is made, and the number that is left then: the cache's
/// default watermarks.
pub(crate) fn marks(limit: usize) -> (usize, usize) {
    let marks = Capacity::default();
    let part = |ratio: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            clippy::cast_sign_loss,
            reason = "thousands of thumbnails"
        )]
        let part = (limit as f64 * ratio) as usize;
        part
    };
    (part(marks.high()), part(marks.low()))
}
