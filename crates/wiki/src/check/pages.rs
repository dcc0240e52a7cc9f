//! Pages and their revisions: no gaps, and each revision what it says it is.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::check::faults::Faults;
use crate::id::PageId;
use crate::model::page::{PageIndex, PageInfo, PageSource, RenameInfo, SourceHead};
use crate::search;
use crate::store::{
    Direction, PAGE_INDEX, PAGE_SOURCE, PAGE_TITLE, Read, ReadTxn, StorageError, UNTOLD_MOVE,
};

/// Everything in the page index.
pub(super) struct Pages(BTreeMap<[u8; 16], PageIndex>);

impl Pages {
    pub(super) fn read(txn: &ReadTxn) -> Result<Self, StorageError> {
        let mut pages = BTreeMap::new();
        txn.scan::<_, PageIndex, &[u8; 16]>(PAGE_INDEX, .., Direction::Ascending, |id, page| {
            pages.insert(*id, page);
            ControlFlow::Continue(())
        })?;
        Ok(Self(pages))
    }

    pub(super) fn get(&self, id: &[u8; 16]) -> Option<&PageIndex> {
        self.0.get(id)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&[u8; 16], &PageIndex)> {
        self.0.iter()
    }

    /// Those with revisions, deleted ones included.
    pub(super) fn saved(&self) -> impl Iterator<Item = (&[u8; 16], &PageInfo)> {
        self.0.iter().filter_map(|(id, page)| match page {
            PageIndex::Page(info) => Some((id, info)),
            PageIndex::Draft(_) => None,
        })
    }

    pub(super) fn saved_page(&self, id: &[u8; 16]) -> Option<&PageInfo> {
        match self.0.get(id)? {
            PageIndex::Page(info) => Some(info),
            PageIndex::Draft(_) => None,
        }
    }
}

/// Looks at the pages' own rows and their revisions; says how many revisions there are.
pub(super) fn check(
    txn: &ReadTxn,
    pages: &Pages,
    faults: &mut Faults,
) -> Result<u64, StorageError> {
    for (id, page) in pages.all() {
        let own = match page {
            PageIndex::Page(info) => info.page_id,
            PageIndex::Draft(draft) => draft.page_id,
        };
        faults.expect(own.to_bytes() == *id, "page_index", || {
            format!(
                "the row of {} says that it is {own}",
                PageId::from_bytes(*id)
            )
        });
    }
    let mut heads: BTreeMap<[u8; 16], Vec<SourceHead>> = BTreeMap::new();
    let mut count = 0;
    txn.scan::<_, SourceHead, (&[u8; 16], u64)>(
        PAGE_SOURCE.read_as(),
        ..,
        Direction::Ascending,
        |(id, revision), head| {
            count += 1;
            faults.expect(head.revision == revision, "page_source", || {
                format!(
                    "revision {revision} of {} says that it is {}",
                    PageId::from_bytes(*id),
                    head.revision
                )
            });
            heads.entry(*id).or_default().push(head);
            ControlFlow::Continue(())
        },
    )?;
    let mut moves = BTreeMap::new();
    txn.scan::<_, RenameInfo, &[u8; 16]>(UNTOLD_MOVE, .., Direction::Ascending, |id, moved| {
        moves.insert(*id, moved);
        ControlFlow::Continue(())
    })?;
    for (id, info) in pages.saved() {
        let own = heads.remove(id).unwrap_or_default();
        revisions(info, &own, faults);
        told_path(info, &own, moves.remove(id), faults);
    }
    for id in moves.into_keys() {
        let id = PageId::from_bytes(id);
        faults.add("untold_move", format!("{id} has moved and is no page"));
    }
    for (id, heads) in heads {
        faults.add(
            "page_source",
            format!(
                "{} revisions belong to {}, which is no page",
                heads.len(),
                PageId::from_bytes(id)
            ),
        );
    }
    titles(txn, pages, faults)?;
    Ok(count)
}

/// Every revision from the oldest kept to the newest is there, and the renames are where the page
/// says they are.
fn revisions(info: &PageInfo, heads: &[SourceHead], faults: &mut Faults) {
    let page = info.page_id;
    let there: Vec<u64> = heads.iter().map(|head| head.revision).collect();
    let expected: Vec<u64> = (info.gc_min..=info.latest).collect();
    faults.expect(info.gc_min >= 1 && there == expected, "page_source", || {
        format!(
            "{page} has the revisions {there:?}, where {} to {} should be",
            info.gc_min, info.latest
        )
    });
    let renamed: Vec<u64> = heads
        .iter()
        .filter(|head| head.rename.is_some())
        .map(|head| head.revision)
        .collect();
    faults.expect(renamed == info.rename_revisions, "page_index", || {
        format!(
            "{page} names {:?} as the revisions of its path, where {renamed:?} are",
            info.rename_revisions
        )
    });
}

/// The revisions, and what no revision has told of yet, lead to where the page stands.
fn told_path(
    info: &PageInfo,
    heads: &[SourceHead],
    untold: Option<RenameInfo>,
    faults: &mut Faults,
) {
    let page = info.page_id;
    let mut told = heads.iter().rev().filter_map(|head| head.rename.as_ref());
    let mut at = told.next().map(|rename| rename.to.clone());
    if let Some(RenameInfo { from, to, .. }) = untold {
        faults.expect(
            from.is_some() && from.as_ref() != Some(&to),
            "untold_move",
            || format!("{page} has moved from {from:?} to {to}"),
        );
        faults.expect(at.is_none() || at == from, "untold_move", || {
            format!("{page} has moved from {from:?}, where its revisions have it at {at:?}")
        });
        at = Some(to);
    }
    let path = info.path_state.path();
    faults.expect(
        at.is_none() || at.as_ref() == Some(path),
        "page_source",
        || format!("{page} is at {path}, where its revisions have it at {at:?}"),
    );
}

/// Each page's title is the one that its newest text has.
fn titles(txn: &ReadTxn, pages: &Pages, faults: &mut Faults) -> Result<(), StorageError> {
    let mut titles = BTreeMap::new();
    txn.scan::<_, String, &[u8; 16]>(PAGE_TITLE, .., Direction::Ascending, |id, title| {
        titles.insert(*id, title);
        ControlFlow::Continue(())
    })?;
    for (id, info) in pages.saved() {
        let noted = titles.remove(id);
        // That a revision is missing is told where revisions are looked at.
        let Some(newest): Option<PageSource> = txn.get(PAGE_SOURCE, (id, info.latest))? else {
            continue;
        };
        // A link between double brackets is kept by its id, and was read by its path.
        if newest.source.contains("[[") {
            continue;
        }
        let title = search::title_of(&newest.source);
        faults.expect(noted == title, "page_title", || {
            format!(
                "{} has the title {noted:?}, where its text has {title:?}",
                info.page_id
            )
        });
    }
    for id in titles.into_keys() {
        let id = PageId::from_bytes(id);
        faults.add("page_title", format!("{id} has a title and is no page"));
    }
    Ok(())
}
