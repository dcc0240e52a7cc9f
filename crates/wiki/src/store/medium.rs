//! Storage media of a database.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use fumikura_base::own_file;
use parking_lot::Mutex;
use redb::{DatabaseError, StorageBackend};

use super::overlay::Backend;
use super::preallocation::PreallocatingFile;

/// The storage medium of a database.
pub(super) trait Medium: Send + Sync {
    /// Opens it for reading and writing, and creates it if it does not exist. Other processes are locked out.
    fn open(&self) -> Result<Backend, DatabaseError>;
    /// Opens it read-only, for use if it can't be opened for writing. Writers are locked out.
    fn open_read_only(&self) -> Result<Backend, DatabaseError>;
    /// Checks that it could be opened for writing if it were not open already.
    fn check_writable(&self) -> io::Result<()>;
}

/// A file in the file system, by its path.
pub(super) struct DiskFile(pub(super) PathBuf);

impl Medium for DiskFile {
    fn open(&self) -> Result<Backend, DatabaseError> {
        let file = open_private(&self.0).map_err(redb::StorageError::from)?;
        self.check_locks(&file)?;
        Ok(Box::new(PreallocatingFile::new(file)?))
    }

    fn open_read_only(&self) -> Result<Backend, DatabaseError> {
        let file = own_file::open_with(&self.0, File::options().read(true));
        let file = file.map_err(redb::StorageError::from)?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => Err(DatabaseError::DatabaseAlreadyOpen),
            // Some file systems have no locks, and this file can't be written.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Box::new(ReadOnlyFile(Mutex::new(file)))),
        }
    }

    fn check_writable(&self) -> io::Result<()> {
        own_file::open_with(&self.0, File::options().write(true)).map(drop)
    }
}

impl DiskFile {
    /// Checks that a lock of this file excludes others. redb opens a file for writing even if its file system has no locks,
    /// and two processes would then destroy it.
    fn check_locks(&self, file: &File) -> Result<(), DatabaseError> {
        let other = open_private(&self.0).map_err(redb::StorageError::from)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(DatabaseError::DatabaseAlreadyOpen),
            Err(TryLockError::Error(error)) => {
                tracing::debug!(%error, "the database can't be locked");
                return Err(no_locks());
            }
        }
        let excludes = matches!(other.try_lock(), Err(TryLockError::WouldBlock));
        drop(other);
        file.unlock().map_err(redb::StorageError::from)?;
        excludes.then_some(()).ok_or_else(no_locks)
    }
}

/// The file system of a database has no locks.
#[derive(Debug, thiserror::Error)]
#[error("its file system has no locks")]
pub(super) struct NoLocks;

fn no_locks() -> DatabaseError {
    redb::StorageError::Io(io::Error::new(ErrorKind::Unsupported, NoLocks)).into()
}

/// A file in the file system that is never written.
pub(super) struct ReadOnlyDiskFile(pub(super) PathBuf);

impl Medium for ReadOnlyDiskFile {
    fn open(&self) -> Result<Backend, DatabaseError> {
        self.open_read_only()
    }

    fn open_read_only(&self) -> Result<Backend, DatabaseError> {
        DiskFile(self.0.clone()).open_read_only()
    }

    fn check_writable(&self) -> io::Result<()> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }
}

/// A file without a name. The system deletes it when it is closed.
pub(super) struct UnnamedFile(pub(super) File);

impl Medium for UnnamedFile {
    fn open(&self) -> Result<Backend, DatabaseError> {
        let file = self.0.try_clone().map_err(redb::StorageError::from)?;
        Ok(Box::new(PreallocatingFile::new(file)?))
    }

    fn open_read_only(&self) -> Result<Backend, DatabaseError> {
        self.open()
    }

    fn check_writable(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Opens a file for reading and writing, and creates it if it does not exist.
pub(super) fn open_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    own_file::open_with(path, &mut options)
}

#[derive(Debug)]
pub(super) struct ReadOnlyFile(pub(super) Mutex<File>);

impl StorageBackend for ReadOnlyFile {
    fn len(&self) -> io::Result<u64> {
        let file = self.0.lock();
        Ok(file.metadata()?.len())
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut file = self.0.lock();
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(out)
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
