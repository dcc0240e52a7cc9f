//! Reading the names of a folder, or of all that lie beneath it, with what is known of its pictures from before.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread;

use fumikura_base::entropy::random_bytes;

use super::entry::EntryKind;
use super::gathered::Gathered;
use super::kept::Purpose;
use super::manifest::Manifest;
use super::natural::NaturalName;
use super::query::Reach;
use super::scan::{Folder, Patience, Scanned};
use super::snapshot::{Snapshot, SnapshotId};
use super::{Folders, Listed, open_folder};
use crate::access::{AccessError, Beneath};
use crate::path::RelPath;
use crate::roots::Root;

/// So many folders are read at most for one listing of what lies beneath a folder.
pub(crate) const MOST_FOLDERS: usize = 20_000;
/// Once so many entries have been found, no more folders are read.
const MOST_ENTRIES: usize = 1_000_000;

impl Folders {
    /// All names, however long that takes.
    pub(super) fn take_snapshot(
        &self,
        root: &Arc<Root>,
        folder: &Folder<'_>,
        reach: Reach,
        purpose: Purpose,
    ) -> Result<Arc<Snapshot>, AccessError> {
        self.take(root, folder, reach, (purpose, Patience::default()))
    }

    /// As many names as there are in a moment. If these are not all, a thread reads all of them, which is told.
    pub(super) fn take_first(
        self: &Arc<Self>,
        root: &Arc<Root>,
        folder: &Folder<'_>,
        reach: Reach,
    ) -> Result<Arc<Snapshot>, AccessError> {
        if !self.kept().begin_to_grow() {
            return self.take_snapshot(root, folder, reach, Purpose::Shown);
        }
        let patience = Patience::of(self.patience);
        let first = self.take(root, folder, reach, (Purpose::Shown, patience));
        let begun = match &first {
            Ok(first) if first.is_growing => first.id,
            Ok(_) | Err(_) => {
                self.kept().growing_is_over();
                return first;
            }
        };
        let (own, root_itself, path) = (Arc::clone(self), Arc::clone(root), folder.path.clone());
        let threads = thread::Builder::new().name("listing".to_owned());
        let grown = threads.spawn(move || own.grow(&root_itself, &path, reach, begun));
        if let Err(error) = grown {
            tracing::warn!("a folder's names are waited for: {error}");
            self.kept().end_to_grow(begun, None);
            return self.take_snapshot(root, folder, reach, Purpose::Shown);
        }
        first
    }

    /// Reads all names of what was begun to be listed.
    fn grow(&self, root: &Arc<Root>, path: &RelPath, reach: Reach, begun: SnapshotId) {
        let take = || {
            let beneath = Beneath::open(root.path_bytes())?;
            let folder = open_folder(&beneath, path)?;
            self.take_snapshot(root, &folder, reach, Purpose::Shown)
        };
        let whole = take().inspect_err(|error| {
            // Whoever asks for it again hears of that.
            tracing::debug!("a folder can't be listed to its end: {error}");
        });
        let whole = whole.ok().map(|whole| whole.id);
        self.kept().end_to_grow(begun, whole);
        if let Some(listener) = self.listener.get() {
            listener(Listed {
                root: root.id(),
                path: path.clone(),
                snapshot: begun,
            });
        }
    }

    fn take(
        &self,
        root: &Arc<Root>,
        folder: &Folder<'_>,
        reach: Reach,
        (purpose, patience): (Purpose, Patience),
    ) -> Result<Arc<Snapshot>, AccessError> {
        let path = folder.path;
        let scan = self.kept().scan(root.id(), path, reach);
        let (scanned, is_whole) = folder.scan(patience)?;
        let mut gathered = Gathered {
            purpose,
            is_cut_short: !is_whole,
            ..Gathered::default()
        };
        match reach {
            Reach::Folder => self.gather(root, path, &scanned, &mut gathered),
            Reach::Beneath => {
                let mut left = Vec::new();
                self.take_in(root, folder, scanned, &mut left, &mut gathered);
                self.walk(root, folder.root, left, patience, &mut gathered);
            }
        }
        let id = SnapshotId::from_bytes(random_bytes(&*self.entropy));
        let snapshot = Snapshot::new(id, Arc::clone(root), path.clone(), reach, gathered);
        let snapshot = Arc::new(snapshot);
        self.kept().put(Arc::clone(&snapshot), scan, purpose);
        Ok(snapshot)
    }

    /// Reads the names of all folders that are left, the next one at the end. What can't be read is told in a number: the
    /// others are of use without it.
    fn walk(
        &self,
        root: &Root,
        beneath: &Beneath,
        mut left: Vec<RelPath>,
        patience: Patience,
        all: &mut Gathered,
    ) {
        let mut folders = 0;
        while let Some(path) = left.pop() {
            if patience.is_over() {
                all.is_cut_short = true;
            }
            if all.is_cut_short {
                return;
            }
            if folders == MOST_FOLDERS || all.names.len() >= MOST_ENTRIES {
                all.left_out += 1 + left.len();
                return;
            }
            folders += 1;
            let read = open_folder(beneath, &path).and_then(|folder| {
                let (scanned, is_whole) = folder.scan(patience)?;
                all.is_cut_short |= !is_whole;
                self.take_in(root, &folder, scanned, &mut left, all);
                Ok(())
            });
            match read {
                // It vanished in between.
                Ok(()) | Err(AccessError::NotFound) => {}
                Err(error) => {
                    tracing::debug!("a folder beneath another can't be read: {error}");
                    all.left_out += 1;
                }
            }
        }
    }

    /// Takes what was found in one of several folders; those that lie in it are left to be read.
    fn take_in(
        &self,
        root: &Root,
        folder: &Folder<'_>,
        mut scanned: Vec<Scanned>,
        left: &mut Vec<RelPath>,
        all: &mut Gathered,
    ) {
        left.extend(folder.folders_among(&scanned).into_iter().rev());
        scanned.retain(|one| one.kind != EntryKind::Folder);
        self.gather(root, folder.path, &scanned, all);
    }

    /// Takes a folder's entries, with what is known of them from before.
    fn gather(&self, root: &Root, path: &RelPath, scanned: &[Scanned], all: &mut Gathered) {
        if all.purpose == Purpose::Counted {
            all.add(path.clone(), scanned, |_| None);
            return;
        }
        let before = self.kept().all_of(root, path);
        let has_pictures = scanned.iter().any(|one| one.kind == EntryKind::Picture);
        // One that was only begun may know nothing of most of them.
        let is_known = before.iter().any(|one| !one.is_growing);
        let mut kept = if has_pictures && !is_known {
            self.reader.kept(root, path)
        } else {
            Manifest::default()
        };
        // Where it stands, and not what it is: of very many pictures all that is known is much.
        let mut places: HashMap<&[u8], (&Snapshot, usize)> = HashMap::new();
        let mut is_unsaved = false;
        for snapshot in &before {
            let (known, is_news) = snapshot.known_in(path);
            let known = known.into_iter();
            places.extend(known.map(|index| (snapshot.name(index), (&**snapshot, index))));
            is_unsaved |= is_news;
        }
        let known = |name: &NaturalName| match places.get(name.as_bytes()) {
            Some((snapshot, index)) => Some(snapshot.outcome(*index)),
            None => kept.take(name),
        };
        let part = all.parts.len();
        all.add(path.clone(), scanned, known);
        if is_unsaved {
            all.learned.is_news_of(part);
        }
    }
}
