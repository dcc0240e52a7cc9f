//! The snapshot cache, which serves the next page of a listing.

use std::sync::{Arc, Weak};

use fumikura_fs::{Reach, RelPath, Root, RootId};
use fumikura_image::ThumbHash;
use fumikura_xmp::Marks;

use super::known::{Known, State};
use super::scan::Sidecar;
use super::snapshot::Snapshot;
use super::snapshot_id::SnapshotId;

/// The maximum number of snapshots that are kept.
const SNAPSHOTS: usize = 16;
/// The maximum number of entries in all of them together; the latest is kept whatever its size.
const ENTRIES: usize = 200_000;
/// The maximum number of listings that are completed at once.
const GROWING: usize = 4;
/// The maximum number of counted snapshots. They are kept as well, since one may have more folders than a page.
const COUNTED: usize = 4;
/// The number of searched roots that are kept.
const SEARCHED: usize = 8;

/// The purpose of reading a folder's names.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Purpose {
    /// A listing that is shown page by page.
    #[default]
    View,
    /// The numbers of folders and pictures. These are requested of many folders in succession, and evict no snapshot
    /// that is shown.
    Counted,
    /// A search. One snapshot of a root is kept, with the metadata of its pictures, and evicts none that is shown.
    Searched,
}

#[derive(Default)]
pub(super) struct SnapshotCache {
    /// Snapshots that are shown, the one requested last at the end.
    snapshots: Vec<Arc<Snapshot>>,
    /// Snapshots that are only counted, the one requested last at the end.
    counted: Vec<Arc<Snapshot>>,
    /// Snapshots of whole roots that were searched, one of each, the latest at the end.
    searched: Vec<Arc<Snapshot>>,
    scans: Vec<Scanning>,
    /// Listings returned before all names were read, each with the complete one; the latest at the end.
    whole: Vec<(SnapshotId, SnapshotId)>,
    /// The number of listings that are being completed.
    growing: usize,
}

/// A folder whose names are being read.
struct Scanning {
    root: RootId,
    path: RelPath,
    reach: Reach,
    /// Dangling if the scan was given up.
    scan: Weak<Scan>,
    /// Marks that were written meanwhile: the names that were read may be older.
    marked: Vec<Marked>,
    /// Placeholders that were recorded meanwhile.
    noted: Vec<Noted>,
}

impl Scanning {
    fn reads(&self, folder: &RelPath) -> bool {
        match self.reach {
            Reach::Folder => self.path == *folder,
            Reach::Beneath => folder.is_in(&self.path),
        }
    }
}

/// A token for a scan in progress. Dropping it gives the scan up.
pub(super) struct Scan;

/// The current marks of a picture.
#[derive(Clone)]
pub(super) struct Marked {
    /// The picture's folder beneath the root.
    pub(super) folder: RelPath,
    /// The picture's name.
    pub(super) name: Box<[u8]>,
    pub(super) sidecar: Sidecar,
    pub(super) marks: Known<Arc<Marks>>,
}

/// The placeholder of a picture, from a thumbnail of one of its states.
#[derive(Clone)]
pub(super) struct Noted {
    /// The picture's folder beneath the root.
    pub(super) folder: RelPath,
    /// The picture's name.
    pub(super) name: Box<[u8]>,
    pub(super) of: State,
    pub(super) hash: ThumbHash,
}

impl SnapshotCache {
    /// Returns a snapshot that is requested again, if it is of this folder and has this reach. A counted snapshot is
    /// not shown: it has no metadata of its pictures.
    pub(super) fn get(
        &mut self,
        id: SnapshotId,
        root: &Root,
        path: &RelPath,
        reach: Reach,
        purpose: Purpose,
    ) -> Option<Arc<Snapshot>> {
        let whole = self.whole.iter().find(|(begun, _)| *begun == id);
        let id = whole.map_or(id, |(_, whole)| *whole);
        let is_it =
            |one: &Arc<Snapshot>| one.id == id && one.is_of(root, path) && one.reach == reach;
        let counted = (purpose == Purpose::Counted).then_some(&mut self.counted);
        for kept in [Some(&mut self.snapshots), counted].into_iter().flatten() {
            if let Some(at) = kept.iter().position(is_it) {
                let found = kept.remove(at);
                kept.push(Arc::clone(&found));
                return Some(found);
            }
        }
        None
    }

    /// Returns all shown and searched snapshots that contain a folder's entries, the latest last. Others have no
    /// metadata.
    pub(super) fn all_of(&self, root: &Root, path: &RelPath) -> Vec<Arc<Snapshot>> {
        let all = self.searched.iter().chain(&self.snapshots);
        let holding = all.filter(|one| one.holds(root, path));
        holding.map(Arc::clone).collect()
    }

    /// Returns all other shown and searched snapshots of the same root.
    pub(super) fn all_but(&self, one: &Snapshot) -> Vec<Arc<Snapshot>> {
        let is_another = |other: &&Arc<Snapshot>| other.id != one.id;
        let all = self.searched.iter().chain(&self.snapshots);
        let others = all.filter(is_another);
        let of_the_root = others.filter(|other| other.root.id() == one.root.id());
        of_the_root.map(Arc::clone).collect()
    }

