//! Checks paths: current ones, those of deleted pages, and those that pages have left.

use std::collections::BTreeSet;

use crate::check::CheckError;
use crate::check::faults::Faults;
use crate::check::pages::Pages;
use crate::check::people::People;
use crate::check::reader::Look;
use crate::id::PageId;
use crate::model::page::{PageIndex, PagePathState};
use crate::path::PagePath;
use crate::store::{DELETED_PAGE_PATH, DELETION, FORMER_PATHS, IdSets, LEFT_PATH, PAGE_PATH};

type Pairs = BTreeSet<(String, [u8; 16])>;

pub(super) fn check(look: &Look<'_>, pages: &Pages, people: &People) -> Result<(), CheckError> {
    let faults = look.faults;
    let (mut present, mut deleted) = (Pairs::new(), Pairs::new());
    for (id, page) in pages.all() {
        match page {
            PageIndex::Page(info) => match &info.path_state {
                PagePathState::Current(path) => present.insert((path.to_string(), *id)),
                PagePathState::LastDeleted(path) => deleted.insert((path.to_string(), *id)),
            },
            PageIndex::Draft(draft) => present.insert((draft.path.to_string(), *id)),
        };
    }
    let mut rows = Pairs::new();
    look.rows(PAGE_PATH, |path, id| {
        rows.insert((path.to_owned(), id));
    })?;
    agree("page_path", &rows, &present, faults);
    agree(
        "deleted_page_path",
        &pairs(look, DELETED_PAGE_PATH)?,
        &deleted,
        faults,
    );
    root(pages, people, faults);
    deletions(look, &deleted)?;
    former(look, pages)
}

/// Checks that there is a root page if there are users (docs/spec/wiki.md, Deleting and restoring).
fn root(pages: &Pages, people: &People, faults: &Faults) {
    let root = PagePathState::Current(PagePath::root());
    let there = pages.saved().any(|(_, page)| page.path_state == root);
    faults.expect(there || people.is_empty(), "page_path", || {
        "there are people, and no page is at /".to_owned()
    });
}

/// Reports the differences between the two sides.
fn agree(place: &'static str, rows: &Pairs, expected: &Pairs, faults: &Faults) {
    for (path, id) in rows.difference(expected) {
        let id = PageId::from_bytes(*id);
        faults.add(place, format!("{path} leads to {id}, which is not there"));
    }
    for (path, id) in expected.difference(rows) {
        let id = PageId::from_bytes(*id);
        faults.add(
            place,
            format!("{id} is at {path}, but that does not lead to it"),
        );
    }
}

fn pairs(look: &Look<'_>, sets: IdSets<&'static str>) -> Result<Pairs, CheckError> {
    let mut pairs = Pairs::new();
    look.ids(sets, |path, ids| {
        pairs.extend(ids.into_iter().map(|id| (path.to_owned(), id)));
    })?;
    Ok(pairs)
}

/// Checks that the deleted pages, and no others, have a row that records their deletion.
fn deletions(look: &Look<'_>, deleted: &Pairs) -> Result<(), CheckError> {
    let expected: BTreeSet<[u8; 16]> = deleted.iter().map(|(_, id)| *id).collect();
    let mut rows = BTreeSet::new();
    look.rows(DELETION, |id, _| {
        rows.insert(*id);
    })?;
    for id in rows.symmetric_difference(&expected) {
        let id = PageId::from_bytes(*id);
        look.faults.add(
            "deletion",
            format!("{id} is deleted and has no row, or has one and is not deleted"),
        );
    }
    Ok(())
}

/// Checks that the two tables of the path history agree.
fn former(look: &Look<'_>, pages: &Pages) -> Result<(), CheckError> {
    let faults = look.faults;
    let mut expected = Pairs::new();
    look.rows(FORMER_PATHS, |id, former| {
        let count = former.paths.len();
        // An erased page keeps its last path.
        let may_have_left = pages.saved_page(id).is_some() || count == 1;
        faults.expect(may_have_left, "former_paths", || {
            format!("{} left paths and is no page", PageId::from_bytes(*id))
        });
        let paths: BTreeSet<_> = former
            .paths
            .into_iter()
            .map(|left| left.path.to_string())
            .collect();
        faults.expect(count > 0 && paths.len() == count, "former_paths", || {
            format!("{} names a path twice, or none", PageId::from_bytes(*id))
        });
        expected.extend(paths.into_iter().map(|path| (path, *id)));
    })?;
    agree("left_path", &pairs(look, LEFT_PATH)?, &expected, faults);
    Ok(())
}
