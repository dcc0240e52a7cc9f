//! Conversion of stored text to shown text: ids become the current paths of the pages (docs/spec/wiki.md,
//! Links).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::destination::{Meaning, meaning};
use super::resolve::last_page_at;
use super::rewrite::Rewrite;
use super::scan::{Destination, scan};
use super::storage::StoredText;
use super::trash_path::trash_path;
use crate::id::PageId;
use crate::model::link::LinkTarget;
use crate::model::page::PagePathState;
use crate::page_names::PageNames;
use crate::path::PagePath;
use crate::properties::{self, Properties};
use crate::repository::{page_at, path_state};
use crate::store::{FORMER_PATHS, PAGE_LINKS, Read, ReadSets, StorageError};

/// Returns a revision's stored text as people read it: an existing page by its current path, a deleted one by
/// its last path, marked with `@trash` if the path means another page, and an unknown one by its id.
///
/// In the latest revision, bound paths are shown as the paths of their pages. In older revisions paths stay
/// unchanged: those that meant a page then were replaced by its id.
pub(crate) fn display_text(
    txn: &(impl Read + ReadSets),
    page: PageId,
    base: &PagePath,
    stored: &str,
    newest: bool,
) -> Result<String, StorageError> {
    let bound = if newest {
        bindings(txn, page)?
    } else {
        Bindings::new()
    };
    if has_no_page_links(stored, &bound) {
        return Ok(stored.to_owned());
    }
    show(txn, base, stored, &scan(stored), &bound, HashMap::new())
}

/// Reads the properties of a revision's stored text, with links as people read them.
pub(crate) fn display_properties(
    txn: &(impl Read + ReadSets),
    page: PageId,
    base: &PagePath,
    stored: &str,
    newest: bool,
) -> Result<Properties, StorageError> {
    if properties::links(stored).is_empty() {
        return Ok(Properties::read(stored));
    }
    let shown = display_text(txn, page, base, stored, newest)?;
    Ok(Properties::read(&shown))
}

/// Returns the same for a text that was just read, as the latest one of its page.
pub(crate) fn display_new_text(
    txn: &(impl Read + ReadSets),
    page: PageId,
    base: &PagePath,
    stored: &StoredText,
) -> Result<String, StorageError> {
    display_stored(txn, base, stored, &bindings(txn, page)?)
}

/// Returns the same if nothing was bound since the text was read. `is_newest` is true if the text has become
/// the latest one, and decides which bindings the page's row has.
pub(crate) fn display_stored_text(
    txn: &(impl Read + ReadSets),
    base: &PagePath,
    stored: &StoredText,
    is_newest: bool,
) -> Result<String, StorageError> {
    let bound = if is_newest {
        bindings_of(&stored.targets)
    } else {
        stored.bound_before()
    };
    display_stored(txn, base, stored, &bound)
}

fn display_stored(
    txn: &(impl Read + ReadSets),
    base: &PagePath,
    stored: &StoredText,
    bound: &Bindings,
) -> Result<String, StorageError> {
    if has_no_page_links(&stored.text, bound) {
        return Ok(stored.text.clone());
    }
    let paths = stored.known_paths.iter();
    let paths = paths.map(|(id, path)| (*id, Some(path.clone())));
    show(
        txn,
        base,
        &stored.text,
        &stored.links,
        bound,
        paths.collect(),
    )
}

/// Returns the stored text of the page at `base` as people read it at a moment in the past: a page by its path at that
/// moment, and one that was in the trash by its last path. An id stays if another page was at that path, or if the path
/// is not known.
pub(crate) fn display_past_text(
    names: &impl PageNames,
    page: PageId,
    base: &PagePath,
    stored: &str,
) -> Result<String, StorageError> {
    let bound = names.bindings(page)?;
    if has_no_page_links(stored, &bound) {
        return Ok(stored.to_owned());
    }
    let links = scan(stored);
    let mut rewrite = Rewrite::new(stored, &links);
    for (link, written) in links.iter().enumerate() {
        let id = match meaning(&written.value, base) {
            Meaning::Page(id) => id,
            Meaning::Path(path) => match bound.get(&path) {
                Some(id) => *id,
                None => continue,
            },
            Meaning::Asset(..) | Meaning::Other => continue,
        };
        let last = match names.path_state(id)? {
            Some(PagePathState::Current(path)) => {
                rewrite.put_path(link, &path);
                continue;
            }
            Some(PagePathState::LastDeleted(path)) => Some(path),
            None => names.erased_path(id)?,
        };
        match last {
            Some(path) if names.page_at(&path)?.is_none() => rewrite.put_path(link, &path),
            Some(_) | None => rewrite.put_id(link, id),
        }
    }
    Ok(rewrite.finish().text)
}

