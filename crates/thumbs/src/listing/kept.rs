//! The snapshots that are kept for the next part of a listing.

use std::sync::{Arc, Weak};

use super::known::{Known, State};
use super::query::Reach;
use super::scan::Sidecar;
use super::snapshot::{Snapshot, SnapshotId};
use crate::decode::ThumbHash;
use crate::path::RelPath;
use crate::roots::{Root, RootId};
use crate::sidecar::Marks;

/// How many snapshots are kept at most.
const SNAPSHOTS: usize = 16;
/// How many entries all of them may have together; the latest is kept whatever it has.
const ENTRIES: usize = 200_000;
/// How many listings are made whole at once: each takes a thread, which may wait for a disk that never answers.
const GROWING: usize = 4;
/// As [`SNAPSHOTS`], of those that are only counted. They are kept as well, as one may have more folders than a part.
const COUNTED: usize = 4;
/// The number of searched roots that are kept.
const SEARCHED: usize = 8;

/// What a folder's names are read for.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Purpose {
    /// To be shown, part by part.
    #[default]
    Shown,
    /// To tell how many folders and pictures there are. That is asked of many folders, one after the other, and pushes
    /// out none that is shown.
    Counted,
    /// To be searched. One of a root is kept, with what is known of its pictures, and pushes out none that is shown.
    Searched,
}

#[derive(Default)]
pub(super) struct Kept {
    /// Those that were asked for last, the latest at the end.
    snapshots: Vec<Arc<Snapshot>>,
    /// The same of those that are only counted.
    counted: Vec<Arc<Snapshot>>,
    /// Whole roots that were searched, one of each, the latest at the end.
    searched: Vec<Arc<Snapshot>>,
    scans: Vec<Scanning>,
    /// Of listings that were begun before all names were read, those that are whole; the latest at the end.
    whole: Vec<(SnapshotId, SnapshotId)>,
    /// How many are being made whole.
    growing: usize,
}

/// A folder whose names are being read.
struct Scanning {
    root: RootId,
    path: RelPath,
    reach: Reach,
    /// Gone when the reading was given up.
    scan: Weak<Scan>,
    /// What was marked in it meanwhile: the names that were read may be older.
    marked: Vec<Marked>,
    /// Of which pictures a thumbnail was made meanwhile.
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

/// That a folder's names are being read. Dropped, they are not.
pub(super) struct Scan;

/// What the sidecar of a picture says now.
#[derive(Clone)]
pub(super) struct Marked {
    /// Where the picture is, beneath the root.
    pub(super) folder: RelPath,
    /// The picture's name.
    pub(super) name: Box<[u8]>,
    pub(super) sidecar: Sidecar,
    pub(super) marks: Known<Arc<Marks>>,
}

/// What stands for a picture, of which a thumbnail was made in one of its states.
#[derive(Clone)]
pub(super) struct Noted {
    /// Where the picture is, beneath the root.
    pub(super) folder: RelPath,
    /// The picture's name.
    pub(super) name: Box<[u8]>,
    pub(super) of: State,
    pub(super) hash: ThumbHash,
}

impl Kept {
    /// One that is asked for again; of this folder alone, and only if it reaches as far. One that was only counted is
    /// not to be shown: nothing is known of its pictures.
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

    /// All that are shown or searched and in which a folder's entries are, the latest at the end: of others nothing is known.
    pub(super) fn all_of(&self, root: &Root, path: &RelPath) -> Vec<Arc<Snapshot>> {
        let all = self.searched.iter().chain(&self.snapshots);
        let holding = all.filter(|one| one.holds(root, path));
        holding.map(Arc::clone).collect()
    }

    /// All but one.
    pub(super) fn all_but(&self, one: &Snapshot) -> Vec<Arc<Snapshot>> {
        let is_another = |other: &&Arc<Snapshot>| other.id != one.id;
        let all = self.searched.iter().chain(&self.snapshots);
        let others = all.filter(is_another);
        let of_the_root = others.filter(|other| other.root.id() == one.root.id());
        of_the_root.map(Arc::clone).collect()
    }

    /// The names of a folder, or of all beneath it, are read from now on.
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

    /// A picture has been marked. Gives the snapshots that are to be told; those of which the names are only being read
    /// are, when they come.
    pub(super) fn mark(&mut self, root: &Root, marked: &Marked) -> Vec<Arc<Snapshot>> {
        for scanning in self.scans_of(root, &marked.folder) {
            scanning.marked.push(marked.clone());
        }
        self.all_of(root, &marked.folder)
    }

