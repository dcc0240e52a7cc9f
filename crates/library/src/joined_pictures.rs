//! The pictures of several files in a snapshot.

use std::collections::HashMap;

use fumikura_image::{CompanionKind, JoinedFiles, join_files};

use super::entry::EntryKind;
use super::snapshot::Snapshot;

/// The pictures of several files, by the indices of their entries. Most folders have none.
#[derive(Debug, Default)]
pub(super) struct JoinedPictures {
    companions: HashMap<u32, Box<[(CompanionKind, u32)]>>,
    /// The shown file of each companion.
    shown: HashMap<u32, u32>,
}

impl JoinedPictures {
    /// Joins the files of each folder of a snapshot.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let mut joined = Self::default();
        for range in snapshot.folder_places() {
            let files = range
                .filter(|&index| snapshot.kind(index) != EntryKind::Folder)
                .map(|index| (index, snapshot.name(index)));
            for files in join_files(files) {
                joined.add(&files);
            }
        }
        joined
    }

    fn add(&mut self, files: &JoinedFiles) {
        let index =
            |index: usize| u32::try_from(index).expect("BUG: entries are counted in 32 bits");
        let shown = index(files.shown);
        let companions = files.companions.iter();
        let companions: Box<[_]> = companions.map(|&(kind, at)| (kind, index(at))).collect();
        self.shown
            .extend(companions.iter().map(|&(_, companion)| (companion, shown)));
        self.companions.insert(shown, companions);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// Returns the other files of the picture that is shown by an entry.
    pub(super) fn companions(&self, shown: u32) -> &[(CompanionKind, u32)] {
        self.companions.get(&shown).map_or(&[], |all| &all[..])
    }

    /// Returns the entry that shows the picture of a companion; `None` for an entry that is shown itself.
    pub(super) fn shown_of(&self, companion: u32) -> Option<u32> {
        self.shown.get(&companion).copied()
    }
}
