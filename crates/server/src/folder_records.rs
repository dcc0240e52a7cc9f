//! Hash records and sidecars of open folders, in backups: collecting them, and bringing missing ones back.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use fumikura_base::dir_handle::{DirHandle, is_link};
use fumikura_fs::path::display_path;
use fumikura_hashes::{HashFolder, NameKind, OpenError, kind};
use fumikura_wiki::{
    BackupReadError, FolderRecord, FolderRecordKind, FolderRecordsReader, FolderRecordsWriter,
    StorageError, list_backups,
};
use fumikura_xmp::EXTENSIONS;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorCode};
use crate::services::Backup;

/// The largest record that is read, in bytes.
const MAX_RECORD: u64 = 16 << 20;
/// The beginning of the names of files that are being written.
const UNFINISHED: &str = ".fumikura-record-";

/// The state of a record of a backup on this computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RecordState {
    Same,
    /// Another file has its name. It is never overwritten.
    Changed,
    /// It can be brought back.
    Missing,
    /// Its folder is not open, or not there.
    Unavailable,
}

/// The outcome of bringing the records of a backup back.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct RestoredFolderRecords {
    /// The number of records that were missing, and are there again.
    restored: u64,
    /// The number of those that are there unchanged.
    same: u64,
    /// The paths of records that have changed since, and stay as they are.
    changed: Vec<String>,
    /// The paths of records whose folders are not open, or not there.
    unavailable: Vec<String>,
}

/// A folder for a record.
struct Place {
    folder: DirHandle,
    name: Vec<u8>,
    /// The mode of a new file.
    mode: u32,
}

impl Backup {
    /// Writes hash records and sidecars into the folder of a backup.
    pub(crate) fn copy_folder_records(&self, backup: &Path) -> io::Result<()> {
        let mut writer = FolderRecordsWriter::begin(backup)?;
        match HashFolder::open(&self.config.hashes()) {
            Ok(folder) => {
                let path = folder.path().to_owned();
                collect(&path, FolderRecordKind::Hash, &[], &mut writer)?;
            }
            Err(OpenError::Missing(_)) => {}
            Err(error) => writer.note_unavailable(error.to_string()),
        }
        let roots = self.pictures.roots().list();
        let paths: Vec<PathBuf> = roots
            .iter()
            .map(|status| status.root.path().to_owned())
            .collect();
        for status in roots {
            let root = status.root.path();
            let collected = match status.available {
                true => collect(root, FolderRecordKind::Sidecar, &paths, &mut writer),
                false => Err(io::Error::from(io::ErrorKind::NotFound)),
            };
            if let Err(error) = collected {
                tracing::warn!("sidecars in {} are not backed up: {error}", root.display());
                writer.note_unavailable(display_path(status.root.path_bytes()));
            }
        }
        writer.finish()
    }

    /// Opens the records in a backup of the data folder. Returns `None` if it has none.
    pub(crate) fn folder_records(
        &self,
        name: &str,
    ) -> Result<Option<FolderRecordsReader>, ApiError> {
        let backups = self.config.backups();
        let listed = list_backups(&backups).map_err(StorageError::from)?;
        if listed.iter().all(|backup| backup.name != name) {
            return Err(BackupReadError::NotFound(name.to_owned()).into());
        }
        FolderRecordsReader::open(&backups.join(name)).map_err(unreadable)
    }

    /// Returns the state of the record with this index.
    pub(crate) fn state_of(
        &self,
        reader: &mut FolderRecordsReader,
        index: usize,
        record: &FolderRecord,
    ) -> Result<RecordState, ApiError> {
        match self.place_of(record).map_err(StorageError::from)? {
            None => Ok(RecordState::Unavailable),
            Some(place) => {
                let contents = reader.contents(index).map_err(unreadable)?;
                Ok(place.compare(&contents).map_err(StorageError::from)?)
            }
        }
    }

    /// Writes the records of a backup that are missing to their places. Nothing is overwritten.
    pub(crate) fn bring_folder_records_back(
        &self,
        name: &str,
    ) -> Result<RestoredFolderRecords, ApiError> {
        let mut done = RestoredFolderRecords::default();
        let Some(mut reader) = self.folder_records(name)? else {
            return Ok(done);
        };
        let records: Vec<FolderRecord> = reader.records().cloned().collect();
        let has_hashes = |record: &FolderRecord| record.kind == FolderRecordKind::Hash;
        // Another process may be recording.
        let lock = match records.iter().any(has_hashes) {
            true => {
                let folder = HashFolder::create(&self.config.hashes())?;
                Some(folder.lock().map_err(StorageError::from)?)
            }
            false => None,
        };
        for (index, record) in records.iter().enumerate() {
            let path = [&record.folder[..], &record.path].join(&b'/');
            let Some(place) = self.place_of(record).map_err(StorageError::from)? else {
                done.unavailable.push(display_path(&path));
                continue;
            };
            let contents = reader.contents(index).map_err(unreadable)?;
            let mut state = place.compare(&contents).map_err(StorageError::from)?;
            if state == RecordState::Missing {
                state = match place.write(&contents).map_err(StorageError::from)? {
                    true => RecordState::Missing,
                    // It came into being meanwhile.
                    false => RecordState::Changed,
                };
            }
            match state {
                RecordState::Same => done.same += 1,
                RecordState::Missing => done.restored += 1,
                RecordState::Changed | RecordState::Unavailable => {
                    done.changed.push(display_path(&path));
                }
            }
        }
        drop(lock);
        Ok(done)
    }

