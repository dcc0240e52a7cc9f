//! Resolution of a path to a page, and reading of its metadata and text.

use jiff::Timestamp;

use crate::id::PageId;
use crate::latest_text::revision_row;
use crate::links;
use crate::links::Backlink;
use crate::locks::{LockStatus, Moment, existing_page, status};
use crate::model::page::{PageIndex, PageInfo, PagePathState, PageSource, RenameInfo, SourceHead};
use crate::pages;
use crate::pages::{PageError, ResolveError, VersionTag};
use crate::parts::Pages;
use crate::path::PagePath;
use crate::properties::Properties;
use crate::store::{PAGE_INDEX, PAGE_PATH, Read, ReadTxn, StorageError};
use crate::tree::{path_at, path_history, trash};

/// The page at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedPage {
    pub id: PageId,
    /// Its latest revision.
    pub revision: u64,
    pub title: Option<String>,
}

/// A revision's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageText {
    /// The version of the text.
    pub version: VersionTag,
    /// The Markdown source.
    pub source: String,
    /// True if the page is deleted.
    pub deleted: bool,
}

/// The metadata of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageMeta {
    /// Its current or last path.
    pub path_state: PagePathState,
    pub title: Option<String>,
    /// The oldest and the latest existing revision; `None` for a draft.
    pub revisions: Option<(u64, u64)>,
    /// The revisions that set the path.
    pub rename_revisions: Vec<u64>,
    /// The lock, if the page is locked.
    pub lock: Option<LockStatus>,
    /// The metadata of the requested revision; `None` for a draft.
    pub revision: Option<RevisionInfo>,
    /// The page's path at that revision, or the current path of a draft.
    pub path_then: PagePath,
    /// Up to 256 pages to which the latest revision links, if that is the requested one.
    pub linked_pages: Vec<Backlink>,
    /// The properties in the text of that revision.
    pub properties: Properties,
}

/// The maximum number of linked pages in the metadata of a page.
pub(crate) const MAX_LINKED_PAGES: usize = 256;

/// The metadata of a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisionInfo {
    /// Its number.
    pub revision: u64,
    /// The time of its creation.
    pub timestamp: Timestamp,
    /// The name of its author, at that time.
    pub user_name: String,
    /// The rename, if this revision set the path.
    pub rename: Option<RenameInfo>,
}

impl From<SourceHead> for RevisionInfo {
    fn from(head: SourceHead) -> Self {
        let SourceHead {
            revision,
            created_at,
            user_name,
            rename,
            author: _,
            amends: _,
        } = head;
        Self {
            revision,
            timestamp: created_at,
            user_name,
            rename,
        }
    }
}

