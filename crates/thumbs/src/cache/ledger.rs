//! The number and the bytes of the cached thumbnails. They are updated with every file that is added or
//! deleted, and recounted from time to time, since other programs may delete from the cache too.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use super::events::{Events, ThumbsEvent};
use super::layout::Shard;

/// The contents of the cache, or of a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Usage {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
}

/// A change of one file: its size before and after, if it existed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub(super) before: Option<u64>,
    pub(super) after: Option<u64>,
}

impl Change {
    /// No change.
    pub(super) const NONE: Self = Self {
        before: None,
        after: None,
    };

    /// Returns the change of a file that was deleted.
    pub(super) fn removal(size: u64) -> Self {
        Self {
            before: Some(size),
            after: None,
        }
    }
}

/// The counters. Files are added and deleted while they are counted, so each change is made under the
/// ledger's lock, and each shard is counted under it.
#[derive(Default)]
pub(super) struct Ledger {
    inner: Mutex<LedgerState>,
    events: Arc<Events>,
}

#[derive(Debug, Default)]
struct LedgerState {
    /// The contents as far as they are known.
    usage: Usage,
    scan: Option<Recount>,
}

/// A count in progress, shard by shard in their order.
#[derive(Debug)]
struct Recount {
    /// The first shard that has not been counted.
    next: u32,
    counted: Usage,
    /// Uncounted shards to which a thumbnail was added since the count began: they may be new.
    added: BTreeSet<u16>,
    /// True if nothing was known before this count: then the known contents are those counted so far.
    is_first: bool,
}

impl Ledger {
    /// Creates an empty ledger that publishes changes of its numbers to these events.
    pub(super) fn new(events: Arc<Events>) -> Self {
        Self {
            inner: Mutex::default(),
            events,
        }
    }

    /// Runs an action that changes a file of a shard, and records the change.
    pub(super) fn change<T>(
        &self,
        shard: Shard,
        act: impl FnOnce() -> io::Result<(T, Change)>,
    ) -> io::Result<T> {
        let mut inner = self.lock();
        let (done, change) = act()?;
        let LedgerState { usage, scan } = &mut *inner;
        let mut is_known = true;
        if let Some(scan) = scan {
            if shard.index() < scan.next {
                scan.counted.apply(change);
            } else {
                // The shard will be counted in its new state.
                is_known = !scan.is_first;
                scan.added.insert(shard.0);
            }
        }
        if is_known {
            usage.apply(change);
        }
        drop(inner);
        self.publish();
        Ok(done)
    }

    /// Runs a check while no file changes.
    pub(super) fn hold<T>(&self, check: impl FnOnce() -> T) -> T {
        let _inner = self.lock();
        check()
    }

    fn publish(&self) {
        self.events.publish(ThumbsEvent::StatsChanged);
    }

    pub(super) fn begin_count(&self, is_first: bool) {
        self.lock().scan = Some(Recount {
            next: 0,
            counted: Usage::default(),
            added: BTreeSet::new(),
            is_first,
        });
        self.publish();
    }

    /// Counts a shard. No file of it changes meanwhile.
    pub(super) fn count(&self, shard: Shard, count: impl FnOnce() -> Usage) {
        let mut inner = self.lock();
        let LedgerState { usage, scan } = &mut *inner;
        let Some(scan) = scan else { return };
        let found = count();
        scan.next = shard.index() + 1;
        scan.added.remove(&shard.0);
        scan.counted.add(found);
        if scan.is_first {
            usage.add(found);
        }
        drop(inner);
        self.publish();
    }

    /// Returns the first uncounted shard to which a thumbnail was added since the count began.
    pub(super) fn next_added_shard(&self) -> Option<Shard> {
        let inner = self.lock();
        let added = inner.scan.as_ref()?.added.first();
        added.copied().map(Shard)
    }

    /// Ends the count and replaces the known contents with the counted ones. Returns false if a
    /// [added](Self::next_added_shard) shard has to be counted first.
    pub(super) fn end_count(&self) -> bool {
        let mut inner = self.lock();
        if inner
            .scan
            .as_ref()
            .is_some_and(|scan| !scan.added.is_empty())
        {
            return false;
        }
        if let Some(scan) = inner.scan.take() {
            inner.usage = scan.counted;
        }
        drop(inner);
        self.publish();
        true
    }

