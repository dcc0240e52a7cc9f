//! Metadata of the entries of a scanned folder: requested once, and of one state of each file.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use fumikura_fs::Stat;
use fumikura_image::ThumbHash;
use fumikura_xmp::Marks;

use super::entry::EntryKind;
use super::facts::Facts;
use super::known::{Asked, Known, Outcome, State};
use super::natural::NaturalName;
use super::scan::{Scanned, Sidecar};
use super::view::{View, ViewQuery};

/// The number of query results that are kept with a snapshot.
const ANSWERS: usize = 8;

#[derive(Default)]
pub(super) struct Metadata {
    stats: Vec<Asked>,
    heads: Vec<Known<Facts>>,
    /// The sidecars of pictures that have one; most have none.
    sidecars: HashMap<usize, Beside>,
    /// The placeholders of pictures of which a thumbnail was made.
    hashes: HashMap<usize, Known<ThumbHash>>,
    /// The number of pictures with something still to be read.
    unread: usize,
    shown: Vec<(ViewQuery, Arc<View>)>,
    /// The numbers of the folders with metadata that is not yet on the disk.
    unsaved: BTreeSet<usize>,
}

/// A picture's sidecar.
struct Beside {
    name: Box<[u8]>,
    asked: Asked,
    marks: Known<Arc<Marks>>,
}

impl Beside {
    fn new(sidecar: &Sidecar, marks: Known<Arc<Marks>>) -> Self {
        Self {
            name: sidecar.name.clone(),
            asked: sidecar.stat.map_or(Asked::NotYet, Asked::Is),
            marks,
        }
    }
}

/// The `stat` calls to make for one entry.
pub(super) struct ToAsk {
    pub(super) index: usize,
    /// True if the entry's own `stat` is needed.
    pub(super) itself: bool,
    /// The name of its sidecar, if that one's `stat` is needed.
    pub(super) sidecar: Option<Box<[u8]>>,
}

