//! The disk fails, and comes back: nothing acknowledged is lost, and the app goes on.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use redb::StorageBackend;

use super::*;
use crate::store::tables::{META, SETTINGS};
use crate::store::txn::Read;

/// A file whose operations fail once a budget is used up, until the budget is raised again.
#[derive(Debug)]
struct Failing {
    inner: FileBackend,
    left: Arc<AtomicI64>,
}

impl Failing {
    fn spend(&self) -> io::Result<()> {
        if self.left.fetch_sub(1, Ordering::SeqCst) <= 0 {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        Ok(())
    }
}

impl StorageBackend for Failing {
    fn len(&self) -> io::Result<u64> {
        self.inner.len()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.inner.read(offset, out)
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.spend()?;
        self.inner.set_len(len)
    }
    fn sync_data(&self) -> io::Result<()> {
        self.spend()?;
        self.inner.sync_data()
    }
    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.spend()?;
        self.inner.write(offset, data)
    }
}

fn failing_store(path: &Path, left: &Arc<AtomicI64>) -> Store {
    let (file, left) = (path.to_owned(), Arc::clone(left));
    let opener: Opener = Box::new(move |failed| {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&file)
            .unwrap();
        let backend = Failing {
            inner: FileBackend::new(file)?,
            left: Arc::clone(&left),
        };
        Builder::new().create_with_backend(Watched::new(backend, failed))
    });
    Store::with_opener(opener, path, Duration::ZERO, |_, _| Ok(())).unwrap()
}

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
