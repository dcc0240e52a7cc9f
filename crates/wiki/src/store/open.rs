//! The open database, and its recovery after a disk failure.

use std::io::{self, ErrorKind, Read as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fumikura_base::durable::{self, Access, NewFile};
use fumikura_base::own_file;
use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use redb::{Builder, Database, DatabaseError, ReadableDatabase};
use sha2::{Digest, Sha256};

use super::changes::ChangeTracker;
use super::error::{OpenError, StorageError};
use super::failure_watch::{FailureFlag, WatchedBackend};
use super::medium::{DiskFile, Medium, ReadOnlyDiskFile, UnnamedFile};
use super::overlay::{Backend, OverlayBackend};
use super::panics::catch_panic;
use super::pending_files::PendingFiles;
use super::schema::{self, SchemaState};
use super::txn::{ReadTxn, WriteTxn};
use crate::links::put_property_links;
use crate::model::change::Change;

/// The size of redb's page cache in bytes, for pages that are read and pages that a transaction has not yet
/// written. Most other pages are in the system's own cache.
pub(super) const CACHE: usize = 64 << 20;

/// The delay between two attempts to open a database that another process holds.
const RETRY: Duration = Duration::from_millis(50);

/// Unlinks the file outside of the database with an id.
type UnlinkFile = Box<dyn Fn(&[u8; 16]) + Send + Sync>;

/// Notifies watchers of a commit's changes.
type ReportChanges = Box<dyn Fn(Vec<Change>) + Send + Sync>;

/// The database, open for this process alone.
///
/// After a failed write redb refuses everything until the file is opened again, because it no longer trusts its
/// memory. To limit the cost of a full disk to the changes made while it is full, a failed database is reopened
/// before its next transaction. The writes of opening are held back until the next change, so that everything
/// can be read while nothing can be written.
pub(crate) struct Store {
    pub(super) medium: Box<dyn Medium>,
    unlink: UnlinkFile,
    report: ReportChanges,
    /// Held from before a change until its notification, so that changes are reported in order.
    pub(super) writing: Mutex<()>,
    /// The pages whose names may have changed.
    pub(crate) changes: ChangeTracker,
    /// The pages whose names or texts may have changed since the catalogue was read.
    pub(crate) catalogue_changes: ChangeTracker,
    /// The files outside of the database whose rows are being added or removed.
    pub(crate) pending_files: PendingFiles,
    files_written: AtomicU64,
    commits: AtomicU64,
    /// `None` while a failed database could not be reopened. Readers hold this lock only while starting a
    /// transaction, so reopening never waits for a long reader. Only writers hold it longer.
    live: RwLock<Option<LiveDatabase>>,
}

pub(super) struct LiveDatabase {
    pub(super) database: Database,
    failure: FailureFlag,
    /// The file, with the writes of opening held back until they can be written.
    pub(super) file: OverlayBackend,
    /// True if the file could only be opened for reading.
    read_only: bool,
}

impl Store {
    /// Opens the database at `path`, and creates it if it does not exist. While another process has it, retries
    /// until `open_timeout` has passed.
    ///
    /// Before anything is changed, `check` checks the rows that will be read next.
    pub(crate) fn open(
        path: &Path,
        open_timeout: Duration,
        check: impl FnOnce(&ReadTxn) -> Result<(), StorageError>,
    ) -> Result<Self, OpenError> {
        create_if_missing(path)?;
        let medium = Box::new(DiskFile(path.to_owned()));
        Self::open_medium(medium, path, open_timeout, check)
    }

    /// Opens the database at `path` without ever changing it. Returns `None` if it must be upgraded to be read.
    pub(crate) fn open_read_only(path: &Path) -> Result<Option<Self>, OpenError> {
        let medium = ReadOnlyDiskFile(path.to_owned());
        let opened = medium.open().and_then(open_database);
        let live = LiveDatabase {
            read_only: true,
            ..opened.map_err(|error| OpenError::refusal(path, error))?
        };
        let state = check_usable(&live, path, |_| Ok(()));
        if matches!(state, Ok(UsableState::Current)) {
            return Ok(Some(Self::with_live(Box::new(medium), live)));
        }
        // The writes of closing are held back, and discarded.
        let _discarded = catch_panic(|| drop(live));
        match state? {
            UsableState::Nothing => Err(OpenError::NotOurs {
                path: path.to_owned(),
                reason: "it is empty".to_owned(),
            }),
            UsableState::Extendable(_) | UsableState::Current => Ok(None),
        }
    }

    /// Creates a database in an unnamed file in `folder`, which is gone when it is closed.
    pub(crate) fn temporary(folder: &Path) -> Result<Self, StorageError> {
        let medium = UnnamedFile(tempfile::tempfile_in(folder)?);
        let name = folder.join("a temporary database");
        let opened = Self::open_medium(Box::new(medium), &name, Duration::ZERO, |_| Ok(()));
        opened.map_err(|error| match error {
            OpenError::Storage { source, .. } => source,
            OpenError::InUse(_)
            | OpenError::NoLocks(_)
            | OpenError::TooNew { .. }
            | OpenError::TooOld { .. }
            | OpenError::NotOurs { .. }
            | OpenError::Damaged { .. } => StorageError::Io(io::Error::other(error)),
        })
    }

    pub(super) fn open_medium(
        medium: Box<dyn Medium>,
        path: &Path,
        open_timeout: Duration,
        check: impl FnOnce(&ReadTxn) -> Result<(), StorageError>,
    ) -> Result<Self, OpenError> {
        let deadline = Instant::now() + open_timeout;
        let live = loop {
            match medium.open().and_then(open_database) {
                Err(DatabaseError::DatabaseAlreadyOpen) if Instant::now() < deadline => {
                    std::thread::sleep(RETRY)
                }
                Err(error) => return Err(OpenError::refusal(path, error)),
                Ok(opened) => break opened,
            }
        };
        let failed = |source| OpenError::failure(path, source);
        // The file stays unchanged until it is known to be usable.
        let usable = check_usable(&live, path, check).and_then(|state| {
            if let UsableState::Extendable(found) = state {
                keep_earlier(path, found).map_err(|error| failed(error.into()))?;
            }
            Ok(state)
        });
        let state = match usable {
            Ok(state) => state,
            Err(refused) => {
                // The writes of closing are held back too, and discarded.
                let _discarded = catch_panic(|| drop(live));
                return Err(refused);
            }
        };
        let written = live.file.flush();
        written.map_err(|error| failed(error.into()))?;
        let store = Self::with_live(medium, live);
        match state {
            UsableState::Nothing => {
                store.write(schema::create_tables).map_err(failed)?;
                // The file's name must be as durable as its contents.
                let folder = path.parent().unwrap_or(Path::new("."));
                durable::sync_folder(folder).map_err(|error| failed(error.into()))?;
            }
            UsableState::Extendable(_) => {
                let upgraded = store.write(|txn| {
                    schema::create_tables(txn)?;
                    put_property_links(txn)
                });
                upgraded.map_err(failed)?;
            }
            UsableState::Current => {}
        }
        Ok(store)
    }

    fn with_live(medium: Box<dyn Medium>, live: LiveDatabase) -> Self {
        Self {
            medium,
            unlink: Box::new(|_| {}),
            report: Box::new(|_| {}),
            writing: Mutex::default(),
            changes: ChangeTracker::default(),
            catalogue_changes: ChangeTracker::default(),
            pending_files: PendingFiles::default(),
            files_written: AtomicU64::new(0),
            commits: AtomicU64::new(0),
            live: RwLock::new(Some(live)),
        }
    }

    /// Sets the function that unlinks the files that changes discard.
    pub(crate) fn with_unlink(self, unlink: impl Fn(&[u8; 16]) + Send + Sync + 'static) -> Self {
        Self {
            unlink: Box::new(unlink),
            ..self
        }
    }

    /// Sets the function that reports changes. It is called after each commit with reportable changes, before
    /// the next change begins: it must be quick, and must not write to this store.
    pub(crate) fn with_observer(
        self,
        report: impl Fn(Vec<Change>) + Send + Sync + 'static,
    ) -> Self {
        Self {
            report: Box::new(report),
            ..self
        }
    }

    /// The number of commits since the database was opened that have, or may have, written rows of files.
    pub(crate) fn files_written(&self) -> u64 {
        self.files_written.load(Ordering::Acquire)
    }

    /// The number of commits since the database was opened, also of those that may have failed. One that is being made is
    /// counted when it can be read.
    pub(crate) fn commits(&self) -> u64 {
        self.commits.load(Ordering::Acquire)
    }

    /// Reads the database as it is now.
    pub(crate) fn read<R, E: From<StorageError>>(
        &self,
        read: impl FnOnce(&ReadTxn) -> Result<R, E>,
    ) -> Result<R, E> {
        let txn = {
            let live = self.live()?;
            let database = &live.as_ref().expect("BUG: live() leaves it open").database;
            ReadTxn(database.begin_read().map_err(StorageError::from)?)
        };
        read(&txn)
    }

    /// Changes the database: durably applies everything that `change` does, or nothing if it returns an error.
    pub(crate) fn write<R, E: From<StorageError>>(
        &self,
        change: impl FnOnce(&WriteTxn) -> Result<R, E>,
    ) -> Result<R, E> {
        let writing = self.writing.lock();
        let live = self.writable()?;
        let database = &live.as_ref().expect("BUG: live() leaves it open").database;
        // redb's quick repair is off because it would double the syncs of each commit. Reading a database of a
        // hundred thousand pages once after a crash takes a fifth of a second.
        let txn = WriteTxn::new(database.begin_write().map_err(StorageError::from)?);
        // Dropping the transaction on an error undoes it.
        let result = change(&txn)?;
        let pages = txn.take_pages();
        let mut changes = txn.take_changes();
        let is_of_files =
            |change: &Change| matches!(change, Change::Asset { .. } | Change::Unknown);
        let writes_files = changes.iter().any(is_of_files);
        let _pending_files = self.pending_files.add(txn.discarded_files());
        let committed = txn.commit();
        self.commits.fetch_add(1, Ordering::Release);
        if committed.is_err() {
            live.as_ref().inspect(|live| live.failure.set());
        }
        self.catalogue_changes.add(pages.clone());
        self.changes.add(pages);
        if writes_files {
            // Counted whether the commit succeeded or not, like `changes` above.
            self.files_written.fetch_add(1, Ordering::Release);
        }
        if committed.is_err() && !changes.is_empty() {
            changes = vec![Change::Unknown];
        }
        if !changes.is_empty() {
            (self.report)(changes);
        }
        drop(writing);
        for file in committed? {
            (self.unlink)(&file);
        }
        Ok(result)
    }

    /// Returns the database, reopened first if it failed since its last use.
    pub(super) fn live(&self) -> Result<RwLockReadGuard<'_, Option<LiveDatabase>>, StorageError> {
        loop {
            let guard = self.live.read();
            if guard.as_ref().is_some_and(|live| !live.failure.is_set()) {
                return Ok(guard);
            }
            drop(guard);
            let mut guard = self.live.write();
            if guard.as_ref().is_none_or(|live| live.failure.is_set()) {
                // The old database is dropped first: it holds the lock on the file.
                *guard = None;
                let live = reopen(&*self.medium)?;
                let read_only = live.read_only;
                tracing::info!(read_only, "the database failed and was opened again");
                *guard = Some(live);
            }
        }
    }

    /// Returns the database for a change. On an error readers continue.
    fn writable(&self) -> Result<RwLockReadGuard<'_, Option<LiveDatabase>>, StorageError> {
        let read_only = |live: &LiveDatabase| live.read_only;
        let mut guard = self.live()?;
        if guard.as_ref().is_some_and(read_only) {
            self.medium.check_writable()?;
            guard.as_ref().inspect(|live| live.failure.set());
            drop(guard);
            guard = self.live()?;
        }
        let live = guard.as_ref().expect("BUG: live() leaves it open");
        if live.read_only {
            return Err(StorageError::ReadOnly(ErrorKind::ReadOnlyFilesystem.into()));
        }
        live.file.flush()?;
        Ok(guard)
    }
}

