//! Texts and rows of earlier versions of the program, which read more text as links than the page does.

use std::collections::BTreeSet;

use super::bind::{bind_targets, targets_in};
use super::display::bindings;
use super::scan::Form;
use super::spelling;
use crate::model::link::LinkTarget;
use crate::model::page::PageInfo;
use crate::repository::{page_at, path_state};
use crate::store::{PAGE_LINKS, Read, StorageError};

/// Reads the links of a page's latest text as since schema 3. Earlier versions put ids into formulas and other
/// text that looked like a link to them; this replaces such ids by the pages' paths. Returns the text and its
/// link targets.
pub(crate) fn upgrade_links(
    txn: &impl Read,
    page: &PageInfo,
    text: &str,
) -> Result<(String, Vec<LinkTarget>), StorageError> {
    let base = page.path_state.path();
    let noted = txn
        .get(PAGE_LINKS, &page.page_id.to_bytes())?
        .unwrap_or_default();
    let noted: BTreeSet<LinkTarget> = noted.targets.into_iter().collect();
    let named = targets_in(base, text);
    let mut repaired = text.to_owned();
    for target in noted.difference(&named) {
        if let LinkTarget::Page(id) = target
            && let Some(state) = path_state(txn, *id)?
        {
            let path = spelling::path(state.path(), Form::Plain);
            repaired = repaired.replace(&spelling::id(*id), &path);
        }
    }
    let bound = bindings(txn, page.page_id)?;
    let targets = bind_targets(targets_in(base, &repaired), |path| match bound.get(path) {
        Some(id) => Ok(Some(*id)),
        None => page_at(txn, path),
    })?;
    Ok((repaired, targets))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::TestWiki;
    use crate::model::link::PageLinks;
    use crate::model::page::{PageIndex, PageSource};
    use crate::pages;
    use crate::store::{PAGE_INDEX, PAGE_SOURCE};

    #[test]
    fn ids_in_formulas_become_paths_again() {
        let test = TestWiki::new();
        let x = test.page("/math/x", "");
        let y = test.page("/math/y", "");
        let page = test.page("/math/page", "text");
        let text = format!("$F[f](page:{x})$ [y](page:{y}) `[x](page:{y})` [n](/none)");
        test.wiki
            .store
            .write(|txn| {
                let id = page.to_bytes();
                let Some(PageIndex::Page(info)) = txn.get(PAGE_INDEX, &id)? else {
                    panic!("it was saved");
                };
                let row: PageSource = txn.get(PAGE_SOURCE, (&id, 1))?.unwrap();
                let row = PageSource {
                    source: text.clone(),
                    ..row
                };
                txn.put(PAGE_SOURCE, (&id, 1), &row)?;
                let targets = vec![LinkTarget::Page(x), LinkTarget::Page(y)];
                txn.put(PAGE_LINKS, &id, &PageLinks { targets })?;
                let (repaired, targets) = upgrade_links(txn, &info, &text)?;
                assert_eq!(
                    repaired,
                    format!("$F[f](/math/x)$ [y](page:{y}) `[x](page:{y})` [n](/none)")
                );
                pages::respell(txn, page, row, repaired.clone(), targets.clone())?;
                assert_eq!(upgrade_links(txn, &info, &repaired)?, (repaired, targets));
                Ok::<_, StorageError>(())
            })
            .unwrap();
        let links = test.wiki.links(page).unwrap();
        assert_eq!(links.len(), 2, "{links:?}");
    }
}
