//! The two repairs of a file that differs from its record: accepting it, or restoring the recorded contents.

use std::fs::{self, File, FileTimes};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use fumikura_base::durable;
use jiff::Timestamp;

use crate::contents::{self, ReadError};
use crate::digest::Digest;
use crate::folder::{Batch, HashFolder, Index, Row, WriteError};
use crate::lossy;
use crate::path::FilePath;
use crate::record::{self, InvalidRecord, Record};
use crate::state::{State, judge};

/// The reason why a file was not repaired or accepted.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    /// The path has no record.
    #[error("{0} has no record")]
    NoRecord(FilePath),
    /// The file needs no repair.
    #[error("the file's contents are those recorded")]
    Intact,
    /// No file with the recorded contents was found.
    #[error("no file with the recorded contents was found")]
    NoGoodCopy,
    /// The file is still at the place from which it should have moved.
    #[error("{0} still exists: the file was copied, not moved")]
    StillThere(FilePath),
    /// The file at the new place is not the recorded one.
    #[error("{0} does not have the recorded contents")]
    OtherContents(FilePath),
    /// A later program wrote the record.
    #[error("a later version of a program wrote the record; it is not overwritten")]
    Newer,
    /// The record can't be used.
    #[error(transparent)]
    Record(#[from] InvalidRecord),
    /// The file can't be read.
    #[error("{path}: {source}")]
    Read {
        /// The file.
        path: FilePath,
        /// The cause.
        #[source]
        source: ReadError,
    },
    /// The record can't be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Another process is writing, or the system failed.
    #[error("the file can't be restored: {0}")]
    Io(#[from] io::Error),
}

/// The outcome of a restoration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restoration {
    /// The path of the good copy.
    pub from: PathBuf,
    /// The damaged file's new path, or `None` if it was missing.
    pub kept_as: Option<FilePath>,
}

/// Files that should have the contents of a recorded file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Copies {
    /// The paths of the copies.
    pub files: Vec<PathBuf>,
    /// The recorded file's size in bytes, if the record states it.
    pub size: Option<u64>,
}

impl HashFolder {
    /// Returns the other recorded files with the recorded contents of a file.
    ///
    /// # Errors
    /// [`RepairError::NoRecord`], and errors of the file system.
    pub fn recorded_copies(&self, path: &FilePath) -> Result<Copies, RepairError> {
        self.index()?.copies_of(path)
    }

    /// Accepts a file: its hash becomes the recorded one, and the old hash is added to the history.
    ///
    /// # Errors
    /// [`RepairError`].
    pub fn accept(&self, path: &FilePath, now: Timestamp) -> Result<Row, RepairError> {
        let _lock = self.lock()?;
        let (row, record) = self.record_of(path)?;
        let read = read(path)?;
        let state = judge(&row.baseline(), read.digest, &read.stat);
        self.rewrite(row, &record.renewed(read.digest, read.stat, state, now))
    }

    /// Restores the recorded contents from the first of the `copies` that has them. The damaged file is kept
    /// under another name beside it.
    ///
    /// # Errors
    /// [`RepairError`]; the file is then unchanged.
    pub fn restore(
        &self,
        path: &FilePath,
        copies: impl IntoIterator<Item = PathBuf>,
        now: Timestamp,
    ) -> Result<Restoration, RepairError> {
        let _lock = self.lock()?;
        let (row, record) = self.record_of(path)?;
        match read(path) {
            Ok(read) if read.digest == record.digest => return Err(RepairError::Intact),
            // The disk cannot read the file, or the file no longer exists.
            Ok(_)
            | Err(RepairError::Read {
                source: ReadError::Io(_) | ReadError::Missing,
                ..
            }) => {}
            Err(error) => return Err(error),
        }
        let from = copies
            .into_iter()
            .find(|copy| copy != path.as_path() && has(copy, record.digest))
            .ok_or(RepairError::NoGoodCopy)?;
        let kept_as = put_back(path, &from, &record, now)?;
        let read = read(path)?;
        self.rewrite(row, &record.renewed(read.digest, read.stat, State::Ok, now))?;
        Ok(Restoration { from, kept_as })
    }

    fn record_of(&self, path: &FilePath) -> Result<(Row, Record), RepairError> {
        let mut index = self.index()?;
        let row = index.rows.remove(path);
        let row = row.ok_or_else(|| RepairError::NoRecord(path.clone()))?;
        if row.is_newer {
            return Err(RepairError::Newer);
        }
        let mut record = record::load(&self.file(&row.name))?;
        if !lossy::is_record_of(&record, path) {
            return Err(RepairError::NoRecord(path.clone()));
        }
        record.path.clone_from(path);
        Ok((row, record))
    }

