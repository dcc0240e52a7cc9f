//! Queries for the links of a page and the pages that link to it.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;

use super::destination::{Meaning, meaning};
use super::display::Bindings;
use super::scan::scan;
use crate::id::PageId;
use crate::model::link::{LinkTarget, PageLinks};
use crate::pages;
use crate::pages::{PageError, saved_page};
use crate::parts::Links;
use crate::path::PagePath;
use crate::repository::{path_state, present_path};
use crate::store::{BACKLINK, PAGE_LINKS, Read, ReadSets, StorageError};

/// The target of a link in a page's latest revision.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageLink {
    /// A path at which there is no page yet.
    Waiting(PagePath),
    Page {
        /// Its path, or its last path if it was deleted; `None` if it was erased or never existed.
        path: Option<PagePath>,
        page_id: PageId,
        /// True if it no longer exists.
        deleted: bool,
    },
}

/// A page that links to another one, or to which it links.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct Backlink {
    /// The page's id.
    #[cfg_attr(feature = "wire", schema(value_type = String))]
    pub page_id: PageId,
    /// Its path.
    #[cfg_attr(feature = "wire", schema(value_type = String))]
    pub path: PagePath,
    /// Its first heading, if it has one.
    pub title: Option<String>,
}

/// Returns the pages to which a stored text of the page at `base` links.
pub(crate) fn page_targets(stored: &str, base: &PagePath, bound: &Bindings) -> BTreeSet<PageId> {
    let links = scan(stored);
    let targets = links
        .iter()
        .filter_map(|link| match meaning(&link.value, base) {
            Meaning::Page(id) => Some(id),
            Meaning::Path(path) => bound.get(&path).copied(),
            Meaning::Asset(..) | Meaning::Other => None,
        });
    targets.collect()
}

/// Returns the pages to which the latest revision of a page links, each once, in no particular order; at most
/// `limit`. Deleted pages are excluded.
pub(crate) fn linked_pages(
    txn: &impl Read,
    page_id: PageId,
    limit: usize,
) -> Result<Vec<Backlink>, StorageError> {
    let links: PageLinks = txn
        .get(PAGE_LINKS, &page_id.to_bytes())?
        .unwrap_or_default();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for target in links.targets {
        let (LinkTarget::Page(page_id)
        | LinkTarget::Path {
            bound: Some(page_id),
            ..
        }) = target
        else {
            continue;
        };
        if found.len() == limit {
            break;
        }
        if seen.insert(page_id)
            && let Some(path) = present_path(txn, page_id)?
        {
            let title = pages::title(txn, page_id)?;
            found.push(Backlink {
                page_id,
                path,
                title,
            });
        }
    }
    Ok(found)
}

impl Links<'_> {
    /// Returns the targets of the links of a page's latest revision, each once: first paths without a page,
    /// then pages, sorted by path.
    ///
    /// # Errors
    /// Returns [`PageError::Draft`] while the page has no text.
    pub fn of_page(&self, page_id: PageId) -> Result<Vec<PageLink>, PageError> {
        self.store.read(|txn| {
            saved_page(txn, page_id, self.lock_time.moment())?;
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

    /// Returns the titles of the pages that have one.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn titles(
        &self,
        pages: impl IntoIterator<Item = PageId>,
    ) -> Result<HashMap<PageId, String>, StorageError> {
        self.store.read(|txn| {
            let mut titles = HashMap::new();
            for page_id in pages {
                titles.extend(pages::title(txn, page_id)?.map(|title| (page_id, title)));
            }
            Ok(titles)
        })
    }

    /// Returns the pages whose latest revisions link to a page, in the order of their creation, starting after
    /// `after`. Deleted pages are excluded.
    ///
    /// # Errors
    /// Returns [`PageError::Draft`] if the page was never saved.
    pub fn backlinks(
        &self,
        page_id: PageId,
        after: Option<PageId>,
        limit: usize,
    ) -> Result<Vec<Backlink>, PageError> {
        self.store.read(|txn| {
            saved_page(txn, page_id, self.lock_time.moment())?;
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
                    let title = pages::title(txn, page_id)?;
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
