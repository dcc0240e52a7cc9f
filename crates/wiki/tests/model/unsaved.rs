//! The autosave entries of the model: one text for each page, user and tab, and the records that saves
//! leave.

use std::collections::BTreeMap;

use fumikura_wiki::{AutosaveId, PageId, UserId};

use crate::state::Refusals;

/// The page, user and tab in which a text is typed.
pub(crate) type Desk = (PageId, UserId, u8);

#[derive(Debug, Clone, Default)]
pub(crate) struct Unsaved {
    texts: BTreeMap<Desk, Typed>,
    /// The latest revision after a tab's last save, and the highest count of the texts from before it.
    saves: BTreeMap<Desk, (u64, u64)>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Typed {
    pub(crate) id: AutosaveId,
    pub(crate) base: Option<u64>,
    pub(crate) count: u64,
    pub(crate) source: String,
}

impl Unsaved {
    pub(crate) fn can_put(&self, desk: Desk, base: Option<u64>, count: u64) -> Refusals {
        let mut refusals = Refusals::new();
        if let Some((revision, until)) = self.saves.get(&desk) {
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
            .get(&desk)
            .is_some_and(|there| count < there.count)
        {
            refusals.insert("stale");
        }
        refusals
    }

    pub(crate) fn put(&mut self, desk: Desk, typed: Typed) {
        if let Some(there) = self.texts.insert(desk, typed) {
            assert_eq!(there.id, self.texts[&desk].id, "a text keeps its id");
        }
    }

    /// Records the save of a tab. `raised` is true if it made the revision.
    pub(crate) fn saved(&mut self, desk: Desk, revision: u64, raised: bool) {
        let typed = self.texts.remove(&desk).map_or(0, |typed| typed.count);
        let before = self.saves.get(&desk).filter(|(last, _)| *last == revision);
        let until = before.map_or(typed, |(_, until)| typed.max(*until));
        let until = if raised { 0 } else { until };
        self.saves.insert(desk, (revision, until));
    }

    pub(crate) fn can_discard(&self, user: UserId, id: AutosaveId) -> Refusals {
        let known = self.of(user).any(|(_, typed)| typed.id == id);
        Refusals::from_iter((!known).then_some("not_found"))
    }

    pub(crate) fn discard(&mut self, id: AutosaveId) {
        self.texts.retain(|_, typed| typed.id != id);
    }

    /// A user's texts.
    pub(crate) fn of(&self, user: UserId) -> impl Iterator<Item = (&Desk, &Typed)> {
        let texts = self.texts.iter();
        texts.filter(move |((_, of, _), _)| *of == user)
    }
}
