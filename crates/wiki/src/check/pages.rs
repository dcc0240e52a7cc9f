//! Checks pages and their revisions: there are no gaps, and each revision matches its own record.

use std::collections::BTreeMap;

use crate::check::CheckError;
use crate::check::reader::TableReader;
use crate::check::report::Faults;
use crate::check::users::Users;
use crate::id::PageId;
use crate::model::page::{PageIndex, PageInfo, RenameInfo, SourceHead};
use crate::repository::PageRecord;
use crate::store::{
    DELETION, FORMER_PATHS, PAGE_INDEX, PAGE_LINKS, PAGE_SOURCE, PAGE_TITLE, UNRECORDED_MOVE,
};

/// The records of all pages.
pub(super) struct CheckedPages(BTreeMap<[u8; 16], PageRecord>);

impl CheckedPages {
    pub(super) fn read(reader: &TableReader<'_>) -> Result<Self, CheckError> {
        let mut records: BTreeMap<[u8; 16], PageRecord> = BTreeMap::new();
        reader.rows(PAGE_INDEX, |id, index| {
            records.entry(*id).or_default().index = Some(index);
        })?;
        reader.rows(PAGE_TITLE, |id, title| {
            records.entry(*id).or_default().title = Some(title);
        })?;
        reader.rows(PAGE_LINKS, |id, links| {
            records.entry(*id).or_default().links = Some(links);
        })?;
        reader.rows(FORMER_PATHS, |id, former| {
            records.entry(*id).or_default().former_paths = Some(former);
        })?;
        reader.rows(UNRECORDED_MOVE, |id, moved| {
            records.entry(*id).or_default().unrecorded_move = Some(moved);
        })?;
        reader.rows(DELETION, |id, deletion| {
            records.entry(*id).or_default().deletion = Some(deletion);
        })?;
        Ok(Self(records))
    }

    /// The records, including what is left of erased pages.
    pub(super) fn records(&self) -> impl Iterator<Item = (&[u8; 16], &PageRecord)> {
        self.0.iter()
    }

    pub(super) fn get(&self, id: &[u8; 16]) -> Option<&PageIndex> {
        self.0.get(id)?.index.as_ref()
    }

    /// The pages and drafts.
    pub(super) fn all(&self) -> impl Iterator<Item = (&[u8; 16], &PageIndex)> {
        let all = self.0.iter();
        all.filter_map(|(id, record)| Some((id, record.index.as_ref()?)))
    }

    /// The pages with revisions, deleted ones included.
    pub(super) fn saved(&self) -> impl Iterator<Item = (&[u8; 16], &PageInfo)> {
        self.all().filter_map(|(id, page)| match page {
            PageIndex::Page(info) => Some((id, info)),
            PageIndex::Draft(_) => None,
        })
    }

    pub(super) fn saved_page(&self, id: &[u8; 16]) -> Option<&PageInfo> {
        match self.get(id)? {
            PageIndex::Page(info) => Some(info),
            PageIndex::Draft(_) => None,
        }
    }
}

/// Checks the pages' own rows and their revisions. Returns the number of revisions.
pub(super) fn check(
    reader: &TableReader<'_>,
    pages: &CheckedPages,
    users: &Users,
) -> Result<u64, CheckError> {
    let faults = reader.faults;
    for (id, page) in pages.all() {
        let own = page.page_id();
        faults.expect(own.to_bytes() == *id, "page_index", || {
            format!("the row of {} has the id {own}", PageId::from_bytes(*id))
        });
    }
    let mut heads: BTreeMap<[u8; 16], Vec<SourceHead>> = BTreeMap::new();
    let mut count = 0;
    reader.rows(PAGE_SOURCE.read_as(), |(id, revision), head: SourceHead| {
        count += 1;
        let page = PageId::from_bytes(*id);
        faults.expect(head.revision == revision, "page_source", || {
            format!(
                "revision {revision} of {page} has the number {}",
                head.revision
            )
        });
        faults.expect(users.has(head.author), "page_source", || {
            format!(
                "revision {revision} of {page} is by the unknown user {}",
                head.author
            )
        });
        heads.entry(*id).or_default().push(head);
    })?;
    for (id, record) in pages.records() {
        let unrecorded = record.unrecorded_move.as_ref();
        let Some(info) = pages.saved_page(id) else {
            faults.expect(unrecorded.is_none(), "untold_move", || {
                format!(
                    "{} has an unrecorded move but is not a page",
                    PageId::from_bytes(*id)
                )
            });
            continue;
        };
        let own = heads.remove(id).unwrap_or_default();
        revisions(info, &own, faults);
        renames(info, &own, faults);
        path_of_revisions(info, &own, unrecorded, faults);
    }
    for (id, heads) in heads {
        faults.add(
            "page_source",
            format!(
                "{} revisions belong to {}, which is not a page",
                heads.len(),
                PageId::from_bytes(id)
            ),
        );
    }
    Ok(count)
}

