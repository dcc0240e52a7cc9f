//! Freezes late-bound links before a revision is superseded: bindings are tracked for the latest revision only,
//! so the ids of the pages are written into its text.

use std::collections::BTreeMap;

use super::destination::{Meaning, meaning};
use super::display::bindings;
use super::resolve::last_page_at;
use super::rewrite::Rewrite;
use super::scan::{Destination, scan};
use super::spelling;
use super::trash_path::readable_path;
use super::warning::{LinkWarning, name};
use crate::id::PageId;
use crate::latest_text::latest_for_update;
use crate::model::page::{PageInfo, PageSource};
use crate::path::PagePath;
use crate::repository::page_at;
use crate::store::{PAGE_SOURCE, Read, ReadSets, StorageError, WriteTxn};

/// Replaces the bound paths in a page's latest text by the ids of their pages. Must be called before another
/// revision is made, and before the rows of the page's links are changed.
///
/// A path that cannot be replaced without turning other text into a link stays, and its binding is lost;
/// [`ambiguous_links`] finds it again.
pub(crate) fn freeze_links(txn: &WriteTxn, page: &PageInfo) -> Result<(), StorageError> {
    let bound = bindings(txn, page.page_id)?;
    if bound.is_empty() {
        return Ok(());
    }
    let PageSource { head, source } = latest_for_update(txn, page)?;
    let links = scan(&source);
    let mut rewrite = Rewrite::new(&source, &links);
    for (number, written) in links.iter().enumerate() {
        if let Meaning::Path(path) = meaning(&written.value, page.path_state.path())
            && let Some(id) = bound.get(&path)
        {
            rewrite.put_id(number, *id);
        }
    }
    let text = rewrite.finish().text;
    if text == source {
        return Ok(());
    }
    let key = (&page.page_id.to_bytes(), page.latest);
    txn.put(PAGE_SOURCE, key, &PageSource { head, source: text })
}

/// Returns the links of an old text that may have meant a page other than the one they mean now, including
/// those that mean no page now: links by paths that a page has left, and that cannot be replaced by an id. Each
/// has its possible earlier meaning, and its meaning for a page at `now`.
pub(super) fn ambiguous_links(
    txn: &(impl Read + ReadSets),
    then: &PagePath,
    now: &PagePath,
    (text, links): (&str, &[Destination]),
) -> Result<Vec<LinkWarning>, StorageError> {
    let mut rewrite = Rewrite::new(text, links);
    let mut left: BTreeMap<usize, PageId> = BTreeMap::new();
    for (number, written) in links.iter().enumerate() {
        if let Meaning::Path(path) = meaning(&written.value, then)
            && let Some(page) = last_page_at(txn, &path, |_| true)?
            && page_at(txn, &path)? != Some(page)
        {
            rewrite.put_id(number, page);
            left.insert(number, page);
        }
    }
    if left.is_empty() {
        return Ok(Vec::new());
    }
    let stays = rewrite.finish().left;
    left.retain(|number, _| stays.contains(number));
    let warning = |(number, page): (usize, PageId)| {
        let written = &links[number];
        let before = match readable_path(txn, page)? {
            Some(path) => path.to_string(),
            None => spelling::id(page),
        };
        Ok(LinkWarning {
            link: text[written.range.clone()].to_owned(),
            before,
            after: name(&meaning(&written.value, now)),
        })
    };
    left.into_iter().map(warning).collect()
}
