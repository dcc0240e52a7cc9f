//! The pages of a moment, derived from the revisions, the deletions and the path history.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::rc::Rc;

use jiff::Timestamp;

use crate::id::PageId;
use crate::latest_text::revision_row;
use crate::links::{self, Bindings};
use crate::model::page::{PageInfo, PagePathState, PageSource, RenameInfo, SourceHead};
use crate::page_names::PageNames;
use crate::pages;
use crate::path::PagePath;
use crate::repository;
use crate::store::{
    DELETED_PAGE_PATH, DELETION, Direction, FORMER_PATHS, LEFT_PATH, PAGE_PATH, PAGE_SOURCE,
    PAGE_TITLE, Read, ReadSets, ReadTxn, StorageError, UNRECORDED_MOVE,
};
use crate::tree::path_at;

/// The wiki as of a moment.
pub(crate) struct PastView<'t> {
    pub(super) txn: &'t ReadTxn,
    pub(super) at: Timestamp,
    pages: RefCell<HashMap<PageId, Rc<PastState>>>,
}

/// A page at a moment.
pub(super) enum PastState {
    /// It had no revision yet.
    Unwritten {
        /// The path at which it was created.
        first_path: PagePath,
    },
    /// Its revisions of that time were removed.
    Removed {
        /// The time of the oldest revision that still exists.
        oldest: Timestamp,
        /// The path before that revision, as far as it is known.
        path: PagePath,
    },
    InTrash {
        last_path: PagePath,
    },
    Present(Box<PastPage>),
}

/// A page that was not in the trash at a moment, as far as its own rows show.
#[derive(Clone)]
pub(crate) struct PastPage {
    pub(crate) info: PageInfo,
    /// The newest revision that is not later than the moment.
    pub(crate) head: SourceHead,
    pub(crate) path: PagePath,
    /// The time at which it left its recorded path without a revision: it was in the trash from then on, and came to
    /// `path` at an unknown time.
    moved_after: Option<Timestamp>,
}

impl<'t> PastView<'t> {
    pub(crate) fn new(txn: &'t ReadTxn, at: Timestamp) -> Self {
        Self {
            txn,
            at,
            pages: RefCell::default(),
        }
    }

    /// Returns the page that was at a path.
    pub(crate) fn find(&self, path: &PagePath) -> Result<Option<PastPage>, StorageError> {
        let mut claims = Vec::new();
        for page in self.pages_that_had(path)? {
            if let Some(state) = self.state(page)?
                && let PastState::Present(page) = &*state
                && page.path == *path
            {
                claims.push(PastPage::clone(page));
            }
        }
        self.owner(claims)
    }

    /// Returns the page if it was not in the trash.
    pub(crate) fn present(&self, page: PageId) -> Result<Option<PastPage>, StorageError> {
        let Some(state) = self.state(page)? else {
            return Ok(None);
        };
        let PastState::Present(page) = &*state else {
            return Ok(None);
        };
        let owner = self.find(&page.path)?;
        Ok(owner.filter(|owner| owner.info.page_id == page.info.page_id))
    }

    /// Returns all pages by path.
    pub(crate) fn all(&self) -> Result<BTreeMap<PagePath, PastPage>, StorageError> {
        let mut claims: BTreeMap<PagePath, Vec<PastPage>> = BTreeMap::new();
        for info in repository::all_saved(self.txn)? {
            let id = info.page_id;
            let state = Rc::new(self.read(info)?);
            if let PastState::Present(page) = &*state {
                let claims = claims.entry(page.path.clone()).or_default();
                claims.push(PastPage::clone(page));
            }
            self.pages.borrow_mut().insert(id, state);
        }
        let mut pages = BTreeMap::new();
        for (path, claims) in claims {
            pages.extend(self.owner(claims)?.map(|page| (path, page)));
        }
        Ok(pages)
    }

    /// Returns the text of a page as people read it at the moment.
    pub(crate) fn text(&self, page: &PastPage, stored: &str) -> Result<String, StorageError> {
        links::display_past_text(self, page.info.page_id, &page.path, stored)
    }

    pub(crate) fn title(&self, page: PageId) -> Result<Option<String>, StorageError> {
        pages::title(self, page)
    }

