//! Checks what is derived from the latest texts: titles and link targets.

use std::collections::BTreeSet;

use crate::check::CheckError;
use crate::check::pages::CheckedPages;
use crate::check::reader::TableReader;
use crate::check::report::Faults;
use crate::id::PageId;
use crate::links;
use crate::model::link::{LinkTarget, PageLinks};
use crate::model::page::{PageInfo, PageSource};
use crate::pages;
use crate::repository::IndexRow;
use crate::store::{PAGE_PATH, PAGE_SOURCE};

/// Checks the rows of the texts of `changed_pages`, or of all pages, and that no link waits in vain.
pub(super) fn check(
    reader: &TableReader<'_>,
    pages: &CheckedPages,
    changed_pages: Option<&BTreeSet<[u8; 16]>>,
) -> Result<(), CheckError> {
    let faults = reader.faults;
    for (id, record) in pages.records() {
        let (page, info) = (PageId::from_bytes(*id), pages.saved_page(id));
        let fits = info.is_some() == record.links.is_some();
        faults.expect(fits, "page_links", || {
            format!("{page} has links but is not a page, or is a page without a row of links")
        });
        let Some(info) = info else {
            faults.expect(record.title.is_none(), "page_title", || {
                format!("{page} has a title but is not a page")
            });
            continue;
        };
        if changed_pages.is_some_and(|changed| !changed.contains(id)) {
            continue;
        }
        // A missing revision is reported by the check of revisions.
        let Some(newest): Option<PageSource> = reader.get(PAGE_SOURCE, (id, info.latest))? else {
            continue;
        };
        let (stored, title) = (&record.title, pages::title_row(&newest.source));
        faults.expect(*stored == title, "page_title", || {
            format!("{page} has the title {stored:?}, but its text has {title:?}")
        });
        if let Some(links) = &record.links {
            targets(info, &newest.source, links, faults);
        }
    }
    check_waiting_links(reader, pages)
}

/// Checks that the row of a page names the links of its latest text.
fn targets(info: &PageInfo, text: &str, links: &PageLinks, faults: &Faults) {
    let unbound = |target: &LinkTarget| match target {
        LinkTarget::Page(id) => LinkTarget::Page(*id),
        LinkTarget::Path { path, .. } => LinkTarget::Path {
            path: path.clone(),
            bound: None,
        },
    };
    let stored: BTreeSet<LinkTarget> = links.targets.iter().map(unbound).collect();
    let targets = links::targets_in(info.path_state.path(), text);
    faults.expect(stored == targets, "page_links", || {
        format!(
            "the links of {} are recorded as {stored:?}, but its text has {targets:?}",
            info.page_id
        )
    });
}

/// Checks that no page is at a path where a link waits for one.
fn check_waiting_links(reader: &TableReader<'_>, pages: &CheckedPages) -> Result<(), CheckError> {
    for (id, record) in pages.records() {
        for row in record.index_rows() {
            let IndexRow::WaitingLink(path) = row else {
                continue;
            };
            let found = reader.get(PAGE_PATH, path.as_str())?;
            let saved = found.and_then(|id| pages.saved_page(&id));
            reader.faults.expect(saved.is_none(), "waiting_link", || {
                let page = PageId::from_bytes(*id);
                format!("{page} waits for {path}, but a page has that path")
            });
        }
    }
    Ok(())
}