    /// Registers a scan of a folder, or of everything beneath it.
    pub(super) fn scan(&mut self, root: RootId, path: &RelPath, reach: Reach) -> Arc<Scan> {
        self.scans.retain(|one| one.scan.strong_count() > 0);
        let scan = Arc::new(Scan);
        self.scans.push(Scanning {
            root,
            path: path.clone(),
            reach,
            scan: Arc::downgrade(&scan),
            marked: Vec::new(),
            noted: Vec::new(),
        });
        scan
    }

    /// Records the marks of a picture. Returns the snapshots that the caller must update; those whose scans are still
    /// in progress are updated at their end.
    pub(super) fn mark(&mut self, root: &Root, marked: &Marked) -> Vec<Arc<Snapshot>> {
        for scanning in self.scans_of(root, &marked.folder) {
            scanning.marked.push(marked.clone());
        }
        self.all_of(root, &marked.folder)
    }

    /// Records the placeholder of a picture, and returns snapshots like [`mark`](Self::mark).
    pub(super) fn note(&mut self, root: &Root, noted: &Noted) -> Vec<Arc<Snapshot>> {
        for scanning in self.scans_of(root, &noted.folder) {
            scanning.noted.push(noted.clone());
        }
        self.all_of(root, &noted.folder)
    }

    /// Returns the scans in progress that read a folder.
    fn scans_of(&mut self, root: &Root, folder: &RelPath) -> impl Iterator<Item = &mut Scanning> {
        let is_read = move |one: &&mut Scanning| one.root == root.id() && one.reads(folder);
        self.scans.iter_mut().filter(is_read)
    }

    /// Forgets a root, which may no longer be read.
    pub(super) fn forget(&mut self, root: RootId) {
        for kept in [&mut self.snapshots, &mut self.counted, &mut self.searched] {
            kept.retain(|one| one.root.id() != root);
        }
        self.scans.retain(|one| one.root != root);
    }

    /// Drops a counted snapshot of which no more is requested; one that is shown stays.
    pub(super) fn let_go_of_counted(&mut self, id: SnapshotId) {
        self.counted.retain(|one| one.id != id);
    }

    /// Counts one more listing that may be returned before all names are read. Returns false if there are too many.
    pub(super) fn begin_to_grow(&mut self) -> bool {
        let may = self.growing < GROWING;
        self.growing += usize::from(may);
        may
    }

    /// Ends the completion of a listing: the early one is forgotten, and is replaced if a complete one could be made.
    /// `begun` is `None` if all names were read in time.
    pub(super) fn end_to_grow(&mut self, begun: Option<SnapshotId>, whole: Option<SnapshotId>) {
        self.growing -= 1;
        let Some(begun) = begun else {
            return;
        };
        self.snapshots.retain(|one| one.id != begun);
        if self.whole.len() == SNAPSHOTS {
            self.whole.remove(0);
        }
        self.whole.extend(whole.map(|whole| (begun, whole)));
    }

