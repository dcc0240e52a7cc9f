//! Scans a folder, or everything beneath it, together with metadata from earlier readings.

use std::sync::Arc;

use fumikura_base::entropy::random_bytes;
use fumikura_fs::path;
use fumikura_fs::platform::path_of;
use fumikura_fs::{AccessError, Device, MAX_FOLDERS, Reach, RelPath, Root, RootDir};

use super::earlier_metadata::EarlierMetadata;
use super::entry::EntryKind;
use super::events::LibraryEvent;
use super::library::{Library, Listed, open_folder};
use super::manifest::Manifest;
use super::scan::{Folder, Patience, Scanned};
use super::scanned_tree::ScannedTree;
use super::snapshot::Snapshot;
use super::snapshot_cache::Purpose;
use super::snapshot_id::SnapshotId;

/// The number of entries beyond which no more folders are read.
const MOST_ENTRIES: usize = 1_000_000;

/// The reach, the purpose and the time limit of a scan.
#[derive(Clone, Copy)]
struct ScanOptions {
    reach: Reach,
    purpose: Purpose,
    patience: Patience,
}

impl Library {
    /// Reads all names, without a time limit.
    pub(super) fn take_snapshot(
        &self,
        root: &Arc<Root>,
        folder: &Folder<'_>,
        reach: Reach,
        purpose: Purpose,
    ) -> Result<Arc<Snapshot>, AccessError> {
        let taking = ScanOptions {
            reach,
            purpose,
            patience: Patience::default(),
        };
        self.take(root, folder, taking)
    }

    /// Reads the names that can be read within a moment, to be shown. If these are not all, a job reads all of them,
    /// and a notification follows.
    pub(super) fn take_first(
        self: &Arc<Self>,
        root: &Arc<Root>,
        folder: &Folder<'_>,
        reach: Reach,
    ) -> Result<Arc<Snapshot>, AccessError> {
        let Some(mut growing) = Growing::begin(self) else {
            return self.take_snapshot(root, folder, reach, Purpose::View);
        };
        let taking = ScanOptions {
            reach,
            purpose: Purpose::View,
            patience: Patience::of(self.patience),
        };
        let first = self.take(root, folder, taking)?;
        if !first.is_growing {
            return Ok(first);
        }
        growing.begun = Some(Listed {
            root: root.id(),
            path: folder.path.clone(),
            snapshot: first.id,
        });
        let root_ref = Arc::clone(root);
        let place = path::join(root.path_bytes(), folder.path);
        let device = Device::at(root.id(), path_of(&place));
        let read_rest = move || growing.end(&root_ref, reach);
        if let Err(error) = self.pool.submit(device, read_rest) {
            tracing::warn!("a folder's names are waited for: {error}");
            return self.take_snapshot(root, folder, reach, Purpose::View);
        }
        Ok(first)
    }

    fn take(
        &self,
        root: &Arc<Root>,
        folder: &Folder<'_>,
        taking: ScanOptions,
    ) -> Result<Arc<Snapshot>, AccessError> {
        let ScanOptions {
            reach,
            purpose,
            patience,
        } = taking;
        let path = folder.path;
        let scan = self.kept().scan(root.id(), path, reach);
        let (scanned, is_whole) = folder.scan(patience)?;
        let mut tree = ScannedTree {
            is_cut_short: !is_whole,
            ..ScannedTree::default()
        };
        match reach {
            Reach::Folder => self.gather(root, path, &scanned, purpose, &mut tree),
            Reach::Beneath => {
                let mut left = Vec::new();
                self.take_in(root, folder, scanned, purpose, &mut left, &mut tree);
                self.walk(root, folder.root, taking, left, &mut tree);
            }
        }
        let id = SnapshotId::from_bytes(random_bytes(&*self.entropy));
        let snapshot = Snapshot::new(id, Arc::clone(root), path.clone(), reach, tree);
        let snapshot = Arc::new(snapshot);
        self.kept().put(Arc::clone(&snapshot), scan, purpose);
        Ok(snapshot)
    }

