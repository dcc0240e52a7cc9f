//! The covers of a folder: the pictures that stand for it.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use fumikura_fs::{AccessError, RelPath, Root, RootDir};
use fumikura_image::is_video_name;
use fumikura_xmp::Rating;

use super::entry::{Entry, EntryKind};
use super::library::{Library, is_remote, open_folder};
use super::reader::read_entries;
use super::scan::Deadline;
use super::snapshot::Snapshot;

/// The number of folders that are read for the covers of one.
const MAX_FOLDERS: usize = 48;
/// The time after which no more names are read.
const TIME_LIMIT: Duration = Duration::from_millis(150);

/// A picture of a snapshot.
#[derive(Clone)]
struct Cover {
    snapshot: Arc<Snapshot>,
    index: u32,
}

/// A search for covers below a folder.
struct CoverSearch<'a> {
    library: &'a Library,
    root: &'a Arc<Root>,
    root_dir: &'a RootDir,
    deadline: Deadline,
    /// The number of folders that may still be read.
    folders_left: usize,
    /// True on a remote disk, on which no header is read.
    is_remote: bool,
}

impl Library {
    /// Returns the pictures that stand for a folder, at most `limit`: its best rated ones, then its first. A folder
    /// without pictures has those of the folders below it, one of each first. `folder` of the entries is relative to
    /// the folder.
    ///
    /// # Errors
    /// [`AccessError`] if the folder can't be read. Unreadable folders below it have no pictures.
    pub fn covers(
        &self,
        root: &Arc<Root>,
        path: &RelPath,
        limit: usize,
    ) -> Result<Vec<Entry>, AccessError> {
        let root_dir = root.open()?;
        let is_remote = is_remote(&open_folder(&root_dir, path)?);
        let mut search = CoverSearch {
            library: self,
            root,
            root_dir: &root_dir,
            deadline: Deadline::of(TIME_LIMIT),
            folders_left: MAX_FOLDERS,
            is_remote,
        };
        let covers = search.covers_of(path, limit)?;
        let entries = covers.into_iter().filter_map(|cover| {
            let Cover { snapshot, index } = cover;
            let entry = snapshot.entries(&[index], None).pop()?;
            let folder = snapshot.path.relative_to(path);
            Some(Entry { folder, ..entry })
        });
        Ok(entries.collect())
    }
}

impl CoverSearch<'_> {
    fn covers_of(&mut self, path: &RelPath, wanted: usize) -> Result<Vec<Cover>, AccessError> {
        self.folders_left = self.folders_left.saturating_sub(1);
        let folder = open_folder(self.root_dir, path)?;
        let (snapshot, folders) =
            self.library
                .take_cover_snapshot(self.root, &folder, self.deadline)?;
        let own = best_pictures(&snapshot, wanted);
        if own.is_empty() {
            return Ok(self.covers_below(&folders, wanted));
        }
        self.read_headers(&snapshot, &own);
        let covers = own.into_iter().map(|index| Cover {
            snapshot: Arc::clone(&snapshot),
            index,
        });
        Ok(covers.collect())
    }

    /// Returns the covers of several folders: the first of each, then the second of each, and so on.
    fn covers_below(&mut self, folders: &[RelPath], wanted: usize) -> Vec<Cover> {
        let of_each = wanted.div_ceil(folders.len().max(1)).max(1);
        let mut found: Vec<Vec<Cover>> = Vec::new();
        for folder in folders {
            let count: usize = found.iter().map(Vec::len).sum();
            if count >= wanted || self.folders_left == 0 || self.deadline.is_over() {
                break;
            }
            match self.covers_of(folder, of_each) {
                Ok(covers) => found.push(covers),
                Err(error) => tracing::debug!(%error, "a folder has no covers"),
            }
        }
        let in_turn = (0..of_each).flat_map(|at| found.iter().filter_map(move |one| one.get(at)));
        in_turn.take(wanted).cloned().collect()
    }

    /// Reads the headers and sidecars of pictures that have not been read yet: they decide how the picture is turned.
    fn read_headers(&self, snapshot: &Snapshot, pictures: &[u32]) {
        let indices = pictures.iter().map(|&index| index as usize);
        snapshot.request_stats(self.root_dir, indices);
        let unread = snapshot.unread_among(pictures);
        if self.is_remote || unread.is_empty() {
            return;
        }
        if let Err(error) = read_entries(snapshot, &unread) {
            tracing::debug!(%error, "the headers of covers can't be read");
        }
    }
}

/// Returns the best rated pictures of a folder, as far as ratings are known, then the first ones. Rejected ones are last.
fn best_pictures(snapshot: &Snapshot, wanted: usize) -> Vec<u32> {
    let joined = snapshot.joined();
    let metadata = snapshot.metadata();
    let pictures = (0..snapshot.len()).filter(|&index| {
        snapshot.kind(index) == EntryKind::Picture && !is_video_name(snapshot.name(index))
    });
    let pictures = pictures.filter_map(|index| u32::try_from(index).ok());
    let shown = pictures.filter(|&index| joined.shown_of(index).is_none());
    let rated = shown.map(|index| {
        let marks = snapshot.marks(&metadata, index, Some(joined));
        let rating = marks.and_then(|marks| marks.rating);
        (Reverse(rating.map_or(0, Rating::number)), index)
    });
    let mut rated: Vec<_> = rated.collect();
    if wanted < rated.len() {
        rated.select_nth_unstable(wanted);
        rated.truncate(wanted);
    }
    rated.sort_unstable();
    rated.into_iter().map(|(_, index)| index).collect()
}
