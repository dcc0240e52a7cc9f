//! Property test: after any sequence of changes, the index tables equal the ones rebuilt from the records.

use jiff::Timestamp;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::id::{DeletionId, LockToken};
use crate::model::history::FormerPath;
use crate::model::page::DraftInfo;
use crate::store::ReadSets;
use crate::store::crash_simulation::Disk;

const PAGES: usize = 4;

fn page(number: usize) -> PageId {
    PageId::from_bytes([number as u8; 16])
}

fn path(number: usize) -> PagePath {
    PagePath::new(&format!("/{number}")).unwrap()
}

fn draft(number: usize, at: usize) -> PageIndex {
    PageIndex::Draft(DraftInfo {
        page_id: page(number),
        path: path(at),
        lock_token: LockToken::from_bytes([7; 16]),
    })
}

fn saved(number: usize, path_state: PagePathState, latest: u64) -> PageIndex {
    PageIndex::Page(PageInfo {
        page_id: page(number),
        path_state,
        latest,
        gc_min: 1,
        lock_token: None,
        rename_revisions: vec![1],
    })
}

fn links() -> impl Strategy<Value = PageLinks> {
    let target = (0..PAGES, 0..PAGES, 0..3).prop_map(|(to, at, kind)| match kind {
        0 => LinkTarget::Page(page(to)),
        1 => LinkTarget::Path {
            path: path(at),
            bound: Some(page(to)),
        },
        _ => LinkTarget::Path {
            path: path(at),
            bound: None,
        },
    });
    vec(target, 0..4).prop_map(|targets| PageLinks { targets })
}

fn former_paths() -> impl Strategy<Value = FormerPaths> {
    let left = (0..PAGES).prop_map(|at| FormerPath {
        path: path(at),
        left_at: Timestamp::UNIX_EPOCH,
    });
    vec(left, 1..3).prop_map(|paths| FormerPaths { paths })
}

/// The record of a page; `at` is its path.
fn record(number: usize, at: usize) -> impl Strategy<Value = PageRecord> {
    let deletion = Deletion {
        deleted_at: Timestamp::UNIX_EPOCH,
        user_name: "Aya".to_owned(),
        group: DeletionId::from_bytes([5; 16]),
    };
    let moved = RenameInfo {
        from: None,
        to: path(at),
        link_refs: Default::default(),
    };
    let index = prop_oneof![
        Just(draft(number, at)),
        (1..3u64).prop_map(move |latest| saved(number, PagePathState::Current(path(at)), latest)),
        Just(saved(number, PagePathState::LastDeleted(path(at)), 1)),
    ];
    (
        option::of(index),
        option::of("[ab]"),
        option::of(links()),
        option::of(former_paths()),
        option::of(Just(moved)),
        option::of(Just(deletion)),
    )
        .prop_map(
            |(index, title, links, former_paths, unrecorded_move, deletion)| PageRecord {
                index,
                title,
                links,
                former_paths,
                unrecorded_move,
                deletion,
            },
        )
}

/// The records of all pages, at different paths, in the order in which they are put.
fn records() -> impl Strategy<Value = Vec<(PageId, PageRecord)>> {
    let paths = Just((0..PAGES).collect::<Vec<_>>()).prop_shuffle();
    let all = paths.prop_flat_map(|paths| {
        let each = paths.into_iter().enumerate();
        each.map(|(number, at)| record(number, at).prop_map(move |record| (page(number), record)))
            .collect::<Vec<_>>()
    });
    all.prop_shuffle()
}

type Rows = BTreeSet<(&'static str, String, [u8; 16])>;

/// The rows of the index tables.
fn stored(txn: &WriteTxn) -> Rows {
    let mut rows = Rows::new();
    txn.scan::<_, [u8; 16], &str>(PAGE_PATH, .., Direction::Ascending, |path, id| {
        rows.insert((PAGE_PATH.name, path.to_owned(), id));
        ControlFlow::Continue(())
    })
    .unwrap();
    let all = Direction::Ascending;
    for sets in [DELETED_PAGE_PATH, LEFT_PATH, WAITING_LINK] {
        txn.scan_ids_in::<_, &str>(sets, .., all, |path, ids| {
            rows.extend(ids.iter().map(|id| (sets.name, path.to_owned(), *id)));
            ControlFlow::Continue(())
        })
        .unwrap();
    }
    txn.scan_ids_in::<_, &[u8; 16]>(BACKLINK, .., all, |page, ids| {
        let page = PageId::from_bytes(*page).to_string();
        rows.extend(ids.iter().map(|id| (BACKLINK.name, page.clone(), *id)));
        ControlFlow::Continue(())
    })
    .unwrap();
    rows
}

fn derived(records: &[(PageId, PageRecord)]) -> Rows {
    let rows = records.iter().flat_map(|(page, record)| {
        let rows = record.index_rows().into_iter();
        rows.map(|row| (row.table(), row.key(), page.to_bytes()))
    });
    rows.collect()
}

fn load(txn: &WriteTxn, page: PageId) -> PageRecord {
    let id = page.to_bytes();
    PageRecord {
        index: txn.get(PAGE_INDEX, &id).unwrap(),
        title: txn.get(PAGE_TITLE, &id).unwrap(),
        links: txn.get(PAGE_LINKS, &id).unwrap(),
        former_paths: txn.get(FORMER_PATHS, &id).unwrap(),
        unrecorded_move: txn.get(UNRECORDED_MOVE, &id).unwrap(),
        deletion: txn.get(DELETION, &id).unwrap(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn index_tables_match_the_records_after_any_changes(steps in vec(records(), 1..6)) {
        let store = Disk::default().store();
        for records in steps {
            let put = store.write(|txn| {
                for (page, record) in &records {
                    record.put(txn, *page)?;
                }
                assert_eq!(stored(txn), derived(&records));
                for (page, record) in &records {
                    assert_eq!(&load(txn, *page), record);
                }
                Ok::<_, StorageError>(())
            });
            put.unwrap();
        }
    }
}

#[test]
fn damaged_title_is_replaced_and_removed() {
    let store = Disk::default().store();
    let put = store.write(|txn| {
        let (page, id) = (page(1), page(1).to_bytes());
        for new in [Some("a".to_owned()), None] {
            txn.put(PAGE_TITLE.read_as(), &id, &())?;
            assert!(txn.get(PAGE_TITLE, &id).is_err());
            put(txn, PAGE_TITLE, page, new.as_ref())?;
            assert_eq!(txn.get(PAGE_TITLE, &id)?, new);
        }
        Ok::<_, StorageError>(())
    });
    put.unwrap();
}

#[test]
fn damaged_links_are_kept() {
    let store = Disk::default().store();
    let put = store.write(|txn| {
        txn.put(PAGE_LINKS.read_as(), &page(1).to_bytes(), &())?;
        put(txn, PAGE_LINKS, page(1), Some(&PageLinks::default()))
    });
    assert!(matches!(put, Err(StorageError::Damaged { .. })));
}
