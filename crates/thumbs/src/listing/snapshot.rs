//! A folder as it was when its names were read.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cap_std::fs::Dir;

use super::entry::{Entry, EntryKind};
use super::kept::Marked;
use super::known::{Asked, Outcome, State};
use super::learned::{Learned, ToRead};
use super::names::Names;
use super::natural::NaturalName;
use super::scan::Scanned;
use super::shown::{self, Asking, Shown};
use crate::decode::ThumbHash;
use crate::fingerprint::Fingerprint;
use crate::path::{self, RelPath};
use crate::platform;
use crate::roots::Root;
use crate::sidecar::Tag;
use crate::stat::Stat;

/// Names a snapshot, so that the parts of one listing fit together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SnapshotId(u64);

impl SnapshotId {
    pub(super) const fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(u64::from_le_bytes(bytes))
    }
}

impl fmt::Display for SnapshotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A text that is no [`SnapshotId`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a listing's id is 16 hexadecimal digits in lower case")]
pub struct InvalidSnapshotId;

impl FromStr for SnapshotId {
    type Err = InvalidSnapshotId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let id = u64::from_str_radix(text, 16).map(Self);
        id.ok()
            .filter(|id| id.to_string() == text)
            .ok_or(InvalidSnapshotId)
    }
}

/// A folder as it was when its names were read; in the order of its names, which never changes. What else is asked of
/// an entry is asked once.
pub(super) struct Snapshot {
    pub(super) id: SnapshotId,
    pub(super) root: Arc<Root>,
    pub(super) path: RelPath,
    names: Names,
    kinds: Box<[EntryKind]>,
    learned: Mutex<Learned>,
}

