//! Views of the model, in the forms in which the wiki shows them.

use std::collections::{BTreeMap, BTreeSet};

use fumikura_wiki::{PageId, PageLink, PagePath};

use crate::state::{ModelState, Page, PageStatus};
use crate::text::{self, Form, Piece};

/// The state of a path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    Page(PageId),
    Draft(PageId),
    Moved(String),
    Nothing,
}

impl ModelState {
    /// The latest text as it is read.
    pub(crate) fn shown(&self, id: PageId) -> String {
        self.text_at(id, self.newest(id).0)
    }

    /// The text of a revision as it is read.
    pub(crate) fn text_at(&self, id: PageId, number: u64) -> String {
        let text = &self.pages[&id].revisions[&number].text;
        let targets = self.targets(id, text);
        text::shown(text, |page| self.name(page, &targets))
    }

    /// The pages that exist, by path.
    pub(crate) fn present(&self) -> Vec<(String, PageId)> {
        let there = self
            .pages
            .iter()
            .filter(|(_, page)| page.status == PageStatus::Existing);
        let mut all: Vec<_> = there.map(|(id, page)| (page.path.clone(), *id)).collect();
        all.sort_unstable();
        all
    }

    /// All current and former paths.
    pub(crate) fn paths(&self) -> BTreeSet<String> {
        let pages = self.pages.values();
        pages
            .flat_map(|page| page.left.keys().chain([&page.path]))
            .cloned()
            .collect()
    }

    pub(crate) fn resolve(&self, path: &str) -> Resolution {
        match self.at(path) {
            Some(id) if self.pages[&id].status == PageStatus::Existing => {
                return Resolution::Page(id);
            }
            Some(id) if !self.is_expired_draft(id) => return Resolution::Draft(id),
            Some(_) | None => {}
        }
        let there = self
            .pages
            .iter()
            .filter(|(_, page)| page.status == PageStatus::Existing);
        let left = there.filter_map(|(id, page)| Some((page.left.get(path)?, id, &page.path)));
        left.max().map_or(Resolution::Nothing, |(_, _, to)| {
            Resolution::Moved(to.clone())
        })
    }

    /// A page's title: the text after the mark of a heading with which the text begins.
    pub(crate) fn title(&self, id: PageId) -> Option<String> {
        self.title_naming(id, |page| {
            let exists = self.pages.get(&page)?.status == PageStatus::Existing;
            // Within the title of another page, links are named by their paths.
            exists.then(|| self.title_naming(page, |_| None)).flatten()
        })
    }

    /// The same; `title_of` returns the title of a page that it names.
    fn title_naming(
        &self,
        id: PageId,
        title_of: impl Fn(PageId) -> Option<String>,
    ) -> Option<String> {
        let text = &self.newest(id).1.text;
        let (Piece::Word(mark), rest) = text.split_first()? else {
            return None;
        };
        if mark != "#" || rest.is_empty() {
            return None;
        }
        let label = |piece: &Piece| match piece {
            Piece::Word(word) => word.clone(),
            Piece::Page(Form::Plain, _)
            | Piece::Path {
                form: Form::Plain, ..
            } => "l".to_owned(),
            Piece::Page(Form::Wiki, id)
            | Piece::Path {
                bound: Some(id), ..
            } => title_of(*id).unwrap_or_else(|| match self.last_path(*id) {
                Some(path) => text::last(&path).to_owned(),
                None => format!("page:{id}"),
            }),
            Piece::Path { written, .. } => text::last(written).to_owned(),
        };
        let words: Vec<String> = rest.iter().map(label).collect();
        Some(words.join(" "))
    }

    /// The targets of the links in a page's latest text.
    pub(crate) fn links(&self, id: PageId) -> BTreeSet<PageLink> {
        let base = &self.pages[&id].path;
        let link = |piece: &Piece| match piece {
            Piece::Word(_) => None,
            Piece::Page(_, id)
            | Piece::Path {
                bound: Some(id), ..
            } => Some(self.link_to(*id)),
            Piece::Path {
                written,
                bound: None,
                ..
            } => {
                let path = text::resolve(base, written)?;
                Some(PageLink::Waiting(PagePath::new(&path).expect("a path")))
            }
        };
        self.newest(id).1.text.iter().filter_map(link).collect()
    }

    fn link_to(&self, page_id: PageId) -> PageLink {
        let saved = self
            .pages
            .get(&page_id)
            .filter(|page| page.status != PageStatus::Draft);
        PageLink::Page {
            page_id,
            path: saved.map(|page| PagePath::new(&page.path).expect("a path")),
            deleted: saved.is_none_or(|page| page.status != PageStatus::Existing),
        }
    }

    /// The existing pages that link to one, in the order of their creation.
    pub(crate) fn backlinks(&self, to: PageId) -> Vec<PageId> {
        let links = |(id, page): &(&PageId, &Page)| {
            page.status == PageStatus::Existing
                && text::pages(&self.newest(**id).1.text).contains(&to)
        };
        self.pages.iter().filter(links).map(|(id, _)| *id).collect()
    }

    /// The entries directly beneath a path: the name, the page there, and the number of pages beneath that.
    pub(crate) fn children(&self, top: &str) -> BTreeMap<String, (Option<PageId>, u64)> {
        let mut children = BTreeMap::new();
        for (path, id) in self.present() {
            if path == top || !Self::within(&path, top) {
                continue;
            }
            let beneath = path[top.trim_end_matches('/').len()..].trim_start_matches('/');
            let (name, deeper) = match beneath.split_once('/') {
                Some((name, _)) => (name, true),
                None => (beneath, false),
            };
            let child: &mut (Option<PageId>, u64) = children.entry(name.to_owned()).or_default();
            if deeper {
                child.1 += 1;
            } else {
                child.0 = Some(id);
            }
        }
        children
    }

    /// All saved pages by path, then id; true for deleted ones.
    pub(crate) fn all(&self) -> Vec<(String, PageId, bool)> {
        let saved = self
            .pages
            .iter()
            .filter(|(_, page)| page.status != PageStatus::Draft);
        let mut all: Vec<_> = saved
            .map(|(id, page)| (page.path.clone(), *id, page.status != PageStatus::Existing))
            .collect();
        all.sort_unstable();
        all
    }

    /// The current locks by id, with the names of their holders.
    pub(crate) fn locks(&self) -> BTreeSet<(PageId, String)> {
        let held = self
            .pages
            .keys()
            .filter_map(|id| Some((*id, self.held(*id)?)));
        held.map(|(id, lock)| (id, self.names[&lock.user].clone()))
            .collect()
    }
}