impl Pages<'_> {
    /// Finds the page at a path.
    ///
    /// # Errors
    /// Returns [`ResolveError::Draft`] with the user who is writing there, or [`ResolveError::Moved`] with the
    /// current path of the page that left the path last.
    pub fn resolve(&self, path: &PagePath) -> Result<ResolvedPage, ResolveError> {
        self.store.read(|txn| {
            if let Some(id) = txn.get(PAGE_PATH, path.as_str())? {
                match txn.get(PAGE_INDEX, &id)? {
                    Some(PageIndex::Page(info)) => {
                        return Ok(ResolvedPage {
                            id: info.page_id,
                            revision: info.latest,
                            title: pages::title(txn, info.page_id)?,
                        });
                    }
                    // A draft whose lock has expired counts as gone.
                    Some(draft @ PageIndex::Draft(_)) => {
                        if let Some(held) = status(txn, &draft, self.lock_time.moment())? {
                            return Err(ResolveError::Draft {
                                path: path.clone(),
                                page_id: PageId::from_bytes(id),
                                user: held.user,
                                user_name: held.user_name,
                                expire: held.expire,
                            });
                        }
                    }
                    None => {}
                }
            }
            let path = path.clone();
            let deleted = trash::last_deleted_at(txn, &path)?;
            if let Some((left_at, to)) = path_history::redirect(txn, &path)? {
                let in_trash = deleted.filter(|(deleted_at, _)| *deleted_at > left_at);
                let in_trash = in_trash.map(|(_, page)| page);
                return Err(ResolveError::Moved { path, to, in_trash });
            }
            if let Some((_, page_id)) = deleted {
                return Err(ResolveError::Deleted { path, page_id });
            }
            if let Some(name) = links::TrashPath::parse(&path)
                && let Some(page_id) = name.page(txn, |_| true)?
            {
                let path = name.last;
                return Err(ResolveError::Deleted { path, page_id });
            }
            Err(ResolveError::NotFound(path))
        })
    }

    /// Returns the text of a revision, or of the latest one, with links as current paths.
    ///
    /// # Errors
    /// Returns [`PageError::Draft`] while there is none yet.
    pub fn source(&self, page_id: PageId, revision: Option<u64>) -> Result<PageText, PageError> {
        self.text(page_id, revision, |txn, info, number, stored| {
            let (base, newest) = (info.path_state.path(), number == info.latest);
            links::display_text(txn, page_id, base, &stored, newest)
        })
    }

    /// Returns the text of a revision, or of the latest one, in its stored form, with the ids of pages.
    ///
    /// # Errors
    /// Returns the errors of [`Pages::source`].
    pub fn raw_source(
        &self,
        page_id: PageId,
        revision: Option<u64>,
    ) -> Result<PageText, PageError> {
        self.text(page_id, revision, |_, _, _, stored| Ok(stored))
    }

    fn text(
        &self,
        page_id: PageId,
        revision: Option<u64>,
        show: impl FnOnce(&ReadTxn, &PageInfo, u64, String) -> Result<String, StorageError>,
    ) -> Result<PageText, PageError> {
        self.store.read(|txn| {
            let info = saved_page(txn, page_id, self.lock_time.moment())?;
            let number = revision.unwrap_or(info.latest);
            let PageSource { head, source } = source_row(txn, &info, number)?;
            let version = VersionTag {
                revision: head.revision,
                amends: head.amends,
            };
            Ok(PageText {
                version,
                source: show(txn, &info, number, source)?,
                deleted: info.path_state.is_deleted(),
            })
        })
    }

    /// Returns the metadata of a page, and of a revision or the latest one.
    ///
    /// # Errors
    /// Returns the errors of [`Pages::source`], except for drafts, which have metadata too.
    pub fn meta(&self, page_id: PageId, revision: Option<u64>) -> Result<PageMeta, PageError> {
        self.store.read(|txn| {
            let moment = self.lock_time.moment();
            let page = existing_page(txn, page_id, moment)?.ok_or(PageError::NotFound)?;
            let lock = status(txn, &page, moment)?;
            match page {
                PageIndex::Page(info) => {
                    let PageSource { head, source } =
                        source_row(txn, &info, revision.unwrap_or(info.latest))?;
                    let linked_pages = if head.revision == info.latest {
                        links::linked_pages(txn, page_id, MAX_LINKED_PAGES)?
                    } else {
                        Vec::new()
                    };
                    let (base, newest) = (info.path_state.path(), head.revision == info.latest);
                    let properties =
                        links::display_properties(txn, page_id, base, &source, newest)?;
                    Ok(PageMeta {
                        linked_pages,
                        properties,
                        path_then: path_at(txn, &info, head.revision)?,
                        title: pages::title(txn, page_id)?,
                        revisions: Some((info.gc_min, info.latest)),
                        path_state: info.path_state,
                        rename_revisions: info.rename_revisions,
                        lock,
                        revision: Some(head.into()),
                    })
                }
                PageIndex::Draft(draft) => Ok(PageMeta {
                    path_then: draft.path.clone(),
                    title: None,
                    path_state: PagePathState::Current(draft.path),
                    revisions: None,
                    rename_revisions: Vec::new(),
                    lock,
                    revision: None,
                    linked_pages: Vec::new(),
                    properties: Properties::default(),
                }),
            }
        })
    }

    /// Returns the current path of a page or draft.
    ///
    /// # Errors
    /// Returns [`PageError::Deleted`] if it has none any more.
    pub fn path(&self, page_id: PageId) -> Result<PagePath, PageError> {
        self.store
            .read(|txn| current_path(txn, page_id, self.lock_time.moment()))
    }
}

/// Returns the current path of a page or draft.
pub(crate) fn current_path(
    txn: &impl Read,
    page_id: PageId,
    moment: Moment,
) -> Result<PagePath, PageError> {
    match existing_page(txn, page_id, moment)?.ok_or(PageError::NotFound)? {
        PageIndex::Page(info) => match info.path_state {
            PagePathState::Current(path) => Ok(path),
            PagePathState::LastDeleted(path) => Err(PageError::Deleted(path)),
        },
        PageIndex::Draft(draft) => Ok(draft.path),
    }
}

/// Returns the page, which must be saved and not deleted.
pub(crate) fn present_page(
    txn: &impl Read,
    page_id: PageId,
    moment: Moment,
) -> Result<PageInfo, PageError> {
    let info = saved_page(txn, page_id, moment)?;
    if info.path_state.is_deleted() {
        return Err(PageError::Deleted(info.path_state.path().clone()));
    }
    Ok(info)
}

/// Returns the page, which must be saved.
pub(crate) fn saved_page(
    txn: &impl Read,
    page_id: PageId,
    moment: Moment,
) -> Result<PageInfo, PageError> {
    match existing_page(txn, page_id, moment)?.ok_or(PageError::NotFound)? {
        PageIndex::Page(info) => Ok(info),
        PageIndex::Draft(_) => Err(PageError::Draft),
    }
}

/// Returns a revision's row, whole or only its leading fields.
pub(crate) fn source_row<R: crate::store::Record>(
    txn: &impl Read,
    info: &PageInfo,
    revision: u64,
) -> Result<R, PageError> {
    if revision == 0 || revision > info.latest {
        return Err(PageError::NoSuchRevision(revision));
    }
    if revision < info.gc_min {
        return Err(PageError::Collected(revision));
    }
    Ok(revision_row(txn, info, revision)?)
}