    /// Reads the names of all remaining folders, the last one first. Unreadable folders are only counted: the others
    /// are of use without them.
    fn walk(
        &self,
        root: &Root,
        beneath: &RootDir,
        taking: ScanOptions,
        mut left: Vec<RelPath>,
        all: &mut ScannedTree,
    ) {
        let ScanOptions {
            purpose, patience, ..
        } = taking;
        let mut folders = 0;
        while let Some(path) = left.pop() {
            if patience.is_over() {
                all.is_cut_short = true;
            }
            if all.is_cut_short {
                return;
            }
            if folders == MAX_FOLDERS || all.names.len() >= MOST_ENTRIES {
                all.left_out += 1 + left.len();
                return;
            }
            folders += 1;
            let read = open_folder(beneath, &path).and_then(|folder| {
                let (scanned, is_whole) = folder.scan(patience)?;
                all.is_cut_short |= !is_whole;
                self.take_in(root, &folder, scanned, purpose, &mut left, all);
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
    fn take_in(
        &self,
        root: &Root,
        folder: &Folder<'_>,
        mut scanned: Vec<Scanned>,
        purpose: Purpose,
        left: &mut Vec<RelPath>,
        all: &mut ScannedTree,
    ) {
        left.extend(folder.folders_among(&scanned).into_iter().rev());
        scanned.retain(|one| one.kind != EntryKind::Folder);
        self.gather(root, folder.path, &scanned, purpose, all);
    }

    /// Adds a folder's entries, with metadata from earlier readings.
    fn gather(
        &self,
        root: &Root,
        path: &RelPath,
        scanned: &[Scanned],
        purpose: Purpose,
        all: &mut ScannedTree,
    ) {
        // Entries that are not shown need no metadata.
        if purpose == Purpose::Counted {
            all.add(path.clone(), scanned, |_| None);
            return;
        }
        let listings = self.kept().all_of(root, path);
        let has_pictures = scanned.iter().any(|one| one.kind == EntryKind::Picture);
        // A growing listing may know nothing of most pictures.
        let is_known = listings.iter().any(|one| !one.is_growing);
        let kept = if has_pictures && !is_known {
            self.reader.kept(root, path)
        } else {
            Manifest::default()
        };
        let (mut before, is_unsaved) = EarlierMetadata::new(path, &listings, kept);
        let part = all.parts.len();
        all.add(path.clone(), scanned, |name| before.take(name));
        if is_unsaved {
            all.metadata.is_news_of(part);
        }
    }
}

/// A permit to return a listing before all names are read; there are few at a time. When it is dropped, also by a
/// panic, the listing is as complete as it will be, and the listener is notified.
struct Growing {
    folders: Arc<Library>,
    /// The listing that was returned early.
    begun: Option<Listed>,
    whole: Option<SnapshotId>,
}

impl Growing {
    fn begin(folders: &Arc<Library>) -> Option<Self> {
        folders.kept().begin_to_grow().then(|| Self {
            folders: Arc::clone(folders),
            begun: None,
            whole: None,
        })
    }

    /// Reads all names of the listing that was returned early.
    fn end(mut self, root: &Arc<Root>, reach: Reach) {
        let Some(begun) = &self.begun else {
            return;
        };
        let take = || {
            let beneath = root.open()?;
            let folder = open_folder(&beneath, &begun.path)?;
            self.folders
                .take_snapshot(root, &folder, reach, Purpose::View)
        };
        match take() {
            Ok(whole) => {
                self.whole = Some(whole.id);
                // Metadata of the first names is not saved without the others.
                self.folders.reader.keep(&whole);
            }
            // A client that requests the listing again gets the error.
            Err(error) => tracing::debug!("a folder can't be listed to its end: {error}"),
        }
    }
}

impl Drop for Growing {
    fn drop(&mut self) {
        let begun = self.begun.take();
        let id = begun.as_ref().map(|begun| begun.snapshot);
        self.folders.kept().end_to_grow(id, self.whole);
        if let Some(begun) = begun {
            self.folders.events().publish(LibraryEvent::Listed(begun));
        }
    }
}