    pub(super) fn usage(&self) -> Usage {
        self.lock().usage
    }

    /// Returns the known contents, and true if they are incomplete because the first count is in progress.
    /// Both are read at once, since the count may end between two reads. A later count corrects the known
    /// contents at its end.
    pub(super) fn usage_and_counting(&self) -> (Usage, bool) {
        let inner = self.lock();
        let is_counting = inner.scan.as_ref().is_some_and(|scan| scan.is_first);
        (inner.usage, is_counting)
    }

    fn lock(&self) -> MutexGuard<'_, LedgerState> {
        self.inner.lock()
    }
}

impl Usage {
    fn apply(&mut self, Change { before, after }: Change) {
        // An unknown file, brought by another program since the last count, may be deleted.
        if let Some(size) = before {
            self.files = self.files.saturating_sub(1);
            self.bytes = self.bytes.saturating_sub(size);
        }
        if let Some(size) = after {
            self.files += 1;
            self.bytes += size;
        }
    }

    fn add(&mut self, other: Self) {
        self.files += other.files;
        self.bytes += other.bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn usage(files: u64, bytes: u64) -> Usage {
        Usage { files, bytes }
    }

    fn change(ledger: &Ledger, shard: u16, before: Option<u64>, after: Option<u64>) {
        let change = Change { before, after };
        ledger.change(Shard(shard), || Ok(((), change))).unwrap();
    }

    #[test]
    fn added_changed_and_deleted_files_are_counted() {
        let ledger = Ledger::default();
        change(&ledger, 1, None, Some(10));
        change(&ledger, 1, None, Some(5));
        change(&ledger, 1, Some(5), Some(7));
        assert_eq!(ledger.usage(), usage(2, 17));
        change(&ledger, 1, Some(10), None);
        assert_eq!(ledger.usage(), usage(1, 7));
        change(&ledger, 9, Some(100), None);
        assert_eq!(ledger.usage(), usage(0, 0));
    }

    #[test]
    fn failed_change_is_not_counted() {
        let ledger = Ledger::default();
        let failed = ledger.change(Shard(1), || {
            Err::<((), Change), _>(io::Error::other("full"))
        });
        assert!(failed.is_err());
        assert_eq!(ledger.usage(), Usage::default());
    }

    #[test]
    fn change_during_first_count_is_counted_once() {
        let ledger = Ledger::default();
        ledger.begin_count(true);
        ledger.count(Shard(1), || usage(2, 20));
        assert_eq!(ledger.usage(), usage(2, 20));
        // One shard is already counted and one is not: the count finds the second.
        change(&ledger, 1, None, Some(1));
        change(&ledger, 2, None, Some(100));
        ledger.count(Shard(2), || usage(1, 100));
        assert_eq!(ledger.usage_and_counting(), (usage(4, 121), true));
        assert!(ledger.end_count());
        assert_eq!(ledger.usage_and_counting(), (usage(4, 121), false));
    }

    #[test]
    fn recount_corrects_totals_at_its_end() {
        let ledger = Ledger::default();
        change(&ledger, 1, None, Some(50));
        ledger.begin_count(false);
        ledger.count(Shard(1), || usage(3, 30));
        change(&ledger, 1, None, Some(1));
        change(&ledger, 7, None, Some(2));
        assert_eq!(ledger.usage_and_counting(), (usage(3, 53), false));
        ledger.count(Shard(7), || usage(1, 2));
        assert!(ledger.end_count());
        assert_eq!(ledger.usage(), usage(5, 33));
    }

    #[test]
    fn shard_created_during_count_is_counted() {
        for is_first in [true, false] {
            let ledger = Ledger::default();
            ledger.begin_count(is_first);
            ledger.count(Shard(3), || usage(1, 10));
            change(&ledger, 2, None, Some(5));
            change(&ledger, 8, None, Some(100));
            change(&ledger, 6, None, Some(1000));
            assert!(!ledger.end_count());
            assert_eq!(ledger.next_added_shard(), Some(Shard(6)));
            ledger.count(Shard(6), || usage(1, 1000));
            assert_eq!(ledger.next_added_shard(), Some(Shard(8)));
            ledger.count(Shard(8), || usage(1, 100));
            assert_eq!(ledger.next_added_shard(), None);
            assert!(ledger.end_count());
            assert_eq!(ledger.usage(), usage(4, 1115));
        }
    }
}
