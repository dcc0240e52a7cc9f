//! The snapshot cache, from which further pages of a listing are served.

use std::sync::{Arc, Weak};

use fumikura_fs::{FolderScope, RelPath, Root, RootId};
use fumikura_image::PictureHash;
use fumikura_xmp::SidecarMarks;

use super::read_state::{FileState, ReadState};
use super::scan::Sidecar;
use super::snapshot::Snapshot;
use super::snapshot_id::SnapshotId;

/// The maximum number of snapshots that are kept.
const MAX_SNAPSHOTS: usize = 16;
/// The maximum number of entries in all of them together; the latest is kept whatever its size.
const MAX_ENTRIES: usize = 200_000;
/// The maximum number of listings that are completed at once.
const MAX_GROWING: usize = 4;
/// The maximum number of counted snapshots. They are cached too, since a counted folder may have more folders
/// than fit a page.
const MAX_COUNTED: usize = 4;
/// The number of searched roots that are kept.
const MAX_SEARCHED: usize = 8;

/// The purpose of reading a folder's names.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Purpose {
    /// A listing that is shown page by page.
    #[default]
    View,
    /// The numbers of folders and pictures. A client requests these for many folders in succession, so they
    /// evict no displayed snapshot.
    Count,
    /// A search. One snapshot of each root is cached, with the metadata of its pictures. It evicts no displayed
    /// snapshot.
    Search,
}

#[derive(Default)]
pub(super) struct SnapshotCache {
    /// Displayed snapshots, the most recently requested last.
    snapshots: Vec<Arc<Snapshot>>,
    /// Counted snapshots, the most recently requested last.
    counted: Vec<Arc<Snapshot>>,
    /// Snapshots of whole roots that were searched, one for each, the latest last.
    searched: Vec<Arc<Snapshot>>,
    scans: Vec<ActiveScan>,
    /// Listings returned before all names were read, each with the complete one; the latest last.
    completed: Vec<(SnapshotId, SnapshotId)>,
    /// The number of listings that are being completed.
    growing: usize,
}

/// A folder whose names are being read.
struct ActiveScan {
    root: RootId,
    path: RelPath,
    scope: FolderScope,
    /// Dangling if the scan was given up.
    scan: Weak<ScanToken>,
    /// Marks that were written during the scan: the scanned sidecars may be older.
    marks_updates: Vec<MarksUpdate>,
    /// Placeholders that were recorded during the scan.
    placeholder_updates: Vec<PlaceholderUpdate>,
}

impl ActiveScan {
    fn covers(&self, folder: &RelPath) -> bool {
        match self.scope {
            FolderScope::Direct => self.path == *folder,
            FolderScope::Recursive => folder.is_in(&self.path),
        }
    }
}

/// A token for a scan in progress. Dropping it abandons the scan.
pub(super) struct ScanToken;

/// The current marks of a picture.
#[derive(Clone)]
pub(super) struct MarksUpdate {
    /// The picture's folder beneath the root.
    pub(super) folder: RelPath,
    /// The picture's name.
    pub(super) name: Box<[u8]>,
    pub(super) sidecar: Sidecar,
    pub(super) marks: ReadState<Arc<SidecarMarks>>,
}

/// The placeholder of a picture, from a thumbnail of one of its states.
#[derive(Clone)]
pub(super) struct PlaceholderUpdate {
    /// The picture's folder beneath the root.
    pub(super) folder: RelPath,
    /// The picture's name.
    pub(super) name: Box<[u8]>,
    pub(super) of: FileState,
    pub(super) hash: PictureHash,
}

impl SnapshotCache {
    /// Returns a snapshot that is requested again, if it is of this folder and has this scope. A counted
    /// snapshot is not returned for display: it lacks the metadata of its pictures.
    pub(super) fn get(
        &mut self,
        id: SnapshotId,
        root: &Root,
        path: &RelPath,
        scope: FolderScope,
        purpose: Purpose,
    ) -> Option<Arc<Snapshot>> {
        let completed = self.completed.iter().find(|(partial, _)| *partial == id);
        let id = completed.map_or(id, |(_, completed)| *completed);
        let is_it =
            |one: &Arc<Snapshot>| one.id == id && one.is_of(root, path) && one.scope == scope;
        let counted = (purpose == Purpose::Count).then_some(&mut self.counted);
        for list in [Some(&mut self.snapshots), counted].into_iter().flatten() {
            if let Some(at) = list.iter().position(is_it) {
                let found = list.remove(at);
                list.push(Arc::clone(&found));
                return Some(found);
            }
        }
        None
    }

