//! Renames, deletes and restores pages of the model.

use std::collections::BTreeSet;

use fumikura_wiki::{LockToken, PageId, UserId};

use crate::state::{ModelState, Page, PageStatus, Refusals, Revision};
use crate::text;

impl ModelState {
    /// The pages that move with a page: itself, and with `recursive` all live ones beneath it.
    pub(crate) fn moving(&self, id: PageId, recursive: bool) -> Vec<PageId> {
        if !recursive {
            return vec![id];
        }
        let mut ids = self.subtree(&self.pages[&id].path);
        ids.retain(|id| !self.is_expired_draft(*id));
        ids
    }

    /// The new path of each of them.
    pub(crate) fn moved_paths(
        &self,
        id: PageId,
        ids: &[PageId],
        to: &str,
    ) -> Vec<(PageId, String)> {
        let top = &self.pages[&id].path;
        ids.iter()
            .map(|moving| {
                let rest = &self.pages[moving].path[top.len()..];
                (
                    *moving,
                    format!("{}{rest}", if to == "/" { "" } else { to }),
                )
            })
            .map(|(id, path)| {
                (
                    id,
                    if path.is_empty() {
                        "/".to_owned()
                    } else {
                        path
                    },
                )
            })
            .collect()
    }

    pub(crate) fn can_rename(
        &self,
        id: PageId,
        to: &str,
        recursive: bool,
        token: Option<LockToken>,
    ) -> Refusals {
        let page = &self.pages[&id];
        match page.status {
            PageStatus::Draft => return self.draft_refusal(id),
            PageStatus::Deleted { .. } => return Refusals::from(["deleted"]),
            PageStatus::Existing => {}
        }
        let ids = self.moving(id, recursive);
        let mut refusals = self.gate(&ids, token);
        if page.path == "/" {
            refusals.insert("root_protected");
        }
        if recursive && to != page.path && Self::within(to, &page.path) {
            refusals.insert("into_itself");
        }
        for (_, path) in self.moved_paths(id, &ids, to) {
            let conflict = self
                .at(&path)
                .filter(|there| !self.is_expired_draft(*there));
            // Pages that move along make room, but a page never makes room for itself.
            if conflict.is_some_and(|there| !ids.contains(&there) || to == page.path) {
                refusals.insert("path_taken");
            }
        }
        refusals
    }

    pub(crate) fn rename(&mut self, id: PageId, to: &str, recursive: bool, user: UserId) {
        let ids = self.moving(id, recursive);
        let moves = self.moved_paths(id, &ids, to);
        if recursive {
            // Expired drafts do not move along.
            let top = self.pages[&id].path.clone();
            for draft in self.subtree(&top) {
                if self.is_expired_draft(draft) {
                    self.pages.remove(&draft);
                }
            }
        }
        for (_, path) in &moves {
            if !ids.iter().any(|id| self.pages[id].path == *path) {
                self.clear(path);
            }
        }
        let now = self.now;
        for (id, path) in moves {
            let page = self.pages.get_mut(&id).expect("what moves is there");
            let from = std::mem::replace(&mut page.path, path.clone());
            if page.status == PageStatus::Draft {
                continue;
            }
            let (number, newest) = page.revisions.last_key_value().expect("it is saved");
            let revision = Revision {
                text: text::canonical(&newest.text),
                author: user,
                user_name: self.names[&user].clone(),
                amends: 0,
                rename: Some((
                    Some(page.unrecorded_path.take().unwrap_or_else(|| from.clone())),
                    path,
                )),
            };
            let number = number + 1;
            page.freeze();
            page.revisions.insert(number, revision);
            page.left.insert(from, now);
        }
        self.bind();
    }

