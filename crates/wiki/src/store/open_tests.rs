//! Disk failures and recovery: no acknowledged change is lost, and the app continues.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use fumikura_base::entropy::{Entropy, SeededEntropy, random_bytes};
use parking_lot::Mutex;

use super::*;
use crate::store::fault_injection::{READ_ONLY, failing_store};
use crate::store::tables::{META, SETTINGS};
use crate::store::txn::Read;

fn put(store: &Store, value: &str) -> Result<(), StorageError> {
    store.write(|txn| txn.put(SETTINGS, "note", &value.to_owned()))
}

fn get(store: &Store) -> String {
    store
        .read(|txn| txn.get(SETTINGS, "note"))
        .unwrap()
        .unwrap()
}

#[test]
fn store_recovers_from_a_failure_of_any_write() {
    let folder = tempfile::tempdir().unwrap();
    let left = Arc::new(AtomicI64::new(i64::MAX));
    let store = failing_store(&folder.path().join("w.redb"), &left);
    let mut failures = 0;
    for budget in 0.. {
        put(&store, "acknowledged").unwrap();
        left.store(budget, Ordering::SeqCst);
        let outcome = put(&store, "attempted");
        left.store(i64::MAX, Ordering::SeqCst);
        match outcome {
            Ok(()) => break,
            Err(StorageError::DiskFull(_)) => failures += 1,
            Err(other) => panic!("budget {budget}: {other:?}"),
        }
        // The commit may have reached the disk before it reported failure; a torn value may not.
        assert!(
            ["acknowledged", "attempted"].contains(&get(&store).as_str()),
            "budget {budget}"
        );
        put(&store, "after").unwrap();
        assert_eq!(get(&store), "after");
    }
    assert!(failures > 2, "the budget never ran out: {failures}");
}

#[test]
fn failed_commit_is_reported_as_unknown_change() {
    let folder = tempfile::tempdir().unwrap();
    let left = Arc::new(AtomicI64::new(i64::MAX));
    let reported = Arc::<Mutex<Vec<Change>>>::default();
    let observed = Arc::clone(&reported);
    let store = failing_store(&folder.path().join("w.redb"), &left)
        .with_observer(move |changes| observed.lock().extend(changes));
    let mut unknown = 0;
    for budget in 0.. {
        left.store(budget, Ordering::SeqCst);
        let outcome: Result<(), StorageError> = store.write(|txn| {
            txn.put(SETTINGS, "note", &"attempted".to_owned())?;
            txn.report(Change::Settings);
            Ok(())
        });
        left.store(i64::MAX, Ordering::SeqCst);
        let changes = std::mem::take(&mut *reported.lock());
        if outcome.is_ok() {
            assert_eq!(changes, [Change::Settings]);
            break;
        }
        // It may also fail before there is anything to commit.
        assert!(
            changes.is_empty() || changes == [Change::Unknown],
            "{reported:?}"
        );
        unknown += changes.len();
    }
    assert!(unknown > 2, "{unknown}");
}

/// Checks that with this budget everything can be read and nothing written, and that each attempt reports the
/// reason.
#[track_caller]
fn check_only_reads(budget: i64, is_the_reason: fn(&StorageError) -> bool) {
    let folder = tempfile::tempdir().unwrap();
    let left = Arc::new(AtomicI64::new(i64::MAX));
    let store = failing_store(&folder.path().join("w.redb"), &left);
    put(&store, "kept").unwrap();
    left.store(budget, Ordering::SeqCst);
    for _ in 0..3 {
        let refused = put(&store, "lost").unwrap_err();
        assert!(is_the_reason(&refused), "{refused:?}");
        assert_eq!(get(&store), "kept");
        assert_eq!(get(&store), "kept");
    }
    // A long reader is not disturbed by attempts to write.
    let read = store.read(|txn| {
        put(&store, "lost").unwrap_err();
        txn.get(SETTINGS, "note")
    });
    assert_eq!(read.unwrap().unwrap(), "kept");
    assert_eq!(store.structure_fault().unwrap(), None);
    left.store(i64::MAX, Ordering::SeqCst);
    put(&store, "after").unwrap();
    assert_eq!(get(&store), "after");
    drop(store);
    let store = failing_store(&folder.path().join("w.redb"), &left);
    assert_eq!(get(&store), "after");
}

#[test]
fn data_is_readable_while_the_disk_is_full() {
    check_only_reads(0, |refused| matches!(refused, StorageError::DiskFull(_)));
}

#[test]
fn data_is_readable_on_a_read_only_disk() {
    check_only_reads(READ_ONLY, |refused| {
        matches!(refused, StorageError::ReadOnly(_))
    });
}

#[test]
fn full_disk_during_reopening_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.redb");
    let left = Arc::new(AtomicI64::new(i64::MAX));
    let store = failing_store(&path, &left);
    let mut failures = 0;
    for budget in 0.. {
        put(&store, "acknowledged").unwrap();
        left.store(0, Ordering::SeqCst);
        put(&store, "lost").unwrap_err();
        assert_eq!(get(&store), "acknowledged");
        left.store(budget, Ordering::SeqCst);
        let outcome = put(&store, "attempted");
        left.store(0, Ordering::SeqCst);
        let found = get(&store);
        if outcome.is_ok() {
            assert_eq!(found, "attempted");
            break;
        }
        failures += 1;
        assert!(["acknowledged", "attempted"].contains(&found.as_str()));
        assert_eq!(store.structure_fault().unwrap(), None, "budget {budget}");
        left.store(i64::MAX, Ordering::SeqCst);
        // The state if the program ended here.
        let copy = folder.path().join("copy.redb");
        std::fs::copy(&path, &copy).unwrap();
        assert_eq!(get(&failing_store(&copy, &left)), found);
        std::fs::remove_file(copy).unwrap();
    }
    assert!(failures > 4, "{failures}");
}

