//! The link tables, changed only here: `page_links`, and its two inverse tables.

use std::collections::BTreeSet;

use super::destination::{Meaning, meaning};
use super::resolve::page_at;
use super::scan::{Destination, scan};
use super::storage::StoredText;
use crate::id::PageId;
use crate::model::link::{LinkTarget, PageLinks};
use crate::path::PagePath;
use crate::store::{BACKLINK, PAGE_LINKS, Read, ReadSets, StorageError, WAITING_LINK, WriteTxn};

/// Records the link targets of a page's latest text in place of the previous ones.
pub(crate) fn record(
    txn: &WriteTxn,
    page: PageId,
    targets: Vec<LinkTarget>,
) -> Result<(), StorageError> {
    let old = txn.get(PAGE_LINKS, &page.to_bytes())?;
    replace(txn, page, old, targets)
}

/// Records the link targets of a text that was just read.
pub(crate) fn record_text(
    txn: &WriteTxn,
    page: PageId,
    text: &StoredText,
) -> Result<(), StorageError> {
    replace(txn, page, text.before.clone(), text.targets.clone())
}

fn replace(
    txn: &WriteTxn,
    page: PageId,
    old: Option<PageLinks>,
    targets: Vec<LinkTarget>,
) -> Result<(), StorageError> {
    let links = PageLinks { targets };
    if old.as_ref() == Some(&links) {
        return Ok(());
    }
    let (gone, new) = (Ends::of(&old.unwrap_or_default()), Ends::of(&links));
    gone.without(&new).take_away(txn, page)?;
    new.without(&gone).put(txn, page)?;
    txn.put(PAGE_LINKS, &page.to_bytes(), &links)
}

/// Binds the links that wait for a page at `path` to `page`, and those waiting links of `page` itself whose
/// paths have a page. Must be called after a page comes to a path, once the rows of the path and the page are
/// written: at its first save, after a rename (all pages that move with it first), after it is restored.
pub(crate) fn bind_waiting_links(
    txn: &WriteTxn,
    path: &PagePath,
    page: PageId,
) -> Result<(), StorageError> {
    for source in txn.ids(WAITING_LINK, path.as_str())? {
        bind(txn, PageId::from_bytes(source), |waiting| {
            Ok((waiting == path).then_some(page))
        })?;
    }
    bind(txn, page, |waiting| page_at(txn, waiting))
}

/// Removes the records of a page that is erased. Pages that link to it keep their rows.
pub(crate) fn forget(txn: &WriteTxn, page: PageId) -> Result<(), StorageError> {
    let Some(links) = txn.get(PAGE_LINKS, &page.to_bytes())? else {
        return Ok(());
    };
    Ends::of(&links).take_away(txn, page)?;
    txn.remove(PAGE_LINKS, &page.to_bytes())
}

/// Records the links of a text that was saved before links were recorded: paths that have a page are bound to
/// it, and the text stays unchanged.
pub(crate) fn put_from_upgrade(
    txn: &WriteTxn,
    page: PageId,
    base: &PagePath,
    text: &str,
) -> Result<(), StorageError> {
    record(txn, page, targets_of(txn, base, text)?)
}

/// Returns the targets that a stored text itself names: the targets that its rows must have, apart from
/// bindings.
pub(crate) fn named_in(base: &PagePath, text: &str) -> BTreeSet<LinkTarget> {
    let target = |written: Destination| match meaning(&written.value, base) {
        Meaning::Page(id) => Some(LinkTarget::Page(id)),
        Meaning::Path(path) => Some(LinkTarget::Path { path, bound: None }),
        Meaning::Asset(..) | Meaning::Other => None,
    };
    scan(text).into_iter().filter_map(target).collect()
}

/// Returns the targets of a text whose links are taken as written.
pub(super) fn targets_of(
    txn: &impl Read,
    base: &PagePath,
    text: &str,
) -> Result<Vec<LinkTarget>, StorageError> {
    let mut targets = BTreeSet::new();
    for written in scan(text) {
        match meaning(&written.value, base) {
            Meaning::Page(id) => {
                targets.insert(LinkTarget::Page(id));
            }
            Meaning::Path(path) => {
                let bound = page_at(txn, &path)?;
                targets.insert(LinkTarget::Path { path, bound });
            }
            Meaning::Asset(..) | Meaning::Other => {}
        }
    }
    Ok(targets.into_iter().collect())
}

/// Binds those waiting links of a page for which `find` returns a page.
fn bind(
    txn: &WriteTxn,
    source: PageId,
    find: impl Fn(&PagePath) -> Result<Option<PageId>, StorageError>,
) -> Result<(), StorageError> {
    let mut links = txn.get(PAGE_LINKS, &source.to_bytes())?.unwrap_or_default();
    for target in &mut links.targets {
        if let LinkTarget::Path {
            path,
            bound: bound @ None,
        } = target
        {
            *bound = find(path)?;
        }
    }
    record(txn, source, links.targets)
}

/// The entries of a page's links in the inverse tables.
#[derive(Default)]
struct Ends {
    pages: BTreeSet<PageId>,
    waiting: BTreeSet<PagePath>,
}

impl Ends {
    fn of(links: &PageLinks) -> Self {
        let mut ends = Self::default();
        for target in &links.targets {
            match target {
                LinkTarget::Page(id) => ends.pages.insert(*id),
                LinkTarget::Path {
                    path: _,
                    bound: Some(id),
                } => ends.pages.insert(*id),
                LinkTarget::Path { path, bound: None } => ends.waiting.insert(path.clone()),
            };
        }
        ends
    }

    fn without(&self, others: &Self) -> Self {
        Self {
            pages: self.pages.difference(&others.pages).copied().collect(),
            waiting: self.waiting.difference(&others.waiting).cloned().collect(),
        }
    }

    fn put(&self, txn: &WriteTxn, source: PageId) -> Result<(), StorageError> {
        for page in &self.pages {
            txn.insert_id(BACKLINK, &page.to_bytes(), &source.to_bytes())?;
        }
        for path in &self.waiting {
            txn.insert_id(WAITING_LINK, path.as_str(), &source.to_bytes())?;
        }
        Ok(())
    }

    fn take_away(&self, txn: &WriteTxn, source: PageId) -> Result<(), StorageError> {
        for page in &self.pages {
            txn.remove_id(BACKLINK, &page.to_bytes(), &source.to_bytes())?;
        }
        for path in &self.waiting {
            txn.remove_id(WAITING_LINK, path.as_str(), &source.to_bytes())?;
        }
        Ok(())
    }
}
