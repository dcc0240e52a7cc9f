//! Metadata of the entries of a scanned folder. Each item is requested once, and belongs to one state of a
//! file.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock};

use fumikura_fs::Stat;
use fumikura_image::PictureHash;
use fumikura_xmp::{Marks, SidecarMarks};
use jiff::civil::DateTime;

use super::entry::EntryKind;
use super::header::HeaderMetadata;
use super::natural::NaturalName;
use super::read_state::{FileState, MetadataRead, ReadState, StatState};
use super::scan::{ScannedEntry, Sidecar};
use super::view::{View, ViewQuery};

/// The number of query results that are kept with a snapshot.
const MAX_VIEWS: usize = 8;

/// The marks of most pictures.
static NO_MARKS: LazyLock<Arc<Marks>> = LazyLock::new(Arc::default);

#[derive(Default)]
pub(super) struct Metadata {
    stats: Vec<StatState>,
    headers: Vec<ReadState<HeaderMetadata>>,
    /// The sidecars of pictures that have one; most have none.
    sidecars: HashMap<usize, SidecarMetadata>,
    /// The placeholders of pictures of which a thumbnail was made.
    hashes: HashMap<usize, ReadState<PictureHash>>,
    /// The number of pictures with something still to be read.
    unread: usize,
    views: Vec<(ViewQuery, Arc<View>)>,
    /// The numbers of the folders with metadata that is not yet on the disk.
    unsaved: BTreeSet<usize>,
}

/// The metadata of a picture's sidecar.
struct SidecarMetadata {
    name: Box<[u8]>,
    stat_state: StatState,
    marks: ReadState<Arc<SidecarMarks>>,
}

impl SidecarMetadata {
    fn new(sidecar: &Sidecar, marks: ReadState<Arc<SidecarMarks>>) -> Self {
        Self {
            name: sidecar.name.clone(),
            stat_state: sidecar.stat.map_or(StatState::Pending, StatState::Done),
            marks,
        }
    }
}

/// The `stat` calls to make for one entry.
pub(super) struct StatRequest {
    pub(super) index: usize,
    /// True if the entry's own `stat` is needed.
    pub(super) own: bool,
    /// The name of its sidecar, if that one's `stat` is needed.
    pub(super) sidecar: Option<Box<[u8]>>,
}

/// The files to read for one picture.
pub(super) struct ReadTask {
    pub(super) index: usize,
    /// The state of the picture, if its header is to be read.
    pub(super) picture: Option<Stat>,
    /// The name and state of its sidecar, if that is to be read.
    pub(super) sidecar: Option<(Box<[u8]>, Stat)>,
}

impl Metadata {
    /// Adds the entries of one more folder. `before` returns metadata of each picture from earlier readings.
    pub(super) fn add(
        &mut self,
        scanned: &[ScannedEntry],
        mut before: impl FnMut(&NaturalName) -> Option<MetadataRead>,
    ) {
        let first = self.stats.len();
        self.stats.reserve_exact(scanned.len());
        self.headers.reserve_exact(scanned.len());
        for (one, index) in scanned.iter().zip(first..) {
            let is_picture = one.kind == EntryKind::Picture;
            let earlier = is_picture.then(|| before(&one.name));
            let MetadataRead {
                header,
                marks,
                hash,
            } = earlier.flatten().unwrap_or(MetadataRead::UNREAD);
            self.stats
                .push(one.stat.map_or(StatState::Pending, StatState::Done));
            self.headers.push(header);
            if !hash.is_unread() {
                self.hashes.insert(index, hash);
            }
            if let Some(sidecar) = &one.sidecar {
                self.sidecars
                    .insert(index, SidecarMetadata::new(sidecar, marks));
            }
            if is_picture {
                self.unread += usize::from(self.is_unread(index));
                self.change(index, |_, _| {});
            }
        }
    }

    /// Marks a folder as having metadata that is not saved.
    pub(super) fn mark_unsaved(&mut self, part: usize) {
        self.unsaved.insert(part);
    }

    pub(super) fn is_unsaved(&self, part: usize) -> bool {
        self.unsaved.contains(&part)
    }

    /// Takes the folders with metadata that is not saved.
    pub(super) fn take_unsaved(&mut self) -> BTreeSet<usize> {
        std::mem::take(&mut self.unsaved)
    }

    /// Returns the number of pictures with something still to be read.
    pub(super) fn unread(&self) -> usize {
        self.unread
    }

    /// True if a picture has something still to be read.
    pub(super) fn is_unread(&self, index: usize) -> bool {
        let sidecar_data = self.sidecars.get(&index);
        self.headers[index].is_unread()
            || sidecar_data.is_some_and(|sidecar_data| sidecar_data.marks.is_unread())
    }

    pub(super) fn stat(&self, index: usize) -> Option<Stat> {
        self.stats[index].stat()
    }

    /// True if a picture's header has been read, or could not be read.
    pub(super) fn is_header_read(&self, index: usize) -> bool {
        !self.headers[index].is_unread()
    }

