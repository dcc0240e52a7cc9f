//! The disk fails, and comes back: nothing acknowledged is lost, and the app goes on.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use super::*;
use crate::store::failing::failing_store;
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
fn wherever_a_write_fails_the_last_acknowledged_value_stays_and_the_next_write_works() {
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
        // The commit may have reached the disk before its answer failed; a torn value may not.
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
fn of_a_commit_that_failed_it_is_told_that_nobody_knows() {
    let folder = tempfile::tempdir().unwrap();
    let left = Arc::new(AtomicI64::new(i64::MAX));
    let told = Arc::<Mutex<Vec<Change>>>::default();
    let heard = Arc::clone(&told);
    let store = failing_store(&folder.path().join("w.redb"), &left)
        .telling(move |changes| heard.lock().unwrap().extend(changes));
    let mut unknown = 0;
    for budget in 0.. {
        left.store(budget, Ordering::SeqCst);
        let outcome: Result<(), StorageError> = store.write(|txn| {
            txn.put(SETTINGS, "note", &"attempted".to_owned())?;
            txn.tell(Change::Settings);
            Ok(())
        });
        left.store(i64::MAX, Ordering::SeqCst);
        let told = std::mem::take(&mut *told.lock().unwrap());
        if outcome.is_ok() {
            assert_eq!(told, [Change::Settings]);
            break;
        }
        // It may also fail before there is anything to commit.
        assert!(told.is_empty() || told == [Change::Unknown], "{told:?}");
        unknown += told.len();
    }
    assert!(unknown > 2, "{unknown}");
}

#[test]
fn what_was_written_can_be_read_while_the_disk_is_full() {
    let folder = tempfile::tempdir().unwrap();
    let left = Arc::new(AtomicI64::new(i64::MAX));
    let store = failing_store(&folder.path().join("w.redb"), &left);
    put(&store, "kept").unwrap();
    left.store(0, Ordering::SeqCst);
    assert!(put(&store, "lost").is_err());
    left.store(1_000, Ordering::SeqCst);
    assert_eq!(get(&store), "kept");
}

#[test]
fn a_second_process_is_told_that_the_data_is_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.redb");
    let _first = Store::open(&path, Duration::ZERO, |_, _| Ok(())).unwrap();
    assert!(matches!(
        Store::open(&path, Duration::from_millis(60), |_, _| Ok(())),
        Err(OpenError::InUse(_))
    ));
}

#[test]
fn a_newer_schema_and_foreign_files_are_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.redb");
    Store::open(&path, Duration::ZERO, |_, _| Ok(()))
        .unwrap()
        .write(|txn| txn.put(META, "schema", &99))
        .unwrap();
    assert!(matches!(
        Store::open(&path, Duration::ZERO, |_, _| Ok(())),
        Err(OpenError::TooNew { found: 99, .. })
    ));

    let text = folder.path().join("text.redb");
    std::fs::write(&text, "not a database, but something dear to its owner").unwrap();
    assert!(matches!(
        Store::open(&text, Duration::ZERO, |_, _| Ok(())),
        Err(OpenError::NotOurs { .. })
    ));
    assert_eq!(
        std::fs::read_to_string(&text).unwrap(),
        "not a database, but something dear to its owner"
    );
}