    /// Returns all displayed and searched snapshots that contain a folder's entries, the latest last. Counted
    /// ones have no metadata.
    pub(super) fn all_of(&self, root: &Root, path: &RelPath) -> Vec<Arc<Snapshot>> {
        let all = self.searched.iter().chain(&self.snapshots);
        let holding = all.filter(|one| one.holds(root, path));
        holding.map(Arc::clone).collect()
    }

    /// Returns all other displayed and searched snapshots of the same root.
    pub(super) fn all_except(&self, one: &Snapshot) -> Vec<Arc<Snapshot>> {
        let is_another = |other: &&Arc<Snapshot>| other.id != one.id;
        let all = self.searched.iter().chain(&self.snapshots);
        let others = all.filter(is_another);
        let of_the_root = others.filter(|other| other.root.id() == one.root.id());
        of_the_root.map(Arc::clone).collect()
    }

    /// Registers a scan of a folder, or of everything beneath it.
    pub(super) fn scan(
        &mut self,
        root: RootId,
        path: &RelPath,
        scope: FolderScope,
    ) -> Arc<ScanToken> {
        self.scans.retain(|one| one.scan.strong_count() > 0);
        let scan = Arc::new(ScanToken);
        self.scans.push(ActiveScan {
            root,
            path: path.clone(),
            scope,
            scan: Arc::downgrade(&scan),
            marks_updates: Vec::new(),
            placeholder_updates: Vec::new(),
        });
        scan
    }

    /// Records the marks of a picture. Returns the snapshots that the caller must update; a scan in progress
    /// updates its own snapshot at its end.
    pub(super) fn mark(&mut self, root: &Root, marks_update: &MarksUpdate) -> Vec<Arc<Snapshot>> {
        for active_scan in self.scans_of(root, &marks_update.folder) {
            active_scan.marks_updates.push(marks_update.clone());
        }
        self.all_of(root, &marks_update.folder)
    }

    /// Records the placeholder of a picture, and returns snapshots like [`mark`](Self::mark).
    pub(super) fn note(
        &mut self,
        root: &Root,
        placeholder_update: &PlaceholderUpdate,
    ) -> Vec<Arc<Snapshot>> {
        for active_scan in self.scans_of(root, &placeholder_update.folder) {
            active_scan
                .placeholder_updates
                .push(placeholder_update.clone());
        }
        self.all_of(root, &placeholder_update.folder)
    }

    /// Returns the scans in progress that read a folder.
    fn scans_of(&mut self, root: &Root, folder: &RelPath) -> impl Iterator<Item = &mut ActiveScan> {
        let is_read = move |one: &&mut ActiveScan| one.root == root.id() && one.covers(folder);
        self.scans.iter_mut().filter(is_read)
    }

    /// Forgets a root, which may no longer be read.
    pub(super) fn forget(&mut self, root: RootId) {
        for list in [&mut self.snapshots, &mut self.counted, &mut self.searched] {
            list.retain(|one| one.root.id() != root);
        }
        self.scans.retain(|one| one.root != root);
    }

    /// Drops a counted snapshot of which no more is requested. A displayed one stays.
    pub(super) fn drop_counted(&mut self, id: SnapshotId) {
        self.counted.retain(|one| one.id != id);
    }

    /// Counts one more listing that may be returned before all names are read. Returns false if there are too many.
    pub(super) fn begin_growing(&mut self) -> bool {
        let may = self.growing < MAX_GROWING;
        self.growing += usize::from(may);
        may
    }

