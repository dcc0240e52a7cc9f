//! Entries of single pictures, wherever they are below a root.

use std::collections::BTreeMap;
use std::sync::Arc;

use fumikura_fs::{AccessError, FolderScope, RelPath, Root, RootDir};

use super::entry::{Entry, EntryKind};
use super::library::{Library, open_folder};
use super::scan::Folder;
use super::snapshot::Snapshot;
use super::snapshot_cache::Purpose;

impl Library {
    /// Returns the entries of the pictures at these paths, with their folders relative to the root, and `None` where
    /// there is no picture. Headers and sidecars that were not read yet are requested.
    ///
    /// # Errors
    /// [`AccessError`] if the root can't be opened. A folder that can't be read has no pictures.
    pub fn entries_at(
        &self,
        root: &Arc<Root>,
        paths: &[RelPath],
    ) -> Result<Vec<Option<Entry>>, AccessError> {
        self.entries_of(root, paths, |library, folder| {
            library.take_snapshot(root, folder, FolderScope::Direct, Purpose::View)
        })
    }

    /// Returns entries as [`entries_at`](Self::entries_at) does, in the state of the last listing or search of their
    /// folders, without reading those again.
    ///
    /// # Errors
    /// The same.
    pub fn listed_entries_at(
        &self,
        root: &Arc<Root>,
        paths: &[RelPath],
    ) -> Result<Vec<Option<Entry>>, AccessError> {
        self.entries_of(root, paths, |library, folder| {
            let mut listed = library.snapshots().all_of(root, folder.path);
            listed.retain(|one| !one.is_growing);
            let take = || library.take_snapshot(root, folder, FolderScope::Direct, Purpose::View);
            listed.pop().map_or_else(take, Ok)
        })
    }

    fn entries_of(
        &self,
        root: &Arc<Root>,
        paths: &[RelPath],
        snapshot_of: impl Fn(&Self, &Folder<'_>) -> Result<Arc<Snapshot>, AccessError>,
    ) -> Result<Vec<Option<Entry>>, AccessError> {
        let root_dir = root.open()?;
        let mut folders: BTreeMap<RelPath, Vec<(usize, &[u8])>> = BTreeMap::new();
        for (at, path) in paths.iter().enumerate() {
            if let Some((folder, name)) = path.split_last() {
                folders.entry(folder).or_default().push((at, name));
            }
        }
        let mut entries = vec![None; paths.len()];
        for (folder, names) in folders {
            let snapshot =
                open_folder(&root_dir, &folder).and_then(|opened| snapshot_of(self, &opened));
            let snapshot = match snapshot {
                Ok(snapshot) => snapshot,
                Err(error) => {
                    tracing::debug!(%error, "a folder of single pictures can't be read");
                    continue;
                }
            };
            for (at, entry) in self.entries_in(&snapshot, &root_dir, &folder, &names) {
                entries[at] = Some(entry);
            }
        }
        Ok(entries)
    }

    fn entries_in(
        &self,
        snapshot: &Arc<Snapshot>,
        root_dir: &RootDir,
        path: &RelPath,
        names: &[(usize, &[u8])],
    ) -> Vec<(usize, Entry)> {
        self.catch_up(snapshot);
        let is_picture = |&index: &usize| snapshot.kind(index) == EntryKind::Picture;
        let mut found = Vec::new();
        for &(at, name) in names {
            let index = snapshot.index_of(path, name).filter(is_picture);
            found.extend(index.map(|index| (at, index)));
        }
        snapshot.request_stats(root_dir, found.iter().map(|&(_, index)| index));
        let indices = found
            .iter()
            .filter_map(|&(_, index)| u32::try_from(index).ok());
        let unread = snapshot.unread_among(&indices.collect::<Vec<_>>());
        if !unread.is_empty() {
            self.reader.request(snapshot, unread, false);
        }
        let entry = |(at, index): (usize, usize)| {
            let index = u32::try_from(index).ok()?;
            let entry = snapshot.entries(&[index], None).pop()?;
            let folder = path.clone();
            Some((at, Entry { folder, ..entry }))
        };
        found.into_iter().filter_map(entry).collect()
    }
}