    pub(super) fn header(&self, index: usize) -> Option<&HeaderMetadata> {
        self.headers[index].get()
    }

    pub(super) fn hash(&self, index: usize) -> Option<&PictureHash> {
        self.hashes.get(&index)?.get()
    }

    /// Records the placeholder of a picture in one of its states. Returns true if it is new.
    pub(super) fn note(&mut self, index: usize, of: FileState, hash: &PictureHash) -> bool {
        let placeholder = ReadState::Read(of, hash.clone());
        if self.hashes.get(&index) == Some(&placeholder) {
            return false;
        }
        self.hashes.insert(index, placeholder);
        self.change(index, |_, _| {});
        self.hash(index).is_some()
    }

    pub(super) fn has_sidecar(&self, index: usize) -> bool {
        self.sidecars.contains_key(&index)
    }

    /// Returns the marks of a picture: those in its own file, and those of its sidecar over them. `None` until its
    /// sidecar has been read, or its own file if it has none.
    pub(super) fn marks(&self, index: usize) -> Option<Arc<Marks>> {
        let header = self.headers[index].get();
        let embedded = header.and_then(|header| header.embedded.as_ref());
        let embedded = embedded.unwrap_or(&NO_MARKS);
        match self.sidecars.get(&index).map(|one| &one.marks) {
            None if self.headers[index].is_unread() => None,
            Some(ReadState::Unread) => None,
            // A damaged sidecar has no marks, also later.
            None | Some(ReadState::Failed(_)) => Some(Arc::clone(embedded)),
            Some(ReadState::Read(_, sidecar)) => Some(Arc::new(sidecar.over(embedded))),
        }
    }

    /// Returns the time of capture that the sidecar of a picture states, if it has been read.
    pub(super) fn stated_taken(&self, index: usize) -> Option<DateTime> {
        match &self.sidecars.get(&index)?.marks {
            ReadState::Read(_, sidecar) => sidecar.marks.taken,
            ReadState::Unread | ReadState::Failed(_) => None,
        }
    }

    /// True if a picture may have marks, as far as its files have been read.
    pub(super) fn may_have_marks(&self, index: usize) -> bool {
        let header = self.headers[index].get();
        self.has_sidecar(index) || header.is_some_and(|header| header.embedded.is_some())
    }

    /// Returns the entries whose `stat`, or whose sidecar's, has not been requested, with the name of the
    /// sidecar; the caller must make these requests. Also returns the entries that another caller is
    /// requesting.
    pub(super) fn begin_stats(
        &mut self,
        entries: impl IntoIterator<Item = usize>,
    ) -> (Vec<StatRequest>, Vec<usize>) {
        let (mut requests, mut in_progress) = (Vec::new(), Vec::new());
        for index in entries {
            if self.is_stat_in_progress(index) {
                in_progress.push(index);
            }
            let own = self.stats[index].begin();
            let sidecar_data = self.sidecars.get_mut(&index);
            let sidecar = sidecar_data.and_then(|sidecar_data| {
                sidecar_data
                    .stat_state
                    .begin()
                    .then(|| sidecar_data.name.clone())
            });
            if own || sidecar.is_some() {
                requests.push(StatRequest {
                    index,
                    own,
                    sidecar,
                });
            }
        }
        (requests, in_progress)
    }

    /// True while a caller is requesting an entry's `stat`, or its sidecar's.
    pub(super) fn is_stat_in_progress(&self, index: usize) -> bool {
        let sidecar_data = self.sidecars.get(&index);
        self.stats[index] == StatState::InProgress
            || sidecar_data
                .is_some_and(|sidecar_data| sidecar_data.stat_state == StatState::InProgress)
    }

    /// Records the results of requests, except for a sidecar that this program wrote meanwhile: its marks are
    /// newer.
    pub(super) fn complete_stat(
        &mut self,
        index: usize,
        own: Option<StatState>,
        sidecar_stat: Option<StatState>,
    ) {
        let sidecar = self.sidecars.get_mut(&index);
        let sidecar = sidecar.map(|sidecar| &mut sidecar.stat_state);
        for (state, answer) in [(Some(&mut self.stats[index]), own), (sidecar, sidecar_stat)] {
            if let (Some(state @ StatState::InProgress), Some(answer)) = (state, answer) {
                *state = answer;
            }
        }
        self.change(index, |_, _| {});
    }

    /// Records metadata of a picture; earlier metadata stays.
    pub(super) fn record(&mut self, index: usize, outcome: MetadataRead) {
        let MetadataRead {
            header,
            marks,
            hash,
        } = outcome;
        if !hash.is_unread() {
            self.hashes.entry(index).or_insert(hash);
        }
        self.change(index, |head, sidecar_data| {
            head.record(header);
            if let Some(sidecar_data) = sidecar_data {
                sidecar_data.marks.record(marks);
            }
        });
    }

