//! Scans a folder, or everything beneath it, together with metadata from earlier readings.

use std::sync::Arc;

use fumikura_base::entropy::random_bytes;
use fumikura_fs::path;
use fumikura_fs::platform::path_of;
use fumikura_fs::{AccessError, Device, FolderScope, MAX_FOLDERS, RelPath, Root, RootDir};

use super::earlier_metadata::EarlierMetadata;
use super::entry::EntryKind;
use super::events::LibraryEvent;
use super::library::{Library, ListingCompleted, open_folder};
use super::manifest::Manifest;
use super::scan::{Deadline, Folder, ScannedEntry};
use super::scanned_tree::ScannedTree;
use super::snapshot::Snapshot;
use super::snapshot_cache::Purpose;
use super::snapshot_id::SnapshotId;

/// The number of entries beyond which no more folders are read.
const MAX_ENTRIES: usize = 1_000_000;

/// The scope, the purpose and the time limit of a scan.
#[derive(Clone, Copy)]
struct ScanOptions {
    scope: FolderScope,
    purpose: Purpose,
    deadline: Deadline,
}

impl Library {
    /// Reads all names, without a time limit.
    pub(super) fn take_snapshot(
        &self,
        root: &Arc<Root>,
        folder: &Folder<'_>,
        scope: FolderScope,
        purpose: Purpose,
    ) -> Result<Arc<Snapshot>, AccessError> {
        let options = ScanOptions {
            scope,
            purpose,
            deadline: Deadline::default(),
        };
        self.scan_folder(root, folder, options)
    }

    /// Reads the names that can be read within a moment, to be shown. If there are more, a job reads all of
    /// them, and a notification follows.
    pub(super) fn take_partial_snapshot(
        self: &Arc<Self>,
        root: &Arc<Root>,
        folder: &Folder<'_>,
        scope: FolderScope,
    ) -> Result<Arc<Snapshot>, AccessError> {
        let Some(mut growing) = GrowingListing::begin(self) else {
            return self.take_snapshot(root, folder, scope, Purpose::View);
        };
        let options = ScanOptions {
            scope,
            purpose: Purpose::View,
            deadline: Deadline::of(self.listing_timeout),
        };
        let first = self.scan_folder(root, folder, options)?;
        if !first.is_growing {
            return Ok(first);
        }
        growing.partial = Some(ListingCompleted {
            root: root.id(),
            path: folder.path.clone(),
            snapshot: first.id,
        });
        let own_root = Arc::clone(root);
        let place = path::join(root.path_bytes(), folder.path);
        let device = Device::at(root.id(), path_of(&place));
        let read_rest = move || growing.end(&own_root, scope);
        if let Err(error) = self.pool.submit(device, read_rest) {
            tracing::warn!("a folder's names can't be read in the background: {error}");
            return self.take_snapshot(root, folder, scope, Purpose::View);
        }
        Ok(first)
    }

    /// Reads the names of a folder that can be read until a deadline, to choose the pictures that stand for it. The
    /// snapshot is not cached. Also returns the folders in it.
    pub(super) fn take_cover_snapshot(
        &self,
        root: &Arc<Root>,
        folder: &Folder<'_>,
        deadline: Deadline,
    ) -> Result<(Arc<Snapshot>, Vec<RelPath>), AccessError> {
        let (scanned, is_whole) = folder.scan(deadline)?;
        let mut tree = ScannedTree {
            is_cut_short: !is_whole,
            ..ScannedTree::default()
        };
        self.add_folder(root, folder.path, &scanned, Purpose::View, &mut tree);
        let id = SnapshotId::from_bytes(random_bytes(&*self.entropy));
        let (root, path) = (Arc::clone(root), folder.path.clone());
        let snapshot = Snapshot::new(id, root, path, FolderScope::Direct, tree);
        Ok((Arc::new(snapshot), folder.folders_among(&scanned)))
    }

    fn scan_folder(
        &self,
        root: &Arc<Root>,
        folder: &Folder<'_>,
        options: ScanOptions,
    ) -> Result<Arc<Snapshot>, AccessError> {
        let ScanOptions {
            scope,
            purpose,
            deadline,
        } = options;
        let path = folder.path;
        let scan = self.snapshots().scan(root.id(), path, scope);
        let (scanned, is_whole) = folder.scan(deadline)?;
        let mut tree = ScannedTree {
            is_cut_short: !is_whole,
            ..ScannedTree::default()
        };
        match scope {
            FolderScope::Direct => self.add_folder(root, path, &scanned, purpose, &mut tree),
            FolderScope::Recursive => {
                let mut left = Vec::new();
                self.add_and_queue(root, folder, scanned, purpose, &mut left, &mut tree);
                self.walk(root, folder.root, options, left, &mut tree);
            }
        }
        let id = SnapshotId::from_bytes(random_bytes(&*self.entropy));
        let snapshot = Snapshot::new(id, Arc::clone(root), path.clone(), scope, tree);
        let snapshot = Arc::new(snapshot);
        self.snapshots().put(Arc::clone(&snapshot), scan, purpose);
        Ok(snapshot)
    }

