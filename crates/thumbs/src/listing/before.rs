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
            let (known, is_news) = snapshot.known_in(folder);
            is_unsaved |= is_news;
            let known = known.into_iter().peekable();
            Walk { snapshot, known }
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

impl Walk<'_> {
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