    /// Replaces the marks of a picture.
    pub(super) fn mark(
        &mut self,
        index: usize,
        sidecar: &Sidecar,
        marks: &ReadState<Arc<SidecarMarks>>,
    ) {
        let was_unread = self.is_unread(index);
        let sidecar_data = SidecarMetadata::new(sidecar, marks.clone());
        self.sidecars.insert(index, sidecar_data);
        self.count(index, was_unread);
    }

    /// True if any metadata of an entry can be reused when the folder is read again.
    pub(super) fn is_known(&self, index: usize) -> bool {
        let sidecar_data = self.sidecars.get(&index);
        self.headers[index].of().is_some()
            || sidecar_data.is_some_and(|sidecar_data| sidecar_data.marks.of().is_some())
            || self.hashes.contains_key(&index)
    }

    pub(super) fn outcome(&self, index: usize) -> MetadataRead {
        let sidecar_data = self.sidecars.get(&index);
        MetadataRead {
            header: self.headers[index].clone(),
            marks: sidecar_data
                .map_or(ReadState::Unread, |sidecar_data| sidecar_data.marks.clone()),
            hash: self
                .hashes
                .get(&index)
                .cloned()
                .unwrap_or(ReadState::Unread),
        }
    }

    /// Returns the files to read for a picture; `None` if there are none. A file that turns out to be unreadable counts
    /// as read from now on.
    pub(super) fn take_read_task(&mut self, index: usize) -> Option<ReadTask> {
        let stat = self.stat(index);
        self.change(index, |head, sidecar_data| {
            if stat.is_none() {
                head.record(ReadState::Failed(None));
            }
            if let Some(sidecar_data) = sidecar_data
                && sidecar_data.stat_state.stat().is_none()
            {
                sidecar_data.marks.record(ReadState::Failed(None));
            }
        });
        let sidecar_data = self.sidecars.get(&index);
        let sidecar_data = sidecar_data.filter(|sidecar_data| sidecar_data.marks.is_unread());
        let task = ReadTask {
            index,
            picture: stat.filter(|_| self.headers[index].is_unread()),
            sidecar: sidecar_data.and_then(|sidecar_data| {
                Some((sidecar_data.name.clone(), sidecar_data.stat_state.stat()?))
            }),
        };
        (task.picture.is_some() || task.sidecar.is_some()).then_some(task)
    }

    pub(super) fn cached_view(&self, view_query: &ViewQuery) -> Option<Arc<View>> {
        let same = self.views.iter().find(|(of, _)| of == view_query);
        same.map(|(_, found)| Arc::clone(found))
    }

    pub(super) fn cache_view(&mut self, view_query: ViewQuery, view: Arc<View>) {
        if self.views.len() == MAX_VIEWS {
            self.views.remove(0);
        }
        self.views.push((view_query, view));
    }

    /// Changes the metadata of an entry, and discards metadata of another state of a file.
    fn change(
        &mut self,
        index: usize,
        change: impl FnOnce(&mut ReadState<HeaderMetadata>, Option<&mut SidecarMetadata>),
    ) {
        let was_unread = self.is_unread(index);
        let mut sidecar_data = self.sidecars.get_mut(&index);
        change(&mut self.headers[index], sidecar_data.as_deref_mut());
        self.headers[index].discard_if_stale(self.stats[index]);
        if let Some(sidecar_data) = sidecar_data {
            sidecar_data.marks.discard_if_stale(sidecar_data.stat_state);
        }
        if let Some(hash) = self.hashes.get_mut(&index) {
            hash.discard_if_stale(self.stats[index]);
            if hash.is_unread() {
                self.hashes.remove(&index);
            }
        }
        self.count(index, was_unread);
    }

    fn count(&mut self, index: usize, was_unread: bool) {
        self.unread += usize::from(self.is_unread(index));
        self.unread -= usize::from(was_unread);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stat_is_requested_by_one_caller() {
        let scanned = ["a.jpg", "b.jpg"].map(|name| ScannedEntry {
            name: NaturalName::new(name.as_bytes()),
            kind: EntryKind::Picture,
            stat: None,
            sidecar: Some(Sidecar {
                name: format!("{name}.xmp").into_bytes().into(),
                stat: None,
            }),
        });
        let mut metadata = Metadata::default();
        metadata.add(&scanned, |_| None);
        let in_order = |(requests, in_progress): (Vec<StatRequest>, Vec<usize>)| {
            let asks = requests.iter().map(|one| {
                assert!(one.own && one.sidecar.is_some());
                one.index
            });
            (Vec::from_iter(asks), in_progress)
        };
        assert_eq!(in_order(metadata.begin_stats([0])), (vec![0], vec![]));
        assert_eq!(in_order(metadata.begin_stats([0, 1])), (vec![1], vec![0]));
        metadata.complete_stat(0, Some(StatState::Vanished), None);
        assert!(metadata.is_stat_in_progress(0), "its sidecar still is");
        metadata.complete_stat(0, None, Some(StatState::Vanished));
        assert!(!metadata.is_stat_in_progress(0));
        assert_eq!(in_order(metadata.begin_stats([0, 1])), (vec![], vec![1]));
    }
}
