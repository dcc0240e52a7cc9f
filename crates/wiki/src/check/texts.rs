//! Checks what is derived from the latest texts: titles and link targets.

use std::collections::BTreeSet;

use crate::check::CheckError;
use crate::check::pages::Pages;
use crate::check::reader::Look;
use crate::check::report::Faults;
use crate::id::PageId;
use crate::links;
use crate::model::link::{LinkTarget, PageLinks};
use crate::model::page::{PageInfo, PageSource};
use crate::repository::IndexRow;
use crate::search;
use crate::store::{PAGE_PATH, PAGE_SOURCE};

pub(super) fn check(look: &Look<'_>, pages: &Pages) -> Result<(), CheckError> {
    let faults = look.faults;
    for (id, record) in pages.records() {
        let (page, info) = (PageId::from_bytes(*id), pages.saved_page(id));
        let fits = info.is_some() == record.links.is_some();
        faults.expect(fits, "page_links", || {
            format!("{page} has links and is no page, or is one and has no row")
        });
        let Some(info) = info else {
            faults.expect(record.title.is_none(), "page_title", || {
                format!("{page} has a title and is no page")
            });
            continue;
        };
        // A missing revision is reported by the check of revisions.
        let Some(newest): Option<PageSource> = look.get(PAGE_SOURCE, (id, info.latest))? else {
            continue;
        };
        let (noted, title) = (&record.title, search::title_row(&newest.source));
        faults.expect(*noted == title, "page_title", || {
            format!("{page} has the title {noted:?}, where its text has {title:?}")
        });
        if let Some(links) = &record.links {
            targets(info, &newest.source, links, faults);
        }
    }
    waiting(look, pages)
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
    let noted: BTreeSet<LinkTarget> = links.targets.iter().map(unbound).collect();
    let named = links::named_in(info.path_state.path(), text);
    faults.expect(noted == named, "page_links", || {
        format!(
            "{} is noted to link to {noted:?}, and links to {named:?}",
            info.page_id
        )
    });
}

/// Checks that no page is at a path where a link waits for one.
fn waiting(look: &Look<'_>, pages: &Pages) -> Result<(), CheckError> {
    for (id, record) in pages.records() {
        for row in record.index_rows() {
            let IndexRow::WaitingLink(path) = row else {
                continue;
            };
            let there = look.get(PAGE_PATH, path.as_str())?;
            let saved = there.and_then(|there| pages.saved_page(&there));
            look.faults.expect(saved.is_none(), "waiting_link", || {
                let page = PageId::from_bytes(*id);
                format!("{page} waits for {path}, where a page stands")
            });
        }
    }
    Ok(())
}
