//! Which page a path means, on a page whose links are known: no link changes its target in silence.

use std::collections::{BTreeSet, HashMap};

use crate::id::PageId;
use crate::model::link::{LinkTarget, PageLinks};
use crate::model::page::{PageIndex, PagePathState};
use crate::path::PagePath;
use crate::store::{
    DELETED_PAGE_PATH, DELETION, FORMER_PATHS, LEFT_PATH, PAGE_INDEX, PAGE_PATH, Read, ReadSets,
    StorageError,
};

/// What a path means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// No page. The link waits for one.
    Nothing,
    /// The page that stands there, which was linked to.
    Linked(PageId),
    /// The page that stands there.
    Here(PageId),
    /// The page that was linked to and has left the path. Another one may stand there now.
    Former(PageId, Option<PageId>),
}

impl Choice {
    pub(super) fn page(self) -> Option<PageId> {
        match self {
            Self::Nothing => None,
            Self::Linked(page) | Self::Here(page) | Self::Former(page, _) => Some(page),
        }
    }
}

/// Looks paths up for one page.
pub(super) struct Resolver<'t, T> {
    pub(super) txn: &'t T,
    /// The pages that the page's newest revision links to.
    pub(super) linked: BTreeSet<PageId>,
    /// Those of which it is known where they stand, the other way round.
    standing: HashMap<PagePath, PageId>,
    known: HashMap<PagePath, Choice>,
}

impl<'t, T: Read + ReadSets> Resolver<'t, T> {
    /// `before` is what the page's row says of its newest revision, `links` how many links there are to
    /// look up.
    pub(super) fn new(
        txn: &'t T,
        before: Option<&PageLinks>,
        links: usize,
    ) -> Result<Self, StorageError> {
        let targets = before.map_or(&[][..], |before| &before.targets);
        let linked: BTreeSet<PageId> = targets.iter().filter_map(LinkTarget::page).collect();
        let mut standing = HashMap::new();
        // Most links are to pages that were linked to before. Where they stand is found sooner than what
        // stands at a path, unless most of them are gone.
        if linked.len() <= links * 2 {
            for page in &linked {
                if let Some(path) = present_path(txn, *page)? {
                    standing.insert(path, *page);
                }
            }
        }
        Ok(Self {
            txn,
            linked,
            standing,
            known: HashMap::new(),
        })
    }

    /// What the path means: first a page that is linked to already and stands there, then one that is
    /// linked to already and stood there once, then whichever stands there.
    pub(super) fn choose(&mut self, path: &PagePath) -> Result<Choice, StorageError> {
        if let Some(page) = self.standing.get(path) {
            return Ok(Choice::Linked(*page));
        }
        if let Some(choice) = self.known.get(path) {
            return Ok(*choice);
        }
        let here = page_at(self.txn, path)?;
        let choice = match here {
            Some(page) if self.linked.contains(&page) => Choice::Linked(page),
            here => match (here, self.former(path, here)?) {
                (here, Some(former)) => Choice::Former(former, here),
                (Some(page), None) => Choice::Here(page),
                (None, None) => Choice::Nothing,
            },
        };
        self.known.insert(path.clone(), choice);
        Ok(choice)
    }

    /// Of the pages that are linked to, the one that left the path last, unless it is the one that stands
    /// there.
    pub(super) fn former(
        &self,
        path: &PagePath,
        here: Option<PageId>,
    ) -> Result<Option<PageId>, StorageError> {
        if self.linked.is_empty() {
            return Ok(None);
        }
        let former = last_to_leave(self.txn, path, |page| self.linked.contains(&page))?;
        Ok(former.filter(|former| here != Some(*former)))
    }

    /// The pages of which it is known where they stand.
    pub(super) fn into_standing(self) -> HashMap<PageId, PagePath> {
        let mut standing: HashMap<PageId, PagePath> = self
            .standing
            .into_iter()
            .map(|(path, page)| (page, path))
            .collect();
        for (path, choice) in self.known {
            if let Choice::Linked(page) | Choice::Here(page) = choice {
                standing.insert(page, path);
            }
        }
        standing
    }
}

/// Of the pages that are `asked` for, the one that left the path last, deleted ones included.
pub(super) fn last_to_leave(
    txn: &(impl Read + ReadSets),
    path: &PagePath,
    asked: impl Fn(PageId) -> bool,
) -> Result<Option<PageId>, StorageError> {
    let mut latest = None;
    for id in txn.ids(LEFT_PATH, path.as_str())? {
        let page = PageId::from_bytes(id);
        // Erased pages leave their paths to others.
        if asked(page) && path_state(txn, page)?.is_some() {
            let former = txn.get(FORMER_PATHS, &id)?.unwrap_or_default();
            let left = former.paths.iter().find(|former| former.path == *path);
            latest = latest.max(left.map(|left| (left.left_at, id)));
        }
    }
    for id in txn.ids(DELETED_PAGE_PATH, path.as_str())? {
        if asked(PageId::from_bytes(id)) {
            let deletion = txn.get(DELETION, &id)?;
            latest = latest.max(deletion.map(|deletion| (deletion.deleted_at, id)));
        }
    }
    Ok(latest.map(|(_, id)| PageId::from_bytes(id)))
}

/// The saved page that stands at a path. A draft is none yet.
pub(super) fn page_at(txn: &impl Read, path: &PagePath) -> Result<Option<PageId>, StorageError> {
    let Some(id) = txn.get(PAGE_PATH, path.as_str())? else {
        return Ok(None);
    };
    Ok(match txn.get(PAGE_INDEX, &id)? {
        Some(PageIndex::Page(info)) => Some(info.page_id),
        Some(PageIndex::Draft(_)) | None => None,
    })
}

/// Where a page stands or stood; none for a draft, or a page that is gone.
pub(super) fn path_state(
    txn: &impl Read,
    page: PageId,
) -> Result<Option<PagePathState>, StorageError> {
    Ok(match txn.get(PAGE_INDEX, &page.to_bytes())? {
        Some(PageIndex::Page(info)) => Some(info.path_state),
        Some(PageIndex::Draft(_)) | None => None,
    })
}

/// The path of a page that is there now.
pub(crate) fn present_path(
    txn: &impl Read,
    page: PageId,
) -> Result<Option<PagePath>, StorageError> {
    Ok(match path_state(txn, page)? {
        Some(PagePathState::Current(path)) => Some(path),
        Some(PagePathState::LastDeleted(_)) | None => None,
    })
}
