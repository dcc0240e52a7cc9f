//! What was known of a folder's pictures when it was read another time.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::sync::Arc;
use std::vec;

use super::known::Outcome;
use super::manifest::Manifest;
use super::natural::NaturalName;
use super::snapshot::Snapshot;
use crate::path::RelPath;

/// Told in the order of names, of which all that tell something of the folder are in, so that nothing is looked up: a
/// table of very many names would take more time and memory than reading them.
pub(super) struct Before<'a> {
    /// The latest first.
    listings: Vec<Walk<'a>>,
    kept: Manifest,
}

/// One listing, as far as one has gone through it.
struct Walk<'a> {
    snapshot: &'a Snapshot,
    /// The pictures of which something is known.
    known: Peekable<vec::IntoIter<usize>>,
}

impl<'a> Before<'a> {
    /// Of a folder that these have listed, the latest at the end, and of which this is kept. Also whether not all of
    /// that is on the disk.
    pub(super) fn new(
        folder: &RelPath,
        snapshots: &'a [Arc<Snapshot>],
        kept: Manifest,
    ) -> (Self, bool) {
        let mut is_unsaved = false;
        let walks = snapshots.iter().rev().map(|snapshot| {
            let (walk, is_news) = Walk::new(snapshot, folder);
            is_unsaved |= is_news;
            walk
        });
        let listings = walks.collect();
        (Self { listings, kept }, is_unsaved)
    }

    /// What was known of the picture of this name, by the latest that knew. It is asked for in the order of names.
    pub(super) fn take(&mut self, name: &NaturalName) -> Option<Outcome> {
        let told = self.listings.iter_mut().map(|walk| walk.take(name));
        let told = told.chain([self.kept.take(name)]).flatten();
        told.reduce(|latest, earlier| latest.or(earlier))
    }
}

impl<'a> Walk<'a> {
    /// Through one of its folders. Also whether not all of that is on the disk.
    fn new(snapshot: &'a Snapshot, folder: &RelPath) -> (Self, bool) {
        let (known, is_news) = snapshot.known_in(folder);
        let known = known.into_iter().peekable();
        (Self { snapshot, known }, is_news)
    }

    fn take(&mut self, name: &NaturalName) -> Option<Outcome> {
        while let Some(&index) = self.known.peek() {
            match name.order_of(self.snapshot.name(index)) {
                Ordering::Less => self.known.next(),
                Ordering::Equal => return Some(self.snapshot.outcome(index)),
                Ordering::Greater => break,
            };
        }
        None
    }
}

impl Snapshot {
    /// Takes what was learned of the same folders when they had been read another time, where it lacks that.
    pub(super) fn adopt(&self, other: &Self) {
        for (folder, here, _) in self.common_with(other) {
            self.adopt_in(folder, self.unread_in(here), other);
        }
    }

    /// The same, of folders of whose pictures more was learned then.
    pub(super) fn catch_up_with(&self, other: &Self) {
        for (folder, here, there) in self.common_with(other) {
            let unread = self.unread_in(here);
            if other.unread_in(there).len() < unread.len() {
                self.adopt_in(folder, unread, other);
            }
        }
    }

    /// The same, of these entries of the other one.
    pub(super) fn adopt_among(&self, other: &Self, entries: &[usize]) {
        self.learn(entries.iter().filter_map(|&there| {
            let here = self.index_of(other.folder_of(there), other.name(there))?;
            let outcome = other.outcome(there);
            outcome.is_worth_telling().then_some((here, outcome))
        }));
    }

    fn adopt_in(&self, folder: &RelPath, unread: Vec<usize>, other: &Self) {
        if unread.is_empty() {
            return;
        }
        let (mut walk, _) = Walk::new(other, folder);
        let learned = unread.into_iter().filter_map(|index| {
            let name = NaturalName::new(self.name(index));
            Some((index, walk.take(&name)?))
        });
        // Collected first: nobody need wait for it, and no two listings for each other.
        let learned: Vec<_> = learned.collect();
        self.learn(learned);
    }
}