impl Snapshot {
    /// `before` is what was known of pictures of these names, which may have changed since.
    pub(super) fn new(
        id: SnapshotId,
        root: Arc<Root>,
        path: RelPath,
        scanned: &[Scanned],
        before: impl Fn(&[u8]) -> Option<Outcome>,
    ) -> Self {
        let kinds: Box<[_]> = scanned.iter().map(|one| one.kind).collect();
        let is_picture = |index: usize| kinds[index] == EntryKind::Picture;
        let learned = Learned::new(scanned, is_picture, before);
        Self {
            id,
            root,
            path,
            names: scanned.iter().map(|one| one.name.as_bytes()).collect(),
            kinds,
            learned: Mutex::new(learned),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    fn index_of(&self, name: &[u8]) -> Option<usize> {
        let wanted = NaturalName::new(name.to_vec());
        let is_before = |one: &[u8]| NaturalName::new(one.to_vec()) < wanted;
        let index = self.names.partition_point(is_before);
        (index < self.len() && self.name(index) == name).then_some(index)
    }

    pub(super) fn name(&self, index: usize) -> &[u8] {
        self.names.get(index)
    }

    pub(super) fn kind(&self, index: usize) -> EntryKind {
        self.kinds[index]
    }

    /// How many pictures there is something to be read of.
    pub(super) fn unread(&self) -> usize {
        self.learned().unread()
    }

    pub(super) fn is_of(&self, root: &Root, path: &RelPath) -> bool {
        self.root.id() == root.id() && self.path == *path
    }

    /// The pictures among entries of which there is something to be read.
    pub(super) fn unread_among(&self, entries: &[u32]) -> Vec<usize> {
        let learned = self.learned();
        let entries = entries.iter().map(|&index| index as usize);
        let is_unread = |&index: &usize| self.is_picture(index) && learned.is_unread(index);
        entries.filter(is_unread).collect()
    }

    fn is_picture(&self, index: usize) -> bool {
        self.kinds[index] == EntryKind::Picture
    }

    pub(super) fn path_of(&self, index: usize) -> RelPath {
        self.path.join(self.names.get(index))
    }

    pub(super) fn learned(&self) -> MutexGuard<'_, Learned> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The entries that are asked for: the same whenever they are.
    pub(super) fn shown(&self, asking: &Asking, folder: &Dir) -> Arc<Shown> {
        let answered = |learned: &Learned| learned.answered(asking);
        if let Some(found) = answered(&self.learned()) {
            return found;
        }
        let shown = Arc::new(shown::find(self, asking, folder));
        let mut learned = self.learned();
        // Whoever asked at the same time has been answered already.
        if let Some(found) = answered(&learned) {
            return found;
        }
        learned.keep_answer(asking.clone(), Arc::clone(&shown));
        shown
    }

    /// Where an entry of this name stands in an order.
    pub(super) fn place_of(&self, name: &[u8], order: &[u32]) -> Option<usize> {
        let index = self.index_of(name)?;
        order.iter().position(|&one| one as usize == index)
    }

    /// Asks for the stats of those entries, and of their sidecars, that have not been asked for.
    pub(super) fn ask(&self, folder: &Dir, entries: impl IntoIterator<Item = usize>) {
        let missing = self.learned().to_ask(entries);
        let look =
            |name: &[u8]| platform::stat_of_entry(folder, name).map_or(Asked::Gone, Asked::Is);
        // The disk is asked while nobody waits for what is known.
        let found: Vec<_> = missing
            .into_iter()
            .map(|to_ask| {
                let index = to_ask.index;
                let itself = to_ask.itself.then(|| look(self.names.get(index)));
                (index, itself, to_ask.sidecar.map(|name| look(&name)))
            })
            .collect();
        let mut learned = self.learned();
        for (index, itself, beside) in found {
            learned.answer(index, itself, beside);
        }
    }

    /// The entries of these numbers, as far as they are known; those that have gone are left out.
    pub(super) fn entries(&self, wanted: &[u32]) -> Vec<Entry> {
        let learned = self.learned();
        let found = wanted.iter().filter_map(|&index| {
            let index = index as usize;
            let stat = learned.stat(index)?;
            Some(self.entry(index, stat, &learned))
        });
        found.collect()
    }

    fn entry(&self, index: usize, stat: Stat, learned: &Learned) -> Entry {
        let name = self.names.get(index);
        let kind = self.kinds[index];
        let is_picture = kind == EntryKind::Picture;
        let facts = learned.facts(index);
        Entry {
            name: name.to_vec(),
            kind,
            size: match kind {
                EntryKind::Folder => 0,
                EntryKind::Picture | EntryKind::Other => stat.size,
            },
            mtime: stat.mtime,
            id: is_picture.then(|| {
                let path = path::join(self.root.path_bytes(), &self.path.join(name));
                Fingerprint::new(path, stat).id()
            }),
            head: facts.and_then(|facts| facts.head),
            taken: facts.and_then(|facts| facts.taken),
            marks: learned.marks(index).unwrap_or_default(),
            embeds: facts.is_some_and(|facts| facts.embeds),
            hash: learned.hash(index).cloned(),
            undecodable: false,
        }
    }

    /// What is to be read of these entries.
    pub(super) fn to_read(&self, folder: &Dir, entries: &[usize]) -> Vec<ToRead> {
        let pictures = entries
            .iter()
            .copied()
            .filter(|&index| self.is_picture(index));
        self.ask(folder, pictures.clone());
        let mut learned = self.learned();
        pictures
            .filter_map(|index| learned.take_reading(index))
            .collect()
    }

    /// Takes what was read of pictures.
    pub(super) fn learn(&self, read: impl IntoIterator<Item = (usize, Outcome)>) {
        let mut learned = self.learned();
        for (index, outcome) in read {
            if self.is_picture(index) {
                learned.learn(index, outcome);
            }
        }
    }

    /// Takes what a picture's sidecar says now.
    pub(super) fn mark(&self, marked: &Marked) {
        if let Some(index) = self
            .index_of(&marked.name)
            .filter(|&index| self.is_picture(index))
        {
            self.learned().mark(index, &marked.sidecar, &marked.marks);
        }
    }

    /// Takes what stands for a picture in one of its states; whether there is such a picture.
    pub(super) fn note(&self, name: &[u8], of: State, hash: &ThumbHash) -> bool {
        let index = self.index_of(name).filter(|&index| self.is_picture(index));
        index.is_some_and(|index| self.learned().note(index, of, hash))
    }

    /// The pictures about which something was found out.
    pub(super) fn known(&self) -> Vec<usize> {
        let learned = self.learned();
        let is_known = |&index: &usize| learned.is_known(index);
        (0..self.len()).filter(is_known).collect()
    }

    /// What was found out about an entry.
    pub(super) fn outcome(&self, index: usize) -> Outcome {
        self.learned().outcome(index)
    }

    /// All that was found out about pictures, by their names, also what could not be.
    pub(super) fn outcomes(&self) -> Vec<(&[u8], Outcome)> {
        self.outcomes_among(&Vec::from_iter(0..self.len()))
    }

    /// What was found out about these entries, by their names.
    pub(super) fn outcomes_among(&self, entries: &[usize]) -> Vec<(&[u8], Outcome)> {
        let learned = self.learned();
        let known = entries
            .iter()
            .map(|&index| (self.names.get(index), learned.outcome(index)));
        known
            .filter(|(_, outcome)| outcome.is_worth_telling())
            .collect()
    }

    /// Takes what was learned when the folder had been read another time, unless something is known already.
    pub(super) fn adopt(&self, outcomes: &[(&[u8], Outcome)]) {
        let outcomes: HashMap<&[u8], &Outcome> = outcomes
            .iter()
            .map(|(name, outcome)| (*name, outcome))
            .collect();
        let mut learned = self.learned();
        for (index, name) in self.names.iter().enumerate() {
            if let Some(&outcome) = outcomes.get(name)
                && self.is_picture(index)
            {
                learned.learn(index, outcome.clone());
            }
        }
    }

    /// How often each tag is given, as far as it has been read.
    pub(super) fn tags(&self) -> HashMap<Tag, usize> {
        let learned = self.learned();
        let mut tags = HashMap::new();
        for marks in learned.all_marks() {
            for tag in &marks.tags {
                *tags.entry(tag.clone()).or_default() += 1;
            }
        }
        tags
    }
}