/// Opens the database in a file, with the writes of opening held back.
fn open_database(file: Backend) -> Result<LiveDatabase, DatabaseError> {
    let failure = FailureFlag::default();
    let file = OverlayBackend::new(file).map_err(redb::StorageError::from)?;
    let watched = WatchedBackend::new(file.clone(), failure.clone());
    let open = || {
        Builder::new()
            .set_cache_size(CACHE)
            .create_with_backend(watched)
    };
    let opened = catch_panic(open);
    let database =
        opened.unwrap_or_else(|message| Err(redb::StorageError::Corrupted(message).into()))?;
    Ok(LiveDatabase {
        database,
        failure,
        file,
        read_only: false,
    })
}

/// Reopens a database that was open before, read-only if nothing more is possible.
fn reopen(medium: &dyn Medium) -> Result<LiveDatabase, DatabaseError> {
    match medium.open() {
        Ok(file) => open_database(file),
        Err(refused @ DatabaseError::Storage(redb::StorageError::Io(_))) => {
            let live = medium.open_read_only().and_then(open_database);
            // The first error, for why it can't be opened normally, says more than that of the second attempt.
            let live = live.map_err(|_| refused)?;
            Ok(LiveDatabase {
                read_only: true,
                ..live
            })
        }
        Err(refused) => Err(refused),
    }
}

