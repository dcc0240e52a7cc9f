//! The two repairs of a file that differs from its record: accepting it, or restoring the recorded contents.

use std::ffi::{OsStr, OsString};
use std::fs::{File, FileTimes};
use std::io::{self, Seek};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use fumikura_base::dir_handle::{DirHandle, is_file, is_link};
use jiff::Timestamp;
use rustix::fs::Stat;

use crate::access::is_absent;
use crate::contents::{self, Contents, RIGHTS, ReadError};
use crate::digest::Digest;
use crate::folder::{Batch, HashFolder, Index, RecordRow, WriteError};
use crate::lossy;
use crate::path::FilePath;
use crate::record::{self, InvalidRecord, Record};
use crate::state::{FileState, judge};

/// The reason why a file was not repaired or accepted.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
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
    /// The record does not come from the file's contents.
    #[error(
        "the record of {0} was imported from a list, or is another program's: the file itself was never read, so it is \
         not restored"
    )]
    Imported(FilePath),
    /// The file does not exist, and its creation was not permitted.
    #[error("{0} does not exist; restoring creates it, which needs a confirmation")]
    WouldCreate(FilePath),
    /// A folder in the path is a symbolic link.
    #[error("a folder in the path of {0} is a symbolic link, which is not followed")]
    Link(FilePath),
    /// A later program wrote the record.
    #[error("a later version of a program wrote the record; it is not overwritten")]
    Newer,
    /// The record can't be used.
    #[error(transparent)]
    Record(#[from] InvalidRecord),
    /// The file can't be read.
    #[error("{path}: {source}")]
    Read {
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

/// The treatment of a file that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingFile {
    Create,
    /// It stays missing, and is an error.
    Refuse,
}

/// The outcome of a restoration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restoration {
    /// The path of the good copy.
    pub from: FilePath,
    /// The damaged file's new path, or `None` if it was missing.
    pub kept_as: Option<FilePath>,
}

/// Files that should have the contents of a recorded file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Copies {
    /// The paths of the copies, without symbolic links.
    pub files: Vec<FilePath>,
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
    pub fn accept(&self, path: &FilePath, now: Timestamp) -> Result<RecordRow, RepairError> {
        let _lock = self.lock()?;
        let (row, record) = self.record_of(path)?;
        let read = read(path)?;
        let state = judge(&row.baseline(), read.digest, &read.stat);
        self.rewrite(row, &record.renewed(&read, state, now))
    }

    /// Checks that a file may be restored, without reading it: only a record that a run of this program made from the
    /// file's contents tells what belongs there.
    ///
    /// # Errors
    /// [`RepairError::NoRecord`], [`RepairError::Imported`] and [`RepairError::WouldCreate`].
    pub fn check_restorable(
        &self,
        path: &FilePath,
        missing: MissingFile,
    ) -> Result<(), RepairError> {
        let (_, record) = self.record_of(path)?;
        RepairTarget::open_for(&record, missing).map(drop)
    }

    /// Restores the recorded contents from the first of the `copies` that has them. The damaged file is kept
    /// under another name beside it.
    ///
    /// # Errors
    /// [`RepairError`]; the file is then unchanged.
    pub fn restore(
        &self,
        path: &FilePath,
        copies: impl IntoIterator<Item = FilePath>,
        missing: MissingFile,
        now: Timestamp,
    ) -> Result<Restoration, RepairError> {
        let _lock = self.lock()?;
        let (row, record) = self.record_of(path)?;
        let target = RepairTarget::open_for(&record, missing)?;
        match target.read() {
            Ok(read) if read.digest == record.digest => return Err(RepairError::Intact),
            // The disk cannot read the file, or the file no longer exists.
            Ok(_) | Err(ReadError::Io(_) | ReadError::Missing) => {}
            Err(source) => return Err(target.unreadable(source)),
        }
        let mut copies = copies.into_iter().filter(|copy| copy != path);
        let found = copies.find_map(|copy| Some((open_copy(&copy, record.digest)?, copy)));
        let (copy, from) = found.ok_or(RepairError::NoGoodCopy)?;
        let kept_as = target.put_back(copy, &record, missing, now)?;
        let read = target.read().map_err(|source| target.unreadable(source))?;
        self.rewrite(row, &record.renewed(&read, FileState::Ok, now))?;
        Ok(Restoration { from, kept_as })
    }

    fn record_of(&self, path: &FilePath) -> Result<(RecordRow, Record), RepairError> {
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
    fn rewrite(&self, row: RecordRow, record: &Record) -> Result<RecordRow, RepairError> {
        let mut index = self.index()?;
        let mut batch = Batch::new(self);
        batch.put(row.name.clone(), record, true);
        batch.commit()?;
        let row = RecordRow {
            state: Some(FileState::Ok),
            ..RecordRow::new(row.name, row.kind, record)
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
            files: others.map(|(other, _)| other.clone()).collect(),
            size: row.stat.map(|stat| stat.size),
        })
    }
}

pub(crate) fn read(path: &FilePath) -> Result<Contents, RepairError> {
    contents::read(path, &|_| true).map_err(|source| RepairError::Read {
        path: path.clone(),
        source,
    })
}

/// Opens a file if it has these contents. They are read from the same handle later.
fn open_copy(copy: &FilePath, digest: Digest) -> Option<File> {
    let mut file = copy.open_file().ok()?;
    let read = contents::read_file(&file, &|_| true).ok()?;
    file.rewind().ok()?;
    (read.digest == digest).then_some(file)
}