/// The files to read for one picture.
pub(super) struct ToRead {
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
        scanned: &[Scanned],
        mut before: impl FnMut(&NaturalName) -> Option<Outcome>,
    ) {
        let first = self.stats.len();
        self.stats.reserve_exact(scanned.len());
        self.heads.reserve_exact(scanned.len());
        for (one, index) in scanned.iter().zip(first..) {
            let is_picture = one.kind == EntryKind::Picture;
            let known = is_picture.then(|| before(&one.name));
            let Outcome { facts, marks, hash } = known.flatten().unwrap_or(Outcome::NOTHING);
            self.stats.push(one.stat.map_or(Asked::NotYet, Asked::Is));
            self.heads.push(facts);
            if !hash.is_unread() {
                self.hashes.insert(index, hash);
            }
            if let Some(sidecar) = &one.sidecar {
                self.sidecars.insert(index, Beside::new(sidecar, marks));
            }
            if is_picture {
                self.unread += usize::from(self.is_unread(index));
                self.change(index, |_, _| {});
            }
        }
    }

    /// Marks a folder as having metadata that is not saved.
    pub(super) fn is_news_of(&mut self, part: usize) {
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
        let beside = self.sidecars.get(&index);
        self.heads[index].is_unread() || beside.is_some_and(|beside| beside.marks.is_unread())
    }

    pub(super) fn stat(&self, index: usize) -> Option<Stat> {
        self.stats[index].stat()
    }

    /// True if a picture's header has been read, or could not be read.
    pub(super) fn is_header_read(&self, index: usize) -> bool {
        !self.heads[index].is_unread()
    }

    pub(super) fn facts(&self, index: usize) -> Option<Facts> {
        self.heads[index].get().copied()
    }

    pub(super) fn hash(&self, index: usize) -> Option<&ThumbHash> {
        self.hashes.get(&index)?.get()
    }

    /// Records the placeholder of a picture in one of its states. Returns true if it is news.
    pub(super) fn note(&mut self, index: usize, of: State, hash: &ThumbHash) -> bool {
        let noted = Known::Is(of, hash.clone());
        if self.hashes.get(&index) == Some(&noted) {
            return false;
        }
        self.hashes.insert(index, noted);
        self.change(index, |_, _| {});
        self.hash(index).is_some()
    }

    /// Returns the marks of a picture; `None` until its sidecar has been read.
    pub(super) fn marks(&self, index: usize) -> Option<Arc<Marks>> {
        match self.sidecars.get(&index) {
            None => Some(Arc::default()),
            Some(beside) => match &beside.marks {
                Known::NotYet => None,
                // A damaged sidecar has no marks, also later.
                Known::Failed(_) => Some(Arc::default()),
                Known::Is(_, marks) => Some(Arc::clone(marks)),
            },
        }
    }

    /// Returns all marks from sidecars of these entries, as far as they have been read.
    pub(super) fn all_marks(&self, range: &Range<usize>) -> impl Iterator<Item = &Marks> {
        let read = self.sidecars.iter().filter(|(at, _)| range.contains(at));
        read.filter_map(|(_, beside)| beside.marks.get().map(|marks| &**marks))
    }

    /// Returns the entries whose `stat`, or whose sidecar's, has not been requested, with the name of the sidecar: the
    /// caller must make these requests. Also returns the entries that another caller is requesting.
    pub(super) fn begin_asking(
        &mut self,
        entries: impl IntoIterator<Item = usize>,
    ) -> (Vec<ToAsk>, Vec<usize>) {
        let (mut to_ask, mut asked_now) = (Vec::new(), Vec::new());
        for index in entries {
            if self.is_asked_now(index) {
                asked_now.push(index);
            }
            let itself = self.stats[index].begin();
            let beside = self.sidecars.get_mut(&index);
            let sidecar =
                beside.and_then(|beside| beside.asked.begin().then(|| beside.name.clone()));
            if itself || sidecar.is_some() {
                to_ask.push(ToAsk {
                    index,
                    itself,
                    sidecar,
                });
            }
        }
        (to_ask, asked_now)
    }

    /// True while a caller is requesting an entry's `stat`, or its sidecar's.
    pub(super) fn is_asked_now(&self, index: usize) -> bool {
        let beside = self.sidecars.get(&index);
        self.stats[index] == Asked::Now || beside.is_some_and(|beside| beside.asked == Asked::Now)
    }

    /// Records the results of requests. A sidecar that was written here meanwhile is known already.
    pub(super) fn answer(&mut self, index: usize, itself: Option<Asked>, beside: Option<Asked>) {
        let sidecar = self.sidecars.get_mut(&index);
        let sidecar = sidecar.map(|sidecar| &mut sidecar.asked);
        for (asked, answer) in [(Some(&mut self.stats[index]), itself), (sidecar, beside)] {
            if let (Some(asked @ Asked::Now), Some(answer)) = (asked, answer) {
                *asked = answer;
            }
        }
        self.change(index, |_, _| {});
    }

    /// Records metadata of a picture; earlier metadata stays.
    pub(super) fn learn(&mut self, index: usize, outcome: Outcome) {
        let Outcome { facts, marks, hash } = outcome;
        if !hash.is_unread() {
            self.hashes.entry(index).or_insert(hash);
        }
        self.change(index, |head, beside| {
            head.learn(facts);
            if let Some(beside) = beside {
                beside.marks.learn(marks);
            }
        });
    }

    /// Replaces the marks of a picture.
    pub(super) fn mark(&mut self, index: usize, sidecar: &Sidecar, marks: &Known<Arc<Marks>>) {
        let was_unread = self.is_unread(index);
        let beside = Beside::new(sidecar, marks.clone());
        self.sidecars.insert(index, beside);
        self.count(index, was_unread);
    }

    /// True if any metadata of an entry is of use for the next reading of the folder.
    pub(super) fn is_known(&self, index: usize) -> bool {
        let beside = self.sidecars.get(&index);
        self.heads[index].of().is_some()
            || beside.is_some_and(|beside| beside.marks.of().is_some())
            || self.hashes.contains_key(&index)
    }

    pub(super) fn outcome(&self, index: usize) -> Outcome {
        let beside = self.sidecars.get(&index);
        Outcome {
            facts: self.heads[index].clone(),
            marks: beside.map_or(Known::NotYet, |beside| beside.marks.clone()),
            hash: self.hashes.get(&index).cloned().unwrap_or(Known::NotYet),
        }
    }

    /// Returns the files to read for a picture; `None` if there are none. A file that turns out to be unreadable counts
    /// as read from now on.
    pub(super) fn take_reading(&mut self, index: usize) -> Option<ToRead> {
        let stat = self.stat(index);
        self.change(index, |head, beside| {
            if stat.is_none() {
                head.learn(Known::Failed(None));
            }
            if let Some(beside) = beside
                && beside.asked.stat().is_none()
            {
                beside.marks.learn(Known::Failed(None));
            }
        });
        let beside = self.sidecars.get(&index);
        let beside = beside.filter(|beside| beside.marks.is_unread());
        let to_read = ToRead {
            index,
            picture: stat.filter(|_| self.heads[index].is_unread()),
            sidecar: beside.and_then(|beside| Some((beside.name.clone(), beside.asked.stat()?))),
        };
        (to_read.picture.is_some() || to_read.sidecar.is_some()).then_some(to_read)
    }

    pub(super) fn answered(&self, view_query: &ViewQuery) -> Option<Arc<View>> {
        let same = self.shown.iter().find(|(of, _)| of == view_query);
        same.map(|(_, found)| Arc::clone(found))
    }

    pub(super) fn keep_answer(&mut self, view_query: ViewQuery, shown: Arc<View>) {
        if self.shown.len() == ANSWERS {
            self.shown.remove(0);
        }
        self.shown.push((view_query, shown));
    }

    /// Changes the metadata of an entry, and discards metadata of another state of a file.
    fn change(
        &mut self,
        index: usize,
        change: impl FnOnce(&mut Known<Facts>, Option<&mut Beside>),
    ) {
        let was_unread = self.is_unread(index);
        let mut beside = self.sidecars.get_mut(&index);
        change(&mut self.heads[index], beside.as_deref_mut());
        self.heads[index].doubt(self.stats[index]);
        if let Some(beside) = beside {
            beside.marks.doubt(beside.asked);
        }
        if let Some(hash) = self.hashes.get_mut(&index) {
            hash.doubt(self.stats[index]);
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
        let scanned = ["a.jpg", "b.jpg"].map(|name| Scanned {
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
        let told = |(to_ask, asked_now): (Vec<ToAsk>, Vec<usize>)| {
            let asks = to_ask.iter().map(|one| {
                assert!(one.itself && one.sidecar.is_some());
                one.index
            });
            (Vec::from_iter(asks), asked_now)
        };
        assert_eq!(told(metadata.begin_asking([0])), (vec![0], vec![]));
        assert_eq!(told(metadata.begin_asking([0, 1])), (vec![1], vec![0]));
        metadata.answer(0, Some(Asked::Gone), None);
        assert!(metadata.is_asked_now(0), "its sidecar still is");
        metadata.answer(0, None, Some(Asked::Gone));
        assert!(!metadata.is_asked_now(0));
        assert_eq!(told(metadata.begin_asking([0, 1])), (vec![], vec![1]));
    }
}
