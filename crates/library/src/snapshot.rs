//! A snapshot of a folder, taken when its names were read.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use cap_std::fs::Dir;
use fumikura_fs::{Fingerprint, FolderScope, RelPath, Root, RootDir, Stat, path, platform};
use fumikura_image::is_video_name;
use fumikura_xmp::{Marks, Tag};
use jiff::civil::DateTime;
use parking_lot::{Condvar, Mutex, MutexGuard};

use super::entry::{Companion, Entry, EntryKind};
use super::folder_ranges::FolderRanges;
use super::joined_pictures::JoinedPictures;
use super::metadata::{Metadata, ReadTask};
use super::names::Names;
use super::natural::NaturalName;
use super::read_state::{MetadataRead, StatState};
#[cfg(test)]
use super::scan::ScannedEntry;
use super::scanned_tree::ScannedTree;
use super::snapshot_cache::{MarksUpdate, PlaceholderUpdate};
use super::snapshot_id::SnapshotId;
use super::view::{self, View, ViewQuery};

/// A snapshot of the names of a folder, or of everything beneath it: folder by folder, each sorted by name. The
/// order never changes. Other metadata of an entry is requested once.
pub(super) struct Snapshot {
    pub(super) id: SnapshotId,
    pub(super) root: Arc<Root>,
    pub(super) path: RelPath,
    pub(super) scope: FolderScope,
    /// The number of folders beneath it that could not be read, or were too many.
    pub(super) left_out: usize,
    /// True if there are more names, which are still being read.
    pub(super) is_growing: bool,
    folder_ranges: FolderRanges,
    names: Names,
    kinds: Box<[EntryKind]>,
    metadata: Mutex<Metadata>,
    stats_completed: Condvar,
    /// The pictures of several files, found on the first request for them.
    joined: OnceLock<JoinedPictures>,
}

impl Snapshot {
    pub(super) fn new(
        id: SnapshotId,
        root: Arc<Root>,
        path: RelPath,
        scope: FolderScope,
        tree: ScannedTree,
    ) -> Self {
        Self {
            id,
            root,
            path,
            scope,
            left_out: tree.left_out,
            is_growing: tree.is_cut_short,
            folder_ranges: tree.folder_ranges,
            names: tree.names,
            kinds: tree.kinds.into(),
            metadata: Mutex::new(tree.metadata),
            stats_completed: Condvar::new(),
            joined: OnceLock::new(),
        }
    }

