//! Repair of what a check has found, as far as that loses nothing: derived rows are rebuilt, and the contents of files
//! are brought back from backups. Before, a copy of the database is made, with the files that will be replaced.

mod rows;

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use fumikura_base::durable;

use crate::assets::{AssetFiles, IncomingFile, ReceivedFile};
use crate::backup::{BackupFolder, list_backups};
use crate::check::{CheckError, CheckReport, Depth, Fault, Remedy};
use crate::id::AssetId;
use crate::model::asset::AssetInfo;
use crate::parts::Backups;
use crate::store::{ASSET, CopyOutcome, Read as _, StorageError, copy};

/// A repair did not begin, or was interrupted. The copy that was made before is kept.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    #[error("the repair was cancelled")]
    Cancelled,
    /// Without a copy nothing is repaired.
    #[error(
        "the database can't be copied, so nothing was repaired: {0}. A backup that is put in its place can be opened"
    )]
    NotCopied(String),
    /// The database or the disk failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<io::Error> for RepairError {
    fn from(error: io::Error) -> Self {
        Self::Storage(error.into())
    }
}

impl From<CheckError> for RepairError {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Cancelled => Self::Cancelled,
            CheckError::Storage(error) => error.into(),
        }
    }
}

/// The outcome of a repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairReport {
    /// The folder with the state before; `None` if there was nothing to repair.
    pub copy: Option<PathBuf>,
    /// The faults that are gone.
    pub repaired: Vec<Fault>,
    /// The check after the repair, with the faults that remain.
    pub after: CheckReport,
}

impl Backups<'_> {
    /// True if a fault can be repaired: what is derived, and files that a backup in this folder has.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn can_repair(&self, backups: &Path, fault: &Fault) -> Result<bool, StorageError> {
        Ok(match fault.remedy {
            Remedy::Rebuild => true,
            Remedy::FromBackup(id) => self.bring_back(backups, id)?.is_some(),
            Remedy::None => false,
        })
    }

    /// Checks everything, repairs what can be repaired without a loss, and checks again. Files are brought back from
    /// the backups in `backups`, where the state before the repair is kept too, in a folder of its own.
    ///
    /// # Errors
    /// [`RepairError`].
    pub fn repair(
        &self,
        backups: &Path,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<RepairReport, RepairError> {
        let before = self.wiki.check_with_progress(Depth::Everything, watch)?;
        let mut rebuild = false;
        let mut found = Vec::new();
        for fault in &before.faults {
            match fault.remedy {
                Remedy::Rebuild => rebuild = true,
                Remedy::FromBackup(id) => {
                    found.extend(self.bring_back(backups, id)?.map(|contents| (id, contents)));
                }
                Remedy::None => {}
            }
        }
        if !rebuild && found.is_empty() {
            return Ok(RepairReport {
                copy: None,
                repaired: Vec::new(),
                after: before,
            });
        }
        let copy = self.copy_before(backups, &found, watch)?;
        tracing::info!("the state before a repair is kept in {}", copy.display());
        for (id, contents) in found {
            self.wiki.asset_files.keep(contents.path, id)?;
        }
        if rebuild {
            self.wiki.store.write(rows::repair)?;
            self.wiki.store.changes.mark_all();
            self.wiki.store.catalogue_changes.mark_all();
        }
        let after = self.wiki.check_with_progress(Depth::Everything, watch)?;
        let is_gone = |fault: &Fault| !after.faults.contains(fault);
        Ok(RepairReport {
            copy: Some(copy),
            repaired: before.faults.into_iter().filter(is_gone).collect(),
            after,
        })
    }

    /// Copies the database, and the files that will be replaced, into a folder of their own.
    fn copy_before(
        &self,
        backups: &Path,
        replaced: &[(AssetId, ReceivedFile)],
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<PathBuf, RepairError> {
        let folder = BackupFolder::begin(backups).map_err(|error| not_copied(&error))?;
        let database = folder.path().join("wiki.redb");
        let copied = self.wiki.store.read(|txn| copy(txn, &database, watch));
        match copied {
            Ok(CopyOutcome::Whole) => {}
            Ok(CopyOutcome::Cancelled) => return Err(RepairError::Cancelled),
            Err(error) => return Err(not_copied(&error)),
        }
        let files = AssetFiles::new(folder.path().join("asset"));
        for (id, _) in replaced {
            let mut damaged = match self.wiki.asset_files.open(*id) {
                Ok(damaged) => damaged,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error.into()),
            };
            let mut incoming = IncomingFile::begin(&files)?;
            incoming.copy_from(&mut damaged)?;
            files.keep(incoming.finish()?.path, *id)?;
        }
        durable::sync_folder(folder.path())?;
        let name = self.clock.now().strftime("before-repair-%Y-%m-%dT%H%M%SZ");
        let kept = folder.keep(backups, &name.to_string());
        kept.map_err(|error| not_copied(&error))
    }

    /// Copies the contents of a file from the newest backup that has them. Returns `None` if none has.
    fn bring_back(
        &self,
        backups: &Path,
        id: AssetId,
    ) -> Result<Option<ReceivedFile>, StorageError> {
        let info = self.wiki.store.read(|txn| txn.get(ASSET, &id.to_bytes()))?;
        let Some(AssetInfo { size, sha256, .. }) = info else {
            return Ok(None);
        };
        for backup in list_backups(backups)? {
            let files = AssetFiles::new(backups.join(&backup.name).join("asset"));
            let Ok(mut contents) = files.open(id) else {
                continue;
            };
            if contents.metadata()?.len() != size {
                continue;
            }
            let mut incoming = IncomingFile::begin(&self.wiki.asset_files)?;
            incoming.copy_from(&mut contents)?;
            let received = incoming.finish()?;
            if received.sha256 == sha256 {
                return Ok(Some(received));
            }
        }
        Ok(None)
    }
}

fn not_copied(error: &dyn std::fmt::Display) -> RepairError {
    RepairError::NotCopied(error.to_string())
}