/// Copies a database beside itself before it is upgraded, and proves that the copy is the same and can be opened.
fn keep_earlier(path: &Path, version: u32) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let kept = path.with_file_name(format!("{name}.schema-{version}"));
    let mut database = own_file::open_users(path)?;
    durable::write_from(&kept, &mut database, Access::Private)?;
    let is_same = sha256(path)? == sha256(&kept)?;
    let opened = DiskFile(kept.clone())
        .open_read_only()
        .and_then(open_database);
    let found = opened.ok().map(|live| {
        let read = catch_panic(|| {
            let txn = ReadTxn(live.database.begin_read()?);
            schema::read_state(&txn)
        });
        let _discarded = catch_panic(|| drop(live));
        read
    });
    let is_version =
        matches!(found, Some(Ok(Ok(SchemaState::Extendable(found)))) if found == version);
    if !is_same || !is_version {
        let message = format!(
            "the copy {} made before an upgrade is damaged",
            kept.display()
        );
        return Err(io::Error::other(message));
    }
    tracing::info!(
        "kept the database of schema {version} as {}",
        kept.display()
    );
    Ok(())
}

fn sha256(path: &Path) -> io::Result<[u8; 32]> {
    let mut file = own_file::open_users(path)?;
    let mut hash = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hash.finalize().into()),
            length => hash.update(&piece[..length]),
        }
    }
}

