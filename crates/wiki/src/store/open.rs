//! The open database, and how it comes back after the disk failed.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use fumikura_base::durable;
use redb::backends::FileBackend;
use redb::{Builder, Database, DatabaseError, ReadableDatabase};

use super::changes::Changes;
use super::error::{OpenError, StorageError};
use super::schema::{self, Found};
use super::txn::{ReadTxn, WriteTxn};
use super::watched::{Failed, Watched};
use crate::model::change::Change;

/// How long to wait between two tries to open a database that another process holds.
const RETRY: Duration = Duration::from_millis(50);

/// Opens the database's file, anew each time it is called, and tells its failures.
pub(super) type Opener = Box<dyn Fn(Failed) -> Result<Database, DatabaseError> + Send + Sync>;

/// Unlinks the file that lies outside of the database under an id.
type Unlink = Box<dyn Fn(&[u8; 16]) + Send + Sync>;

/// Tells those who watch what a commit changed.
type Tell = Box<dyn Fn(Vec<Change>) + Send + Sync>;

/// The database, open for this process alone.
///
/// After a failed write redb refuses everything until the file is opened again, as it no longer
/// trusts its memory. So that a full disk costs only the changes made while it is full, a database
/// that failed is opened again before its next transaction.
pub(crate) struct Store {
    opener: Opener,
    unlink: Unlink,
    tell: Tell,
    /// Held from before a change until it was told, so that changes are told in the order in which
    /// they happened.
    writing: Mutex<()>,
    /// The pages that may be called otherwise.
    pub(crate) changes: Changes,
    /// None while a failed database could not be opened again.
    live: RwLock<Option<Live>>,
}

struct Live {
    database: Database,
    failed: Failed,
}

impl Store {
    /// Opens the database at `path`, making it if it is not there. While another process has it,
    /// tries for as long as `patience`.
    ///
    /// A database of an older schema is brought up in one transaction, in which `upgrade` fills what
    /// is new; it is told the version that was found.
    pub(crate) fn open(
        path: &Path,
        patience: Duration,
        upgrade: impl FnOnce(&WriteTxn, u32) -> Result<(), StorageError>,
    ) -> Result<Self, OpenError> {
        let file: PathBuf = path.to_owned();
        let opener: Opener = Box::new(move |failed| open_file(&file, failed));
        Self::with_opener(opener, path, patience, upgrade)
    }

    pub(super) fn with_opener(
        opener: Opener,
        path: &Path,
        patience: Duration,
        upgrade: impl FnOnce(&WriteTxn, u32) -> Result<(), StorageError>,
    ) -> Result<Self, OpenError> {
        let deadline = Instant::now() + patience;
        let live = loop {
            match open_with(&opener) {
                Err(DatabaseError::DatabaseAlreadyOpen) if Instant::now() < deadline => {
                    std::thread::sleep(RETRY)
                }
                Err(error) => return Err(refusal(path, error)),
                Ok(live) => break live,
            }
        };
        let store = Self {
            opener,
            unlink: Box::new(|_| {}),
            tell: Box::new(|_| {}),
            writing: Mutex::default(),
            changes: Changes::default(),
            live: RwLock::new(Some(live)),
        };
        let failed = |source| OpenError::Storage {
            path: path.to_owned(),
            source,
        };
        match store.read(schema::look).map_err(failed)? {
            Found::Nothing => {
                store.write(schema::establish).map_err(failed)?;
                // The file's name must last as its contents do.
                let folder = path.parent().unwrap_or(Path::new("."));
                durable::sync_folder(folder).map_err(|error| failed(error.into()))?;
                Ok(store)
            }
            Found::Current => Ok(store),
            Found::Older(version) => {
                let raise = |txn: &WriteTxn| {
                    schema::establish(txn)?;
                    upgrade(txn, version)
                };
                store.write(raise).map_err(failed)?;
                tracing::info!(from = version, "the database was brought up to date");
                Ok(store)
            }
            Found::Newer(found) => Err(OpenError::TooNew {
                path: path.to_owned(),
                found,
                known: schema::CURRENT,
            }),
            Found::Foreign => Err(OpenError::NotOurs {
                path: path.to_owned(),
                reason: "it is a database, but it holds no schema version".to_owned(),
            }),
        }
    }

    /// The same, with a way to unlink the files that changes discard.
    pub(crate) fn unlinking(self, unlink: impl Fn(&[u8; 16]) + Send + Sync + 'static) -> Self {
        Self {
            unlink: Box::new(unlink),
            ..self
        }
    }