    /// Creates a snapshot of one folder, without earlier metadata.
    #[cfg(test)]
    pub(super) fn of_folder(
        id: SnapshotId,
        root: Arc<Root>,
        path: RelPath,
        scanned: &[ScannedEntry],
    ) -> Self {
        let mut tree = ScannedTree::default();
        tree.add(path.clone(), scanned, |_| None);
        Self::new(id, root, path, FolderScope::Direct, tree)
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn index_of(&self, folder: &RelPath, name: &[u8]) -> Option<usize> {
        let wanted = NaturalName::new(name);
        let is_before = |one: &[u8]| NaturalName::new(one) < wanted;
        let range = self
            .folder_ranges
            .range(self.folder_ranges.number_of(folder)?);
        let index = self.names.partition_point(range.clone(), is_before);
        (index < range.end && self.name(index) == name).then_some(index)
    }

    fn picture_of(&self, folder: &RelPath, name: &[u8]) -> Option<usize> {
        let index = self.index_of(folder, name);
        index.filter(|&index| self.is_picture(index))
    }

    pub(super) fn name(&self, index: usize) -> &[u8] {
        self.names.get(index)
    }

    pub(super) fn kind(&self, index: usize) -> EntryKind {
        self.kinds[index]
    }

    /// Returns the places of the entries of each folder.
    pub(super) fn folder_places(&self) -> impl Iterator<Item = Range<usize>> {
        self.folder_ranges.ranges()
    }

    /// Returns the pictures of several files.
    pub(super) fn joined(&self) -> &JoinedPictures {
        self.joined.get_or_init(|| JoinedPictures::of(self))
    }

    /// Returns the marks of a picture; `None` until its sidecar has been read. If the shown file of a joined picture has
    /// no sidecar, the marks are those of the first other file that has one.
    pub(super) fn marks(
        &self,
        metadata: &Metadata,
        index: u32,
        joined: Option<&JoinedPictures>,
    ) -> Option<Arc<Marks>> {
        metadata.marks(Self::marks_owner(metadata, index, joined))
    }

    /// Returns the time of capture that the sidecar of a picture states, if it has been read.
    pub(super) fn stated_taken(
        &self,
        metadata: &Metadata,
        index: u32,
        joined: Option<&JoinedPictures>,
    ) -> Option<DateTime> {
        metadata.stated_taken(Self::marks_owner(metadata, index, joined))
    }

    /// Returns the file of a picture whose sidecar has its marks; the shown one if there is no sidecar.
    fn marks_owner(metadata: &Metadata, index: u32, joined: Option<&JoinedPictures>) -> usize {
        let companions = joined.map_or(&[][..], |joined| joined.companions(index));
        let others = companions.iter().map(|(_, companion)| *companion);
        let mut files = std::iter::once(index).chain(others);
        let owner = files.find(|&file| metadata.has_sidecar(file as usize));
        owner.unwrap_or(index) as usize
    }

    /// Returns the number of the folder that contains an entry.
    pub(super) fn part_of(&self, index: usize) -> usize {
        self.folder_ranges.at(index)
    }

    /// Returns the path of one of the folders, relative to the listed folder.
    pub(super) fn relative_folder(&self, part: usize) -> RelPath {
        self.folder_ranges.folder(part).relative_to(&self.path)
    }

    /// Returns the number of pictures with something still to be read.
    pub(super) fn unread(&self) -> usize {
        self.metadata().unread()
    }

    /// Returns the pictures of one folder with something still to be read.
    pub(super) fn unread_in(&self, part: usize) -> Vec<usize> {
        let metadata = self.metadata();
        let is_unread = |&index: &usize| self.is_picture(index) && metadata.is_unread(index);
        self.folder_ranges.range(part).filter(is_unread).collect()
    }

    /// True if both are listings of the same folder with the same scope.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.is_of(&other.root, &other.path) && self.scope == other.scope
    }

    pub(super) fn is_of(&self, root: &Root, path: &RelPath) -> bool {
        self.root.id() == root.id() && self.path == *path
    }

    /// True if the snapshot contains the entries of this folder.
    pub(super) fn holds(&self, root: &Root, folder: &RelPath) -> bool {
        self.root.id() == root.id() && self.folder_ranges.number_of(folder).is_some()
    }

    /// Returns the pictures among these entries with something still to be read.
    pub(super) fn unread_among(&self, entries: &[u32]) -> Vec<usize> {
        let metadata = self.metadata();
        let entries = entries.iter().map(|&index| index as usize);
        let is_unread = |&index: &usize| self.is_picture(index) && metadata.is_unread(index);
        entries.filter(is_unread).collect()
    }

    fn is_picture(&self, index: usize) -> bool {
        self.kinds[index] == EntryKind::Picture
    }

    pub(super) fn path_of(&self, index: usize) -> RelPath {
        self.folder_of(index).join(self.names.get(index))
    }

    /// Returns the folder beneath the root that contains an entry.
    pub(super) fn folder_of(&self, index: usize) -> &RelPath {
        self.folder_ranges.folder(self.folder_ranges.at(index))
    }

