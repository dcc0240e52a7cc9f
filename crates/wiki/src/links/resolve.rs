//! Resolution of a path to a page, for a page whose links are known: no link changes its target silently.

use std::collections::{BTreeSet, HashMap};

use super::destination::{Meaning, meaning};
use super::display::bindings_of;
use super::scan::{Destination, scan};
use super::trash_path::TrashPath;
use crate::id::PageId;
use crate::model::link::{LinkTarget, PageLinks};
use crate::path::PagePath;
use crate::repository::{page_at, path_state, present_path};
use crate::store::{
    DELETED_PAGE_PATH, DELETION, FORMER_PATHS, LEFT_PATH, Read, ReadSets, StorageError,
};

/// The meaning of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Choice {
    /// No page. The link waits for one.
    Nothing,
    /// The page at the path, which was linked to already.
    Linked(PageId),
    /// The page at the path, which was not linked to before.
    Unlinked(PageId),
    /// The page that was linked to and has left the path. The second field is the page at the path now, if any.
    Former(PageId, Option<PageId>),
    /// The page that the path names as one in the trash.
    InTrash(PageId),
    /// A page was erased that the path named as one in the trash. The link waits for a page at its last path.
    Erased(PagePath),
}

impl Choice {
    pub(super) fn page(&self) -> Option<PageId> {
        match self {
            Self::Nothing | Self::Erased(_) => None,
            Self::Linked(page)
            | Self::Unlinked(page)
            | Self::Former(page, _)
            | Self::InTrash(page) => Some(*page),
        }
    }
}

/// The paths in a text whose author has read the page as it is shown now: each means the page at it.
pub(super) struct KnownPaths {
    /// Paths that are shown and mean other pages, because they can't be replaced.
    except: BTreeSet<PagePath>,
}

impl KnownPaths {
    /// `shown` is the text as it is shown, `before` the page's row for it.
    pub(super) fn in_text(shown: &str, base: &PagePath, before: Option<&PageLinks>) -> Self {
        let bound = bindings_of(before.iter().flat_map(|before| &before.targets));
        if bound.is_empty() {
            let except = BTreeSet::new();
            return Self { except };
        }
        let path = |link: &Destination| match meaning(&link.value, base) {
            Meaning::Path(path) => bound.contains_key(&path).then_some(path),
            Meaning::Page(_) | Meaning::Asset(..) | Meaning::Other => None,
        };
        let except = scan(shown).iter().filter_map(path).collect();
        Self { except }
    }
}

/// Resolves paths for one page.
pub(super) struct Resolver<'t, T> {
    pub(super) txn: &'t T,
    /// The pages that the page's latest revision links to.
    pub(super) linked: BTreeSet<PageId>,
    /// The paths at which its links wait for a page.
    waiting: BTreeSet<PagePath>,
    /// Set if the author of the text knew the page at each path.
    known: Option<KnownPaths>,
    /// The current paths of linked pages, as far as they are known, mapped to the pages.
    known_paths: HashMap<PagePath, PageId>,
    choices: HashMap<PagePath, Choice>,
}

impl<'t, T: Read + ReadSets> Resolver<'t, T> {
    /// `before` is the page's row for its latest revision, `links` the number of links to resolve.
    pub(super) fn new(
        txn: &'t T,
        before: Option<&PageLinks>,
        links: usize,
        known: Option<KnownPaths>,
    ) -> Result<Self, StorageError> {
        let targets = before.map_or(&[][..], |before| &before.targets);
        let linked: BTreeSet<PageId> = targets.iter().filter_map(LinkTarget::page).collect();
        let waiting = targets.iter().filter_map(LinkTarget::waiting).cloned();
        let waiting = waiting.collect();
        let mut known_paths = HashMap::new();
        // Most links lead to pages that were linked to before. Reading the paths of these pages is faster than
        // reading the page at each path, unless most of the pages are no longer linked.
        if linked.len() <= links * 2 {
            for page in &linked {
                if let Some(path) = present_path(txn, *page)? {
                    known_paths.insert(path, *page);
                }
            }
        }
        Ok(Self {
            txn,
            linked,
            waiting,
            known,
            known_paths,
            choices: HashMap::new(),
        })
    }

