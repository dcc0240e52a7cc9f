//! Backups of all data: the database as of one moment, and the files that it lists.
//!
//! - `record` describes a backup in its folder, `proof` restores it to show that it is complete, and `retention` decides
//!   which ones of the schedule are kept.
//! - `reader` opens a backup without changing it, `bring_back` brings its pages and files back, and
//!   `replacement` puts it in the place of the data.
//! - `inspection` checks that each can be opened and has its files.
//! - `folder_records` has hash records and sidecars, which are included on request.
//! - `second_place` copies backups to another disk.
//! - A file that a proved backup in the same folder has is linked instead of copied: the contents of an id never change.

mod bring_back;
mod folder_records;
mod inspection;
mod proof;
mod reader;
mod record;
mod replacement;
mod retention;
mod second_place;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use fumikura_base::dir_handle::DirHandle;
use fumikura_base::durable::{self, Access};

use crate::assets::AssetFiles;
use crate::id::AssetId;
use crate::store::{ASSET, CopyOutcome, Direction, Read, ReadTxn, StorageError, copy, digest};
use crate::temp_names::TempNames;
use crate::wiki::Wiki;

pub use bring_back::{BringBackError, BroughtBack, FileBroughtBack, PageBroughtBack};
pub use folder_records::{
    FolderRecord, FolderRecordCounts, FolderRecordKind, FolderRecordsReader, FolderRecordsWriter,
};
pub use proof::{BackupRequest, MadeBackup};
pub use reader::{
    BackupFile, BackupPage, BackupPageContents, BackupPages, BackupReadError, BackupReader,
    PresentState,
};
pub use record::{BackupCause, BackupRecord, Decrease, ListedBackup, list_backups};
pub use replacement::{
    ReplaceError, ReplacedData, Replacement, discard_replacement, pending_replacement, replace_data,
};
pub use retention::{KeepRule, kept_by};
pub use second_place::SecondPlace;

/// Backups in progress.
const TEMP_NAMES: TempNames = TempNames(".backup-");

/// A backup failed. The contents of its folder are unusable.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("the backup was cancelled")]
    Cancelled,
    /// Reading the data, or writing the copy, failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<io::Error> for BackupError {
    fn from(error: io::Error) -> Self {
        Self::Storage(error.into())
    }
}

/// The contents of a backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupReport {
    /// The number of files of pages.
    pub assets: u64,
    /// Files without contents: purged during the backup, or lost before.
    pub missing: Vec<AssetId>,
    /// The SHA-256 of all rows of the copied state.
    pub rows_sha256: [u8; 32],
}