    /// Reads the names of all remaining folders, the last one first. Unreadable folders are only counted, since
    /// the others are useful without them.
    fn walk(
        &self,
        root: &Root,
        root_dir: &RootDir,
        options: ScanOptions,
        mut left: Vec<RelPath>,
        all: &mut ScannedTree,
    ) {
        let ScanOptions {
            purpose, deadline, ..
        } = options;
        let mut folders = 0;
        while let Some(path) = left.pop() {
            if deadline.is_over() {
                all.is_cut_short = true;
            }
            if all.is_cut_short {
                return;
            }
            if folders == MAX_FOLDERS || all.names.len() >= MAX_ENTRIES {
                all.left_out += 1 + left.len();
                return;
            }
            folders += 1;
            let read = open_folder(root_dir, &path).and_then(|folder| {
                let (scanned, is_whole) = folder.scan(deadline)?;
                all.is_cut_short |= !is_whole;
                self.add_and_queue(root, &folder, scanned, purpose, &mut left, all);
                Ok(())
            });
            match read {
                // The folder has vanished.
                Ok(()) | Err(AccessError::NotFound) => {}
                Err(error) => {
                    tracing::debug!("a folder beneath another can't be read: {error}");
                    all.left_out += 1;
                }
            }
        }
    }

    /// Adds the names of one of several folders, and queues the folders in it.
    fn add_and_queue(
        &self,
        root: &Root,
        folder: &Folder<'_>,
        mut scanned: Vec<ScannedEntry>,
        purpose: Purpose,
        left: &mut Vec<RelPath>,
        all: &mut ScannedTree,
    ) {
        left.extend(folder.folders_among(&scanned).into_iter().rev());
        scanned.retain(|one| one.kind != EntryKind::Folder);
        self.add_folder(root, folder.path, &scanned, purpose, all);
    }

    /// Adds a folder's entries, with metadata from earlier readings.
    fn add_folder(
        &self,
        root: &Root,
        path: &RelPath,
        scanned: &[ScannedEntry],
        purpose: Purpose,
        all: &mut ScannedTree,
    ) {
        // A count shows no entries, so it needs no metadata.
        if purpose == Purpose::Count {
            all.add(path.clone(), scanned, |_| None);
            return;
        }
        let listings = self.snapshots().all_of(root, path);
        let has_pictures = scanned.iter().any(|one| one.kind == EntryKind::Picture);
        // A growing listing may have no metadata of most pictures.
        let is_known = listings.iter().any(|one| !one.is_growing);
        let manifest = if has_pictures && !is_known {
            self.reader.load_manifest(root, path)
        } else {
            Manifest::default()
        };
        let (mut earlier, is_unsaved) = EarlierMetadata::new(path, &listings, manifest);
        let part = all.folder_ranges.len();
        all.add(path.clone(), scanned, |name| earlier.take(name));
        if is_unsaved {
            all.metadata.mark_unsaved(part);
        }
    }
}

/// A permit to return a listing before all names are read; there are few at a time. When it is dropped, even by
/// a panic, the listing gets no more entries, and the listener is notified.
struct GrowingListing {
    library: Arc<Library>,
    /// The listing that was returned early.
    partial: Option<ListingCompleted>,
    whole: Option<SnapshotId>,
}

impl GrowingListing {
    fn begin(library: &Arc<Library>) -> Option<Self> {
        library.snapshots().begin_growing().then(|| Self {
            library: Arc::clone(library),
            partial: None,
            whole: None,
        })
    }

    /// Reads all names of the listing that was returned early.
    fn end(mut self, root: &Arc<Root>, scope: FolderScope) {
        let Some(partial) = &self.partial else {
            return;
        };
        let take = || {
            let root_dir = root.open()?;
            let folder = open_folder(&root_dir, &partial.path)?;
            self.library
                .take_snapshot(root, &folder, scope, Purpose::View)
        };
        match take() {
            Ok(whole) => {
                self.whole = Some(whole.id);
                // Metadata of the first names is not saved without the others.
                self.library.reader.save_later(&whole);
            }
            // A client that requests the listing again gets the error.
            Err(error) => tracing::debug!("a folder can't be listed completely: {error}"),
        }
    }
}

impl Drop for GrowingListing {
    fn drop(&mut self) {
        let partial = self.partial.take();
        let id = partial.as_ref().map(|partial| partial.snapshot);
        self.library.snapshots().end_growing(id, self.whole);
        if let Some(partial) = partial {
            self.library
                .events()
                .publish(LibraryEvent::ListingCompleted(partial));
        }
    }
}