    /// Opens the folder of a record: only in the program's own hash folder, or in a picture folder that is open now.
    fn place_of(&self, record: &FolderRecord) -> io::Result<Option<Place>> {
        let top = match record.kind {
            FolderRecordKind::Hash => match HashFolder::open(&self.config.hashes()) {
                Ok(folder) => folder.path().to_owned(),
                Err(OpenError::Missing(_)) => return Ok(None),
                Err(error) => return Err(io::Error::other(error)),
            },
            FolderRecordKind::Sidecar => {
                let roots = self.pictures.roots().list().into_iter();
                let mut roots = roots.filter(|status| status.root.path_bytes() == record.folder);
                match roots.next() {
                    Some(status) if status.available => status.root.path().to_owned(),
                    Some(_) | None => return Ok(None),
                }
            }
        };
        let path = Path::new(OsStr::from_bytes(&record.path));
        let Some(name) = path.file_name() else {
            return Ok(None);
        };
        let folder = DirHandle::open(&top).and_then(|top| match path.parent() {
            Some(parent) if parent != Path::new("") => top.folder(parent),
            Some(_) | None => Ok(top),
        });
        match folder {
            Ok(folder) => Ok(Some(Place {
                folder,
                name: name.as_bytes().to_vec(),
                mode: match record.kind {
                    FolderRecordKind::Hash => 0o600,
                    FolderRecordKind::Sidecar => 0o644,
                },
            })),
            Err(error) if is_elsewhere(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Place {
    fn name(&self) -> &OsStr {
        OsStr::from_bytes(&self.name)
    }

    fn compare(&self, contents: &[u8]) -> io::Result<RecordState> {
        match self.folder.file(Path::new(self.name())) {
            Ok(file) => Ok(match read(file)? {
                Some(present) if present == contents => RecordState::Same,
                Some(_) | None => RecordState::Changed,
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(RecordState::Missing),
            // Something that is no file has its name.
            Err(error) if is_link(&error) || error.kind() == io::ErrorKind::InvalidInput => {
                Ok(RecordState::Changed)
            }
            Err(error) => Err(error),
        }
    }

    /// Writes the file, durably, unless there is one. Returns false if there is.
    fn write(&self, contents: &[u8]) -> io::Result<bool> {
        let unfinished = self.folder.temporary_file(UNFINISHED, self.mode)?;
        let mut file = unfinished.file();
        file.write_all(contents)?;
        file.sync_all()?;
        let is_placed = unfinished.close().place(&self.folder, self.name())?;
        self.folder.sync()?;
        Ok(is_placed)
    }
}

/// Adds the records in a folder and in those below it, except for `others`, which are collected on their own. Links are
/// not followed.
fn collect(
    top: &Path,
    of: FolderRecordKind,
    others: &[PathBuf],
    writer: &mut FolderRecordsWriter,
) -> io::Result<()> {
    let handle = DirHandle::open(top)?;
    let mut folders = vec![PathBuf::new()];
    while let Some(relative) = folders.pop() {
        let opened = match relative.as_os_str().is_empty() {
            true => DirHandle::open(top),
            false => handle.folder(&relative),
        };
        let folder = match opened {
            Ok(folder) => folder,
            Err(error) if is_elsewhere(&error) => continue,
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                writer.note_unavailable(top.join(&relative).display().to_string());
                continue;
            }
            Err(error) => return Err(error),
        };
        let mut entries = folder.entries()?;
        entries.sort_by(|a, b| b.name.cmp(&a.name));
        for entry in entries.iter().filter(|entry| entry.is_folder()) {
            let below = relative.join(&entry.name);
            let is_other = others.contains(&top.join(&below));
            if of == FolderRecordKind::Sidecar && !is_other {
                folders.push(below);
            }
        }
        for entry in entries.iter().rev().filter(|entry| entry.is_file()) {
            let is_record = match of {
                FolderRecordKind::Hash => kind(entry.name.as_bytes()) != NameKind::Foreign,
                FolderRecordKind::Sidecar => is_sidecar(&entry.name),
            };
            if !is_record {
                continue;
            }
            let contents = match folder.file(Path::new(&entry.name)) {
                Ok(file) => read(file)?,
                Err(error) if is_elsewhere(&error) => None,
                Err(error) => return Err(error),
            };
            if let Some(contents) = contents {
                let record = FolderRecord {
                    kind: of,
                    folder: top.as_os_str().as_bytes().to_vec(),
                    path: relative.join(&entry.name).as_os_str().as_bytes().to_vec(),
                };
                writer.add(&record, &contents)?;
            }
        }
    }
    Ok(())
}

fn is_sidecar(name: &OsStr) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| EXTENSIONS.iter().any(|one| *one == extension))
}

/// True if a folder was removed, or replaced by a link or a file.
fn is_elsewhere(error: &io::Error) -> bool {
    is_link(error)
        || matches!(
            error.kind(),
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
        )
}

/// Returns the contents of a file; `None` if it is too large for a record.
fn read(file: File) -> io::Result<Option<Vec<u8>>> {
    let mut contents = Vec::new();
    file.take(MAX_RECORD + 1).read_to_end(&mut contents)?;
    Ok((contents.len() as u64 <= MAX_RECORD).then_some(contents))
}

fn unreadable(error: io::Error) -> ApiError {
    let is_damaged = matches!(
        error.kind(),
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof
    );
    if is_damaged {
        let message = format!("the records of folders in the backup can't be read: {error}");
        return ApiError::new(ErrorCode::BackupUnreadable, message);
    }
    StorageError::from(error).into()
}