    /// Ends the completion of a listing: the early one is forgotten, and is replaced if a complete one could be made.
    /// `partial` is `None` if all names were read in time.
    pub(super) fn end_growing(
        &mut self,
        partial: Option<SnapshotId>,
        completed: Option<SnapshotId>,
    ) {
        self.growing -= 1;
        let Some(partial) = partial else {
            return;
        };
        self.snapshots.retain(|one| one.id != partial);
        if self.completed.len() == MAX_SNAPSHOTS {
            self.completed.remove(0);
        }
        self.completed
            .extend(completed.map(|completed| (partial, completed)));
    }

    /// Keeps the snapshot of a scan, unless the scan was forgotten meanwhile.
    pub(super) fn put(&mut self, snapshot: Arc<Snapshot>, scan: Arc<ScanToken>, purpose: Purpose) {
        let is_it = |one: &ActiveScan| one.scan.as_ptr() == Arc::as_ptr(&scan);
        let Some(at) = self.scans.iter().position(is_it) else {
            return;
        };
        let active_scan = self.scans.swap_remove(at);
        for marks_update in &active_scan.marks_updates {
            snapshot.mark(marks_update);
        }
        for placeholder_update in &active_scan.placeholder_updates {
            snapshot.note(placeholder_update);
        }
        let (list, max) = match purpose {
            Purpose::View => (&mut self.snapshots, MAX_SNAPSHOTS),
            Purpose::Count => (&mut self.counted, MAX_COUNTED),
            Purpose::Search => {
                self.searched.retain(|one| !one.is_like(&snapshot));
                (&mut self.searched, MAX_SEARCHED)
            }
        };
        list.push(snapshot);
        let mut entries = 0;
        let fits = list.iter().rev().enumerate().take_while(|(at, one)| {
            entries += one.len();
            *at == 0 || (*at < max && entries <= MAX_ENTRIES)
        });
        let fitting = fits.count();
        list.drain(..list.len() - fitting);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use super::super::entry::EntryKind;
    use super::super::natural::NaturalName;
    use super::super::scan::ScannedEntry;
    use fumikura_fs::{Ctime, Mtime, NodeKind, Stat};
    use fumikura_xmp::{Marks, Rating, StatedMarks};

    struct CacheFixture {
        cache: SnapshotCache,
        root: Arc<Root>,
        path: RelPath,
    }

    impl CacheFixture {
        fn new() -> Self {
            Self {
                cache: SnapshotCache::default(),
                root: Arc::new(Root::own(b"/pictures".to_vec())),
                path: RelPath::parse(b"in").unwrap(),
            }
        }

        fn scan(&mut self) -> Arc<ScanToken> {
            self.cache
                .scan(self.root.id(), &self.path, FolderScope::Direct)
        }

        /// Ends a scan that found no sidecars.
        fn put(&mut self, scan: Arc<ScanToken>) -> Arc<Snapshot> {
            self.put_for(scan, Purpose::View)
        }

        fn put_for(&mut self, scan: Arc<ScanToken>, purpose: Purpose) -> Arc<Snapshot> {
            let scanned = ["a.jpg", "b.jpg"].map(|name| ScannedEntry {
                name: NaturalName::new(name.as_bytes()),
                kind: EntryKind::Picture,
                stat: None,
                sidecar: None,
            });
            let id = SnapshotId::from_bytes([1; 8]);
            let (root, path) = (Arc::clone(&self.root), self.path.clone());
            let snapshot = Snapshot::of_folder(id, root, path, &scanned);
            let snapshot = Arc::new(snapshot);
            self.cache.put(Arc::clone(&snapshot), scan, purpose);
            snapshot
        }

        fn rate(&mut self, name: &[u8], rating: Rating) -> usize {
            let stat = Stat {
                kind: NodeKind::File,
                size: 1,
                mtime: Mtime {
                    seconds: 1,
                    nanoseconds: 0,
                },
                ctime: Ctime::default(),
            };
            let sidecar = SidecarMarks {
                marks: Marks {
                    rating: Some(rating),
                    ..Marks::default()
                },
                stated: StatedMarks {
                    rating: true,
                    ..StatedMarks::default()
                },
                title: None,
            };
            let marks_update = MarksUpdate {
                folder: self.path.clone(),
                name: name.into(),
                sidecar: Sidecar {
                    name: [name, b".xmp"].concat().into(),
                    stat: Some(stat),
                },
                marks: ReadState::Read(stat.into(), Arc::new(sidecar)),
            };
            let snapshots = self.cache.mark(&self.root, &marks_update);
            for snapshot in &snapshots {
                snapshot.mark(&marks_update);
            }
            snapshots.len()
        }
    }

    fn ratings(snapshot: &Snapshot) -> [Option<Rating>; 2] {
        let metadata = snapshot.metadata();
        [0, 1].map(|index| metadata.marks(index)?.rating)
    }

    #[test]
    fn marks_written_during_a_scan_are_applied() {
        let mut fixture = CacheFixture::new();
        let given_up = fixture.scan();
        let (first, second) = (fixture.scan(), fixture.scan());
        drop(given_up);
        assert_eq!(fixture.rate(b"a.jpg", Rating::One), 0);
        let first = fixture.put(first);
        assert_eq!(ratings(&first), [Some(Rating::One), None]);
        assert_eq!(fixture.rate(b"b.jpg", Rating::Two), 1);
        assert_eq!(fixture.rate(b"a.jpg", Rating::Three), 1);
        let second = fixture.put(second);
        for snapshot in [first, second] {
            assert_eq!(ratings(&snapshot), [Some(Rating::Three), Some(Rating::Two)]);
        }
        // Marks that were written before the scan are in the folder by now.
        let later = fixture.scan();
        assert_eq!(ratings(&fixture.put(later)), [None, None]);
        assert!(fixture.cache.scans.is_empty());
    }

    #[test]
    fn growing_listings_are_limited_and_failed_ones_forgotten() {
        let mut fixture = CacheFixture::new();
        for _ in 0..MAX_GROWING {
            assert!(fixture.cache.begin_growing());
        }
        assert!(!fixture.cache.begin_growing());
        let scan = fixture.scan();
        let partial = fixture.put(scan).id;
        let get = |fixture: &mut CacheFixture| {
            let (root, path) = (Arc::clone(&fixture.root), fixture.path.clone());
            let found =
                fixture
                    .cache
                    .get(partial, &root, &path, FolderScope::Direct, Purpose::View);
            found.map(|found| found.id)
        };
        fixture.cache.end_growing(None, None);
        assert_eq!(get(&mut fixture), Some(partial));
        assert!(fixture.cache.begin_growing());
        fixture.cache.end_growing(Some(partial), None);
        assert_eq!(get(&mut fixture), None);
    }

    #[test]
    fn scan_of_a_forgotten_root_is_discarded() {
        let mut fixture = CacheFixture::new();
        let (scan, id) = (fixture.scan(), fixture.root.id());
        fixture.cache.forget(id);
        fixture.put(scan);
        assert!(fixture.cache.snapshots.is_empty());
    }

    #[test]
    fn counted_snapshot_is_not_shown() {
        let mut fixture = CacheFixture::new();
        let scan = fixture.scan();
        let id = fixture.put_for(scan, Purpose::Count).id;
        let (root, path) = (Arc::clone(&fixture.root), fixture.path.clone());
        let mut get = |purpose| {
            fixture
                .cache
                .get(id, &root, &path, FolderScope::Direct, purpose)
        };
        assert!(get(Purpose::View).is_none());
        assert!(get(Purpose::Count).is_some());
    }

    #[test]
    fn placeholder_recorded_during_a_scan_is_applied() {
        let mut fixture = CacheFixture::new();
        let scan = fixture.scan();
        let placeholder_update = PlaceholderUpdate {
            folder: fixture.path.clone(),
            name: b"a.jpg"[..].into(),
            of: FileState {
                size: 1,
                mtime: Mtime {
                    seconds: 1,
                    nanoseconds: 0,
                },
                ctime: Ctime::default(),
            },
            hash: PictureHash::from_bytes(&[7; 24]).unwrap(),
        };
        let root = Arc::clone(&fixture.root);
        assert!(fixture.cache.note(&root, &placeholder_update).is_empty());
        let snapshot = fixture.put(scan);
        assert_eq!(snapshot.metadata().hash(0), Some(&placeholder_update.hash));
    }
}
