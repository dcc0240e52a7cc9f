//! Paths: present ones, those of deleted pages, and those that pages have left.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::check::faults::Faults;
use crate::check::pages::Pages;
use crate::id::PageId;
use crate::model::history::{Deletion, FormerPaths};
use crate::model::page::{PageIndex, PagePathState};
use crate::store::{
    DELETED_PAGE_PATH, DELETION, Direction, FORMER_PATHS, LEFT_PATH, PAGE_PATH, Read, ReadSets,
    ReadTxn, StorageError,
};

type Pairs = BTreeSet<(String, [u8; 16])>;

pub(super) fn check(txn: &ReadTxn, pages: &Pages, faults: &mut Faults) -> Result<(), StorageError> {
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
    txn.scan::<_, [u8; 16], &str>(PAGE_PATH, .., Direction::Ascending, |path, id| {
        rows.insert((path.to_owned(), id));
        ControlFlow::Continue(())
    })?;
    agree("page_path", &rows, &present, faults);
    agree(
        "deleted_page_path",
        &pairs(txn, DELETED_PAGE_PATH)?,
        &deleted,
        faults,
    );
    deletions(txn, &deleted, faults)?;
    former(txn, pages, faults)
}

/// Tells what one side has and the other has not.
fn agree(place: &'static str, rows: &Pairs, expected: &Pairs, faults: &mut Faults) {
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

fn pairs(txn: &ReadTxn, sets: crate::store::IdSets<&'static str>) -> Result<Pairs, StorageError> {
    let mut pairs = Pairs::new();
    txn.scan_ids(sets, |path, ids| {
        pairs.extend(ids.into_iter().map(|id| (path.to_owned(), id)));
        ControlFlow::Continue(())
    })?;
    Ok(pairs)
}

/// Every deleted page, and no other, has a row that tells how it was deleted.
fn deletions(txn: &ReadTxn, deleted: &Pairs, faults: &mut Faults) -> Result<(), StorageError> {
    let expected: BTreeSet<[u8; 16]> = deleted.iter().map(|(_, id)| *id).collect();
    let mut rows = BTreeSet::new();
    txn.scan::<_, Deletion, &[u8; 16]>(DELETION, .., Direction::Ascending, |id, _| {
        rows.insert(*id);
        ControlFlow::Continue(())
    })?;
    for id in rows.symmetric_difference(&expected) {
        let id = PageId::from_bytes(*id);
        faults.add(
            "deletion",
            format!("{id} is deleted and has no row, or has one and is not deleted"),
        );
    }
    Ok(())
}

/// The two tables of former paths say the same, of pages that are there.
fn former(txn: &ReadTxn, pages: &Pages, faults: &mut Faults) -> Result<(), StorageError> {
    let mut expected = Pairs::new();
    txn.scan::<_, FormerPaths, &[u8; 16]>(FORMER_PATHS, .., Direction::Ascending, |id, former| {
        faults.expect(pages.saved_page(id).is_some(), "former_paths", || {
            format!("{} left paths and is no page", PageId::from_bytes(*id))
        });
        let count = former.paths.len();
        let paths: BTreeSet<_> = former
            .paths
            .into_iter()
            .map(|left| left.path.to_string())
            .collect();
        faults.expect(count > 0 && paths.len() == count, "former_paths", || {
            format!("{} names a path twice, or none", PageId::from_bytes(*id))
        });
        expected.extend(paths.into_iter().map(|path| (path, *id)));
        ControlFlow::Continue(())
    })?;
    agree("left_path", &pairs(txn, LEFT_PATH)?, &expected, faults);
    Ok(())
}