/// Checks that every revision from the oldest kept to the latest exists, and that the renames are
/// at the revisions that the page lists.
fn revisions(info: &PageInfo, heads: &[SourceHead], faults: &Faults) {
    let page = info.page_id;
    let found: Vec<u64> = heads.iter().map(|head| head.revision).collect();
    let expected: Vec<u64> = (info.gc_min..=info.latest).collect();
    faults.expect(info.gc_min >= 1 && found == expected, "page_source", || {
        format!(
            "{page} has the revisions {found:?} instead of {} to {}",
            info.gc_min, info.latest
        )
    });
    let renamed: Vec<u64> = heads
        .iter()
        .filter(|head| head.rename.is_some())
        .map(|head| head.revision)
        .collect();
    let fits = renamed == info.rename_revisions;
    faults.expect_rebuildable(fits, "page_index", || {
        format!(
            "{page} lists {:?} as the revisions that set its path, but these are {renamed:?}",
            info.rename_revisions
        )
    });
}

/// Checks that the first revision records the initial path of the page (docs/spec/wiki.md, Pages and revisions), and
/// that each rename starts at the path to which the previous one led.
fn renames(info: &PageInfo, heads: &[SourceHead], faults: &Faults) {
    let page = info.page_id;
    let first = heads.iter().find(|head| head.revision == 1);
    let begins = first.is_none_or(|first| first.rename.is_some());
    faults.expect(begins, "page_source", || {
        format!("revision 1 of {page} does not record the page's first path")
    });
    let renames = heads
        .iter()
        .filter_map(|head| Some((head.revision, head.rename.as_ref()?)));
    let renames: Vec<_> = renames.collect();
    for pair in renames.windows(2) {
        let [(_, before), (revision, rename)] = pair else {
            continue;
        };
        let from = rename.from.as_ref();
        faults.expect(from == Some(&before.to), "page_source", || {
            format!(
                "revision {revision} of {page} moves it from {from:?}, but the rename before leads to {}",
                before.to
            )
        });
    }
}

/// Checks that the revisions, and the move that no revision records yet, lead to the path of the page.
fn path_of_revisions(
    info: &PageInfo,
    heads: &[SourceHead],
    unrecorded: Option<&RenameInfo>,
    faults: &Faults,
) {
    let page = info.page_id;
    let mut renames = heads.iter().rev().filter_map(|head| head.rename.as_ref());
    let mut at = renames.next().map(|rename| rename.to.clone());
    if let Some(RenameInfo { from, to, .. }) = unrecorded {
        faults.expect(
            from.is_some() && from.as_ref() != Some(to),
            "untold_move",
            || format!("the unrecorded move of {page} from {from:?} to {to} is invalid"),
        );
        faults.expect(at.is_none() || at == *from, "untold_move", || {
            format!("{page} has an unrecorded move from {from:?}, but its revisions lead to {at:?}")
        });
        at = Some(to.clone());
    }
    let path = info.path_state.path();
    faults.expect(
        at.is_none() || at.as_ref() == Some(path),
        "page_source",
        || format!("{page} is at {path}, but its revisions lead to {at:?}"),
    );
}