#[test]
fn second_process_gets_an_in_use_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.redb");
    let _first = Store::open(&path, Duration::ZERO, |_| Ok(())).unwrap();
    assert!(matches!(
        Store::open(&path, Duration::from_millis(60), |_| Ok(())),
        Err(OpenError::InUse(_))
    ));
}

#[test]
fn other_schemas_and_foreign_files_are_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let write_version = |version: u32| {
        let path = folder.path().join(format!("{version}.redb"));
        let store = Store::open(&path, Duration::ZERO, |_| Ok(())).unwrap();
        let written = store.write(|txn| txn.put(META, "schema", &version));
        written.unwrap();
        path
    };
    let [newer, older] = [99, 3].map(write_version);
    let contents = [&newer, &older].map(|path| std::fs::read(path).unwrap());
    assert!(matches!(
        Store::open(&newer, Duration::ZERO, |_| Ok(())),
        Err(OpenError::TooNew { found: 99, .. })
    ));
    assert!(matches!(
        Store::open(&older, Duration::ZERO, |_| Ok(())),
        Err(OpenError::TooOld { found: 3, .. })
    ));
    let unchanged = [&newer, &older].map(|path| std::fs::read(path).unwrap());
    assert!(contents == unchanged);

    let text = folder.path().join("text.redb");
    std::fs::write(&text, "not a database, but something dear to its owner").unwrap();
    assert!(matches!(
        Store::open(&text, Duration::ZERO, |_| Ok(())),
        Err(OpenError::NotOurs { .. })
    ));
    assert_eq!(
        std::fs::read_to_string(&text).unwrap(),
        "not a database, but something dear to its owner"
    );
}

#[test]
fn long_reader_blocks_neither_writers_nor_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let left = Arc::new(AtomicI64::new(i64::MAX));
    let store = failing_store(&folder.path().join("w.redb"), &left);
    put(&store, "before").unwrap();
    let others = |store: &Store| {
        assert_eq!(store.structure_fault().unwrap(), None);
        put(store, "meanwhile").unwrap();
        // The file is opened again.
        left.store(0, Ordering::SeqCst);
        assert!(put(store, "lost").is_err());
        left.store(i64::MAX, Ordering::SeqCst);
        assert_eq!(get(store), "meanwhile");
        put(store, "after").unwrap();
    };
    let read = store.read(|txn| {
        let waited = std::thread::scope(|scope| scope.spawn(|| others(&store)).join());
        waited.unwrap();
        txn.get(SETTINGS, "note")
    });
    // Its database is gone by now: the read fails, or returns the state at its start.
    assert!(read.is_err() || read.unwrap().unwrap() == "before");
    assert_eq!(get(&store), "after");
}

#[test]
fn torn_file_is_opened_or_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.redb");
    let open = || Store::open(&path, Duration::ZERO, |_| Ok(()));
    let store = open().unwrap();
    for round in 0..4 {
        let put = |number: u32| {
            let (name, text) = (format!("{round} {number}"), "text ".repeat(50));
            move |txn: &WriteTxn| txn.put(SETTINGS, name.as_str(), &text)
        };
        let rows = |txn: &WriteTxn| (0..2_000).try_for_each(|number| put(number)(txn));
        store.write(rows).unwrap();
    }
    // The file while it is in use, and after it is closed.
    let used = std::fs::read(&path).unwrap();
    drop(store);
    let left = std::fs::read(&path).unwrap();
    let (mut refused, mut reported) = (0, 0);
    for seed in 0..60 {
        let random = SeededEntropy::new(seed);
        let mut torn = if seed % 2 == 0 {
            used.clone()
        } else {
            left.clone()
        };
        let number = |below: usize| u32::from_le_bytes(random_bytes(&random)) as usize % below;
        for _ in 0..=number(3) {
            let page = number(torn.len() / 4096) * 4096;
            match number(3) {
                0 => torn[page..page + 4096].fill(0),
                1 => random.fill(&mut torn[page..page + 4096]),
                // One part is from another time.
                _ => {
                    let from = number(torn.len() / 4096) * 4096;
                    torn.copy_within(from..from + 4096, page);
                }
            }
        }
        if number(5) == 0 {
            torn.truncate(number(torn.len()).max(1));
        }
        std::fs::write(&path, &torn).unwrap();
        match open() {
            Ok(store) => {
                let fault = store.structure_fault();
                reported += usize::from(!matches!(fault, Ok(None)));
                let _discarded = catch_panic(|| drop(store));
            }
            Err(OpenError::Damaged { .. } | OpenError::NotOurs { .. }) => {
                refused += 1;
                assert!(std::fs::read(&path).unwrap() == torn, "seed {seed}");
            }
            Err(other) => panic!("seed {seed}: {other:?}"),
        }
    }
    assert!(
        refused > 5 && reported > 1,
        "{refused} refused, {reported} reported"
    );
}
