//! A disk that is full after so many writes, for tests.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use redb::backends::FileBackend;
use redb::{Builder, StorageBackend};

use super::open::{Opener, Store};
use super::watched::Watched;

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

/// A store on such a file. It fails when `left` operations have changed it.
pub(crate) fn failing_store(path: &Path, left: &Arc<AtomicI64>) -> Store {
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
