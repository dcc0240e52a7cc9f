//! How many thumbnails the cache holds, and how many bytes: kept with every file that comes or goes,
//! and counted anew from time to time, as other programs may delete from it too.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::layout::Leaf;

/// How much there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Held {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
}

/// What became of one file: its size before and after, where it was there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub(super) before: Option<u64>,
    pub(super) after: Option<u64>,
}

impl Change {
    /// Nothing came of it.
    pub(super) const NONE: Self = Self {
        before: None,
        after: None,
    };

    /// The file has gone.
    pub(super) fn gone(size: u64) -> Self {
        Self {
            before: Some(size),
            after: None,
        }
    }
}

/// The counters. Files come and go while they are counted: so each changes under the ledger's lock,
/// and one shard is counted under it.
#[derive(Default)]
pub(super) struct Ledger {
    inner: Mutex<Inner>,
    listener: OnceLock<Listener>,
}

/// Who is told that the numbers are others now.
type Listener = Box<dyn Fn() + Send + Sync>;

#[derive(Debug, Default)]
struct Inner {
    /// What there is, as far as it is known.
    held: Held,
    census: Option<Census>,
}

/// A count that goes on, shard by shard in their order.
#[derive(Debug)]
struct Census {
    /// The first shard that has not been counted.
    next: u32,
    counted: Held,
    /// Shards to come that got a thumbnail since the count began: they may be new.
    late: BTreeSet<u16>,
    /// Whether nothing was known before it: then what has been counted is what is known.
    is_first: bool,
}

impl Ledger {
    /// Does what changes a file of a shard, and notes the change.
    pub(super) fn change<T>(
        &self,
        leaf: Leaf,
        act: impl FnOnce() -> io::Result<(T, Change)>,
    ) -> io::Result<T> {
        let mut inner = self.lock();
        let (done, change) = act()?;
        let Inner { held, census } = &mut *inner;
        let mut is_known = true;
        if let Some(census) = census {
            if leaf.index() < census.next {
                census.counted.apply(change);
            } else {
                // It will be counted as it is now.
                is_known = !census.is_first;
                census.late.insert(leaf.0);
            }
        }
        if is_known {
            held.apply(change);
        }
        drop(inner);
        self.tell();
        Ok(done)
    }

    /// Has `listener` called whenever the numbers are others, from any thread. The first one stays.
    pub(super) fn listen(&self, listener: impl Fn() + Send + Sync + 'static) {
        self.listener.get_or_init(|| Box::new(listener));
    }

    /// Tells that the numbers are others.
    pub(super) fn tell(&self) {
        if let Some(listener) = self.listener.get() {
            listener();
        }
    }

    /// Begins to count.
    pub(super) fn begin_census(&self, is_first: bool) {
        self.lock().census = Some(Census {
            next: 0,
            counted: Held::default(),
            late: BTreeSet::new(),
            is_first,
        });
        self.tell();
    }

    /// Counts a shard. No file of it changes meanwhile.
    pub(super) fn count(&self, leaf: Leaf, count: impl FnOnce() -> Held) {
        let mut inner = self.lock();
        let Inner { held, census } = &mut *inner;
        let Some(census) = census else { return };
        let found = count();
        census.next = leaf.index() + 1;
        census.late.remove(&leaf.0);
        census.counted.add(found);
        if census.is_first {
            held.add(found);
        }
        drop(inner);
        self.tell();
    }

    /// The first shard to come that got a thumbnail since the count began.
    pub(super) fn late(&self) -> Option<Leaf> {
        let inner = self.lock();
        let late = inner.census.as_ref()?.late.first();
        late.copied().map(Leaf)
    }

    /// From now on what was counted is what there is. False if there is a [late](Self::late) shard: that
    /// has to be counted first.
    pub(super) fn end_census(&self) -> bool {
        let mut inner = self.lock();
        if inner
            .census
            .as_ref()
            .is_some_and(|census| !census.late.is_empty())
        {
            return false;
        }
        if let Some(census) = inner.census.take() {
            inner.held = census.counted;
        }
        drop(inner);
        self.tell();
        true
    }

