//! Whether the database's own structure is sound: redb's check of every page, of the file as the last
//! change left it. It is opened once more for that, and what redb would mend there is held back and
//! forgotten. So readers go on, and nothing is repaired; writers wait.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

use redb::{Builder, DatabaseError, StorageBackend};

use super::error::StorageError;
use super::held::Held;
use super::open::Store;
use super::panics::caught;

/// How much of the file is kept in memory meanwhile, in bytes.
const CACHE: usize = 64 << 20;

impl Store {
    /// What is wrong with the structure, in words; none if nothing is.
    pub(crate) fn unsoundness(&self) -> Result<Option<String>, StorageError> {
        // While this is kept nobody else changes the file.
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let live = self.live()?;
        let live = live.as_ref().expect("BUG: live() leaves it open");
        let file = Held::new(Box::new(Beside(live.held.clone())))?;
        match caught(|| look(file)) {
            Ok(Ok(true)) => Ok(None),
            Ok(Ok(false)) => Ok(Some(
                "its structure is not what its contents say".to_owned(),
            )),
            Ok(Err(error)) => {
                let error = StorageError::from(error);
                error.damage().map(Some).ok_or(error)
            }
            Err(said) => Ok(Some(said)),
        }
    }
}

/// The file of an open database, to be read once more; locks and the end of its use are not its own.
#[derive(Debug)]
struct Beside(Held);

impl StorageBackend for Beside {
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

/// What opening has found out. A repair says how far it is: first 0, then 0.3 if the last change can't
/// be read and the one before is taken for it, and 0.6 and 0.9 in any case.
#[derive(Default)]
struct Repair {
    began: AtomicBool,
    fell_back: AtomicBool,
}

fn look(file: Held) -> Result<bool, DatabaseError> {
    let repair = Arc::new(Repair::default());
    let noted = Arc::clone(&repair);
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE);
    builder.set_repair_callback(move |session| {
        noted.began.store(true, Ordering::Relaxed);
        if (0.1..0.5).contains(&session.progress()) {
            noted.fell_back.store(true, Ordering::Relaxed);
        }
    });
    let mut database = builder.create_with_backend(file)?;
    // A file that is in use is opened as one that a crash left: every page is looked at for that.
    if repair.began.load(Ordering::Relaxed) {
        Ok(!repair.fell_back.load(Ordering::Relaxed))
    } else {
        database.check_integrity()
    }
}
