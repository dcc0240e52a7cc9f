//! The autosave entries of the model: one text for each page, user and tab, and the records that saves
//! leave.

use std::collections::BTreeMap;

use fumikura_wiki::{AutosaveId, PageId, UserId};

use crate::state::Refusals;

/// The page, user and tab in which a text is typed.
pub(crate) type TabKey = (PageId, UserId, u8);

#[derive(Debug, Clone, Default)]
pub(crate) struct AutosaveEntries {
    texts: BTreeMap<TabKey, UnsavedEntry>,
    /// The latest revision after a tab's last save, and the highest count of the texts from before it.
    saves: BTreeMap<TabKey, (u64, u64)>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct UnsavedEntry {
    pub(crate) id: AutosaveId,
    pub(crate) base: Option<u64>,
    pub(crate) count: u64,
    pub(crate) source: String,
}

impl AutosaveEntries {
    pub(crate) fn can_put(&self, key: TabKey, base: Option<u64>, count: u64) -> Refusals {
        let mut refusals = Refusals::new();
        if let Some((revision, until)) = self.saves.get(&key) {
            let base = base.unwrap_or(0);
            if base < *revision {
                refusals.insert("saved");
            }
            if base == *revision && count <= *until {
                refusals.insert("stale");
            }
        }
        if self
            .texts
            .get(&key)
            .is_some_and(|there| count < there.count)
        {
            refusals.insert("stale");
        }
        refusals
    }

    pub(crate) fn put(&mut self, key: TabKey, entry: UnsavedEntry) {
        if let Some(there) = self.texts.insert(key, entry) {
            assert_eq!(there.id, self.texts[&key].id, "a text keeps its id");
        }
    }

    /// Records the save of a tab. `is_new_revision` is true if it made the revision.
    pub(crate) fn saved(&mut self, key: TabKey, revision: u64, is_new_revision: bool) {
        let count = self.texts.remove(&key).map_or(0, |entry| entry.count);
        let before = self.saves.get(&key).filter(|(last, _)| *last == revision);
        let until = before.map_or(count, |(_, until)| count.max(*until));
        let until = if is_new_revision { 0 } else { until };
        self.saves.insert(key, (revision, until));
    }

    pub(crate) fn can_discard(&self, user: UserId, id: AutosaveId) -> Refusals {
        let known = self.of(user).any(|(_, entry)| entry.id == id);
        Refusals::from_iter((!known).then_some("not_found"))
    }

    pub(crate) fn discard(&mut self, id: AutosaveId) {
        self.texts.retain(|_, entry| entry.id != id);
    }

    /// A user's texts.
    pub(crate) fn of(&self, user: UserId) -> impl Iterator<Item = (&TabKey, &UnsavedEntry)> {
        let texts = self.texts.iter();
        texts.filter(move |((_, of, _), _)| *of == user)
    }
}
