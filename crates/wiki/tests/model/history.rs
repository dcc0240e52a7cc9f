//! The past of a page in the model: reading, rolling back and compacting it.

use std::ops::Bound;

use fumikura_wiki::{LockToken, PageId, UserId};

use crate::state::{ModelState, PageStatus, Refusals};
use crate::text::{self, Piece, Text};

impl ModelState {
    pub(crate) fn can_change_history(&self, id: PageId, token: Option<LockToken>) -> Refusals {
        match self.pages[&id].status {
            PageStatus::Draft => self.draft_refusal(id),
            PageStatus::Deleted { .. } => Refusals::from(["deleted"]),
            PageStatus::Existing => self.gate(&[id], token),
        }
    }

    /// The reasons why a revision can't be read.
    pub(crate) fn can_read(&self, id: PageId, revision: u64) -> Refusals {
        let page = &self.pages[&id];
        let newest = page
            .revisions
            .last_key_value()
            .map_or(0, |(number, _)| *number);
        let oldest = page
            .revisions
            .first_key_value()
            .map_or(0, |(number, _)| *number);
        if revision == 0 || revision > newest {
            Refusals::from(["no_revision"])
        } else if revision < oldest {
            Refusals::from(["collected"])
        } else {
            Refusals::new()
        }
    }

    /// Makes an old text the latest. Returns true if this was a change.
    pub(crate) fn roll_back(&mut self, id: PageId, to: u64, user: UserId) -> bool {
        let (newest, before) = {
            let (number, newest) = self.newest(id);
            if number == to {
                return false;
            }
            (
                text::canonical(&newest.text),
                self.targets(id, &newest.text),
            )
        };
        // Relative paths are resolved against the path that the page had at that revision.
        let base = self.path_at(id, to);
        let old: Text = self.pages[&id].revisions[&to]
            .text
            .iter()
            .cloned()
            .map(|piece| match piece {
                Piece::Path { form, written, .. } => self.read_link(&base, &before, form, &written),
                Piece::Page(form, to) => match self.erased.get(&to) {
                    Some(path) => self.read_link(&base, &before, form, path),
                    None => piece,
                },
                Piece::Word(_) => piece,
            })
            .collect();
        if old == newest {
            return false;
        }
        self.put(id, old, user, false);
        self.bind();
        true
    }

    /// The path of the page at a revision. The latest revision has the current path.
    pub(crate) fn path_at(&self, id: PageId, number: u64) -> String {
        let page = &self.pages[&id];
        if number == self.newest(id).0 {
            return page.path.clone();
        }
        let renames = |range| {
            let revisions = page.revisions.range::<u64, (Bound<u64>, Bound<u64>)>(range);
            revisions.filter_map(|(_, revision)| revision.rename.as_ref())
        };
        let before = renames((Bound::Unbounded, Bound::Included(number))).next_back();
        let after = renames((Bound::Excluded(number), Bound::Unbounded)).next();
        match (before, after) {
            (Some((_, to)), _) => to.clone(),
            (None, Some((Some(from), _))) => from.clone(),
            (None, Some((None, _)) | None) => page
                .unrecorded_path
                .clone()
                .unwrap_or_else(|| page.path.clone()),
        }
    }

    pub(crate) fn can_keep_from(&self, id: PageId, keep_from: u64) -> Refusals {
        let gone = keep_from > self.version(id).0;
        Refusals::from_iter(gone.then_some("nothing_kept"))
    }

    pub(crate) fn compact(&mut self, id: PageId, keep_from: u64) {
        let page = self.pages.get_mut(&id).expect("it is there");
        page.revisions = page.revisions.split_off(&keep_from);
    }
}