    /// The same, with a way to tell what changes. It is called after each commit that changed
    /// something worth telling, before the next change begins: it must be quick, and must not come
    /// back here to write.
    pub(crate) fn telling(self, tell: impl Fn(Vec<Change>) + Send + Sync + 'static) -> Self {
        Self {
            tell: Box::new(tell),
            ..self
        }
    }

    /// Looks at the database as it is now.
    pub(crate) fn read<R, E: From<StorageError>>(
        &self,
        look: impl FnOnce(&ReadTxn) -> Result<R, E>,
    ) -> Result<R, E> {
        let live = self.live()?;
        let database = &live.as_ref().expect("BUG: live() leaves it open").database;
        look(&ReadTxn(database.begin_read().map_err(StorageError::from)?))
    }

    /// Changes the database: all that `change` does, durably, or nothing when it returns an error.
    pub(crate) fn write<R, E: From<StorageError>>(
        &self,
        change: impl FnOnce(&WriteTxn) -> Result<R, E>,
    ) -> Result<R, E> {
        let live = self.live()?;
        let database = &live.as_ref().expect("BUG: live() leaves it open").database;
        let writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        // Without redb's quick repair, which would double the syncs of each commit: reading a database of
        // a hundred thousand pages once through after a crash takes a fifth of a second.
        let txn = WriteTxn::new(database.begin_write().map_err(StorageError::from)?);
        // Dropping the transaction on an error undoes it.
        let result = change(&txn)?;
        let pages = txn.take_pages();
        let mut told = txn.take_told();
        let committed = txn.commit();
        self.changes.add(pages);
        if committed.is_err() && !told.is_empty() {
            told = vec![Change::Unknown];
        }
        if !told.is_empty() {
            (self.tell)(told);
        }
        drop(writing);
        for file in committed? {
            (self.unlink)(&file);
        }
        Ok(result)
    }

    /// Whether the file's own structure is sound. Everything else waits meanwhile; a fault is mended
    /// by redb as far as it can be.
    pub(crate) fn is_sound(&self) -> Result<bool, StorageError> {
        drop(self.live()?);
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        match live.as_mut() {
            Some(live) => Ok(live.database.check_integrity()?),
            // It failed between the two; the next transaction opens it again and says why not.
            None => Err(io::Error::other("the database failed while it was being checked").into()),
        }
    }

    /// The database, opened again first if it failed since it was last used.
    fn live(&self) -> Result<RwLockReadGuard<'_, Option<Live>>, StorageError> {
        loop {
            let guard = self.live.read().unwrap_or_else(PoisonError::into_inner);
            if guard.as_ref().is_some_and(|live| !live.failed.is_set()) {
                return Ok(guard);
            }
            drop(guard);
            let mut guard = self.live.write().unwrap_or_else(PoisonError::into_inner);
            if guard.as_ref().is_none_or(|live| live.failed.is_set()) {
                // The old one goes first: it holds the lock on the file.
                *guard = None;
                *guard = Some(open_with(&self.opener)?);
                tracing::info!("the database failed and was opened again");
            }
        }
    }
}

fn open_with(opener: &Opener) -> Result<Live, DatabaseError> {
    let failed = Failed::default();
    Ok(Live {
        database: opener(failed.clone())?,
        failed,
    })
}

fn open_file(path: &Path, failed: Failed) -> Result<Database, DatabaseError> {
    let mut options = OpenOptions::new();
    // What people write is for their eyes alone, wherever they keep it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(redb::StorageError::from)?;
    Builder::new().create_with_backend(Watched::new(FileBackend::new(file)?, failed))
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "redb's errors are open; the rest is storage that failed"
)]
fn refusal(path: &Path, error: DatabaseError) -> OpenError {
    let path = path.to_owned();
    let not_ours = |path, reason: String| OpenError::NotOurs { path, reason };
    match error {
        DatabaseError::DatabaseAlreadyOpen => OpenError::InUse(path),
        DatabaseError::UpgradeRequired(version) => not_ours(
            path,
            format!("its file format is version {version}, which is too old"),
        ),
        DatabaseError::RepairAborted => not_ours(path, "its repair was broken off".to_owned()),
        DatabaseError::Storage(redb::StorageError::Corrupted(reason)) => not_ours(path, reason),
        DatabaseError::Storage(redb::StorageError::Io(error))
            if error.kind() == io::ErrorKind::InvalidData =>
        {
            not_ours(path, error.to_string())
        }
        other => OpenError::Storage {
            path,
            source: other.into(),
        },
    }
}

#[cfg(test)]
#[path = "open_tests.rs"]
mod tests;