    pub(crate) fn can_delete(
        &self,
        id: PageId,
        recursive: bool,
        hard: bool,
        token: Option<LockToken>,
    ) -> Refusals {
        let page = &self.pages[&id];
        match page.status {
            PageStatus::Deleted { .. } if !hard => return Refusals::from(["deleted"]),
            PageStatus::Deleted { .. } => {
                return Refusals::from_iter(token.map(|_| "lock_invalid"));
            }
            PageStatus::Draft if self.is_expired_draft(id) => {
                return Refusals::from(["not_found"]);
            }
            PageStatus::Draft | PageStatus::Existing => {}
        }
        let ids = self.moving(id, recursive);
        let mut refusals = self.gate(&ids, token);
        if page.path == "/" {
            refusals.insert("root_protected");
        }
        refusals
    }

    pub(crate) fn delete(&mut self, id: PageId, recursive: bool, hard: bool, user: UserId) {
        let path = self.pages[&id].path.clone();
        let ids = match self.pages[&id].status {
            PageStatus::Deleted { .. } => self.group(id, recursive),
            PageStatus::Draft | PageStatus::Existing if recursive => self.subtree(&path),
            PageStatus::Draft | PageStatus::Existing => vec![id],
        };
        self.deletions += 1;
        for id in ids {
            let page = self.pages.get_mut(&id).expect("it is there");
            if hard || page.status == PageStatus::Draft {
                let is_draft = page.status == PageStatus::Draft;
                let path = page.path.clone();
                self.pages.remove(&id);
                if !is_draft {
                    self.unlink(id, &path);
                    self.erased.insert(id, path);
                }
            } else {
                page.lock = None;
                page.status = PageStatus::Deleted {
                    at: self.now,
                    group: self.deletions,
                };
                page.deleted_by.clone_from(&self.names[&user]);
            }
        }
    }

    /// The page in the trash, and with `recursive` the subpages that were deleted with it.
    fn group(&self, id: PageId, recursive: bool) -> Vec<PageId> {
        let top = &self.pages[&id];
        let PageStatus::Deleted { group, .. } = top.status else {
            return vec![id];
        };
        let with_it = |page: &Page| {
            matches!(page.status, PageStatus::Deleted { group: other, .. } if other == group)
                && Self::within(&page.path, &top.path)
        };
        let ids = self.pages.iter().filter(|(_, page)| with_it(page));
        ids.map(|(id, _)| *id)
            .filter(|other| recursive || *other == id)
            .collect()
    }

    pub(crate) fn can_restore(&self, id: PageId, to: &str, recursive: bool) -> Refusals {
        if self.pages[&id].status == PageStatus::Draft {
            return self.draft_refusal(id);
        }
        if self.pages[&id].status == PageStatus::Existing {
            return Refusals::from(["not_deleted"]);
        }
        let ids = self.group(id, recursive);
        let paths = self.moved_paths(id, &ids, to);
        let taken = |path: &String| {
            self.at(path)
                .is_some_and(|there| !self.is_expired_draft(there))
        };
        let mut seen = BTreeSet::new();
        let mut refusals = Refusals::new();
        if paths
            .iter()
            .any(|(_, path)| taken(path) || !seen.insert(path))
        {
            refusals.insert("path_taken");
        }
        refusals
    }

    pub(crate) fn restore(&mut self, id: PageId, to: &str, recursive: bool) {
        let ids = self.group(id, recursive);
        for (id, path) in self.moved_paths(id, &ids, to) {
            self.clear(&path);
            let page = self.pages.get_mut(&id).expect("it is in the bin");
            let PageStatus::Deleted { at, .. } = page.status else {
                panic!("it is not in the bin");
            };
            page.status = PageStatus::Existing;
            let from = std::mem::replace(&mut page.path, path);
            if from != page.path {
                let made_at = page.unrecorded_path.take().unwrap_or_else(|| from.clone());
                page.unrecorded_path = Some(made_at).filter(|made_at| *made_at != page.path);
                // It left its path when it was deleted.
                page.left.insert(from, at);
                // The latest text is respelled independently of the path.
                if let Some(mut newest) = page.revisions.last_entry() {
                    let text = text::canonical(&newest.get().text);
                    newest.get_mut().text = text;
                }
            }
        }
        self.bind();
    }
}