/// True if nothing in the text leads to a page.
fn has_no_page_links(stored: &str, bound: &Bindings) -> bool {
    bound.is_empty() && !stored.contains("page:")
}

/// `paths` has the current paths of pages as far as they are known.
fn show(
    txn: &(impl Read + ReadSets),
    base: &PagePath,
    stored: &str,
    links: &[Destination],
    bound: &Bindings,
    mut paths: HashMap<PageId, Option<PagePath>>,
) -> Result<String, StorageError> {
    let mut rewrite = Rewrite::new(stored, links);
    let mut waiting = BTreeSet::new();
    let targets: Vec<Option<PageId>> = links
        .iter()
        .map(|link| match meaning(&link.value, base) {
            Meaning::Page(id) => Some(id),
            Meaning::Path(path) => {
                let page = bound.get(&path).copied();
                if page.is_none() {
                    waiting.insert(path);
                }
                page
            }
            Meaning::Asset(..) | Meaning::Other => None,
        })
        .collect();
    let linked: BTreeSet<PageId> = targets.iter().flatten().copied().collect();
    for (link, target) in targets.into_iter().enumerate() {
        let Some(id) = target else { continue };
        let path = match paths.get(&id) {
            Some(path) => path,
            None => paths
                .entry(id)
                .or_insert(display_path(txn, id, &linked, &waiting)?),
        };
        match path {
            Some(path) => rewrite.put_path(link, path),
            None => rewrite.put_id(link, id),
        }
    }
    Ok(rewrite.finish().text)
}

/// Returns the path by which a link to a page is shown: its current path, or its last path before it was
/// deleted. The latter is marked unless the path still means the page to a text that links to `linked` and to
/// `waiting`, so that saving the text again does not change the target.
fn display_path(
    txn: &(impl Read + ReadSets),
    page: PageId,
    linked: &BTreeSet<PageId>,
    waiting: &BTreeSet<PagePath>,
) -> Result<Option<PagePath>, StorageError> {
    match path_state(txn, page)? {
        Some(PagePathState::Current(path)) => Ok(Some(path)),
        Some(PagePathState::LastDeleted(path)) => {
            let is_free = page_at(txn, &path)?.is_none();
            let means_page =
                is_free && last_page_at(txn, &path, |id| linked.contains(&id))? == Some(page);
            if means_page {
                return Ok(Some(path));
            }
            trash_path(txn, page, &path, |name| waiting.contains(name))
        }
        None => erased_path(txn, page),
    }
}

/// Returns the last path of an erased page.
pub(crate) fn erased_path(txn: &impl Read, page: PageId) -> Result<Option<PagePath>, StorageError> {
    let former = txn.get(FORMER_PATHS, &page.to_bytes())?;
    Ok(former
        .and_then(|former| former.paths.into_iter().next())
        .map(|left| left.path))
}

/// Paths that are stored as paths and bound to a page.
pub(crate) type Bindings = BTreeMap<PagePath, PageId>;

/// Returns the bound paths in a page's latest text.
pub(crate) fn bindings(txn: &impl Read, page: PageId) -> Result<Bindings, StorageError> {
    let links = txn.get(PAGE_LINKS, &page.to_bytes())?.unwrap_or_default();
    Ok(bindings_of(&links.targets))
}

/// Returns the bound paths among a text's targets.
pub(super) fn bindings_of<'t>(targets: impl IntoIterator<Item = &'t LinkTarget>) -> Bindings {
    let bound = targets.into_iter().filter_map(|target| match target {
        LinkTarget::Path {
            path,
            bound: Some(id),
        } => Some((path.clone(), *id)),
        LinkTarget::Path { bound: None, .. } | LinkTarget::Page(_) => None,
    });
    bound.collect()
}