/// The place of a file that is restored: its folder's handle, which stays the same if another process replaces
/// the folder.
struct RepairTarget<'a> {
    path: &'a FilePath,
    folder: DirHandle,
    name: &'a OsStr,
}

impl<'a> RepairTarget<'a> {
    /// Opens the place of a record's file, if it may be restored.
    fn open_for(record: &'a Record, missing: MissingFile) -> Result<Self, RepairError> {
        if !record.is_made_from_contents() {
            return Err(RepairError::Imported(record.path.clone()));
        }
        let target = Self::open(&record.path)?;
        target.damaged(missing)?;
        Ok(target)
    }

    /// Returns the status of the damaged file; `None` if it is missing and may be created.
    fn damaged(&self, missing: MissingFile) -> Result<Option<Stat>, RepairError> {
        match self.folder.stat(Path::new(self.name)) {
            Ok(damaged) if is_file(&damaged) => Ok(Some(damaged)),
            // The mode of a link, for example, gives all rights to all.
            Ok(_) => Err(self.unreadable(ReadError::NotRegular)),
            Err(error) if is_absent(&error) => match missing {
                MissingFile::Create => Ok(None),
                MissingFile::Refuse => Err(RepairError::WouldCreate(self.path.clone())),
            },
            Err(error) => Err(error.into()),
        }
    }

    fn open(path: &'a FilePath) -> Result<Self, RepairError> {
        let parent = path
            .parent()
            .ok_or_else(|| RepairError::NoRecord(path.clone()))?;
        let folder = parent.open_folder().map_err(|error| {
            if is_link(&error) {
                RepairError::Link(path.clone())
            } else {
                error.into()
            }
        })?;
        Ok(Self {
            path,
            folder,
            name: OsStr::from_bytes(path.file_name()),
        })
    }

    fn read(&self) -> Result<Contents, ReadError> {
        let file = self.folder.file(Path::new(self.name))?;
        contents::read_file(&file, &|_| true)
    }

    fn unreadable(&self, source: ReadError) -> RepairError {
        RepairError::Read {
            path: self.path.clone(),
            source,
        }
    }

    /// Replaces the damaged file by a copy of a good one. Returns the new path of the damaged file.
    fn put_back(
        &self,
        mut good: File,
        record: &Record,
        missing: MissingFile,
        now: Timestamp,
    ) -> Result<Option<FilePath>, RepairError> {
        let mut copy = self.folder.temporary_file(".", 0o600)?;
        io::copy(&mut good, &mut copy)?;
        let damaged = self.damaged(missing)?;
        let model = damaged.map(|damaged| damaged.st_mode);
        copy.set_mode(restored_mode(model, record, &good)?)?;
        if let Some(mtime) = record.notes.stat.and_then(|stat| time(stat.mtime_ns)) {
            copy.file()
                .set_times(FileTimes::new().set_modified(mtime))?;
        }
        copy.file().sync_all()?;
        // The good copy may be on a failing disk as well, or have been written to.
        copy.file().rewind()?;
        let written = contents::read_file(copy.file(), &|_| true);
        if !written.is_ok_and(|written| written.digest == record.digest) {
            return Err(RepairError::NoGoodCopy);
        }
        let aside = match damaged {
            Some(_) => Some(self.set_aside(now)?),
            None => None,
        };
        let placed = copy.close().place(&self.folder, self.name);
        if !matches!(placed, Ok(true)) {
            if let Some(aside) = &aside {
                let back = self
                    .folder
                    .rename_unless_taken(aside, &self.folder, self.name)?;
                if !back {
                    tracing::warn!("{} was created while it was restored", self.path);
                }
            }
            placed?;
            return Err(io::Error::from(io::ErrorKind::AlreadyExists).into());
        }
        self.folder.sync()?;
        let parent = self.path.parent();
        Ok(aside
            .zip(parent)
            .map(|(aside, parent)| parent.join(aside.as_bytes())))
    }

    /// Renames the damaged file to a free name in its folder.
    fn set_aside(&self, now: Timestamp) -> io::Result<OsString> {
        let stamp = now.strftime("%Y%m%d-%H%M%S");
        for number in 0..100 {
            let ending = match number {
                0 => format!(".damaged-{stamp}"),
                number => format!(".damaged-{stamp}-{number}"),
            };
            let mut name = self.name.as_bytes().to_vec();
            name.truncate(255 - ending.len());
            name.extend_from_slice(ending.as_bytes());
            let name = OsString::from_vec(name);
            if self
                .folder
                .rename_unless_taken(self.name, &self.folder, &name)?
            {
                return Ok(name);
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

/// Returns the mode of a restored file: that of the damaged file; of a missing one, that of the record, or of the copy
/// without the rights of group and others to write and execute. It is never set-user-id, set-group-id or sticky.
fn restored_mode(damaged: Option<u32>, record: &Record, copy: &File) -> io::Result<u32> {
    let mode = match damaged.or(record.notes.mode) {
        Some(mode) => mode,
        None => copy.metadata()?.mode() & 0o744,
    };
    Ok(mode & RIGHTS)
}

fn time(ns: i128) -> Option<SystemTime> {
    let duration = Duration::from_nanos(u64::try_from(ns.unsigned_abs()).ok()?);
    if ns < 0 {
        SystemTime::UNIX_EPOCH.checked_sub(duration)
    } else {
        SystemTime::UNIX_EPOCH.checked_add(duration)
    }
}
