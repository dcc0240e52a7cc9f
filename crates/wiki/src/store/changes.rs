//! Tracking of the pages whose names may have changed since the last read. The write transactions record them,
//! so no operation can forget to.

use std::collections::BTreeSet;

use parking_lot::Mutex;

/// The maximum number of tracked pages. With more pages than this, reading all of them again is no slower.
const MAX_PAGES: usize = 100_000;

/// The pages whose rows were written since they were last taken, or `None` if all must be read.
#[derive(Debug, Default)]
pub(crate) struct ChangeTracker(Mutex<Option<BTreeSet<[u8; 16]>>>);

/// The rows that were written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ChangeSet {
    /// The rows of these pages.
    Pages(BTreeSet<[u8; 16]>),
    /// Unknown rows: everything must be read.
    Everything,
}

impl ChangeTracker {
    /// Adds pages. Must be called after the commit whether it succeeded or not: after a failed commit it is
    /// unknown which part of it is on the disk.
    pub(super) fn add(&self, pages: BTreeSet<[u8; 16]>) {
        let mut tracked = self.0.lock();
        if let Some(tracked_pages) = tracked.as_mut() {
            tracked_pages.extend(pages);
            if tracked_pages.len() > MAX_PAGES {
                *tracked = None;
            }
        }
    }

    /// Takes the tracked pages. Must be called before the transaction in which the rows are read, so that a row
    /// written in between is read again and never missed.
    pub(crate) fn take(&self) -> ChangeSet {
        let mut tracked = self.0.lock();
        match tracked.replace(BTreeSet::new()) {
            Some(pages) => ChangeSet::Pages(pages),
            None => ChangeSet::Everything,
        }
    }

    /// True if nothing was written since the last [`take`](Self::take).
    pub(crate) fn is_empty(&self) -> bool {
        let tracked = self.0.lock();
        tracked.as_ref().is_some_and(BTreeSet::is_empty)
    }

    /// Marks everything as changed, because the taken rows could not be read.
    pub(crate) fn mark_all(&self) {
        *self.0.lock() = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_take_is_everything_then_written_pages() {
        let changes = ChangeTracker::default();
        changes.add(BTreeSet::from([[1; 16]]));
        assert!(!changes.is_empty());
        assert_eq!(changes.take(), ChangeSet::Everything);
        assert!(changes.is_empty());
        changes.add(BTreeSet::from([[1; 16]]));
        changes.add(BTreeSet::from([[1; 16], [2; 16]]));
        assert!(!changes.is_empty());
        let both = BTreeSet::from([[1; 16], [2; 16]]);
        assert_eq!(changes.take(), ChangeSet::Pages(both));
        assert_eq!(changes.take(), ChangeSet::Pages(BTreeSet::new()));
        changes.mark_all();
        assert_eq!(changes.take(), ChangeSet::Everything);
    }

    #[test]
    fn too_many_changes_become_everything() {
        let changes = ChangeTracker::default();
        assert_eq!(changes.take(), ChangeSet::Everything);
        let id = |n: usize| (n as u128).to_be_bytes();
        changes.add((0..=MAX_PAGES).map(id).collect());
        assert_eq!(changes.take(), ChangeSet::Everything);
    }
}
