//! Reading the names of a folder, or of all that lie beneath it, with what is known of its pictures from before.

use std::collections::HashMap;
use std::sync::Arc;

use fumikura_base::entropy::random_bytes;

use super::entry::EntryKind;
use super::gathered::Gathered;
use super::kept::Purpose;
use super::query::Reach;
use super::scan::{Folder, Scanned};
use super::snapshot::{Snapshot, SnapshotId};
use super::{Folders, open_folder};
use crate::access::AccessError;
use crate::path::RelPath;
use crate::roots::Root;

/// So many folders are read at most for one listing of what lies beneath a folder.
pub(crate) const MOST_FOLDERS: usize = 20_000;
/// Once so many entries have been found, no more folders are read.
const MOST_ENTRIES: usize = 1_000_000;

/// The folders beneath one, in the order in which they are shown.
struct Walk {
    /// Those that are still to be read, the next one at the end.
    left: Vec<RelPath>,
    gathered: Gathered,
    left_out: usize,
}

impl Folders {
    pub(super) fn take_snapshot(
        &self,
        root: &Arc<Root>,
        folder: &Folder<'_>,
        reach: Reach,
        purpose: Purpose,
    ) -> Result<Arc<Snapshot>, AccessError> {
        let path = folder.path;
        let scan = self.kept().scan(root.id(), path, reach);
        let scanned = folder.scan()?;
        let mut walk = Walk {
            left: Vec::new(),
            gathered: Gathered::default(),
            left_out: 0,
        };
        match reach {
            Reach::Folder => self.gather(root, path, &scanned, &mut walk.gathered),
            Reach::Beneath => {
                self.take_in(root, folder, scanned, &mut walk);
                self.walk(root, folder, &mut walk);
            }
        }
        let Walk {
            gathered, left_out, ..
        } = walk;
        let id = SnapshotId::from_bytes(random_bytes(&*self.entropy));
        let root = Arc::clone(root);
        let snapshot = Snapshot::new(id, root, path.clone(), reach, gathered, left_out);
        let snapshot = Arc::new(snapshot);
        self.kept().put(Arc::clone(&snapshot), scan, purpose);
        Ok(snapshot)
    }

    /// Reads the names of all folders that are left. What can't be read is told in a number: the others are of use
    /// without it.
    fn walk(&self, root: &Arc<Root>, top: &Folder<'_>, walk: &mut Walk) {
        let mut folders = 0;
        while let Some(path) = walk.left.pop() {
            if folders == MOST_FOLDERS || walk.gathered.names.len() >= MOST_ENTRIES {
                walk.left_out += 1 + walk.left.len();
                return;
            }
            folders += 1;
            let read = open_folder(top.root, &path).and_then(|folder| {
                let scanned = folder.scan()?;
                self.take_in(root, &folder, scanned, walk);
                Ok(())
            });
            match read {
                // It vanished in between.
                Ok(()) | Err(AccessError::NotFound) => {}
                Err(error) => {
                    tracing::debug!("a folder beneath another can't be read: {error}");
                    walk.left_out += 1;
                }
            }
        }
    }

    fn take_in(
        &self,
        root: &Root,
        folder: &Folder<'_>,
        mut scanned: Vec<Scanned>,
        walk: &mut Walk,
    ) {
        walk.left
            .extend(folder.folders_among(&scanned).into_iter().rev());
        scanned.retain(|one| one.kind != EntryKind::Folder);
        self.gather(root, folder.path, &scanned, &mut walk.gathered);
    }

    /// Takes a folder's entries, with what is known of them from before.
    fn gather(&self, root: &Root, path: &RelPath, scanned: &[Scanned], all: &mut Gathered) {
        let before = self.kept().all_of(root, path);
        let has_pictures = scanned.iter().any(|one| one.kind == EntryKind::Picture);
        let kept = match before[..] {
            [] if has_pictures => self.reader.kept(root, path),
            _ => HashMap::new(),
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
        let known = |name: &[u8]| match places.get(name) {
            Some((snapshot, index)) => Some(snapshot.outcome(*index)),
            None => kept.get(name).cloned(),
        };
        let part = all.parts.len();
        all.add(path.clone(), scanned, known);
        if is_unsaved {
            all.learned.is_news_of(part);
        }
    }
}
