//! Texts that move to another page: their links keep their meaning there.

use super::destination::{Meaning, is_relative, meaning};
use super::display::{Bindings, bindings, bindings_of};
use super::rewrite::Rewrite;
use super::scan::scan;
use super::storage::storage_text;
use crate::id::PageId;
use crate::model::page::PageInfo;
use crate::path::PagePath;
use crate::store::{Read, ReadSets, StorageError};

/// Returns a stored text of the page at `base` in which no destination is relative. `file` returns the new name of a
/// file that becomes one of the other page's own: the page that it belongs to, and its name, are the arguments.
pub(crate) fn absolute_text(
    text: &str,
    base: &PagePath,
    file: impl Fn(&PagePath, &str) -> Option<String>,
) -> String {
    let links = scan(text);
    let mut rewrite = Rewrite::new(text, &links);
    for (number, written) in links.iter().enumerate() {
        match meaning(&written.value, base) {
            Meaning::Path(path) if is_relative(&written.value) => rewrite.put_path(number, &path),
            Meaning::Asset(owner, name) => match file(&owner, &name) {
                Some(name) => rewrite.put_asset(number, &name),
                None if is_relative(&written.value) => {
                    let owner = owner.as_str().trim_end_matches('/');
                    rewrite.put_asset(number, &format!("{owner}/{name}"));
                }
                None => {}
            },
            Meaning::Path(_) | Meaning::Page(_) | Meaning::Other => {}
        }
    }
    rewrite.finish().text
}

/// Returns a part of the text of a page or draft, as it is shown, in stored form and with the same meaning on any
/// page.
pub(crate) fn independent_text(
    txn: &(impl Read + ReadSets),
    page: PageId,
    base: &PagePath,
    text: &str,
) -> Result<String, StorageError> {
    let stored = storage_text(txn, page, base, text, None)?;
    let bound = bindings_of(&stored.targets);
    let text = put_ids(&stored.text, base, &bound, |id| id);
    Ok(absolute_text(&text, base, |_, _| None))
}

/// Returns the latest text of a page with its links to one page replaced by links to another.
pub(crate) fn redirected_text(
    txn: &impl Read,
    info: &PageInfo,
    text: &str,
    (from, to): (PageId, PageId),
) -> Result<String, StorageError> {
    let mut bound = bindings(txn, info.page_id)?;
    bound.retain(|_, id| *id == from);
    let base = info.path_state.path();
    Ok(put_ids(text, base, &bound, |id| {
        if id == from { to } else { id }
    }))
}

/// Returns a stored text with the ids of one page replaced by those of another.
pub(crate) fn with_page_replaced(text: &str, from: PageId, to: PageId) -> String {
    let none = Bindings::new();
    put_ids(text, &PagePath::root(), &none, |id| {
        if id == from { to } else { id }
    })
}

/// Replaces ids and bound paths by the ids that `replace` returns for them.
fn put_ids(
    text: &str,
    base: &PagePath,
    bound: &Bindings,
    replace: impl Fn(PageId) -> PageId,
) -> String {
    let links = scan(text);
    let mut rewrite = Rewrite::new(text, &links);
    for (number, written) in links.iter().enumerate() {
        match meaning(&written.value, base) {
            Meaning::Page(id) if replace(id) != id => rewrite.put_id(number, replace(id)),
            Meaning::Path(path) => {
                if let Some(id) = bound.get(&path) {
                    rewrite.put_id(number, replace(*id));
                }
            }
            Meaning::Page(_) | Meaning::Asset(..) | Meaning::Other => {}
        }
    }
    rewrite.finish().text
}
