//! The integrity check of the database's structure: redb's check of every page, on the file as the last change
//! left it. The file is opened a second time for that, and redb's repairs are held back and discarded. Readers
//! continue and nothing is repaired; writers wait.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redb::{Builder, DatabaseError, StorageBackend};

use super::error::StorageError;
use super::open::Store;
use super::overlay::OverlayBackend;
use super::panics::catch_panic;

/// The size in bytes of the page cache of the check.
const CACHE: usize = 64 << 20;

impl Store {
    /// Describes the fault in the structure, or returns `None` if there is none.
    pub(crate) fn structure_fault(&self) -> Result<Option<String>, StorageError> {
        // No other writer changes the file while this lock is held.
        let _writing = self.writing.lock();
        let live = self.live()?;
        let live = live.as_ref().expect("BUG: live() leaves it open");
        let file = OverlayBackend::new(Box::new(SharedFile(live.file.clone())))?;
        match catch_panic(|| check_structure(file)) {
            Ok(Ok(true)) => Ok(None),
            Ok(Ok(false)) => Ok(Some("its structure does not match its contents".to_owned())),
            Ok(Err(error)) => {
                let error = StorageError::from(error);
                error.damage().map(Some).ok_or(error)
            }
            Err(message) => Ok(Some(message)),
        }
    }
}

/// The file of an open database, for a second reader. Locking and closing have no effect on it.
#[derive(Debug)]
struct SharedFile(OverlayBackend);

impl StorageBackend for SharedFile {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read(offset, out)
    }

    fn set_len(&self, _len: u64) -> io::Result<()> {
        Err(io::ErrorKind::PermissionDenied.into())
    }

    fn sync_data(&self) -> io::Result<()> {
        Err(io::ErrorKind::PermissionDenied.into())
    }

    fn write(&self, _offset: u64, _data: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}

/// The observations of opening. A repair reports its progress: first 0, then 0.3 if the last change can't be
/// read and redb falls back to the one before it, and 0.6 and 0.9 in any case.
#[derive(Default)]
struct Repair {
    began: AtomicBool,
    fell_back: AtomicBool,
}

fn check_structure(file: OverlayBackend) -> Result<bool, DatabaseError> {
    let repair = Arc::new(Repair::default());
    let observed = Arc::clone(&repair);
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE);
    builder.set_repair_callback(move |session| {
        observed.began.store(true, Ordering::Relaxed);
        if (0.1..0.5).contains(&session.progress()) {
            observed.fell_back.store(true, Ordering::Relaxed);
        }
    });
    let mut database = builder.create_with_backend(file)?;
    // A file in use is opened like one left by a crash, which checks every page.
    if repair.began.load(Ordering::Relaxed) {
        Ok(!repair.fell_back.load(Ordering::Relaxed))
    } else {
        database.check_integrity()
    }
}
