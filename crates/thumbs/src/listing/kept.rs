//! The snapshots that are kept for the next part of a listing.

use std::sync::Arc;

use super::snapshot::{Snapshot, SnapshotId};
use crate::path::RelPath;
use crate::roots::{Root, RootId};

/// How many snapshots are kept at most.
const SNAPSHOTS: usize = 16;
/// How many entries all of them may have together; the latest is kept whatever it has.
const ENTRIES: usize = 400_000;

/// Those that were asked for last, the latest at the end.
#[derive(Default)]
pub(super) struct Kept(Vec<Arc<Snapshot>>);

impl Kept {
    /// One that is asked for again; of this folder alone.
    pub(super) fn get(
        &mut self,
        id: SnapshotId,
        root: &Root,
        path: &RelPath,
    ) -> Option<Arc<Snapshot>> {
        let is_it = |one: &Arc<Snapshot>| one.id == id && one.is_of(root, path);
        let at = self.0.iter().position(is_it)?;
        let found = self.0.remove(at);
        self.0.push(Arc::clone(&found));
        Some(found)
    }

    /// All of a folder, the latest at the end.
    pub(super) fn all_of(&self, root: &Root, path: &RelPath) -> Vec<Arc<Snapshot>> {
        let all = self.0.iter().filter(|one| one.is_of(root, path));
        all.map(Arc::clone).collect()
    }

    /// Nothing beneath a root may be read any more.
    pub(super) fn forget(&mut self, root: RootId) {
        self.0.retain(|one| one.root.id() != root);
    }

    pub(super) fn put(&mut self, snapshot: Arc<Snapshot>) {
        self.0.push(snapshot);
        let mut entries = 0;
        let fits = self.0.iter().rev().enumerate().take_while(|(at, one)| {
            entries += one.len();
            *at == 0 || (*at < SNAPSHOTS && entries <= ENTRIES)
        });
        let fitting = fits.count();
        self.0.drain(..self.0.len() - fitting);
    }
}