    /// The same of a picture of which a thumbnail was made.
    pub(super) fn note(&mut self, root: &Root, noted: &Noted) -> Vec<Arc<Snapshot>> {
        for scanning in self.scans_of(root, &noted.folder) {
            scanning.noted.push(noted.clone());
        }
        self.all_of(root, &noted.folder)
    }

    /// By which a folder's names are being read.
    fn scans_of(&mut self, root: &Root, folder: &RelPath) -> impl Iterator<Item = &mut Scanning> {
        let is_read = move |one: &&mut Scanning| one.root == root.id() && one.reads(folder);
        self.scans.iter_mut().filter(is_read)
    }

    /// Nothing beneath a root may be read any more.
    pub(super) fn forget(&mut self, root: RootId) {
        for kept in [&mut self.snapshots, &mut self.counted, &mut self.searched] {
            kept.retain(|one| one.root.id() != root);
        }
        self.scans.retain(|one| one.root != root);
    }

    /// Nobody asks for more of one that was only counted; one that is shown stays.
    pub(super) fn let_go_of_counted(&mut self, id: SnapshotId) {
        self.counted.retain(|one| one.id != id);
    }

    /// Whether one more listing may be begun before all names are read.
    pub(super) fn begin_to_grow(&mut self) -> bool {
        let may = self.growing < GROWING;
        self.growing += usize::from(may);
        may
    }

    /// One of them is whole by now; or can't be, and what was begun is forgotten. Or nothing had to be begun.
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

    /// Keeps what came of reading a folder's names, unless that is forgotten by now.
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
            Purpose::Shown => (&mut self.snapshots, SNAPSHOTS),
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
    use crate::sidecar::Rating;
    use crate::stat::{Ctime, Mtime, NodeKind, Stat};

    struct Album {
        kept: Kept,
        root: Arc<Root>,
        path: RelPath,
    }

    impl Album {
        fn new() -> Self {
            Self {
                kept: Kept::default(),
                root: Arc::new(Root::own(b"/pictures".to_vec())),
                path: RelPath::parse(b"in").unwrap(),
            }
        }

        fn scan(&mut self) -> Arc<Scan> {
            self.kept.scan(self.root.id(), &self.path, Reach::Folder)
        }

        /// What comes of a scan before which there were no sidecars.
        fn put(&mut self, scan: Arc<Scan>) -> Arc<Snapshot> {
            self.put_for(scan, Purpose::Shown)
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
        let learned = snapshot.learned();
        [0, 1].map(|index| learned.marks(index).unwrap().rating)
    }

    #[test]
    fn what_is_marked_while_the_names_are_read_is_known() {
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
        // What was marked before is in the folder by now.
        let later = album.scan();
        assert_eq!(ratings(&album.put(later)), [None, None]);
        assert!(album.kept.scans.is_empty());
    }

    #[test]
    fn a_few_listings_are_made_whole_at_once_and_one_that_cannot_be_is_forgotten() {
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
                .get(begun, &root, &path, Reach::Folder, Purpose::Shown);
            found.map(|found| found.id)
        };
        album.kept.end_to_grow(None, None);
        assert_eq!(get(&mut album), Some(begun));
        assert!(album.kept.begin_to_grow());
        album.kept.end_to_grow(Some(begun), None);
        assert_eq!(get(&mut album), None);
    }

    #[test]
    fn what_is_read_of_a_root_that_is_given_up_is_not_kept() {
        let mut album = Album::new();
        let (scan, id) = (album.scan(), album.root.id());
        album.kept.forget(id);
        album.put(scan);
        assert!(album.kept.snapshots.is_empty());
    }

    #[test]
    fn what_was_only_counted_is_not_shown() {
        let mut album = Album::new();
        let scan = album.scan();
        let id = album.put_for(scan, Purpose::Counted).id;
        let (root, path) = (Arc::clone(&album.root), album.path.clone());
        let mut get = |purpose| album.kept.get(id, &root, &path, Reach::Folder, purpose);
        assert!(get(Purpose::Shown).is_none());
        assert!(get(Purpose::Counted).is_some());
    }

    #[test]
    fn of_what_a_thumbnail_was_made_while_the_names_are_read_it_is_known() {
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
        assert_eq!(snapshot.learned().hash(0), Some(&noted.hash));
    }
}