    /// Replaces an old record. Must be called under the folder's lock.
    fn rewrite(&self, row: Row, record: &Record) -> Result<Row, RepairError> {
        let mut index = self.index()?;
        let mut batch = Batch::new(self);
        batch.put(row.name.clone(), record, true);
        batch.commit()?;
        let row = Row {
            state: Some(State::Ok),
            ..Row::new(row.name, row.kind, record)
        };
        index.rows.insert(record.path.clone(), row.clone());
        self.save_index(&index)?;
        Ok(row)
    }
}

impl Index {
    /// Returns the other files with the recorded contents of a file.
    ///
    /// # Errors
    /// [`RepairError::NoRecord`].
    pub fn copies_of(&self, path: &FilePath) -> Result<Copies, RepairError> {
        let row = self.rows.get(path);
        let row = row.ok_or_else(|| RepairError::NoRecord(path.clone()))?;
        let others = self
            .rows
            .iter()
            .filter(|(other, candidate)| *other != path && candidate.digest == row.digest);
        Ok(Copies {
            files: others
                .map(|(other, _)| other.as_path().to_owned())
                .collect(),
            size: row.stat.map(|stat| stat.size),
        })
    }
}

pub(crate) fn read(path: &FilePath) -> Result<contents::Contents, RepairError> {
    contents::read(path.as_path(), &|_| true).map_err(|source| RepairError::Read {
        path: path.clone(),
        source,
    })
}

fn has(copy: &Path, digest: Digest) -> bool {
    contents::read(copy, &|_| true).is_ok_and(|read| read.digest == digest)
}

/// Replaces a damaged file by a copy of a good one. Returns the new path of the damaged file.
fn put_back(
    path: &FilePath,
    from: &Path,
    record: &Record,
    now: Timestamp,
) -> Result<Option<FilePath>, RepairError> {
    let target = path.as_path();
    let folder = target.parent().ok_or(RepairError::NoGoodCopy)?;
    let mut copy = tempfile::Builder::new()
        .prefix(".")
        .suffix(".tmp")
        .tempfile_in(folder)?;
    io::copy(
        &mut contents::open_regular(from).map_err(|source| RepairError::Read {
            path: path.clone(),
            source,
        })?,
        copy.as_file_mut(),
    )?;
    let old = fs::symlink_metadata(target).ok();
    let model = match &old {
        Some(metadata) => metadata.permissions(),
        None => fs::metadata(from)?.permissions(),
    };
    copy.as_file().set_permissions(model)?;
    if let Some(mtime) = record.notes.stat.and_then(|stat| time(stat.mtime_ns)) {
        copy.as_file()
            .set_times(FileTimes::new().set_modified(mtime))?;
    }
    copy.as_file().sync_all()?;
    // The good copy may be on a failing disk as well.
    if !has(copy.path(), record.digest) {
        return Err(RepairError::NoGoodCopy);
    }
    let kept_as = match old {
        Some(_) => Some(set_aside(path, now)?),
        None => None,
    };
    let placed = copy.persist_noclobber(target);
    if let Err(error) = placed {
        if let Some(aside) = &kept_as {
            fs::rename(aside.as_path(), target)?;
        }
        return Err(error.error.into());
    }
    durable::sync_folder(folder)?;
    Ok(kept_as)
}

/// Renames a damaged file to a free name in its folder.
fn set_aside(path: &FilePath, now: Timestamp) -> io::Result<FilePath> {
    let stamp = now.strftime("%Y%m%d-%H%M%S");
    for number in 0..100 {
        let ending = match number {
            0 => format!(".damaged-{stamp}"),
            number => format!(".damaged-{stamp}-{number}"),
        };
        let mut name = path.file_name().to_vec();
        name.truncate(255 - ending.len());
        name.extend_from_slice(ending.as_bytes());
        let target = path
            .as_path()
            .with_file_name(std::ffi::OsStr::from_bytes(&name));
        if crate::folder::rename_to_new(path.as_path(), &target)? {
            return FilePath::try_from(&*target).map_err(io::Error::other);
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn time(ns: i128) -> Option<SystemTime> {
    let duration = Duration::from_nanos(u64::try_from(ns.unsigned_abs()).ok()?);
    if ns < 0 {
        SystemTime::UNIX_EPOCH.checked_sub(duration)
    } else {
        SystemTime::UNIX_EPOCH.checked_add(duration)
    }
}

/// Makes the names in a folder durable after a rename in it.
pub(crate) fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