    pub(super) fn held(&self) -> Held {
        self.lock().held
    }

    /// How much there is, and whether that is not all yet, as it is still being counted for the first time: in one
    /// look, since the count may end between two. A later count corrects what is known at its end.
    pub(super) fn reading(&self) -> (Held, bool) {
        let inner = self.lock();
        let is_counting = inner.census.as_ref().is_some_and(|census| census.is_first);
        (inner.held, is_counting)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn apply(&mut self, Change { before, after }: Change) {
        // A file of which nobody knew, brought by another program since the last count, may go.
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

    const fn held(files: u64, bytes: u64) -> Held {
        Held { files, bytes }
    }

    fn change(ledger: &Ledger, leaf: u16, before: Option<u64>, after: Option<u64>) {
        let change = Change { before, after };
        ledger.change(Leaf(leaf), || Ok(((), change))).unwrap();
    }

    #[test]
    fn files_that_come_grow_and_go_are_counted() {
        let ledger = Ledger::default();
        change(&ledger, 1, None, Some(10));
        change(&ledger, 1, None, Some(5));
        change(&ledger, 1, Some(5), Some(7));
        assert_eq!(ledger.held(), held(2, 17));
        change(&ledger, 1, Some(10), None);
        assert_eq!(ledger.held(), held(1, 7));
        change(&ledger, 9, Some(100), None);
        assert_eq!(ledger.held(), held(0, 0));
    }

    #[test]
    fn what_failed_is_not_counted() {
        let ledger = Ledger::default();
        let failed = ledger.change(Leaf(1), || Err::<((), Change), _>(io::Error::other("full")));
        assert!(failed.is_err());
        assert_eq!(ledger.held(), Held::default());
    }

    #[test]
    fn what_changes_during_the_first_count_is_counted_once() {
        let ledger = Ledger::default();
        ledger.begin_census(true);
        ledger.count(Leaf(1), || held(2, 20));
        assert_eq!(ledger.held(), held(2, 20));
        // Counted already, and not yet: the count finds that one.
        change(&ledger, 1, None, Some(1));
        change(&ledger, 2, None, Some(100));
        ledger.count(Leaf(2), || held(1, 100));
        assert_eq!(ledger.reading(), (held(4, 121), true));
        assert!(ledger.end_census());
        assert_eq!(ledger.reading(), (held(4, 121), false));
    }

    #[test]
    fn a_later_count_corrects_what_was_known_and_until_then_that_is_told() {
        let ledger = Ledger::default();
        change(&ledger, 1, None, Some(50));
        ledger.begin_census(false);
        ledger.count(Leaf(1), || held(3, 30));
        change(&ledger, 1, None, Some(1));
        change(&ledger, 7, None, Some(2));
        assert_eq!(ledger.reading(), (held(3, 53), false));
        ledger.count(Leaf(7), || held(1, 2));
        assert!(ledger.end_census());
        assert_eq!(ledger.held(), held(5, 33));
    }

    #[test]
    fn a_shard_that_is_made_during_a_count_is_counted_too() {
        for is_first in [true, false] {
            let ledger = Ledger::default();
            ledger.begin_census(is_first);
            ledger.count(Leaf(3), || held(1, 10));
            change(&ledger, 2, None, Some(5));
            change(&ledger, 8, None, Some(100));
            change(&ledger, 6, None, Some(1000));
            assert!(!ledger.end_census());
            assert_eq!(ledger.late(), Some(Leaf(6)));
            ledger.count(Leaf(6), || held(1, 1000));
            assert_eq!(ledger.late(), Some(Leaf(8)));
            ledger.count(Leaf(8), || held(1, 100));
            assert_eq!(ledger.late(), None);
            assert!(ledger.end_census());
            assert_eq!(ledger.held(), held(4, 1115));
        }
    }
}
