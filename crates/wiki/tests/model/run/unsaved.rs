//! Steps with autosave entries and user names.

use std::collections::BTreeSet;

use fumikura_wiki::*;

use super::{Run, agree, page_path};
use crate::refusal;
use crate::state::{Life, Refusals};
use crate::unsaved::Typed;

const NAMES: [&str; 3] = ["Aya", "Ben", "あや"];

impl Run {
    /// Stores an autosave entry, for a page that may be gone.
    pub(super) fn put_away(&mut self, page: u8, tab: u8, base: u64, count: u64) {
        let page_id = self.known[usize::from(page) % self.known.len()];
        let desk = (page_id, self.user(), tab);
        let base = Some(base).filter(|base| *base > 0);
        let refusals = self.unsaved.can_put(desk, base, count);
        let source = self.count.to_string();
        let put = self.wiki().put_unsaved(UnsavedText {
            page_id,
            user: desk.1,
            tab: tab.to_string(),
            path: page_path("/typed"),
            base_revision: base,
            seq: count,
            source: source.clone(),
        });
        if let Some(id) = agree(refusals, put, refusal::of_journal) {
            let typed = Typed {
                id,
                base,
                count,
                source,
            };
            self.unsaved.put(desk, typed);
            self.known_texts.push(id);
        }
    }

    pub(super) fn discard(&mut self, text: u8) {
        if self.known_texts.is_empty() {
            return;
        }
        let id = self.known_texts[usize::from(text) % self.known_texts.len()];
        let user = self.user();
        let refusals = self.unsaved.can_discard(user, id);
        let gone = self.wiki().discard_unsaved(user, id, None);
        if agree(refusals, gone, refusal::of_journal).is_some() {
            self.unsaved.discard(id);
        }
    }

    pub(super) fn call_oneself(&mut self, name: u8) {
        let (user, name) = (self.user(), NAMES[usize::from(name)]);
        let mut others = self.state.names.iter().filter(|(id, _)| **id != user);
        let taken = others.any(|(_, other)| other == name);
        let refusals = Refusals::from_iter(taken.then_some("name_taken"));
        let renamed = self.wiki().rename_user(user, UserName::new(name).unwrap());
        if agree(refusals, renamed, refusal::of_register).is_some() {
            self.state.names.insert(user, name.to_owned());
        }
    }

    /// Checks that every text is offered back to its author, and to no other user.
    pub(super) fn compare_unsaved(&self) {
        for user in self.users {
            let expected: BTreeSet<_> = self
                .unsaved
                .of(user)
                .map(|((page, _, tab), typed)| {
                    let saved = |life| life != Life::Draft;
                    let exists = self
                        .state
                        .pages
                        .get(page)
                        .is_some_and(|page| saved(page.life));
                    (*page, tab.to_string(), exists, typed.clone())
                })
                .collect();
            let offered = self.wiki().unsaved(user, None).unwrap().into_iter();
            let offered: BTreeSet<_> = offered
                .map(|entry| {
                    let head = entry.head;
                    let typed = Typed {
                        id: head.id,
                        base: head.base_revision,
                        count: head.seq,
                        source: entry.source.unwrap(),
                    };
                    (head.page_id, head.tab, entry.page_exists, typed)
                })
                .collect();
            assert_eq!(offered, expected);
            let name = UserName::new(&self.state.names[&user]).unwrap();
            let found = self.wiki().user_named(&name).unwrap();
            assert_eq!(found.map(|found| found.id), Some(user));
        }
    }
}
