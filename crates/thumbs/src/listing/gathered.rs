//! What the reading of names has found: folder by folder.

use super::entry::EntryKind;
use super::known::Outcome;
use super::learned::Learned;
use super::names::Names;
use super::natural::NaturalName;
use super::parts::Parts;
use super::scan::Scanned;
use crate::path::RelPath;

/// The entries of one folder, or of several, one after the other.
#[derive(Default)]
pub(super) struct Gathered {
    /// How many folders could not be read, or were too many.
    pub(super) left_out: usize,
    /// Whether the time was over before all had been read.
    pub(super) is_cut_short: bool,
    pub(super) parts: Parts,
    pub(super) names: Names,
    pub(super) kinds: Vec<EntryKind>,
    pub(super) learned: Learned,
}

impl Gathered {
    /// Takes what is in the next folder. `before` is what was known of pictures of these names, which may have changed
    /// since; it is asked in their order.
    pub(super) fn add(
        &mut self,
        folder: RelPath,
        scanned: &[Scanned],
        before: impl FnMut(&NaturalName) -> Option<Outcome>,
    ) {
        self.names
            .extend(scanned.iter().map(|one| one.name.as_bytes()));
        self.kinds.reserve_exact(scanned.len());
        self.kinds.extend(scanned.iter().map(|one| one.kind));
        self.learned.add(scanned, before);
        self.parts.push(folder, self.names.len());
    }
}
