//! The targets of the links in texts, and the form in which they are shown.

use std::collections::BTreeSet;

use fumikura_wiki::PageId;

use crate::state::{PageStatus, State};
use crate::text::{self, Form, Piece, Text};

impl State {
    /// The name of a page in a text that links to `linked`: its path, or its last path as long as that
    /// still refers to the page.
    pub(crate) fn name(&self, id: PageId, linked: &BTreeSet<PageId>) -> String {
        let shown = match self.pages.get(&id) {
            Some(page) if page.status == PageStatus::Existing => true,
            Some(page) => {
                let is_free = self.saved_at(&page.path).is_none();
                is_free && self.was_at(&page.path, linked) == Some(id)
            }
            None => true,
        };
        let path = self.last_path(id).filter(|_| shown);
        path.unwrap_or_else(|| format!("page:{id}"))
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
        let linked = page
            .revisions
            .last_key_value()
            .map(|(_, revision)| text::pages(&revision.text))
            .unwrap_or_default();
        text::parts(source)
            .map(|part| match part {
                Err(word) => Piece::Word(word.to_owned()),
                // A page that is about to be created may link to itself.
                Ok((form, written))
                    if text::resolve(&page.path, written).as_ref() == Some(&page.path) =>
                {
                    Piece::Page(form, id)
                }
                Ok((form, written)) => self.read_link(&page.path, &linked, form, written),
            })
            .collect()
    }

    pub(crate) fn read_link(
        &self,
        base: &str,
        linked: &BTreeSet<PageId>,
        form: Form,
        written: &str,
    ) -> Piece {
        if let Some(id) = written.strip_prefix("page:") {
            return Piece::Page(form, id.parse().expect("ids are written whole"));
        }
        // A path above the root has no target, until the page is at a deeper path.
        let target = text::resolve(base, written).and_then(|path| {
            let here = self.saved_at(&path);
            let known = here.filter(|id| linked.contains(id));
            known.or_else(|| self.was_at(&path, linked)).or(here)
        });
        match target {
            Some(id) => Piece::Page(form, id),
            None => Piece::Path {
                form,
                written: written.to_owned(),
                bound: None,
            },
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
