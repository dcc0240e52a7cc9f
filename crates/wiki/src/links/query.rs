//! Where a page's links lead, and what links to a page.

use std::collections::{BTreeSet, HashMap};

use super::resolve::{path_state, present_path};
use crate::id::PageId;
use crate::model::link::{LinkTarget, PageLinks};
use crate::pages::{PageError, saved_page};
use crate::path::PagePath;
use crate::search;
use crate::store::{BACKLINK, PAGE_LINKS, Read, ReadSets, StorageError};
use crate::wiki::Wiki;

/// Where a link of a page's newest revision leads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageLink {
    /// To a path at which there is no page yet.
    Waiting(PagePath),
    /// To a page.
    Page {
        /// Where it stands, or stood when it was deleted; none when it is gone for good, or never was.
        path: Option<PagePath>,
        /// The page.
        page_id: PageId,
        /// Whether it no longer exists.
        deleted: bool,
    },
}

/// A page that links to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backlink {
    /// The page that has the link.
    pub page_id: PageId,
    /// Where it stands.
    pub path: PagePath,
    /// Its first heading, if it has one.
    pub title: Option<String>,
}

impl Wiki {
    /// Where the links of a page's newest revision lead, each target once: first paths without a page,
    /// then pages, by path.
    ///
    /// # Errors
    /// [`PageError::Draft`] while the page has no text.
    pub fn links(&self, page_id: PageId) -> Result<Vec<PageLink>, PageError> {
        self.store.read(|txn| {
            saved_page(txn, page_id, self.moment())?;
            let links: PageLinks = txn
                .get(PAGE_LINKS, &page_id.to_bytes())?
                .unwrap_or_default();
            let mut found = BTreeSet::new();
            for target in links.targets {
                found.insert(match target {
                    LinkTarget::Path { path, bound: None } => PageLink::Waiting(path),
                    LinkTarget::Page(page_id)
                    | LinkTarget::Path {
                        path: _,
                        bound: Some(page_id),
                    } => {
                        let state = path_state(txn, page_id)?;
                        PageLink::Page {
                            page_id,
                            deleted: state.as_ref().is_none_or(|state| state.is_deleted()),
                            path: state.map(|state| state.path().clone()),
                        }
                    }
                });
            }
            Ok(found.into_iter().collect())
        })
    }

    /// The titles of pages that have one.
    ///
    /// # Errors
    /// When the database fails.
    pub fn titles(
        &self,
        pages: impl IntoIterator<Item = PageId>,
    ) -> Result<HashMap<PageId, String>, StorageError> {
        self.store.read(|txn| {
            let mut titles = HashMap::new();
            for page_id in pages {
                titles.extend(search::title(txn, page_id)?.map(|title| (page_id, title)));
            }
            Ok(titles)
        })
    }

    /// The pages whose newest revisions link to a page, as they were made, from the one after `after` on.
    /// Deleted ones are not among them.
    ///
    /// # Errors
    /// [`PageError::Draft`] while the page was never saved.
    pub fn backlinks(
        &self,
        page_id: PageId,
        after: Option<PageId>,
        limit: usize,
    ) -> Result<Vec<Backlink>, PageError> {
        self.store.read(|txn| {
            saved_page(txn, page_id, self.moment())?;
            let mut found = Vec::new();
            for source in txn.ids(BACKLINK, &page_id.to_bytes())? {
                let page_id = PageId::from_bytes(source);
                if after.is_some_and(|after| page_id <= after) {
                    continue;
                }
                if found.len() == limit {
                    break;
                }
                if let Some(path) = present_path(txn, page_id)? {
                    let title = search::title(txn, page_id)?;
                    found.push(Backlink {
                        page_id,
                        path,
                        title,
                    });
                }
            }
            Ok(found)
        })
    }
}