    /// Keeps the snapshot of a scan, unless the scan was forgotten meanwhile.
    pub(super) fn put(&mut self, snapshot: Arc<Snapshot>, scan: Arc<Scan>, purpose: Purpose) {
        let is_it = |one: &Scanning| one.scan.as_ptr() == Arc::as_ptr(&scan);
        let Some(at) = self.scans.iter().position(is_it) else {
            return;
        };
        let meanwhile = self.scans.swap_remove(at);
        for marked in &meanwhile.marked {
            snapshot.mark(marked);
        }
        for noted in &meanwhile.noted {
            snapshot.note(noted);
        }
        let (kept, most) = match purpose {
            Purpose::View => (&mut self.snapshots, SNAPSHOTS),
            Purpose::Counted => (&mut self.counted, COUNTED),
            Purpose::Searched => {
                self.searched.retain(|one| !one.is_like(&snapshot));
                (&mut self.searched, SEARCHED)
            }
        };
        kept.push(snapshot);
        let mut entries = 0;
        let fits = kept.iter().rev().enumerate().take_while(|(at, one)| {
            entries += one.len();
            *at == 0 || (*at < most && entries <= ENTRIES)
        });
        let fitting = fits.count();
        kept.drain(..kept.len() - fitting);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use super::super::entry::EntryKind;
    use super::super::natural::NaturalName;
    use super::super::scan::Scanned;
    use fumikura_fs::{Ctime, Mtime, NodeKind, Stat};
    use fumikura_xmp::Rating;

    struct Album {
        kept: SnapshotCache,
        root: Arc<Root>,
        path: RelPath,
    }

    impl Album {
        fn new() -> Self {
            Self {
                kept: SnapshotCache::default(),
                root: Arc::new(Root::own(b"/pictures".to_vec())),
                path: RelPath::parse(b"in").unwrap(),
            }
        }

        fn scan(&mut self) -> Arc<Scan> {
            self.kept.scan(self.root.id(), &self.path, Reach::Folder)
        }

        /// Ends a scan that found no sidecars.
        fn put(&mut self, scan: Arc<Scan>) -> Arc<Snapshot> {
            self.put_for(scan, Purpose::View)
        }

        fn put_for(&mut self, scan: Arc<Scan>, purpose: Purpose) -> Arc<Snapshot> {
            let scanned = ["a.jpg", "b.jpg"].map(|name| Scanned {
                name: NaturalName::new(name.as_bytes()),
                kind: EntryKind::Picture,
                stat: None,
                sidecar: None,
            });
            let id = SnapshotId::from_bytes([1; 8]);
            let (root, path) = (Arc::clone(&self.root), self.path.clone());
            let snapshot = Snapshot::of_folder(id, root, path, &scanned);
            let snapshot = Arc::new(snapshot);
            self.kept.put(Arc::clone(&snapshot), scan, purpose);
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
            let marks = Marks {
                rating: Some(rating),
                tags: Vec::new(),
                caption: None,
            };
            let marked = Marked {
                folder: self.path.clone(),
                name: name.into(),
                sidecar: Sidecar {
                    name: [name, b".xmp"].concat().into(),
                    stat: Some(stat),
                },
                marks: Known::Is(stat.into(), Arc::new(marks)),
            };
            let snapshots = self.kept.mark(&self.root, &marked);
            for snapshot in &snapshots {
                snapshot.mark(&marked);
            }
            snapshots.len()
        }
    }

    fn ratings(snapshot: &Snapshot) -> [Option<Rating>; 2] {
        let metadata = snapshot.metadata();
        [0, 1].map(|index| metadata.marks(index).unwrap().rating)
    }

    #[test]
    fn marks_written_during_a_scan_are_applied() {
        let mut album = Album::new();
        let given_up = album.scan();
        let (first, second) = (album.scan(), album.scan());
        drop(given_up);
        assert_eq!(album.rate(b"a.jpg", Rating::One), 0);
        let first = album.put(first);
        assert_eq!(ratings(&first), [Some(Rating::One), None]);
        assert_eq!(album.rate(b"b.jpg", Rating::Two), 1);
        assert_eq!(album.rate(b"a.jpg", Rating::Three), 1);
        let second = album.put(second);
        for snapshot in [first, second] {
            assert_eq!(ratings(&snapshot), [Some(Rating::Three), Some(Rating::Two)]);
        }
        // Marks that were written before the scan are in the folder by now.
        let later = album.scan();
        assert_eq!(ratings(&album.put(later)), [None, None]);
        assert!(album.kept.scans.is_empty());
    }

    #[test]
    fn growing_listings_are_limited_and_failed_ones_forgotten() {
        let mut album = Album::new();
        for _ in 0..GROWING {
            assert!(album.kept.begin_to_grow());
        }
        assert!(!album.kept.begin_to_grow());
        let scan = album.scan();
        let begun = album.put(scan).id;
        let get = |album: &mut Album| {
            let (root, path) = (Arc::clone(&album.root), album.path.clone());
            let found = album
                .kept
                .get(begun, &root, &path, Reach::Folder, Purpose::View);
            found.map(|found| found.id)
        };
        album.kept.end_to_grow(None, None);
        assert_eq!(get(&mut album), Some(begun));
        assert!(album.kept.begin_to_grow());
        album.kept.end_to_grow(Some(begun), None);
        assert_eq!(get(&mut album), None);
    }

    #[test]
    fn scan_of_a_forgotten_root_is_discarded() {
        let mut album = Album::new();
        let (scan, id) = (album.scan(), album.root.id());
        album.kept.forget(id);
        album.put(scan);
        assert!(album.kept.snapshots.is_empty());
    }

    #[test]
    fn counted_snapshot_is_not_shown() {
        let mut album = Album::new();
        let scan = album.scan();
        let id = album.put_for(scan, Purpose::Counted).id;
        let (root, path) = (Arc::clone(&album.root), album.path.clone());
        let mut get = |purpose| album.kept.get(id, &root, &path, Reach::Folder, purpose);
        assert!(get(Purpose::View).is_none());
        assert!(get(Purpose::Counted).is_some());
    }

    #[test]
    fn placeholder_recorded_during_a_scan_is_applied() {
        let mut album = Album::new();
        let scan = album.scan();
        let noted = Noted {
            folder: album.path.clone(),
            name: b"a.jpg"[..].into(),
            of: State {
                size: 1,
                mtime: Mtime {
                    seconds: 1,
                    nanoseconds: 0,
                },
                ctime: Ctime::default(),
            },
            hash: ThumbHash::from_bytes(&[7; 24]).unwrap(),
        };
        let root = Arc::clone(&album.root);
        assert!(album.kept.note(&root, &noted).is_empty());
        let snapshot = album.put(scan);
        assert_eq!(snapshot.metadata().hash(0), Some(&noted.hash));
    }
}