impl Wiki {
    /// Copies everything into `folder`, which must exist and be empty, as a data folder that can be
    /// opened: `wiki.redb` and `asset/`. Writes continue meanwhile; the copy has the state at the
    /// start of the backup. Files that `earlier`, a backup on the same file system, has are linked. Reports
    /// the progress to `watch` as done and total work, and stops if that returns [`ControlFlow::Break`]. On
    /// return, the copy is on the disk.
    ///
    /// # Errors
    /// [`BackupError`].
    pub fn back_up(
        &self,
        folder: &Path,
        earlier: Option<&Path>,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<BackupReport, BackupError> {
        let earlier = earlier.map(|folder| AssetFiles::new(folder.join("asset")));
        self.store.read(|txn| {
            let assets = assets(txn)?;
            let more = assets.len() as u64;
            let mut rows = 0;
            let copied = copy(txn, &folder.join("wiki.redb"), &mut |done, total| {
                rows = total;
                watch(done, total + more)
            })?;
            if copied == CopyOutcome::Cancelled {
                return Err(BackupError::Cancelled);
            }
            let to = AssetFiles::new(folder.join("asset"));
            let mut missing = Vec::new();
            for (id, done) in assets.into_iter().zip(rows + 1..) {
                let is_linked = match &earlier {
                    Some(earlier) => link_file(earlier, &to, id)?,
                    None => false,
                };
                if !is_linked && !copy_file(&self.asset_files, &to, id)? {
                    missing.push(id);
                }
                if watch(done, rows + more).is_break() {
                    return Err(BackupError::Cancelled);
                }
            }
            durable::sync_folder(folder)?;
            Ok(BackupReport {
                assets: more - missing.len() as u64,
                missing,
                rows_sha256: digest(txn)?,
            })
        })
    }
}

fn assets(txn: &ReadTxn) -> Result<Vec<AssetId>, StorageError> {
    let mut assets = Vec::new();
    // The rows themselves are not needed.
    txn.scan::<_, (), &[u8; 16]>(ASSET.read_as(), .., Direction::Ascending, |id, ()| {
        assets.push(AssetId::from_bytes(*id));
        ControlFlow::Continue(())
    })?;
    Ok(assets)
}

/// Links a file of another backup. Returns false if it has no such file, or the file system no links.
fn link_file(earlier: &AssetFiles, to: &AssetFiles, id: AssetId) -> io::Result<bool> {
    let (folder, relative) = earlier.place(id);
    let unfinished = to.begin()?.into_temp_path();
    fs::remove_file(&unfinished)?;
    match fs::hard_link(folder.join(relative), &unfinished) {
        Ok(()) => to.keep(unfinished, id).map(|()| true),
        Err(error) => {
            if error.kind() != io::ErrorKind::NotFound {
                tracing::debug!("a file of an earlier backup can't be linked: {error}");
            }
            Ok(false)
        }
    }
}

/// Copies a file's contents. Returns false if they do not exist.
fn copy_file(from: &AssetFiles, to: &AssetFiles, id: AssetId) -> io::Result<bool> {
    let mut source = match from.open(id) {
        Ok(source) => source,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let mut unfinished = to.begin()?;
    io::copy(&mut source, unfinished.as_file_mut())?;
    unfinished.as_file().sync_all()?;
    to.keep(unfinished.into_temp_path(), id)?;
    Ok(true)
}

/// The folder of a backup in progress. It is removed with its contents on drop, unless it is kept.
pub struct BackupFolder {
    /// Its path leads through the handle.
    unfinished: tempfile::TempDir,
    /// The folder of all backups, which stays the same if another process replaces it.
    backups: DirHandle,
}

impl BackupFolder {
    /// Creates one in `folder`, which will contain the backup, and must not be a link: it would lead elsewhere.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn begin(folder: &Path) -> Result<Self, BackupError> {
        durable::create_folder(folder, Access::Private)?;
        let backups = open_backups(folder)?;
        let mut builder = TEMP_NAMES.builder();
        keep_private(&mut builder);
        let unfinished = builder.tempdir_in(backups.path())?;
        Ok(Self {
            unfinished,
            backups,
        })
    }

    /// Removes the remains of killed backups from `folder`. No backup may be in progress there.
    ///
    /// # Errors
    /// Errors of the file system. The folders removed before the error stay removed.
    pub fn sweep(folder: &Path) -> io::Result<()> {
        let backups = match open_backups(folder) {
            Ok(backups) => backups,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        for entry in backups.entries()? {
            if TEMP_NAMES.has(&entry.name) && entry.is_folder() {
                backups.remove_tree(&entry.name)?;
                let path = folder.join(&entry.name);
                tracing::info!("{} was left by an interrupted backup", path.display());
            }
        }
        Ok(())
    }

    /// Its current path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.unfinished.path()
    }

    /// Moves it to its final name in `folder`, durably: `name`, or `name` with a number if that is
    /// taken. Returns the final path.
    ///
    /// Errors of the file system.
    pub fn keep(self, folder: &Path, name: &str) -> Result<PathBuf, BackupError> {
        let unfinished = self.unfinished.path().file_name().unwrap_or_default();
        let mut kept = OsString::from(name);
        for number in 2.. {
            let backups = &self.backups;
            if backups.rename_unless_taken(unfinished, backups, &kept)? {
                break;
            }
            kept = format!("{name}-{number}").into();
        }
        // It has been moved, so there is nothing to remove.
        let _moved = self.unfinished.keep();
        self.backups.sync()?;
        Ok(folder.join(kept))
    }
}

/// A backup is a data folder, and therefore private to its owner at any location.
fn keep_private(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o700));
}

/// Opens the folder of all backups. The folders above it may be links.
fn open_backups(folder: &Path) -> io::Result<DirHandle> {
    match (folder.parent(), folder.file_name()) {
        (Some(parent), Some(name)) => DirHandle::open(parent)?.folder(Path::new(name)),
        _ => DirHandle::open(folder),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweep_removes_only_unfinished_backups() {
        let outer = tempfile::tempdir().unwrap();
        let backups = outer.path().join("backups");
        BackupFolder::sweep(&backups).unwrap();
        let killed = BackupFolder::begin(&backups).unwrap();
        fs::write(killed.path().join("wiki.redb"), "half").unwrap();
        let left = killed.unfinished.keep();
        let kept = BackupFolder::begin(&backups).unwrap();
        let kept = kept.keep(&backups, "fumikura-2026").unwrap();
        let foreign = [backups.join(".backup-mine"), backups.join("notes")];
        foreign
            .iter()
            .for_each(|path| fs::create_dir(path).unwrap());
        let linked = backups.join(".backup-a1B2c3D4e5F6.tmp");
        std::os::unix::fs::symlink(&kept, &linked).unwrap();
        BackupFolder::sweep(&backups).unwrap();
        assert!(!left.exists());
        for path in foreign.iter().chain([&kept, &linked]) {
            assert!(path.is_dir(), "{}", path.display());
        }
    }

    #[test]
    fn link_in_place_of_the_folder_is_not_followed() {
        let outer = tempfile::tempdir().unwrap();
        let (backups, elsewhere) = (outer.path().join("backups"), outer.path().join("elsewhere"));
        fs::create_dir_all(elsewhere.join(".backup-a1B2c3D4e5F6.tmp")).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &backups).unwrap();
        assert!(BackupFolder::begin(&backups).is_err());
        assert!(BackupFolder::sweep(&backups).is_err());
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 1);

        // A link that takes its place later is not followed either.
        fs::remove_file(&backups).unwrap();
        let begun = BackupFolder::begin(&backups).unwrap();
        let moved = outer.path().join("moved");
        fs::rename(&backups, &moved).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &backups).unwrap();
        fs::write(begun.path().join("wiki.redb"), "whole").unwrap();
        begun.keep(&backups, "fumikura-2026").unwrap();
        assert_eq!(
            fs::read(moved.join("fumikura-2026/wiki.redb")).unwrap(),
            b"whole"
        );
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 1);
    }
}
