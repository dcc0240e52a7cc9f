//! A folder as it was when its names were read.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cap_std::fs::Dir;
use jiff::tz::TimeZone;

use super::entry::{Entry, EntryKind, extension};
use super::facts::{Facts, State};
use super::names::Names;
use super::natural;
use super::query::{Only, Order, Sort};
use super::scan::Scanned;
use crate::fingerprint::Fingerprint;
use crate::path::{self, RelPath};
use crate::platform;
use crate::roots::Root;
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

/// What is known of an entry by `stat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    NotYet,
    /// It had gone when it was asked for.
    Gone,
    Is(Stat),
}

/// What is known of a picture by its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    NotYet,
    /// It could not be read, in this state if it is known which; in another it is tried again.
    Failed(Option<State>),
    Is(Facts),
}

impl Known {
    /// Of which state of the file this is known.
    fn of(self) -> Option<State> {
        match self {
            Self::Is(facts) => Some(facts.of),
            Self::Failed(of) => of,
            Self::NotYet => None,
        }
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

struct Learned {
    stats: Box<[Asked]>,
    heads: Box<[Known]>,
    /// How many pictures' headers are still to be read.
    unread: usize,
    shown: Vec<(Asking, Arc<Shown>)>,
}

/// Which entries are asked for, and in which order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asking {
    pub(super) sort: Sort,
    pub(super) order: Order,
    pub(super) only: Only,
}

/// The entries that are asked for.
pub(super) struct Shown {
    /// Their numbers, in the order that is asked for.
    pub(super) entries: Vec<u32>,
    /// How many pictures are among those of any kind.
    pub(super) pictures: usize,
    /// How many pictures' headers were not known when they were put in their order.
    pub(super) unread: usize,
}

/// How many answers are kept with a snapshot.
const ANSWERS: usize = 8;

impl Snapshot {
    /// `before` is what was known of pictures of these names, which may have changed since.
    pub(super) fn new(
        id: SnapshotId,
        root: Arc<Root>,
        path: RelPath,
        scanned: Vec<Scanned>,
        before: &HashMap<&[u8], Known>,
    ) -> Self {
        let names: Names = scanned.iter().map(|one| one.name.as_bytes()).collect();
        let kinds: Box<[_]> = scanned.iter().map(|one| one.kind).collect();
        let stats = scanned
            .iter()
            .map(|one| one.stat.map_or(Asked::NotYet, Asked::Is));
        let heads = scanned.iter().map(|one| {
            let known = before.get(one.name.as_bytes());
            let known = known.filter(|_| one.kind == EntryKind::Picture);
            known.copied().unwrap_or(Known::NotYet)
        });
        let mut learned = Learned {
            stats: stats.collect(),
            heads: heads.collect(),
            unread: 0,
            shown: Vec::new(),
        };
        for index in (0..names.len()).filter(|&index| kinds[index] == EntryKind::Picture) {
            learned.unread += usize::from(learned.heads[index] == Known::NotYet);
            learned.doubt(index);
        }
        Self {
            id,
            root,
            path,
            names,
            kinds,
            learned: Mutex::new(learned),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// How many pictures' headers are still to be read.
    pub(super) fn unread(&self) -> usize {
        self.learned().unread
    }

    pub(super) fn is_of(&self, root: &Root, path: &RelPath) -> bool {
        self.root.id() == root.id() && self.path == *path
    }

    /// The pictures among entries whose headers are still to be read.
    pub(super) fn unread_among(&self, entries: &[u32]) -> Vec<usize> {
        let learned = self.learned();
        let entries = entries.iter().map(|&index| index as usize);
        let is_unread =
            |&index: &usize| self.is_picture(index) && learned.heads[index] == Known::NotYet;
        entries.filter(is_unread).collect()
    }

    fn is_picture(&self, index: usize) -> bool {
        self.kinds[index] == EntryKind::Picture
    }

    pub(super) fn path_of(&self, index: usize) -> RelPath {
        self.path.join(self.names.get(index))
    }

    fn learned(&self) -> MutexGuard<'_, Learned> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The entries that are asked for: the same whenever they are.
    pub(super) fn shown(&self, asking: &Asking, folder: &Dir) -> Arc<Shown> {
        let known = |learned: &Learned| {
            let same = learned.shown.iter().find(|(of, _)| of == asking);
            same.map(|(_, found)| Arc::clone(found))
        };
        if let Some(found) = known(&self.learned()) {
            return found;
        }
        let (entries, pictures) = self.found(&asking.only);
        match asking.sort {
            Sort::Modified | Sort::Size | Sort::Taken => {
                self.ask(folder, entries.iter().map(|&at| at as usize))
            }
            Sort::Name | Sort::Type => {}
        }
        let mut learned = self.learned();
        if let Some(found) = known(&learned) {
            return found;
        }
        let entries = self.sorted(entries, asking.sort, asking.order, &learned);
        let shown = Arc::new(Shown {
            entries,
            pictures,
            unread: learned.unread,
        });
        if learned.shown.len() == ANSWERS {
            learned.shown.remove(0);
        }
        learned.shown.push((asking.clone(), Arc::clone(&shown)));
        shown
    }

    /// Those that are asked for, and how many pictures there would be if any kind were.
    fn found(&self, only: &Only) -> (Vec<u32>, usize) {
        let count = u32::try_from(self.len()).expect("BUG: a folder holds fewer than 2³² names");
        let text = only
            .text
            .as_ref()
            .map(|text| natural::folded(text.as_bytes()));
        let mut named: Vec<u32> = (0..count).collect();
        if let Some(text) = text {
            named.retain(|&at| natural::folded(self.names.get(at as usize)).contains(&text));
        }
        let pictures = named
            .iter()
            .filter(|&&at| self.is_picture(at as usize))
            .count();
        if let Some(kind) = only.kind {
            named.retain(|&at| self.kinds[at as usize] == kind);
        }
        (named, pictures)
    }

    fn sorted(&self, mut all: Vec<u32>, sort: Sort, order: Order, learned: &Learned) -> Vec<u32> {
        let stat = |&index: &u32| match learned.stats[index as usize] {
            Asked::Is(stat) => Some(stat),
            Asked::NotYet | Asked::Gone => None,
        };
        let is_folder = |index: &u32| self.kinds[*index as usize] == EntryKind::Folder;
        let mtime = |index: &u32| stat(index).map(|stat| stat.mtime);
        let size = |index: &u32| {
            stat(index)
                .filter(|_| !is_folder(index))
                .map(|stat| stat.size)
        };
        let kind = |index: &u32| {
            let name = self.names.get(*index as usize);
            (!is_folder(index)).then(|| extension(name).to_ascii_lowercase())
        };
        // Where no camera tells, the file does, as the clock on the wall here told it.
        let zone = TimeZone::system();
        let taken = |index: &u32| match learned.heads[*index as usize] {
            Known::Is(Facts {
                taken: Some(taken), ..
            }) => Some(taken),
            Known::Is(_) | Known::NotYet | Known::Failed(_) => {
                mtime(index).map(|mtime| zone.to_datetime(mtime.timestamp()))
            }
        };
        // They lie in the order of their names, and the sorts are stable: equal ones stay in it.
        match (sort, order) {
            (Sort::Name, Order::Ascending) => {}
            (Sort::Name, Order::Descending) => all.reverse(),
            (Sort::Modified, Order::Ascending) => all.sort_by_key(mtime),
            (Sort::Modified, Order::Descending) => all.sort_by_key(|at| Reverse(mtime(at))),
            (Sort::Size, Order::Ascending) => all.sort_by_key(size),
            (Sort::Size, Order::Descending) => all.sort_by_key(|at| Reverse(size(at))),
            (Sort::Type, Order::Ascending) => all.sort_by_cached_key(kind),
            (Sort::Type, Order::Descending) => all.sort_by_cached_key(|at| Reverse(kind(at))),
            (Sort::Taken, Order::Ascending) => all.sort_by_cached_key(taken),
            (Sort::Taken, Order::Descending) => all.sort_by_cached_key(|at| Reverse(taken(at))),
        }
        all.sort_by_key(|index| !is_folder(index));
        all
    }

    /// Where an entry of this name stands in an order.
    pub(super) fn place_of(&self, name: &[u8], order: &[u32]) -> Option<usize> {
        let index = self.names.iter().position(|one| one == name)?;
        order.iter().position(|&one| one as usize == index)
    }

    /// Asks for the stats of those entries that have not been asked for.
    pub(super) fn ask(&self, folder: &Dir, entries: impl IntoIterator<Item = usize>) {
        let missing: Vec<usize> = {
            let learned = self.learned();
            let is_missing = |index: &usize| learned.stats[*index] == Asked::NotYet;
            entries.into_iter().filter(is_missing).collect()
        };
        // The disk is asked while nobody waits for what is known.
        let found: Vec<_> = missing
            .into_iter()
            .map(|index| {
                let stat = platform::stat_of_entry(folder, self.names.get(index));
                (index, stat.map_or(Asked::Gone, Asked::Is))
            })
            .collect();
        let mut learned = self.learned();
        for (index, asked) in found {
            // Whoever asked at the same time has been answered already.
            if learned.stats[index] == Asked::NotYet {
                learned.stats[index] = asked;
                learned.doubt(index);
            }
        }
    }

    /// The entries of these numbers, as far as they are known; those that have gone are left out.
    pub(super) fn entries(&self, wanted: &[u32]) -> Vec<Entry> {
        let learned = self.learned();
        let found = wanted.iter().filter_map(|&index| {
            let index = index as usize;
            match learned.stats[index] {
                Asked::Is(stat) => Some(self.entry(index, stat, learned.heads[index])),
                Asked::NotYet | Asked::Gone => None,
            }
        });
        found.collect()
    }

    fn entry(&self, index: usize, stat: Stat, known: Known) -> Entry {
        let name = self.names.get(index);
        let kind = self.kinds[index];
        let is_picture = kind == EntryKind::Picture;
        let facts = match known {
            Known::Is(facts) => Some(facts),
            Known::NotYet | Known::Failed(_) => None,
        };
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
            undecodable: false,
        }
    }

    /// Of these entries, the pictures whose header is to be read, with their stats. Those of which it turns out that it
    /// is known, or can't be, count as read from now on.
    pub(super) fn to_read(&self, folder: &Dir, entries: &[usize]) -> Vec<(usize, Stat)> {
        let pictures = entries
            .iter()
            .copied()
            .filter(|&index| self.is_picture(index));
        self.ask(folder, pictures.clone());
        let mut learned = self.learned();
        let mut to_read = Vec::new();
        for index in pictures {
            match (learned.stats[index], learned.heads[index]) {
                (Asked::Is(stat), Known::NotYet) => to_read.push((index, stat)),
                (Asked::Gone | Asked::NotYet, Known::NotYet) => {
                    learned.learn(index, Known::Failed(None))
                }
                (_, Known::Is(_) | Known::Failed(_)) => {}
            }
        }
        to_read
    }

    /// Takes what was read of pictures.
    pub(super) fn learn(&self, read: impl IntoIterator<Item = (usize, Known)>) {
        let mut learned = self.learned();
        for (index, known) in read {
            if self.is_picture(index) {
                learned.learn(index, known);
            }
        }
    }

    /// All that was found out about pictures, by their names, also what could not be.
    pub(super) fn outcomes(&self) -> Vec<(&[u8], Known)> {
        self.outcomes_among(&Vec::from_iter(0..self.len()))
    }

    /// What was found out about these entries, by their names.
    pub(super) fn outcomes_among(&self, entries: &[usize]) -> Vec<(&[u8], Known)> {
        let learned = self.learned();
        let known = entries
            .iter()
            .map(|&index| (self.names.get(index), learned.heads[index]));
        known.filter(|(_, known)| known.of().is_some()).collect()
    }

    /// All that is known of pictures, by their names.
    pub(super) fn facts(&self) -> Vec<(&[u8], Facts)> {
        let outcomes = self.outcomes().into_iter();
        let facts = outcomes.filter_map(|(name, known)| match known {
            Known::Is(facts) => Some((name, facts)),
            Known::NotYet | Known::Failed(_) => None,
        });
        facts.collect()
    }

    /// Takes what was learned when the folder had been read another time, unless something is known already.
    pub(super) fn adopt(&self, outcomes: &[(&[u8], Known)]) {
        let outcomes: HashMap<&[u8], Known> = outcomes.iter().copied().collect();
        let mut learned = self.learned();
        for (index, name) in self.names.iter().enumerate() {
            if let Some(&known) = outcomes.get(name)
                && self.is_picture(index)
            {
                learned.learn(index, known);
                learned.doubt(index);
            }
        }
    }
}

impl Learned {
    /// What is known of another state of the file is not known of this one.
    fn doubt(&mut self, index: usize) {
        if let (Asked::Is(stat), Some(of)) = (self.stats[index], self.heads[index].of())
            && of != State::from(stat)
        {
            self.heads[index] = Known::NotYet;
            self.unread += 1;
        }
    }

    /// What is known already stays.
    fn learn(&mut self, index: usize, known: Known) {
        if self.heads[index] == Known::NotYet && known != Known::NotYet {
            self.unread -= 1;
            self.heads[index] = known;
        }
    }
}