    /// Returns a page's state; `None` for a draft or an erased page.
    pub(super) fn state(&self, page: PageId) -> Result<Option<Rc<PastState>>, StorageError> {
        if let Some(state) = self.pages.borrow().get(&page) {
            return Ok(Some(Rc::clone(state)));
        }
        let Some(info) = repository::saved(self.txn, page)? else {
            return Ok(None);
        };
        let state = Rc::new(self.read(info)?);
        self.pages.borrow_mut().insert(page, Rc::clone(&state));
        Ok(Some(state))
    }

    /// Returns all saved pages that have, or once had, a path.
    pub(super) fn pages_that_had(&self, path: &PagePath) -> Result<Vec<PageId>, StorageError> {
        let mut ids = HashSet::new();
        ids.extend(self.txn.get(PAGE_PATH, path.as_str())?);
        ids.extend(self.txn.ids(DELETED_PAGE_PATH, path.as_str())?);
        ids.extend(self.txn.ids(LEFT_PATH, path.as_str())?);
        Ok(ids.into_iter().map(PageId::from_bytes).collect())
    }

    fn read(&self, info: PageInfo) -> Result<PastState, StorageError> {
        let id = info.page_id.to_bytes();
        if info.path_state.is_deleted() {
            let deletion = self.txn.get(DELETION, &id)?;
            if deletion.is_none_or(|deletion| deletion.deleted_at <= self.at) {
                let last_path = info.path_state.path().clone();
                return Ok(PastState::InTrash { last_path });
            }
        }
        let (mut found, mut next): (Option<SourceHead>, Option<SourceHead>) = (None, None);
        self.txn.scan::<_, SourceHead, (&[u8; 16], u64)>(
            PAGE_SOURCE.read_as(),
            (&id, info.gc_min)..=(&id, info.latest),
            Direction::Descending,
            |_, head| {
                if head.created_at <= self.at {
                    found = Some(head);
                    return ControlFlow::Break(());
                }
                next = Some(head);
                ControlFlow::Continue(())
            },
        )?;
        match (found, next) {
            (Some(head), next) => {
                let (path, moved_after) = self.path(&info, &head, next.as_ref())?;
                Ok(PastState::Present(Box::new(PastPage {
                    info,
                    head,
                    path,
                    moved_after,
                })))
            }
            (None, Some(oldest)) => {
                let set = oldest.rename.clone();
                let path = path_at(self.txn, &info, oldest.revision)?;
                Ok(if info.gc_min > 1 {
                    PastState::Removed {
                        oldest: oldest.created_at,
                        path: set.and_then(|rename| rename.from).unwrap_or(path),
                    }
                } else {
                    let first_path = set.map_or(path, |rename| rename.to);
                    PastState::Unwritten { first_path }
                })
            }
            (None, None) => Err(StorageError::Damaged {
                table: "page_source",
                reason: format!("{} has no revision", info.page_id),
            }),
        }
    }

    /// Returns a page's path at the moment, between the revision of `head` and the next one, and the time at which it
    /// left its earlier path if no revision records that.
    fn path(
        &self,
        info: &PageInfo,
        head: &SourceHead,
        next: Option<&SourceHead>,
    ) -> Result<(PagePath, Option<Timestamp>), StorageError> {
        let id = info.page_id.to_bytes();
        let recorded = if next.is_some() {
            path_at(self.txn, info, head.revision)?
        } else {
            let moved: Option<RenameInfo> = self.txn.get(UNRECORDED_MOVE, &id)?;
            let from = moved.and_then(|moved| moved.from);
            from.unwrap_or_else(|| info.path_state.path().clone())
        };
        let former = self.txn.get(FORMER_PATHS, &id)?.unwrap_or_default().paths;
        let left = former.iter().find(|left| {
            left.path == recorded && left.left_at > head.created_at && left.left_at <= self.at
        });
        let Some(left) = left else {
            return Ok((recorded, None));
        };
        // The next path that it is known to have left is the one that it had.
        let end = next.map_or(Timestamp::MAX, |next| next.created_at);
        let set = next.and_then(|next| next.rename.as_ref().map(|rename| &rename.to));
        let later = former.iter().filter(|later| {
            later.left_at > self.at && later.left_at <= end && Some(&later.path) != set
        });
        let path = match (later.min_by_key(|later| later.left_at), next) {
            (Some(later), _) => later.path.clone(),
            (None, Some(_)) => set.cloned().unwrap_or(recorded),
            (None, None) => info.path_state.path().clone(),
        };
        Ok((path, Some(left.left_at)))
    }

