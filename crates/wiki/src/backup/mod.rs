//! Backups of all data: the database as of one moment, and the files that it lists.
//!
//! - `record` describes a backup in its folder, `proof` restores it to show that it is complete, `ledger` records what was
//!   read for that, and `retention` decides which ones of the schedule are kept.
//! - `reader` opens a backup without changing it, `bring_back` brings its pages and files back, and
//!   `replacement` puts it in the place of the data.
//! - `inspection` checks that each can be opened, and reads all of its files.
//! - `folder_records` has hash records and sidecars, which are included on request.
//! - `second_place` copies backups to another disk.
//! - A file that a proved backup in the same folder has is linked instead of copied: the contents of an id never change.

mod bring_back;
mod folder_records;
mod inspection;
mod ledger;
mod proof;
mod reader;
mod record;
mod replacement;
mod retention;
mod second_place;

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use fumikura_base::dir_handle::DirHandle;
use fumikura_base::durable::{self, Access};

use crate::assets::{AssetFiles, BulkFiles};
use crate::id::AssetId;
use crate::store::panics::catch_panic;
use crate::store::{
    ASSET, CopyOutcome, Direction, Read, ReadTxn, StorageError, copy, digest, update_copy,
};
use crate::temp_names::TempNames;
use crate::wiki::Wiki;

use ledger::ProofLedger;

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
    ReplaceError, ReplacedData, Replacement, ReplacementRequest, discard_replacement,
    pending_replacement, prepare_replacement, replace_data,
};
pub use retention::{KeepRule, kept_by};
pub use second_place::SecondPlace;

/// Backups in progress.
const TEMP_NAMES: TempNames = TempNames(".backup-");
/// The files of the data folder that a backup has beside the wiki, each if there is one. The wiki knows nothing of them.
const OTHER_FILES: [&str; 2] = ["roots.json", "albums.json"];

/// A backup failed. The contents of its folder are unusable.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("the backup was cancelled")]
    Cancelled,
    /// Reading the data, or writing the copy, failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl BackupError {
    /// True if the wiki can't be backed up because its database is damaged.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Storage(error) if error.damage().is_some())
    }
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

/// An earlier backup in the same folder, whose unchanged parts are used again.
#[derive(Clone, Copy)]
struct EarlierBackup<'e> {
    folder: &'e Path,
    /// The files that its proof has read; `None` if everything is to be read again.
    ledger: Option<&'e ProofLedger>,
}

/// A copy of the state.
struct CopiedState {
    report: BackupReport,
    /// The files of the earlier backup that have not changed since they were proved.
    unchanged_files: HashSet<AssetId>,
    /// The pages that differ from the earlier backup; `None` if the rows were not compared with it.
    changed_pages: Option<BTreeSet<[u8; 16]>>,
}

impl Wiki {
    /// Copies everything into `folder`, which must exist and be empty, as a data folder that can be
    /// opened: `wiki.redb` and `asset/`. Writes continue meanwhile; the copy has the state at the
    /// start of the backup. Reports the progress to `watch` as done and total work, and stops if that returns
    /// [`ControlFlow::Break`]. On return, the copy is on the disk.
    ///
    /// # Errors
    /// [`BackupError`].
    pub fn back_up(
        &self,
        folder: &Path,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<BackupReport, BackupError> {
        Ok(self.copy_state(folder, None, watch)?.report)
    }

    /// Copies everything as [`Wiki::back_up`] does. Files that the earlier backup has are linked, and of its database only the
    /// rows that differ are written.
    fn copy_state(
        &self,
        folder: &Path,
        earlier: Option<EarlierBackup<'_>>,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<CopiedState, BackupError> {
        let copy = |txn: &ReadTxn| {
            let assets = assets(txn)?;
            let more = assets.len() as u64;
            let mut rows = 0;
            let database = folder.join("wiki.redb");
            let copied = copy_rows(txn, &database, earlier, &mut |done, total| {
                rows = total;
                watch(done, total + more)
            })?;
            let stored = earlier.map(|earlier| AssetFiles::new(earlier.folder.join("asset")));
            let ledger = earlier.and_then(|earlier| earlier.ledger);
            let to = AssetFiles::new(folder.join("asset"));
            let mut to = BulkFiles::new(&to);
            let (mut missing, mut unchanged_files) = (Vec::new(), HashSet::new());
            for (id, done) in assets.into_iter().zip(rows + 1..) {
                let linked = match &stored {
                    Some(stored) => to.link(stored, id)?,
                    None => None,
                };
                match linked {
                    // The status is the one before the file got another name.
                    Some(stat) if ledger.is_some_and(|ledger| ledger.has(id, stat)) => {
                        unchanged_files.insert(id);
                    }
                    Some(_) => {}
                    None if to.copy(&self.asset_files, id)? => {}
                    None => missing.push(id),
                }
                if watch(done, rows + more).is_break() {
                    return Err(BackupError::Cancelled);
                }
            }
            to.finish()?;
            durable::sync_folder(folder)?;
            Ok(CopiedState {
                report: BackupReport {
                    assets: more - missing.len() as u64,
                    missing,
                    rows_sha256: copied.rows_sha256,
                },
                unchanged_files,
                changed_pages: copied.changed_pages,
            })
        };
        let copied = catch_panic(|| self.store.read(copy));
        copied.unwrap_or_else(|damage| Err(StorageError::corrupted(damage).into()))
    }
}

/// A copy of the rows.
struct CopiedRows {
    rows_sha256: [u8; 32],
    /// The pages that differ from the earlier backup; `None` if the rows were not compared with it.
    changed_pages: Option<BTreeSet<[u8; 16]>>,
}

/// Copies the rows, as changes of the earlier backup if that was proved and can be read.
fn copy_rows(
    txn: &ReadTxn,
    database: &Path,
    earlier: Option<EarlierBackup<'_>>,
    watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<CopiedRows, BackupError> {
    if let Some(EarlierBackup {
        folder,
        ledger: Some(_),
    }) = earlier
    {
        match update_copy(txn, &folder.join("wiki.redb"), database, watch) {
            Ok(Some(updated)) => {
                return match updated.outcome {
                    CopyOutcome::Whole => Ok(CopiedRows {
                        rows_sha256: updated.rows_sha256,
                        changed_pages: Some(updated.changed_pages),
                    }),
                    CopyOutcome::Cancelled => Err(BackupError::Cancelled),
                };
            }
            Ok(None) => {}
            Err(error) => {
                let folder = folder.display();
                tracing::warn!(
                    "the database of {folder} can't be used for the next backup: {error}"
                );
            }
        }
        match fs::remove_file(database) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            removed => removed?,
        }
    }
    match copy(txn, database, watch)? {
        CopyOutcome::Whole => Ok(CopiedRows {
            rows_sha256: digest(txn)?,
            changed_pages: None,
        }),
        CopyOutcome::Cancelled => Err(BackupError::Cancelled),
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
