//! The targets of the links in texts, and the form in which they are shown.

use std::collections::BTreeSet;

use fumikura_wiki::PageId;

use crate::state::{ModelState, PageStatus};
use crate::text::{self, Form, Piece, Text};

/// The targets of the links in a text.
pub(crate) struct Targets {
    pub(crate) pages: BTreeSet<PageId>,
    /// Paths without pages.
    pub(crate) waiting: BTreeSet<String>,
}

impl ModelState {
    /// The name of a page in a text with these link targets: its path, or its last path, marked unless it still refers to the page.
    pub(crate) fn name(&self, id: PageId, Targets { pages, waiting }: &Targets) -> String {
        let path = match self.pages.get(&id) {
            Some(page) if matches!(page.status, PageStatus::Deleted { .. }) => {
                let is_free = self.saved_at(&page.path).is_none();
                if is_free && self.was_at(&page.path, pages) == Some(id) {
                    Some(page.path.clone())
                } else {
                    self.trash_path(id, waiting)
                }
            }
            Some(_) | None => self.last_path(id),
        };
        path.unwrap_or_else(|| format!("page:{id}"))
    }

    /// The paths at which a text of a page waits for pages.
    fn waiting(&self, id: PageId, text: &[Piece]) -> BTreeSet<String> {
        let base = &self.pages[&id].path;
        let path = |piece: &Piece| match piece {
            Piece::Path {
                written,
                bound: None,
                ..
            } => text::resolve(base, written),
            Piece::Path { .. } | Piece::Page(..) | Piece::Word(_) => None,
        };
        text.iter().filter_map(path).collect()
    }

    /// The current or last path of a page.
    pub(crate) fn last_path(&self, id: PageId) -> Option<String> {
        let saved = self
            .pages
            .get(&id)
            .filter(|page| page.status != PageStatus::Draft);
        let path = saved
            .map(|page| &page.path)
            .or_else(|| self.erased.get(&id));
        path.cloned()
    }

    /// Turns links to an erased page into links to its last path.
    pub(crate) fn unlink(&mut self, id: PageId, path: &str) {
        let here = self.saved_at(path);
        for page in self.pages.values_mut() {
            let Some(mut newest) = page.revisions.last_entry() else {
                continue;
            };
            for piece in &mut newest.get_mut().text {
                let form = match piece {
                    Piece::Page(form, to) if *to == id => *form,
                    Piece::Path { form, bound, .. } if *bound == Some(id) => *form,
                    Piece::Page(..) | Piece::Path { .. } | Piece::Word(_) => continue,
                };
                *piece = Piece::Path {
                    form,
                    written: path.to_owned(),
                    bound: here,
                };
            }
        }
    }

    /// Parses a text that a user wrote for this page.
    pub(crate) fn read(&self, id: PageId, source: &str) -> Text {
        let page = &self.pages[&id];
        let newest = page.revisions.last_key_value();
        let newest = newest.map(|(_, revision)| revision.text.as_slice());
        let before = self.targets(id, newest.unwrap_or_default());
        text::parts(source)
            .map(|part| match part {
                Err(word) => Piece::Word(word.to_owned()),
                // A page that is about to be created may link to itself.
                Ok((form, written))
                    if text::resolve(&page.path, written).as_ref() == Some(&page.path) =>
                {
                    Piece::Page(form, id)
                }
                Ok((form, written)) => self.read_link(&page.path, &before, form, written),
            })
            .collect()
    }

    pub(crate) fn read_link(
        &self,
        base: &str,
        before: &Targets,
        form: Form,
        written: &str,
    ) -> Piece {
        if let Some(id) = written.strip_prefix("page:") {
            return Piece::Page(form, id.parse().expect("ids are written whole"));
        }
        let path = |written: &str| Piece::Path {
            form,
            written: written.to_owned(),
            bound: None,
        };
        // A path above the root has no target, until the page is at a deeper path.
        let Some(target) = text::resolve(base, written) else {
            return path(written);
        };
        let linked = &before.pages;
        let here = self.saved_at(&target);
        let known = here.filter(|id| linked.contains(id));
        let known = known.or(here.filter(|_| self.author_knows_paths));
        let mut page = known.or_else(|| self.was_at(&target, linked));
        if !before.waiting.contains(&target) {
            page = page.or_else(|| self.was_in_trash(&target, linked));
            let last =
                ModelState::last_path_in(&target).filter(|_| page.is_none() && here.is_none());
            if let Some(last) = last {
                let there = || self.saved_at(last).filter(|id| linked.contains(id));
                page = self.in_trash(&target, |_| true).or_else(there);
                if page.is_none() && before.waiting.contains(last) {
                    return path(last);
                }
            }
        }
        page.or(here)
            .map_or_else(|| path(written), |id| Piece::Page(form, id))
    }

    /// The targets of the links in a page's text.
    pub(crate) fn targets(&self, id: PageId, text: &[Piece]) -> Targets {
        Targets {
            pages: text::pages(text),
            waiting: self.waiting(id, text),
        }
    }

    /// The page that left the path last, among these pages.
    fn was_at(&self, path: &str, linked: &BTreeSet<PageId>) -> Option<PageId> {
        let left = |id: &PageId| {
            let page = self.pages.get(id)?;
            let deleted = match page.status {
                PageStatus::Deleted { at, .. } if page.path == path => Some(at),
                PageStatus::Deleted { .. } | PageStatus::Draft | PageStatus::Existing => None,
            };
            let at = page.left.get(path).copied().max(deleted)?;
            Some((at, *id))
        };
        linked.iter().filter_map(left).max().map(|(_, id)| id)
    }
}
