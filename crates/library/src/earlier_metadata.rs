//! Metadata of a folder's pictures from earlier readings.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::sync::Arc;
use std::vec;

use fumikura_fs::RelPath;

use super::manifest::Manifest;
use super::natural::NaturalName;
use super::read_state::MetadataRead;
use super::snapshot::Snapshot;

/// A merge of all sources of a folder's metadata. Sources and calls are all in the order of names, so no lookup
/// table is needed: for very many names, it would take more time and memory than reading them.
pub(super) struct EarlierMetadata<'a> {
    /// The latest listing first.
    listings: Vec<ListingCursor<'a>>,
    manifest: Manifest,
}

/// A cursor over one listing.
struct ListingCursor<'a> {
    snapshot: &'a Snapshot,
    /// The remaining pictures that have metadata.
    indexes: Peekable<vec::IntoIter<usize>>,
}

impl<'a> EarlierMetadata<'a> {
    /// Merges the metadata of a folder from these snapshots, the latest last, and from its manifest. Also returns true
    /// if some of it is not on the disk.
    pub(super) fn new(
        folder: &RelPath,
        snapshots: &'a [Arc<Snapshot>],
        manifest: Manifest,
    ) -> (Self, bool) {
        let mut is_unsaved = false;
        let cursors = snapshots.iter().rev().map(|snapshot| {
            let (cursor, has_unsaved) = ListingCursor::new(snapshot, folder);
            is_unsaved |= has_unsaved;
            cursor
        });
        let listings = cursors.collect();
        (Self { listings, manifest }, is_unsaved)
    }

    /// Returns the metadata of the picture with this name; the latest source wins. Calls must be in the order of names.
    pub(super) fn take(&mut self, name: &NaturalName) -> Option<MetadataRead> {
        let found = self.listings.iter_mut().map(|cursor| cursor.take(name));
        let found = found.chain([self.manifest.take(name)]).flatten();
        found.reduce(|latest, earlier| latest.or(earlier))
    }
}

impl<'a> ListingCursor<'a> {
    /// Walks through one of the snapshot's folders. Also returns true if some of its metadata is not on the disk.
    fn new(snapshot: &'a Snapshot, folder: &RelPath) -> (Self, bool) {
        let (indexes, has_unsaved) = snapshot.indexes_with_metadata(folder);
        let indexes = indexes.into_iter().peekable();
        (Self { snapshot, indexes }, has_unsaved)
    }

    fn take(&mut self, name: &NaturalName) -> Option<MetadataRead> {
        while let Some(&index) = self.indexes.peek() {
            match name.order_of(self.snapshot.name(index)) {
                Ordering::Less => self.indexes.next(),
                Ordering::Equal => return Some(self.snapshot.outcome(index)),
                Ordering::Greater => break,
            };
        }
        None
    }
}

impl Snapshot {
    /// Adopts metadata that this snapshot lacks from another snapshot, for the folders that both contain.
    pub(super) fn adopt(&self, other: &Self) {
        for (folder, here, _) in self.shared_folders(other) {
            self.adopt_in(folder, self.unread_in(here), other);
        }
    }

    /// Adopts metadata like [`adopt`](Self::adopt), but only for folders in which the other snapshot has read
    /// more pictures.
    pub(super) fn adopt_newer(&self, other: &Self) {
        for (folder, here, there) in self.shared_folders(other) {
            let unread = self.unread_in(here);
            if other.unread_in(there).len() < unread.len() {
                self.adopt_in(folder, unread, other);
            }
        }
    }

    /// Adopts metadata of these entries of another snapshot.
    pub(super) fn adopt_among(&self, other: &Self, entries: &[usize]) {
        self.record(entries.iter().filter_map(|&there| {
            let here = self.index_of(other.folder_of(there), other.name(there))?;
            let outcome = other.outcome(there);
            outcome.is_reusable().then_some((here, outcome))
        }));
    }

    fn adopt_in(&self, folder: &RelPath, unread: Vec<usize>, other: &Self) {
        if unread.is_empty() {
            return;
        }
        let (mut cursor, _) = ListingCursor::new(other, folder);
        let metadata = unread.into_iter().filter_map(|index| {
            let name = NaturalName::new(self.name(index));
            Some((index, cursor.take(&name)?))
        });
        // Collected first, so that no caller waits for it, and no two snapshots wait for each other.
        let metadata: Vec<_> = metadata.collect();
        self.record(metadata);
    }
}
