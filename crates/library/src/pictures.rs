//! All pictures of a root, for search, or of a folder and those below it.

use std::sync::Arc;

use fumikura_fs::{AccessError, FolderScope, RelPath, Root, RootDir};

use super::entry::{Entry, EntryKind};
use super::library::{Library, is_remote, open_folder};
use super::query::{ListFilter, Order, Sort};
use super::snapshot::Snapshot;
use super::snapshot_cache::Purpose;
use super::view::ViewQuery;

/// The number of pictures in a part.
const PART: usize = 1000;

/// The pictures beneath a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootPictures {
    /// The pictures, by folder and name.
    pub pictures: Vec<Entry>,
    /// The pictures of several files among them, each as one entry with its companions.
    pub joined: Vec<Entry>,
    /// The number of pictures whose header or sidecar is still to be read.
    pub unread: usize,
    /// The number of folders that can't be read, or are too many.
    pub left_out: usize,
}

impl Library {
    /// Lists all pictures beneath a root, and schedules the reading of their headers and sidecars for a while.
    /// On a remote disk, only metadata from earlier readings is available.
    pub fn pictures(&self, root: &Arc<Root>) -> Result<RootPictures, AccessError> {
        let root_dir = root.open()?;
        let snapshot = self.search_snapshot(root, &root_dir)?;
        let view = snapshot.view(&pictures_by_name(false), &root_dir);
        let pictures = snapshot.entries(&view.entries, None);
        let joined = snapshot.joined();
        let of_several = |&at: &u32| !joined.companions(at).is_empty();
        let shown: Vec<u32> = view.entries.iter().copied().filter(of_several).collect();
        Ok(RootPictures {
            pictures,
            joined: snapshot.entries(&shown, Some(joined)),
            unread: snapshot.unread(),
            left_out: snapshot.left_out,
        })
    }

    /// Returns a snapshot of everything beneath a root, and schedules the reading of headers and sidecars as far as its
    /// disk is local.
    pub(super) fn search_snapshot(
        &self,
        root: &Arc<Root>,
        root_dir: &RootDir,
    ) -> Result<Arc<Snapshot>, AccessError> {
        let top = RelPath::default();
        let folder = open_folder(root_dir, &top)?;
        let snapshot =
            self.take_snapshot(root, &folder, FolderScope::Recursive, Purpose::Search)?;
        self.catch_up(&snapshot);
        // Metadata of earlier launches belongs to files and sidecars that may have changed since.
        let is_picture = |&index: &usize| snapshot.kind(index) == EntryKind::Picture;
        snapshot.request_stats(root_dir, (0..snapshot.len()).filter(is_picture));
        if snapshot.unread() > 0 && !is_remote(&folder) {
            self.reader.request(&snapshot, Vec::new(), true);
        }
        Ok(snapshot)
    }

    /// Calls `each` with the pictures in a folder and below it, in parts, until it returns false. Files of one picture are
    /// one entry. Returns the number of folders that can't be read, or are too many.
    ///
    /// # Errors
    /// [`AccessError`] if the folder can't be read.
    pub fn each_joined_picture(
        &self,
        root: &Arc<Root>,
        path: &RelPath,
        each: &mut dyn FnMut(Vec<Entry>) -> bool,
    ) -> Result<usize, AccessError> {
        let root_dir = root.open()?;
        let folder = open_folder(&root_dir, path)?;
        let snapshot =
            self.take_snapshot(root, &folder, FolderScope::Recursive, Purpose::Search)?;
        self.catch_up(&snapshot);
        let view = snapshot.view(&pictures_by_name(true), &root_dir);
        let joined = Some(snapshot.joined()).filter(|joined| !joined.is_empty());
        for part in view.entries.chunks(PART) {
            let companions = |index| joined.map_or(&[][..], |joined| joined.companions(index));
            let others = part.iter().flat_map(|&index| companions(index));
            let others = others.map(|&(_, index)| index);
            let files = part.iter().copied().chain(others);
            snapshot.request_stats(&root_dir, files.map(|index| index as usize));
            if !each(snapshot.entries(part, joined)) {
                break;
            }
        }
        Ok(snapshot.left_out)
    }
}

/// Returns the query for all pictures, by folder and name.
fn pictures_by_name(joins_files: bool) -> ViewQuery {
    ViewQuery {
        sort: Sort::Name,
        order: Order::Ascending,
        group: None,
        filter: ListFilter {
            kind: Some(EntryKind::Picture),
            ..ListFilter::default()
        },
        joins_files,
    }
}
