//! Links to a page that is erased: they lead to its last path, and wait there for another page.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::destination::{Meaning, meaning};
use super::display::{bindings, erased_path};
use super::rewrite::Rewrite;
use super::scan::scan;
use crate::id::PageId;
use crate::latest_text;
use crate::model::link::LinkTarget;
use crate::model::page::PageInfo;
use crate::path::PagePath;
use crate::repository::{page_at, path_state, saved};
use crate::store::{BACKLINK, Read, ReadSets, StorageError, WriteTxn};

/// Replaces the page by its path in the latest texts of all pages that link to it. Must be called after the
/// page is gone from all tables. Older revisions keep its id, which is shown as the same path;
/// [`without_erased`] replaces it in a revision that becomes the latest.
pub(crate) fn erase(txn: &WriteTxn, page: PageId, path: &PagePath) -> Result<(), StorageError> {
    let here = page_at(txn, path)?;
    for source in txn.ids(BACKLINK, &page.to_bytes())? {
        if let Some(info) = saved(txn, PageId::from_bytes(source))? {
            unlink(txn, &info, page, path, here)?;
        }
    }
    Ok(())
}

/// Returns the stored text of an old revision with the ids of erased pages replaced by their last paths. An id
/// that cannot be replaced stays.
pub(super) fn without_erased<'t>(
    txn: &impl Read,
    base: &PagePath,
    text: &'t str,
) -> Result<Cow<'t, str>, StorageError> {
    if !text.contains("page:") {
        return Ok(text.into());
    }
    let links = scan(text);
    let mut rewrite = Rewrite::new(text, &links);
    for (number, written) in links.iter().enumerate() {
        if let Meaning::Page(id) = meaning(&written.value, base)
            && path_state(txn, id)?.is_none()
            && let Some(path) = erased_path(txn, id)?
        {
            rewrite.put_path(number, &path);
        }
    }
    Ok(rewrite.finish().text.into())
}

fn unlink(
    txn: &WriteTxn,
    source: &PageInfo,
    page: PageId,
    path: &PagePath,
    here: Option<PageId>,
) -> Result<(), StorageError> {
    let base = source.path_state.path();
    let bound = bindings(txn, source.page_id)?;
    let newest = latest_text::latest_for_update(txn, source)?;
    let links = scan(&newest.source);
    let mut rewrite = Rewrite::new(&newest.source, &links);
    let mut targets = BTreeSet::new();
    let mut erased = Vec::new();
    for (number, written) in links.iter().enumerate() {
        let target = match meaning(&written.value, base) {
            Meaning::Page(id) => LinkTarget::Page(id),
            Meaning::Path(path) => {
                let bound = bound.get(&path).copied();
                LinkTarget::Path { path, bound }
            }
            Meaning::Asset(..) | Meaning::Other => continue,
        };
        if target.page() == Some(page) {
            rewrite.put_path(number, path);
            erased.push((number, target));
        } else {
            targets.insert(target);
        }
    }
    let rewritten = rewrite.finish();
    for (number, target) in erased {
        // A link that cannot be rewritten keeps its destination.
        targets.insert(match target {
            LinkTarget::Page(_) if rewritten.left.contains(&number) => target,
            LinkTarget::Path { path, .. } if rewritten.left.contains(&number) => {
                LinkTarget::Path { path, bound: None }
            }
            LinkTarget::Page(_) | LinkTarget::Path { .. } => LinkTarget::Path {
                path: path.clone(),
                bound: here,
            },
        });
    }
    let targets = targets.into_iter().collect();
    latest_text::replace_latest_text(txn, source.page_id, newest, rewritten.text, targets)
}
