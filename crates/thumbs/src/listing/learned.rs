//! What is known of the entries of a folder that was read: asked once, and of one state of each file.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::entry::EntryKind;
use super::facts::Facts;
use super::known::{Asked, Known, Outcome, State};
use super::natural::NaturalName;
use super::scan::{Scanned, Sidecar};
use super::shown::{Asking, Shown};
use crate::decode::ThumbHash;
use crate::sidecar::Marks;
use crate::stat::Stat;

/// How many answers are kept with a snapshot.
const ANSWERS: usize = 8;

#[derive(Default)]
pub(super) struct Learned {
    stats: Vec<Asked>,
    heads: Vec<Known<Facts>>,
    /// Of the pictures that have one; most have none.
    sidecars: HashMap<usize, Beside>,
    /// Of the pictures of which a thumbnail was made.
    hashes: HashMap<usize, Known<ThumbHash>>,
    /// How many pictures there is something to be read of.
    unread: usize,
    shown: Vec<(Asking, Arc<Shown>)>,
    /// The folders, by their numbers, of whose pictures more is known than is kept on the disk.
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

/// What the disk is to be asked of one entry.
pub(super) struct ToAsk {
    pub(super) index: usize,
    /// For its own `stat`.
    pub(super) itself: bool,
    /// For that of its sidecar, which is called so.
    pub(super) sidecar: Option<Box<[u8]>>,
}

/// What is to be read of one picture.
pub(super) struct ToRead {
    pub(super) index: usize,
    /// The state in which the picture is, if its header is to be read.
    pub(super) picture: Option<Stat>,
    /// The name and state of its sidecar, if that is to be read.
    pub(super) sidecar: Option<(Box<[u8]>, Stat)>,
}

impl Learned {
    /// Takes the entries of one more folder. `before` tells what was known of each picture when it was read another time.
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

    /// More is known of a folder's pictures than is kept.
    pub(super) fn is_news_of(&mut self, part: usize) {
        self.unsaved.insert(part);
    }

    pub(super) fn is_unsaved(&self, part: usize) -> bool {
        self.unsaved.contains(&part)
    }

    /// The folders of which it is to be kept what is known of their pictures.
    pub(super) fn take_unsaved(&mut self) -> BTreeSet<usize> {
        std::mem::take(&mut self.unsaved)
    }

    /// How many pictures there is something to be read of.
    pub(super) fn unread(&self) -> usize {
        self.unread
    }

    /// Whether there is something to be read of a picture.
    pub(super) fn is_unread(&self, index: usize) -> bool {
        let beside = self.sidecars.get(&index);
        self.heads[index].is_unread() || beside.is_some_and(|beside| beside.marks.is_unread())
    }

    pub(super) fn stat(&self, index: usize) -> Option<Stat> {
        self.stats[index].stat()
    }

    /// Whether it is known what a picture's header tells, or that it tells nothing.
    pub(super) fn is_header_read(&self, index: usize) -> bool {
        !self.heads[index].is_unread()
    }

    pub(super) fn facts(&self, index: usize) -> Option<Facts> {
        self.heads[index].get().copied()
    }

    pub(super) fn hash(&self, index: usize) -> Option<&ThumbHash> {
        self.hashes.get(&index)?.get()
    }

    /// Takes what stands for a picture in one of its states; whether that is news.
    pub(super) fn note(&mut self, index: usize, of: State, hash: &ThumbHash) -> bool {
        let noted = Known::Is(of, hash.clone());
        if self.hashes.get(&index) == Some(&noted) {
            return false;
        }
        self.hashes.insert(index, noted);
        self.change(index, |_, _| {});
        self.hash(index).is_some()
    }

    /// None as long as it is not known what a picture's sidecar says.
    pub(super) fn marks(&self, index: usize) -> Option<Arc<Marks>> {
        match self.sidecars.get(&index) {
            None => Some(Arc::default()),
            Some(beside) => match &beside.marks {
                Known::NotYet => None,
                // Of one that is damaged nothing is known, also later.
                Known::Failed(_) => Some(Arc::default()),
                Known::Is(_, marks) => Some(Arc::clone(marks)),
            },
        }
    }

    /// All that sidecars of these entries say, as far as it has been read.
    pub(super) fn all_marks(&self, range: &Range<usize>) -> impl Iterator<Item = &Marks> {
        let read = self.sidecars.iter().filter(|(at, _)| range.contains(at));
        read.filter_map(|(_, beside)| beside.marks.get().map(|marks| &**marks))
    }

    /// Of these entries, those whose `stat` or whose sidecar's has not been asked for, with the sidecar's name: whoever
    /// gets them is to ask. And those that somebody else is asking for.
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

    /// Whether somebody is asking for an entry's `stat`, or its sidecar's.
    pub(super) fn is_asked_now(&self, index: usize) -> bool {
        let beside = self.sidecars.get(&index);
        self.stats[index] == Asked::Now || beside.is_some_and(|beside| beside.asked == Asked::Now)
    }

    /// Takes what was asked. Of a sidecar that was written here meanwhile it is known already.
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

    /// Takes what was found out about a picture; what is known already stays.
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

    /// Takes what the sidecar of a picture says now, whatever was known.
    pub(super) fn mark(&mut self, index: usize, sidecar: &Sidecar, marks: &Known<Arc<Marks>>) {
        let was_unread = self.is_unread(index);
        let beside = Beside::new(sidecar, marks.clone());
        self.sidecars.insert(index, beside);
        self.count(index, was_unread);
    }

    /// Whether anything was found out about an entry that is worth telling the next reading of the folder.
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

    /// What is to be read of a picture; none if nothing is. That of which it turns out that it can't be counts as read
    /// from now on.
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

    pub(super) fn answered(&self, asking: &Asking) -> Option<Arc<Shown>> {
        let same = self.shown.iter().find(|(of, _)| of == asking);
        same.map(|(_, found)| Arc::clone(found))
    }

    pub(super) fn keep_answer(&mut self, asking: Asking, shown: Arc<Shown>) {
        if self.shown.len() == ANSWERS {
            self.shown.remove(0);
        }
        self.shown.push((asking, shown));
    }

    /// Changes what is known of an entry. What is known of another state of a file is not known of this one.
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
    fn of_those_who_want_to_know_one_asks() {
        let scanned = ["a.jpg", "b.jpg"].map(|name| Scanned {
            name: NaturalName::new(name.as_bytes()),
            kind: EntryKind::Picture,
            stat: None,
            sidecar: Some(Sidecar {
                name: format!("{name}.xmp").into_bytes().into(),
                stat: None,
            }),
        });
        let mut learned = Learned::default();
        learned.add(&scanned, |_| None);
        let told = |(to_ask, asked_now): (Vec<ToAsk>, Vec<usize>)| {
            let asks = to_ask.iter().map(|one| {
                assert!(one.itself && one.sidecar.is_some());
                one.index
            });
            (Vec::from_iter(asks), asked_now)
        };
        assert_eq!(told(learned.begin_asking([0])), (vec![0], vec![]));
        assert_eq!(told(learned.begin_asking([0, 1])), (vec![1], vec![0]));
        learned.answer(0, Some(Asked::Gone), None);
        assert!(learned.is_asked_now(0), "its sidecar still is");
        learned.answer(0, None, Some(Asked::Gone));
        assert!(!learned.is_asked_now(0));
        assert_eq!(told(learned.begin_asking([0, 1])), (vec![], vec![1]));
    }
}