    pub(super) fn metadata(&self) -> MutexGuard<'_, Metadata> {
        self.metadata.lock()
    }

    /// Returns the entries that match a query. A repeated query gets the same answer while it is cached.
    pub(super) fn view(&self, view_query: &ViewQuery, root_dir: &RootDir) -> Arc<View> {
        let cached_view = |metadata: &Metadata| metadata.cached_view(view_query);
        if let Some(found) = cached_view(&self.metadata()) {
            return found;
        }
        let view = Arc::new(view::find(self, view_query, root_dir));
        let mut metadata = self.metadata();
        // A concurrent caller may have answered the query already.
        if let Some(found) = cached_view(&metadata) {
            return found;
        }
        metadata.cache_view(view_query.clone(), Arc::clone(&view));
        view
    }

    /// Returns the place of an entry in an order, or of the one that shows its picture. `wanted` is its name, or its path
    /// from the folder if everything beneath is listed.
    pub(super) fn place_of(
        &self,
        wanted: &[u8],
        order: &[u32],
        joined: Option<&JoinedPictures>,
    ) -> Option<usize> {
        let index = match self.scope {
            FolderScope::Direct => self.index_of(&self.path, wanted),
            FolderScope::Recursive => {
                let path = self.path.resolve(wanted)?;
                let (folder, name) = path.split_last()?;
                self.index_of(&folder, name)
            }
        }?;
        let shown = joined.zip(u32::try_from(index).ok());
        let shown = shown.and_then(|(joined, index)| joined.shown_of(index));
        let index = shown.map_or(index, |shown| shown as usize);
        order.iter().position(|&one| one as usize == index)
    }

    /// Requests the missing stats of these entries and their sidecars, and waits for those that another caller is
    /// requesting.
    pub(super) fn request_stats(&self, root: &RootDir, entries: impl IntoIterator<Item = usize>) {
        let (missing, in_progress) = self.metadata().begin_stats(entries);
        // The disk is accessed without the lock, so readers of available metadata do not wait.
        let mut found = Vec::with_capacity(missing.len());
        let mut open: Option<(usize, Option<Dir>)> = None;
        for request in missing {
            let part = self.part_of(request.index);
            let (_, folder) = match open.take() {
                Some(same) if same.0 == part => open.insert(same),
                _ => open.insert((part, root.open_folder(self.folder_ranges.folder(part)).ok())),
            };
            let stat = |name: &[u8]| {
                let stat = folder
                    .as_ref()
                    .and_then(|folder| platform::stat_of_entry(folder, name));
                stat.map_or(StatState::Vanished, StatState::Done)
            };
            let index = request.index;
            let own = request.own.then(|| stat(self.names.get(index)));
            found.push((index, own, request.sidecar.map(|name| stat(&name))));
        }
        let mut metadata = self.metadata();
        for (index, own, sidecar_stat) in found {
            metadata.complete_stat(index, own, sidecar_stat);
        }
        self.stats_completed.notify_all();
        while in_progress
            .iter()
            .any(|&index| metadata.is_stat_in_progress(index))
        {
            self.stats_completed.wait(&mut metadata);
        }
    }

    /// Returns the entries with these numbers, with the metadata read so far; vanished entries are left out.
    pub(super) fn entries(&self, wanted: &[u32], joined: Option<&JoinedPictures>) -> Vec<Entry> {
        let metadata = self.metadata();
        let entry = |index: u32| {
            let stat = metadata.stat(index as usize)?;
            Some(self.entry(index as usize, stat, &metadata))
        };
        let found = wanted.iter().filter_map(|&index| {
            let mut found = entry(index)?;
            let Some(joined) = joined else {
                return Some(found);
            };
            let companions = joined.companions(index).iter();
            let companions = companions.filter_map(|&(kind, index)| {
                let entry = entry(index)?;
                Some(Companion { kind, entry })
            });
            found.companions = companions.collect();
            found.marks = self
                .marks(&metadata, index, Some(joined))
                .unwrap_or_default();
            for companion in &mut found.companions {
                companion.entry.marks = Arc::clone(&found.marks);
            }
            Some(found)
        });
        found.collect()
    }

    fn entry(&self, index: usize, stat: Stat, metadata: &Metadata) -> Entry {
        let name = self.names.get(index);
        let kind = self.kinds[index];
        let is_picture = kind == EntryKind::Picture;
        let header = metadata.header(index);
        Entry {
            folder: self.relative_folder(self.part_of(index)),
            name: name.to_vec(),
            kind,
            size: match kind {
                EntryKind::Folder => 0,
                EntryKind::Picture | EntryKind::Other => stat.size,
            },
            mtime: stat.mtime,
            ctime: stat.ctime,
            id: is_picture.then(|| {
                let path = path::join(self.root.path_bytes(), &self.path_of(index));
                Fingerprint::new(path, stat).id()
            }),
            head: header.and_then(|header| header.head),
            own_taken: header.and_then(|header| header.taken),
            marks: metadata.marks(index).unwrap_or_default(),
            embeds: header.is_some_and(|header| header.embeds),
            is_incomplete: header.is_some_and(|header| header.is_incomplete),
            camera: header.and_then(|header| header.camera),
            lens: header.and_then(|header| header.lens),
            is_video: is_picture && is_video_name(name),
            duration: header.and_then(|header| header.duration),
            hash: metadata.hash(index).cloned(),
            undecodable: false,
            companions: Vec::new(),
        }
    }

    /// Returns the files to read for these entries.
    pub(super) fn read_tasks(&self, root: &RootDir, entries: &[usize]) -> Vec<ReadTask> {
        let pictures = entries
            .iter()
            .copied()
            .filter(|&index| self.is_picture(index));
        self.request_stats(root, pictures.clone());
        let mut metadata = self.metadata();
        pictures
            .filter_map(|index| metadata.take_read_task(index))
            .collect()
    }

    /// Records metadata of pictures.
    pub(super) fn record(&self, read: impl IntoIterator<Item = (usize, MetadataRead)>) {
        let mut metadata = self.metadata();
        for (index, outcome) in read {
            if self.is_picture(index) {
                self.take(&mut metadata, index, outcome);
            }
        }
    }

    fn take(&self, metadata: &mut Metadata, index: usize, outcome: MetadataRead) {
        if outcome.is_worth_saving() {
            metadata.mark_unsaved(self.part_of(index));
        }
        metadata.record(index, outcome);
    }

    /// Replaces the marks of a picture.
    pub(super) fn mark(&self, update: &MarksUpdate) {
        if let Some(index) = self.picture_of(&update.folder, &update.name) {
            let mut metadata = self.metadata();
            metadata.mark(index, &update.sidecar, &update.marks);
            metadata.mark_unsaved(self.part_of(index));
        }
    }

    /// Records the placeholder of a picture in one of its states. Returns true if there is such a picture and
    /// the placeholder is new.
    pub(super) fn note(&self, update: &PlaceholderUpdate) -> bool {
        let Some(index) = self.picture_of(&update.folder, &update.name) else {
            return false;
        };
        let mut metadata = self.metadata();
        let is_changed = metadata.note(index, update.of, &update.hash);
        if is_changed {
            metadata.mark_unsaved(self.part_of(index));
        }
        is_changed
    }

    /// Returns the pictures of a folder that have metadata, and true if some of it is not on the disk.
    pub(super) fn indexes_with_metadata(&self, folder: &RelPath) -> (Vec<usize>, bool) {
        let Some(part) = self.folder_ranges.number_of(folder) else {
            return (Vec::new(), false);
        };
        let metadata = self.metadata();
        let is_known = |&index: &usize| metadata.is_known(index);
        let indexes = self.folder_ranges.range(part).filter(is_known).collect();
        (indexes, metadata.is_unsaved(part))
    }

    /// Returns the metadata of an entry.
    pub(super) fn outcome(&self, index: usize) -> MetadataRead {
        self.metadata().outcome(index)
    }

    /// Takes the folders with unsaved metadata, each once, with the metadata of all their pictures in the order of
    /// names, also of pictures that have none.
    pub(super) fn take_unsaved(
        &self,
    ) -> impl Iterator<Item = (&RelPath, impl Iterator<Item = (&[u8], MetadataRead)>)> {
        let unsaved = self.metadata().take_unsaved();
        unsaved.into_iter().map(|part| {
            let pictures = self
                .folder_ranges
                .range(part)
                .filter(|&index| self.is_picture(index));
            // One folder at a time: all at once would be large, and block other callers.
            let outcomes = pictures.map(|index| (self.name(index), self.outcome(index)));
            (self.folder_ranges.folder(part), outcomes)
        })
    }

    /// Returns the folders that both contain, with their numbers in this snapshot and in the other.
    pub(super) fn shared_folders<'a>(
        &'a self,
        other: &'a Self,
    ) -> Vec<(&'a RelPath, usize, usize)> {
        let is_fewer = self.folder_ranges.len() <= other.folder_ranges.len();
        let fewer = if is_fewer {
            &self.folder_ranges
        } else {
            &other.folder_ranges
        };
        let common = fewer.folders().filter_map(|folder| {
            let here = self.folder_ranges.number_of(folder)?;
            Some((folder, here, other.folder_ranges.number_of(folder)?))
        });
        common.collect()
    }

    /// Returns the places of the entries of one of its folders, or of all.
    fn places_in(&self, folder: &RelPath, scope: FolderScope) -> Range<usize> {
        match (scope, self.folder_ranges.number_of(folder)) {
            (FolderScope::Direct, Some(part)) => self.folder_ranges.range(part),
            (FolderScope::Recursive, _) | (_, None) => 0..self.len(),
        }
    }

    fn files_in(&self, folder: &RelPath, scope: FolderScope) -> impl Iterator<Item = usize> {
        self.places_in(folder, scope)
            .filter(|&index| self.kinds[index] != EntryKind::Folder)
    }

    /// Returns the number of files in one of its folders, or in all.
    pub(super) fn count_files(&self, folder: &RelPath, scope: FolderScope) -> usize {
        self.files_in(folder, scope).count()
    }

    /// Returns the number of files in one of its folders, or in all, and the sum of their sizes, with the `stat` calls
    /// that this requires. Files that have vanished are not counted.
    pub(super) fn size(
        &self,
        root: &RootDir,
        folder: &RelPath,
        scope: FolderScope,
    ) -> (usize, u64) {
        self.request_stats(root, self.files_in(folder, scope));
        let metadata = self.metadata();
        let sizes = self
            .files_in(folder, scope)
            .filter_map(|index| metadata.stat(index))
            .map(|stat| stat.size);
        sizes.fold((0, 0), |(files, bytes), size| {
            (files + 1, u64::saturating_add(bytes, size))
        })
    }

    /// Counts the uses of each tag in one of its folders, or in all, as far as sidecars have been read.
    pub(super) fn tags(
        &self,
        folder: &RelPath,
        scope: FolderScope,
        joins_files: bool,
    ) -> HashMap<Tag, usize> {
        self.tags_of(self.places_in(folder, scope), joins_files)
    }

    /// Counts the uses of each tag among these entries, as far as sidecars have been read.
    pub(super) fn tags_of(
        &self,
        entries: impl IntoIterator<Item = usize>,
        joins_files: bool,
    ) -> HashMap<Tag, usize> {
        let joined = joins_files.then(|| self.joined());
        let metadata = self.metadata();
        let mut tags = HashMap::new();
        for index in entries {
            let at = u32::try_from(index).ok();
            let shown = at.and_then(|at| joined?.shown_of(at));
            // Another file of a picture has no marks of its own in a listing.
            let is_shown = shown.is_none_or(|shown| Some(shown) == at);
            let others = joined.zip(at).map(|(joined, at)| joined.companions(at));
            let others = others.into_iter().flatten().map(|(_, at)| *at as usize);
            let mut files = std::iter::once(index).chain(others);
            if !is_shown || !files.any(|file| metadata.may_have_marks(file)) {
                continue;
            }
            let marks = at.and_then(|at| self.marks(&metadata, at, joined));
            for tag in marks.iter().flat_map(|marks| &marks.tags) {
                *tags.entry(tag.clone()).or_default() += 1;
            }
        }
        tags
    }
}
