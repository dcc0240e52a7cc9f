//! Backups of all data: the database as of one moment, and the files that it lists.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use fumikura_base::durable::{self, Access};

use crate::assets::AssetFiles;
use crate::id::AssetId;
use crate::store::{ASSET, CopyOutcome, Direction, Read, ReadTxn, StorageError, copy};
use crate::temp_names::TempNames;
use crate::wiki::Wiki;

/// Backups in progress.
const TEMP_NAMES: TempNames = TempNames(".backup-");

/// A backup failed. The contents of its folder are unusable.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// It was cancelled.
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
}

impl Wiki {
    /// Copies everything into `folder`, which must exist and be empty, as a data folder that can be
    /// opened: `wiki.redb` and `asset/`. Writes continue meanwhile; the copy has the state at the
    /// start of the backup. Reports the progress to `watch` as done and total work, and stops if
    /// that returns [`ControlFlow::Break`]. On return, the copy is on the disk.
    ///
    /// # Errors
    /// [`BackupError`].
    pub fn back_up(
        &self,
        folder: &Path,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<BackupReport, BackupError> {
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
                if !copy_file(&self.asset_files, &to, id)? {
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

/// Copies a file's contents. Returns false if they do not exist.
fn copy_file(from: &AssetFiles, to: &AssetFiles, id: AssetId) -> io::Result<bool> {
    let (folder, relative) = from.place(id);
    let (source, unfinished) = (folder.join(relative), to.begin()?);
    match fs::copy(source, unfinished.path()) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    }
    unfinished.as_file().sync_all()?;
    to.keep(unfinished.into_temp_path(), id)?;
    Ok(true)
}

/// The folder of a backup in progress. It is removed with its contents on drop, unless it is kept.
pub struct BackupFolder {
    unfinished: tempfile::TempDir,
}

impl BackupFolder {
    /// Creates one in `folder`, which will contain the backup.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn begin(folder: &Path) -> Result<Self, BackupError> {
        durable::create_folder(folder, Access::Private)?;
        let mut builder = TEMP_NAMES.builder();
        keep_private(&mut builder);
        let unfinished = builder.tempdir_in(folder)?;
        Ok(Self { unfinished })
    }

    /// Removes the remains of killed backups from `folder`. No backup may be in progress there.
    ///
    /// # Errors
    /// Errors of the file system. The folders removed before the error stay removed.
    pub fn sweep(folder: &Path) -> io::Result<()> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let entry = entry?;
            if TEMP_NAMES.has(&entry.file_name()) && entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?;
                tracing::info!(
                    "{} was left by an interrupted backup",
                    entry.path().display()
                );
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
        let mut path = folder.join(name);
        for number in 2.. {
            // Nothing is replaced, neither an existing entry nor one that appears at this moment.
            if fs::symlink_metadata(&path).is_err() {
                match fs::rename(self.unfinished.path(), &path) {
                    Ok(()) => break,
                    Err(error) if is_taken(&error) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            path = folder.join(format!("{name}-{number}"));
        }
        // It has been moved, so there is nothing to remove.
        let _moved = self.unfinished.keep();
        durable::sync_folder(folder)?;
        Ok(path)
    }
}

/// A backup is a data folder, and therefore private to its owner at any location.
fn keep_private(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o700));
}

fn is_taken(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(error.kind(), Kind::AlreadyExists | Kind::DirectoryNotEmpty)
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
}