    /// Returns the meaning of the path: first a page at the path that is already linked to, then a page that is
    /// already linked to and once had the path, then any page at the path, or the other way round if the author
    /// knew which page that is. A path that names a page in the trash
    /// means that page, unless another page is at the path and the page in the trash was not linked to before.
    pub(super) fn choose(&mut self, path: &PagePath) -> Result<Choice, StorageError> {
        if let Some(page) = self.known_paths.get(path) {
            return Ok(Choice::Linked(*page));
        }
        if let Some(choice) = self.choices.get(path) {
            return Ok(choice.clone());
        }
        let here = page_at(self.txn, path)?;
        let choice = match here {
            Some(page) if self.linked.contains(&page) => Choice::Linked(page),
            Some(page) if self.is_known(path) => Choice::Unlinked(page),
            here => match (here, self.former(path, here)?) {
                (here, Some(former)) => Choice::Former(former, here),
                (here, None) => match (self.named_in_trash(path, here)?, here) {
                    (Some(choice), _) => choice,
                    (None, Some(page)) => Choice::Unlinked(page),
                    (None, None) => Choice::Nothing,
                },
            },
        };
        self.choices.insert(path.clone(), choice.clone());
        Ok(choice)
    }

    fn is_known(&self, path: &PagePath) -> bool {
        let known = self.known.as_ref();
        known.is_some_and(|known| !known.except.contains(path))
    }

    /// Returns the meaning of a path as the name of a page in the trash: first a page that is already linked to, in the
    /// trash or restored since, then any page in the trash, then what became of a linked page that was erased.
    fn named_in_trash(
        &self,
        path: &PagePath,
        here: Option<PageId>,
    ) -> Result<Option<Choice>, StorageError> {
        let Some(name) = TrashPath::parse(path) else {
            return Ok(None);
        };
        if self.waiting.contains(path) {
            return Ok(None);
        }
        let mut page = name.page(self.txn, |page| self.linked.contains(&page))?;
        if page.is_none() {
            page = name.restored_page(self.txn, &self.linked)?;
        }
        if page.is_none() && here.is_none() {
            page = name.page(self.txn, |_| true)?;
            if page.is_none() {
                page = page_at(self.txn, &name.last)?.filter(|page| self.linked.contains(page));
            }
            if page.is_none() && self.waiting.contains(&name.last) {
                return Ok(Some(Choice::Erased(name.last)));
            }
        }
        Ok(page.map(Choice::InTrash))
    }

    /// Returns the linked page that left the path last, unless it is the page at the path.
    pub(super) fn former(
        &self,
        path: &PagePath,
        here: Option<PageId>,
    ) -> Result<Option<PageId>, StorageError> {
        if self.linked.is_empty() {
            return Ok(None);
        }
        let former = last_page_at(self.txn, path, |page| self.linked.contains(&page))?;
        Ok(former.filter(|former| here != Some(*former)))
    }

    /// Returns the pages whose current paths are known.
    pub(super) fn into_known_paths(self) -> HashMap<PageId, PagePath> {
        let mut known_paths: HashMap<PageId, PagePath> = self
            .known_paths
            .into_iter()
            .map(|(path, page)| (page, path))
            .collect();
        for (path, choice) in self.choices {
            if let Choice::Linked(page) | Choice::Unlinked(page) = choice {
                known_paths.insert(page, path);
            }
        }
        known_paths
    }
}

/// Returns the page that left the path last, deleted ones included, among those for which `is_candidate` is true.
pub(super) fn last_page_at(
    txn: &(impl Read + ReadSets),
    path: &PagePath,
    is_candidate: impl Fn(PageId) -> bool,
) -> Result<Option<PageId>, StorageError> {
    let mut latest = None;
    for id in txn.ids(LEFT_PATH, path.as_str())? {
        let page = PageId::from_bytes(id);
        // Erased pages give up their paths.
        if is_candidate(page) && path_state(txn, page)?.is_some() {
            let former = txn.get(FORMER_PATHS, &id)?.unwrap_or_default();
            let left = former.paths.iter().find(|former| former.path == *path);
            latest = latest.max(left.map(|left| (left.left_at, id)));
        }
    }
    for id in txn.ids(DELETED_PAGE_PATH, path.as_str())? {
        if is_candidate(PageId::from_bytes(id)) {
            let deletion = txn.get(DELETION, &id)?;
            latest = latest.max(deletion.map(|deletion| (deletion.deleted_at, id)));
        }
    }
    Ok(latest.map(|(_, id)| PageId::from_bytes(id)))
}