    /// True if a page had come to a path by the moment, so that the links that had waited for it led to the page.
    fn was_at(&self, page: PageId, path: &PagePath) -> Result<bool, StorageError> {
        let Some(state) = self.state(page)? else {
            return Ok(false);
        };
        let then = match &*state {
            PastState::Unwritten { .. } => return Ok(false),
            PastState::Removed { path, .. } => path,
            PastState::InTrash { last_path } => last_path,
            PastState::Present(page) => &page.path,
        };
        if then == path {
            return Ok(true);
        }
        let former = self.txn.get(FORMER_PATHS, &page.to_bytes())?;
        let mut former = former.unwrap_or_default().paths.into_iter();
        if former.any(|left| left.path == *path && left.left_at <= self.at) {
            return Ok(true);
        }
        // It may have left the path again later: the path history has the last time only.
        let Some(info) = repository::saved(self.txn, page)? else {
            return Ok(false);
        };
        for revision in &info.rename_revisions {
            let head: SourceHead = revision_row(self.txn, &info, *revision)?;
            let came = head.rename.filter(|_| head.created_at <= self.at);
            if came.is_some_and(|rename| rename.to == *path) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the page that was at a path, among those whose rows claim it: the last one that came there. The store
    /// keeps no trace of a deletion after the page was restored, so the others were in the trash then.
    fn owner(&self, mut claims: Vec<PastPage>) -> Result<Option<PastPage>, StorageError> {
        if claims.len() < 2 {
            return Ok(claims.pop());
        }
        let mut owner = None;
        for page in claims {
            let (is_recorded, since) = match page.moved_after {
                Some(left_at) => (false, left_at),
                None => (true, self.since(&page)?),
            };
            let key = (is_recorded, since, page.info.page_id);
            if owner.as_ref().is_none_or(|(last, _)| *last < key) {
                owner = Some((key, page));
            }
        }
        Ok(owner.map(|(_, page)| page))
    }

    /// Returns the time of the revision by which a page came to its path, or of the oldest one that is left.
    fn since(&self, page: &PastPage) -> Result<Timestamp, StorageError> {
        let renames = &page.info.rename_revisions;
        let set = renames.partition_point(|rename| *rename <= page.head.revision);
        let revision = match set.checked_sub(1) {
            Some(last) => renames[last],
            None => page.info.gc_min,
        };
        let head: SourceHead = revision_row(self.txn, &page.info, revision)?;
        Ok(head.created_at)
    }
}

impl PageNames for PastView<'_> {
    fn path_state(&self, page: PageId) -> Result<Option<PagePathState>, StorageError> {
        let Some(state) = self.state(page)? else {
            return Ok(None);
        };
        Ok(Some(match &*state {
            PastState::Unwritten { first_path } => PagePathState::LastDeleted(first_path.clone()),
            PastState::Removed { path, .. } => PagePathState::LastDeleted(path.clone()),
            PastState::InTrash { last_path } => PagePathState::LastDeleted(last_path.clone()),
            PastState::Present(found) => match self.present(page)? {
                Some(found) => PagePathState::Current(found.path),
                None => PagePathState::LastDeleted(found.path.clone()),
            },
        }))
    }

    fn erased_path(&self, page: PageId) -> Result<Option<PagePath>, StorageError> {
        links::erased_path(self.txn, page)
    }

    fn title_row(&self, page: PageId) -> Result<Option<String>, StorageError> {
        let Some(found) = self.present(page)? else {
            return Ok(None);
        };
        if found.head.revision == found.info.latest {
            return self.txn.get(PAGE_TITLE, &page.to_bytes());
        }
        let source: PageSource = revision_row(self.txn, &found.info, found.head.revision)?;
        Ok(pages::title_row(&source.source))
    }

    fn bindings(&self, page: PageId) -> Result<Bindings, StorageError> {
        // The paths in earlier revisions were replaced by ids.
        match self.present(page)? {
            Some(found) if found.head.revision == found.info.latest => {
                let mut bound = Bindings::new();
                for (path, id) in links::bindings(self.txn, page)? {
                    if self.was_at(id, &path)? {
                        bound.insert(path, id);
                    }
                }
                Ok(bound)
            }
            Some(_) | None => Ok(Bindings::new()),
        }
    }

    fn page_at(&self, path: &PagePath) -> Result<Option<PageId>, StorageError> {
        Ok(self.find(path)?.map(|page| page.info.page_id))
    }
}
