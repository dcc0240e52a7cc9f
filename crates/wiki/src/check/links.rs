//! Checks links: the rows match the latest texts, and the reverse tables match the rows.

use std::collections::BTreeSet;

use crate::check::CheckError;
use crate::check::pages::Pages;
use crate::check::reader::Look;
use crate::id::PageId;
use crate::links;
use crate::model::link::LinkTarget;
use crate::model::page::PageIndex;
use crate::store::{BACKLINK, PAGE_LINKS, PAGE_PATH, PAGE_SOURCE, WAITING_LINK};

pub(super) fn check(look: &Look<'_>, pages: &Pages) -> Result<(), CheckError> {
    let faults = look.faults;
    let mut rows = Vec::new();
    look.rows(PAGE_LINKS, |id, links| rows.push((*id, links.targets)))?;
    let owners: BTreeSet<[u8; 16]> = rows.iter().map(|(id, _)| *id).collect();
    let saved: BTreeSet<[u8; 16]> = pages.saved().map(|(id, _)| *id).collect();
    for id in owners.symmetric_difference(&saved) {
        let id = PageId::from_bytes(*id);
        faults.add(
            "page_links",
            format!("{id} has links and is no page, or is one and has no row"),
        );
    }
    for (source, targets) in &rows {
        check_text(look, pages, source, targets)?;
    }
    let (mut backlinks, mut waiting) = (BTreeSet::new(), BTreeSet::new());
    for (source, targets) in &rows {
        for target in targets {
            match (target.page(), target) {
                (Some(page), _) => {
                    backlinks.insert((page.to_bytes(), *source));
                }
                (None, LinkTarget::Path { path, .. }) => {
                    waiting.insert((path.to_string(), *source));
                }
                (None, LinkTarget::Page(_)) => unreachable!("BUG: a page target names a page"),
            }
        }
    }
    let mut found = BTreeSet::new();
    look.ids(BACKLINK, |page, sources| {
        found.extend(sources.into_iter().map(|source| (*page, source)));
    })?;
    for (page, source) in found.symmetric_difference(&backlinks) {
        let (page, source) = (PageId::from_bytes(*page), PageId::from_bytes(*source));
        faults.add(
            "backlink",
            format!("only one side knows that {source} links to {page}"),
        );
    }
    let mut found = BTreeSet::new();
    look.ids(WAITING_LINK, |path, sources| {
        found.extend(sources.into_iter().map(|source| (path.to_owned(), source)));
    })?;
    for (path, source) in found.symmetric_difference(&waiting) {
        let source = PageId::from_bytes(*source);
        faults.add(
            "waiting_link",
            format!("only one side knows that {source} waits for {path}"),
        );
    }
    for (path, source) in &waiting {
        let there = look.get(PAGE_PATH, path.as_str())?;
        let saved = there
            .and_then(|id| pages.get(&id))
            .is_some_and(|page| matches!(page, PageIndex::Page(_)));
        faults.expect(!saved, "waiting_link", || {
            format!(
                "{} waits for {path}, where a page stands",
                PageId::from_bytes(*source)
            )
        });
    }
    Ok(())
}

/// Checks that the row of a page names the links of its latest text.
fn check_text(
    look: &Look<'_>,
    pages: &Pages,
    source: &[u8; 16],
    targets: &[LinkTarget],
) -> Result<(), CheckError> {
    let Some(info) = pages.saved_page(source) else {
        return Ok(());
    };
    let Some(newest) = look.get(PAGE_SOURCE, (source, info.latest))? else {
        return Ok(());
    };
    let unbound = |target: &LinkTarget| match target {
        LinkTarget::Page(id) => LinkTarget::Page(*id),
        LinkTarget::Path { path, .. } => LinkTarget::Path {
            path: path.clone(),
            bound: None,
        },
    };
    let noted: BTreeSet<LinkTarget> = targets.iter().map(unbound).collect();
    let named = links::named_in(info.path_state.path(), &newest.source);
    look.faults.expect(noted == named, "page_links", || {
        format!(
            "{} is noted to link to {noted:?}, and links to {named:?}",
            info.page_id
        )
    });
    Ok(())
}
