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
    /// there is no picture. Headers and sidecars that were not read yet are requested. With `joins_files`, the entry of a
    /// file that shows a picture of several files has the others as companions.
    ///
    /// # Errors
    /// [`AccessError`] if the root can't be opened. A folder that can't be read has no pictures.
    pub fn entries_at(
        &self,
        root: &Arc<Root>,
        paths: &[RelPath],
        joins_files: bool,
    ) -> Result<Vec<Option<Entry>>, AccessError> {
        self.entries_of(root, paths, joins_files, |library, folder| {
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
        self.entries_of(root, paths, false, |library, folder| {
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
        joins_files: bool,
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
            let found = self.entries_in(&snapshot, &root_dir, &folder, &names, joins_files);
            for (at, entry) in found {
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
        joins_files: bool,
    ) -> Vec<(usize, Entry)> {
        self.catch_up(snapshot);
        let joined = joins_files.then(|| snapshot.joined());
        let is_picture = |&index: &usize| snapshot.kind(index) == EntryKind::Picture;
        let mut found = Vec::new();
        for &(at, name) in names {
            let index = snapshot.index_of(path, name).filter(is_picture);
            found.extend(index.map(|index| (at, index)));
        }
        let indices = found
            .iter()
            .filter_map(|&(_, index)| u32::try_from(index).ok());
        let files = indices.flat_map(|index| {
            let companions = joined.map_or(&[][..], |joined| joined.companions(index));
            let others = companions.iter().map(|(_, companion)| *companion);
            std::iter::once(index).chain(others)
        });
        let files: Vec<u32> = files.collect();
        snapshot.request_stats(root_dir, files.iter().map(|&index| index as usize));
        let unread = snapshot.unread_among(&files);
        if !unread.is_empty() {
            self.reader.request(snapshot, unread, false);
        }
        let entry = |(at, index): (usize, usize)| {
            let index = u32::try_from(index).ok()?;
            let mut entry = snapshot.entries(&[index], joined).pop()?;
            entry.each_file(|file| file.folder = path.clone());
            Some((at, entry))
        };
        found.into_iter().filter_map(entry).collect()
    }
}
