//! Steps with autosave entries and user names.

use std::collections::BTreeSet;

use fumikura_wiki::*;

use super::{Run, agree, page_path};
use crate::autosave::UnsavedEntry;
use crate::error_code;
use crate::state::{PageStatus, Refusals};

const NAMES: [&str; 3] = ["Aya", "Ben", "あや"];

impl Run {
    /// Stores an autosave entry, for a page that may be gone.
    pub(super) fn autosave(&mut self, page: u8, tab: u8, base: u64, count: u64) {
        let page_id = self.page_ids[usize::from(page) % self.page_ids.len()];
        let key = (page_id, self.user(), tab);
        let base = Some(base).filter(|base| *base > 0);
        let refusals = self.unsaved.can_put(key, base, count);
        let source = self.count.to_string();
        let put = self.wiki().autosave().put(UnsavedText {
            page_id,
            user: key.1,
            tab: tab.to_string(),
            path: page_path("/typed"),
            base_revision: base,
            seq: count,
            source: source.clone(),
        });
        if let Some(id) = agree(refusals, put, error_code::of_autosave) {
            let entry = UnsavedEntry {
                id,
                base,
                count,
                source,
            };
            self.unsaved.put(key, entry);
            self.entry_ids.push(id);
        }
    }

    pub(super) fn discard(&mut self, text: u8) {
        if self.entry_ids.is_empty() {
            return;
        }
        let id = self.entry_ids[usize::from(text) % self.entry_ids.len()];
        let user = self.user();
        let refusals = self.unsaved.can_discard(user, id);
        let gone = self.wiki().autosave().discard(user, id, None);
        if agree(refusals, gone, error_code::of_autosave).is_some() {
            self.unsaved.discard(id);
        }
    }

    pub(super) fn rename_user(&mut self, name: u8) {
        let (user, name) = (self.user(), NAMES[usize::from(name)]);
        let mut others = self.state.names.iter().filter(|(id, _)| **id != user);
        let taken = others.any(|(_, other)| other == name);
        let refusals = Refusals::from_iter(taken.then_some("name_taken"));
        let renamed = self
            .wiki()
            .users()
            .rename(user, UserName::new(name).unwrap());
        if agree(refusals, renamed, error_code::of_register).is_some() {
            self.state.names.insert(user, name.to_owned());
        }
    }

    /// Checks that every text is offered back to its author, and to no other user.
    pub(super) fn compare_unsaved(&self) {
        for user in self.users {
            let expected: BTreeSet<_> = self
                .unsaved
                .of(user)
                .map(|((page, _, tab), entry)| {
                    let saved = |status| status != PageStatus::Draft;
                    let exists = self
                        .state
                        .pages
                        .get(page)
                        .is_some_and(|page| saved(page.status));
                    (*page, tab.to_string(), exists, entry.clone())
                })
                .collect();
            let offered = self
                .wiki()
                .autosave()
                .entries(user, None)
                .unwrap()
                .into_iter();
            let offered: BTreeSet<_> = offered
                .map(|entry| {
                    let head = entry.head;
                    let found = UnsavedEntry {
                        id: head.id,
                        base: head.base_revision,
                        count: head.seq,
                        source: entry.source.unwrap(),
                    };
                    (head.page_id, head.tab, entry.page_exists, found)
                })
                .collect();
            assert_eq!(offered, expected);
            let name = UserName::new(&self.state.names[&user]).unwrap();
            let found = self.wiki().users().named(&name).unwrap();
            assert_eq!(found.map(|found| found.id), Some(user));
        }
    }
}
