//! The link targets of the pages' latest texts.

use std::collections::BTreeSet;

use super::destination::{Meaning, meaning};
use super::scan::{Destination, scan};
use crate::id::PageId;
use crate::model::link::{LinkTarget, PageLinks};
use crate::path::PagePath;
use crate::repository::{self, page_at};
use crate::store::{PAGE_LINKS, Read, ReadSets, StorageError, WAITING_LINK, WriteTxn};

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

/// Returns the targets that a stored text itself names: the targets that its rows must have, apart from
/// bindings.
pub(crate) fn targets_in(base: &PagePath, text: &str) -> BTreeSet<LinkTarget> {
    targets(base, &scan(text))
}

/// Returns the targets of links, with no path bound.
pub(super) fn targets(base: &PagePath, links: &[Destination]) -> BTreeSet<LinkTarget> {
    let target = |written: &Destination| match meaning(&written.value, base) {
        Meaning::Page(id) => Some(LinkTarget::Page(id)),
        Meaning::Path(path) => Some(LinkTarget::Path { path, bound: None }),
        Meaning::Asset(..) | Meaning::Other => None,
    };
    links.iter().filter_map(target).collect()
}

/// Binds those of the targets for which `find` returns a page.
pub(super) fn bind_targets(
    targets: impl IntoIterator<Item = LinkTarget>,
    find: impl Fn(&PagePath) -> Result<Option<PageId>, StorageError>,
) -> Result<Vec<LinkTarget>, StorageError> {
    let bind = |target| match target {
        LinkTarget::Path { path, bound: None } => {
            let bound = find(&path)?;
            Ok(LinkTarget::Path { path, bound })
        }
        LinkTarget::Page(_) | LinkTarget::Path { .. } => Ok(target),
    };
    targets.into_iter().map(bind).collect()
}

/// Binds those waiting links of a page for which `find` returns a page.
fn bind(
    txn: &WriteTxn,
    source: PageId,
    find: impl Fn(&PagePath) -> Result<Option<PageId>, StorageError>,
) -> Result<(), StorageError> {
    let PageLinks { targets } = txn.get(PAGE_LINKS, &source.to_bytes())?.unwrap_or_default();
    let targets = bind_targets(targets, find)?;
    repository::put(txn, PAGE_LINKS, source, Some(&PageLinks { targets }))
}