/// The state of a usable file.
enum UsableState {
    Nothing,
    Extendable(u32),
    Current,
}

/// Creates the database at `path` unless something is there. It gets its name when it is complete: a crash leaves no
/// file that can't be opened.
fn create_if_missing(path: &Path) -> Result<(), OpenError> {
    let failed = |source: StorageError| OpenError::failure(path, source);
    let new = match NewFile::create(path, Access::Private) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
        created => created.map_err(|error| failed(error.into()))?,
    };
    let medium = new.file().try_clone().map(UnnamedFile);
    let medium = Box::new(medium.map_err(|error| failed(error.into()))?);
    drop(Store::open_medium(
        medium,
        path,
        Duration::ZERO,
        |_| Ok(()),
    )?);
    match new.commit() {
        // Another process was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        committed => committed.map_err(|error| failed(error.into())),
    }
}

/// Checks that this program can use the database. Nothing is changed.
fn check_usable(
    live: &LiveDatabase,
    path: &Path,
    check: impl FnOnce(&ReadTxn) -> Result<(), StorageError>,
) -> Result<UsableState, OpenError> {
    let checked = catch_panic(|| {
        let txn = ReadTxn(live.database.begin_read()?);
        let state = schema::read_state(&txn)?;
        if matches!(state, SchemaState::Current | SchemaState::Extendable(_)) {
            check(&txn)?;
        }
        Ok(state)
    });
    let checked = checked.unwrap_or_else(|message| Err(StorageError::corrupted(message)));
    match checked.map_err(|source| OpenError::failure(path, source))? {
        SchemaState::Nothing => Ok(UsableState::Nothing),
        SchemaState::Extendable(found) => Ok(UsableState::Extendable(found)),
        SchemaState::Current => Ok(UsableState::Current),
        SchemaState::Older(found) => Err(OpenError::TooOld {
            path: path.to_owned(),
            found,
            needed: schema::CURRENT,
        }),
        SchemaState::Newer(found) => Err(OpenError::TooNew {
            path: path.to_owned(),
            found,
            supported: schema::CURRENT,
        }),
        SchemaState::Foreign => Err(OpenError::NotOurs {
            path: path.to_owned(),
            reason: "it is a database, but it holds no schema version".to_owned(),
        }),
    }
}

#[cfg(test)]
#[path = "open_tests.rs"]
mod tests;
