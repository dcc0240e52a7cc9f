//! Durable writes of many records at once: all are written to temporary files, the disk is synced once, all
//! are renamed, and the folder is synced. Written one by one, each record would cost two syncs.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with, syncfs};
use rustix::io::Errno;

use super::HashFolder;
use crate::record::Record;

/// Records that wait to be written.
#[derive(Debug)]
pub struct Batch<'a> {
    folder: &'a HashFolder,
    writes: Vec<PendingWrite>,
}

#[derive(Debug)]
struct PendingWrite {
    name: Vec<u8>,
    bytes: Vec<u8>,
    replaces: bool,
}

/// The reason why records were not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The system failed.
    #[error("the records can't be written: {0}")]
    Io(#[from] io::Error),
}

impl<'a> Batch<'a> {
    /// Creates an empty batch.
    #[must_use]
    pub fn new(folder: &'a HashFolder) -> Self {
        Self {
            folder,
            writes: Vec::new(),
        }
    }

    /// Adds a record under its name. `replaces` is true if a record of the same path has that name now.
    pub fn put(&mut self, name: Vec<u8>, record: &Record, replaces: bool) {
        self.writes.push(PendingWrite {
            name,
            bytes: record.to_bytes(),
            replaces,
        });
    }

    /// Returns the number of records in the batch.
    #[must_use]
    pub fn len(&self) -> usize {
        self.writes.len()
    }

    /// Returns true if the batch is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    /// Writes the whole batch and returns the names that were taken. When this returns, every other record is
    /// durable.
    ///
    /// # Errors
    /// The first error of the file system. Each record is then the old or the new one.
    pub fn commit(self) -> Result<Vec<Vec<u8>>, WriteError> {
        if self.writes.is_empty() {
            return Ok(Vec::new());
        }
        let temporary = self.folder.temporary_folder();
        let mut written = TemporaryFiles(Vec::with_capacity(self.writes.len()));
        for (number, write) in self.writes.iter().enumerate() {
            let path = temporary.join(format!(".{}-{number}.tmp", std::process::id()));
            written.0.push(path.clone());
            write_aside(&path, &write.bytes)?;
        }
        let folder = File::open(self.folder.path())?;
        syncfs(&folder).map_err(io::Error::from)?;
        let mut taken = Vec::new();
        for (path, write) in written.0.iter().zip(self.writes) {
            let target = self.folder.file(&write.name);
            if write.replaces {
                fs::rename(path, target)?;
            } else if !rename_to_new(path, &target)? {
                taken.push(write.name);
            }
        }
        folder.sync_all()?;
        Ok(taken)
    }
}

impl HashFolder {
    /// Returns the folder of temporary files: on the same file system, and in a foreign folder the folder
    /// itself, as its own program does.
    fn temporary_folder(&self) -> PathBuf {
        if self.is_own {
            self.path.join(super::OWN)
        } else {
            self.path.clone()
        }
    }

    /// Removes temporary files left by a crash.
    pub(crate) fn sweep(&self) {
        if !self.is_own {
            return;
        }
        let Ok(entries) = fs::read_dir(self.temporary_folder()) else {
            return;
        };
        for entry in entries.flatten() {
            if Path::new(&entry.file_name())
                .extension()
                .is_some_and(|ending| ending == "tmp")
            {
                // A remaining file contains nothing of value. The next run tries again.
                let _still_there = fs::remove_file(entry.path());
            }
        }
    }
}

fn write_aside(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(bytes)
}

/// Renames a file if the new name is free. Returns true if it was.
pub(crate) fn rename_to_new(from: &Path, to: &Path) -> io::Result<bool> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(true),
        Err(Errno::EXIST) => Ok(false),
        // The file system does not support this call.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => match fs::hard_link(from, to) {
            Ok(()) => fs::remove_file(from).map(|()| true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(_) if fs::symlink_metadata(to).is_ok() => Ok(false),
            // The file system supports neither call (FAT). The folder's lock excludes other writers of this program.
            Err(_) => fs::rename(from, to).map(|()| true),
        },
        Err(error) => Err(error.into()),
    }
}

/// Temporary files, removed on drop unless they were renamed.
struct TemporaryFiles(Vec<PathBuf>);

impl Drop for TemporaryFiles {
    fn drop(&mut self) {
        for path in &self.0 {
            // Most files were renamed.
            let _gone = fs::remove_file(path);
        }
    }
}
