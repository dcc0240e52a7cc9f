//! Whether the database's own structure is sound: redb's check of every page, of the file as the last
//! change left it. It is opened once more beside for that, and what redb would mend there is held back
//! and forgotten. So readers go on, and nothing is repaired; writers wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redb::{Builder, DatabaseError};

use super::error::StorageError;
use super::held::Held;
use super::open::Store;
use super::panics::caught;

/// How much of the file is kept in memory meanwhile, in bytes.
const CACHE: usize = 64 << 20;
/// A repair says this first if the last change can't be read, and more if it can.
const LAST_CHANGE_IS_DAMAGED: f64 = 0.5;

impl Store {
    /// What is wrong with the structure, in words; none if nothing is.
    pub(crate) fn unsoundness(&self) -> Result<Option<String>, StorageError> {
        let live = self.live()?;
        let database = &live.as_ref().expect("BUG: live() leaves it open").database;
        // While it is there nobody else changes the file.
        let _writing = database.begin_write()?;
        let file = Held::new(self.medium.look()?)?;
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

fn look(file: Held) -> Result<bool, DatabaseError> {
    let fell_back = Arc::new(AtomicBool::new(false));
    let noted = Arc::clone(&fell_back);
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE);
    builder.set_repair_callback(move |repair| {
        if repair.progress() < LAST_CHANGE_IS_DAMAGED {
            noted.store(true, Ordering::Relaxed);
        }
    });
    let mut database = builder.create_with_backend(file)?;
    Ok(database.check_integrity()? && !fell_back.load(Ordering::Relaxed))
}
