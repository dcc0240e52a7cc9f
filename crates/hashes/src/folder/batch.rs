//! Durable writes of many records at once: all are written to temporary files, the disk is synced once, all
//! are renamed, and the folder is synced. Written one by one, each record would cost two syncs.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use fumikura_base::dir_handle::DirHandle;
use rustix::fs::syncfs;

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
        let folder = self.folder.handle()?;
        let temporary = self.folder.temporary_folder()?;
        let mut written = Vec::with_capacity(self.writes.len());
        for write in &self.writes {
            let mut file = temporary.temporary_file(".", 0o600)?;
            file.write_all(&write.bytes)?;
            written.push(file.close());
        }
        syncfs(folder.readable()?).map_err(io::Error::from)?;
        let mut taken = Vec::new();
        for (file, write) in written.into_iter().zip(self.writes) {
            let name = OsStr::from_bytes(&write.name);
            if write.replaces {
                file.replace(&folder, name)?;
            } else if !file.place(&folder, name)? {
                taken.push(write.name);
            }
        }
        folder.sync()?;
        Ok(taken)
    }
}

impl HashFolder {
    /// Returns the folder of temporary files: on the same file system, and in a foreign folder the folder
    /// itself, as its own program does.
    fn temporary_folder(&self) -> io::Result<DirHandle> {
        if self.is_own() {
            self.own_handle()
        } else {
            self.handle()
        }
    }

    /// Removes temporary files left by a crash.
    pub(crate) fn sweep(&self) {
        if !self.is_own() {
            return;
        }
        let swept = self.own_handle().and_then(|own| {
            let entries = own.entries()?.into_iter();
            let is_temporary = |name: &OsStr| Path::new(name).extension() == Some("tmp".as_ref());
            for entry in entries.filter(|entry| is_temporary(&entry.name)) {
                own.remove_file(&entry.name)?;
            }
            Ok(())
        });
        if let Err(error) = swept {
            // A remaining file contains nothing of value. The next run tries again.
            tracing::warn!("temporary files of hash records can't be removed: {error}");
        }
    }
}
