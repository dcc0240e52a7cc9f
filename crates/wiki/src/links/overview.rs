//! Links of the whole wiki: pages that are linked to and do not exist, and pages that nothing links to.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use serde::Serialize;

use crate::id::PageId;
use crate::pages;
use crate::parts::Links;
use crate::path::PagePath;
use crate::repository::present_path;
use crate::store::{
    BACKLINK, Direction, PAGE_PATH, Read, ReadSets, ReadTxn, StorageError, WAITING_LINK,
};

/// A path that pages link to, at which there is no page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct WantedPage {
    /// The missing path.
    #[cfg_attr(feature = "wire", schema(value_type = String))]
    pub path: PagePath,
    /// The number of pages that link to it.
    pub links: usize,
}

/// A page that no other page links to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct OrphanPage {
    /// The page's id.
    #[cfg_attr(feature = "wire", schema(value_type = String))]
    pub page_id: PageId,
    /// Its path.
    #[cfg_attr(feature = "wire", schema(value_type = String))]
    pub path: PagePath,
    /// Its title, if it has one.
    pub title: Option<String>,
}

impl Links<'_> {
    /// Returns the paths without pages that existing pages link to, those with the most links first.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn wanted_pages(&self) -> Result<Vec<WantedPage>, StorageError> {
        self.store.read(|txn| {
            let mut rows: Vec<(String, Vec<[u8; 16]>)> = Vec::new();
            let all = Direction::Ascending;
            txn.scan_ids_in::<_, &str>(WAITING_LINK, .., all, |path, pages| {
                rows.push((path.to_owned(), pages));
                ControlFlow::Continue(())
            })?;
            let mut wanted = Vec::new();
            for (path, pages) in rows {
                let links = present(txn, &pages)?.len();
                if let (true, Ok(path)) = (links > 0, PagePath::new(&path)) {
                    wanted.push(WantedPage { path, links });
                }
            }
            wanted.sort_by(|a, b| b.links.cmp(&a.links).then_with(|| a.path.cmp(&b.path)));
            Ok(wanted)
        })
    }

    /// Returns the pages that no other existing page links to, except the root page, sorted by path.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn orphan_pages(&self) -> Result<Vec<OrphanPage>, StorageError> {
        self.store.read(|txn| {
            let mut linked = BTreeSet::new();
            let all = Direction::Ascending;
            let mut rows = Vec::new();
            txn.scan_ids_in::<_, &[u8; 16]>(BACKLINK, .., all, |page, from| {
                rows.push((*page, from));
                ControlFlow::Continue(())
            })?;
            for (page, from) in rows {
                let others: Vec<_> = from.into_iter().filter(|other| *other != page).collect();
                if !present(txn, &others)?.is_empty() {
                    linked.insert(page);
                }
            }
            let mut unlinked = Vec::new();
            txn.scan::<_, [u8; 16], &str>(PAGE_PATH, .., all, |path, id| {
                if path != "/" && !linked.contains(&id) {
                    unlinked.push(PageId::from_bytes(id));
                }
                ControlFlow::Continue(())
            })?;
            let mut orphans = Vec::new();
            for page_id in unlinked {
                // A draft has no text.
                if let Some(path) = present_path(txn, page_id)? {
                    let title = pages::title(txn, page_id)?;
                    orphans.push(OrphanPage {
                        page_id,
                        path,
                        title,
                    });
                }
            }
            Ok(orphans)
        })
    }
}

/// Returns those of the pages that are not deleted.
fn present(txn: &ReadTxn, pages: &[[u8; 16]]) -> Result<Vec<PageId>, StorageError> {
    let mut present = Vec::new();
    for page in pages {
        let page = PageId::from_bytes(*page);
        if present_path(txn, page)?.is_some() {
            present.push(page);
        }
    }
    Ok(present)
}
