//! Rebinding the links of an old text that becomes the latest again, possibly at another path.

use super::bind::{self, bind_targets};
use super::destination::{Meaning, is_relative, meaning};
use super::display::Bindings;
use super::freeze::ambiguous_links;
use super::page_erasure::without_erased;
use super::rewrite::Rewrite;
use super::scan::scan;
use super::storage::{StoredText, storage_text};
use super::warning::{LinkChanges, LinkWarning, is_own, name};
use crate::id::PageId;
use crate::path::PagePath;
use crate::repository::page_at;
use crate::store::{Read, ReadSets, StorageError};

/// Returns the latest stored text of a page in a copy of the wiki for the wiki itself: bound paths become the ids of their
/// pages, and ids become the paths that `missing` returns for pages that do not exist here.
pub(crate) fn text_of_copy(
    base: &PagePath,
    stored: &str,
    bound: &Bindings,
    mut missing: impl FnMut(PageId) -> Result<Option<PagePath>, StorageError>,
) -> Result<String, StorageError> {
    let links = scan(stored);
    let mut rewrite = Rewrite::new(stored, &links);
    for (number, written) in links.iter().enumerate() {
        match meaning(&written.value, base) {
            Meaning::Page(id) => {
                if let Some(path) = missing(id)? {
                    rewrite.put_path(number, &path);
                }
            }
            Meaning::Path(path) => {
                if let Some(id) = bound.get(&path)
                    && missing(*id)?.is_none()
                {
                    rewrite.put_id(number, *id);
                }
            }
            Meaning::Asset(..) | Meaning::Other => {}
        }
    }
    Ok(rewrite.finish().text)
}

/// Reads the stored text of an old revision, made while the page was at `then`, for the page at `now`: paths
/// that lead to a page become its id, resolved from the path at which they were written, and ids of erased
/// pages become links to their last paths. Warns of relative links that can only be resolved from the new path,
/// and of paths that may have meant another page.
pub(crate) fn rebind_links(
    txn: &(impl Read + ReadSets),
    page: PageId,
    then: &PagePath,
    now: &PagePath,
    text: &str,
) -> Result<StoredText, StorageError> {
    let text = without_erased(txn, then, text)?;
    let StoredText {
        text,
        targets,
        warnings,
        links,
        known_paths,
        before,
    } = storage_text(txn, page, then, &text, None)?;
    let mut changes = LinkChanges {
        seen: warnings
            .iter()
            .map(|warning| warning.link.clone())
            .collect(),
        warnings,
    };
    for LinkWarning {
        link,
        before,
        after,
    } in ambiguous_links(txn, then, now, (&text, &links))?
    {
        changes.add(&link, before, after);
    }
    if then == now {
        return Ok(StoredText {
            text,
            targets,
            warnings: changes.warnings,
            links,
            known_paths,
            before,
        });
    }
    let targets = bind_targets(bind::targets(now, &links), |path| page_at(txn, path))?;
    for written in &links {
        let destination = &written.value;
        let (before, after) = (meaning(destination, then), meaning(destination, now));
        let stays_own = is_own(&before, then) && is_own(&after, now);
        if is_relative(destination) && !stays_own {
            changes.add(&text[written.range.clone()], name(&before), name(&after));
        }
    }
    Ok(StoredText {
        targets,
        warnings: changes.warnings,
        text,
        links,
        known_paths,
        before,
    })
}
