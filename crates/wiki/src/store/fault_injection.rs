//! Fault injection for tests: a disk that is full after a number of writes, or read-only.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use redb::backends::FileBackend;
use redb::{DatabaseError, StorageBackend};

use super::medium::{Medium, ReadOnlyFile};
use super::open::Store;
use super::overlay::Backend;

/// A file whose operations fail once a budget is used up, until the budget is raised again.
#[derive(Debug)]
struct FailingFile {
    inner: FileBackend,
    left: Arc<AtomicI64>,
}

impl FailingFile {
    fn spend(&self) -> io::Result<()> {
        let left = self.left.fetch_sub(1, Ordering::SeqCst);
        if is_read_only(left) {
            Err(io::ErrorKind::ReadOnlyFilesystem.into())
        } else if left <= 0 {
            Err(io::ErrorKind::StorageFull.into())
        } else {
            Ok(())
        }
    }
}

/// A budget with which the disk is read-only, for any number of attempted changes.
pub(crate) const READ_ONLY: i64 = i64::MIN / 2;

fn is_read_only(left: i64) -> bool {
    left < READ_ONLY / 2
}

impl StorageBackend for FailingFile {
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

/// The location of such a file.
struct FailingDisk {
    path: PathBuf,
    left: Arc<AtomicI64>,
}

impl Medium for FailingDisk {
    fn open(&self) -> Result<Backend, DatabaseError> {
        self.check_writable().map_err(redb::StorageError::from)?;
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&self.path)
            .unwrap();
        Ok(Box::new(FailingFile {
            inner: FileBackend::new(file)?,
            left: Arc::clone(&self.left),
        }))
    }

    fn open_read_only(&self) -> Result<Backend, DatabaseError> {
        let file = File::open(&self.path).map_err(redb::StorageError::from)?;
        Ok(Box::new(ReadOnlyFile(Mutex::new(file))))
    }

    fn check_writable(&self) -> io::Result<()> {
        if is_read_only(self.left.load(Ordering::SeqCst)) {
            return Err(io::ErrorKind::ReadOnlyFilesystem.into());
        }
        Ok(())
    }
}

/// Opens a store on such a file. It fails after `left` operations have changed it.
pub(crate) fn failing_store(path: &Path, left: &Arc<AtomicI64>) -> Store {
    let medium = Box::new(FailingDisk {
        path: path.to_owned(),
        left: Arc::clone(left),
    });
    Store::open_medium(medium, path, Duration::ZERO, |_| Ok(())).unwrap()
}
